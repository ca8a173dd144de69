"""What a row of the type table is: one family of annotations, its schema, its values.

A row keeps both directions of a type side by side. What its schema admits, its hook must accept,
and the reverse; only the format of a text is ruled by the Python type's own parser.
"""

from collections.abc import Callable, Iterable
from typing import Protocol

from attrs import frozen

from qitos_like.core.jsontypes import Json, Schema

from .annotations import Annotation, Scope

#: From a JSON value to the Python value; the second argument is there because cattrs passes it.
Hook = Callable[[Json, object], object]
#: The same for all items of an array at once, quicker; it may return the array that it is given.
Many = Callable[[list[Json]], list[object]]


class RefusalError(ValueError):
    """A JSON value that is none of the annotated type; the text is meant for the model.

    Attributes:
        steps: the keys and indices that lead from the value to the place at fault.
    """

    def __init__(self, message: str, *steps: str | int) -> None:
        super().__init__(message)
        self.steps = steps


class Inferring(Protocol):
    """One schema in the making."""

    scope: Scope

    def schema(self, annotation: Annotation) -> Schema:
        """The schema of an annotation, which is resolved."""
        ...

    def define(self, annotation: Annotation, name: str, build: Callable[[], Schema]) -> Schema:
        """A reference to a schema under ``$defs``, which is built once."""
        ...

    def define_alias(
        self, annotation: Annotation, name: str, build: Callable[[], Schema]
    ) -> Schema:
        """The schema itself, or a reference to it if it refers to itself."""
        ...

    def json_types(self, schema: Schema) -> set[str] | None:
        """The JSON types that one of its schemas may admit; ``None`` for all."""
        ...

    def unknown(self, reason: str) -> Schema:
        """The schema of any value, for an annotation that says nothing to us."""
        ...


class Structuring(Protocol):
    """The hooks of one signature."""

    scope: Scope

    def hook(self, annotation: Annotation) -> Hook:
        """The hook of an annotation, which is resolved."""
        ...

    def many(self, annotation: Annotation) -> Many:
        """The hook for all items of an array, which are of that annotation."""
        ...

    def schema(self, annotation: Annotation) -> Schema:
        """The schema of an annotation on its own."""
        ...


@frozen
class Part:
    """A JSON value inside another, with the annotation that it has to fit.

    Attributes:
        step: the key or index that leads to it; ``None`` if it is the same value.
    """

    annotation: Annotation
    value: Json
    step: str | int | None = None


def no_parts(_annotation: Annotation, _value: Json, _structuring: Structuring) -> Iterable[Part]:
    """Nothing inside."""
    return ()


@frozen
class Row:
    """A family of annotations.

    Attributes:
        matches: whether an annotation belongs to the family.
        schema: its JSON Schema.
        hook: a function from a JSON value to a value of the annotated type, which raises
            ``RefusalError`` (or whatever a class's own constructor raises) for any other.
        parts: what is inside a JSON value, so that a refusal can name the innermost place.
        many: a quicker hook for arrays of such values, if there is one.
    """

    matches: Callable[[Annotation], bool]
    schema: Callable[[Annotation, Inferring], Schema]
    hook: Callable[[Annotation, Structuring], Hook]
    parts: Callable[[Annotation, Json, Structuring], Iterable[Part]] = no_parts
    many: Callable[[Annotation, Structuring], Many] | None = None


def shown(value: Json) -> str:
    """A JSON value for a refusal: short, with its JSON type."""
    kind = json_kind(value)
    if not isinstance(value, str | int | float):
        return kind
    text = repr(value) if isinstance(value, str) else str(value).lower()
    return f"{kind} {text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS] + '…'}"


def json_kind(value: Json) -> str:
    """What JSON calls this value, with its article."""
    return _KINDS.get(type(value), f"a value of type {type(value).__name__}")


_SHOWN_CHARS = 60
_KINDS = {
    str: "the string",
    bool: "the boolean",
    int: "the number",
    float: "the number",
    dict: "an object",
    list: "an array",
    type(None): "null",
}
