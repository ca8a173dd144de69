"""Rows of ``Annotated``: texts and constraints beside a type.

Constraints are known by their attributes (``ge``, ``max_length``, ``pattern`` ...), as the package
annotated_types defines them, so that it and the libraries that build on it need no import here.
"""

import operator
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, cast, get_origin

from attrs import frozen

from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.multiples import is_multiple

from .annotations import Annotation
from .jsonkinds import JSON_TYPES, json_types
from .marked import split
from .models import validated
from .properties import described
from .rows import Hook, Inferring, Part, RefusalError, Row, Structuring


@frozen
class _Kind:
    """A constraint that a mark can hold in an attribute.

    Attributes:
        keywords: what JSON Schema calls it, by the JSON types that it speaks of.
        holds: whether a value keeps it.
        complaint: what to say of one that does not; ``{}`` is the limit.
        measure: what of a value is compared; the value itself unless given.
    """

    keywords: dict[str, str]
    holds: Callable[[Json, Json], bool]
    complaint: str
    measure: Callable[[Json], Json] = lambda value: value


def _numeric(keyword: str) -> dict[str, str]:
    return {"integer": keyword, "number": keyword}


def _sized(end: str) -> dict[str, str]:
    return {"string": f"{end}Length", "array": f"{end}Items", "object": f"{end}Properties"}


def _is_multiple(value: Json, factor: Json) -> bool:
    if isinstance(value, int | float) and isinstance(factor, int | float):
        return is_multiple(value, factor)
    step = type(value)(repr(factor)) if isinstance(factor, float) else factor
    return not value % step


def _matches(value: Json, pattern: str) -> bool:
    return re.search(pattern, value) is not None


_KINDS = {
    "gt": _Kind(_numeric("exclusiveMinimum"), operator.gt, "must be greater than {}"),
    "ge": _Kind(_numeric("minimum"), operator.ge, "must be at least {}"),
    "lt": _Kind(_numeric("exclusiveMaximum"), operator.lt, "must be less than {}"),
    "le": _Kind(_numeric("maximum"), operator.le, "must be at most {}"),
    "multiple_of": _Kind(_numeric("multipleOf"), _is_multiple, "must be a multiple of {}"),
    "min_length": _Kind(_sized("min"), operator.ge, "must have a length of at least {}", len),
    "max_length": _Kind(_sized("max"), operator.le, "must have a length of at most {}", len),
    "pattern": _Kind({"string": "pattern"}, _matches, "must match the pattern {}"),
}


@frozen
class _Constraint:
    """A constraint with its limit."""

    kind: _Kind
    limit: Json

    def keywords(self, schema: Schema, admitted: set[str] | None) -> dict[str, str]:
        """What it adds to a schema, by the JSON type that each keyword speaks of.

        ``admitted`` are the types that the schema admits, ``None`` for all.
        """
        if "contentEncoding" in schema or not isinstance(self.limit, int | float | str):
            return {}  # the length of the text is not that of the bytes; a date is no JSON
        return {
            name: keyword
            for name, keyword in self.kind.keywords.items()
            if admitted is None or name in admitted
        }

    def check(self, value: Json) -> None:
        """Return if the value keeps the constraint.

        Raises:
            RefusalError: it does not.
        """
        if not self._holds(value):
            raise RefusalError(self.kind.complaint.format(self.limit))

    def _holds(self, value: Json) -> bool:
        try:
            return self.kind.holds(self.kind.measure(value), self.limit)
        except ArithmeticError:  # Decimal("NaN") cannot be compared
            return False


def _constraints(marks: tuple[object, ...]) -> Iterator[_Constraint]:
    for mark in marks:
        if isinstance(mark, str | type):
            continue
        if hasattr(mark, "__is_annotated_types_grouped_metadata__"):
            yield from _constraints(tuple(cast("Iterable[object]", mark)))  # what it promises
            continue
        inner = getattr(mark, "metadata", None)  # pydantic's Field keeps them there
        if isinstance(inner, list):
            yield from _constraints(tuple(inner))
        for attribute, kind in _KINDS.items():
            limit = getattr(mark, attribute, None)
            if isinstance(limit, re.Pattern):
                limit = limit.pattern
            if limit is not None and not callable(limit):
                yield _Constraint(kind, limit)


def _schema(annotation: Annotation, inferring: Inferring) -> Schema:
    marked = split(annotation)
    schema = dict(inferring.schema(marked.base))
    bare, admitted = dict(schema), inferring.json_types(schema)
    for constraint in _constraints(marked.marks):
        for keyword in sorted(set(constraint.keywords(bare, admitted).values())):
            if keyword in schema:
                schema["allOf"] = [*schema.get("allOf", ()), {keyword: constraint.limit}]
            else:
                schema[keyword] = constraint.limit
    return described(schema, marked.text)


def _hook(annotation: Annotation, structuring: Structuring) -> Hook:
    marked = split(annotation)
    inner = validated(structuring.hook(marked.base), marked.marks)
    constraints = list(_constraints(marked.marks))
    if not constraints:
        return inner
    schema = structuring.schema(marked.base)
    admitted = json_types(schema)
    on_json = [(each, frozenset(each.keywords(schema, admitted))) for each in constraints]
    on_value = [each for each, names in on_json if not names]

    def hook(value: Json, _type: object = None) -> object:
        made = inner(value, None)
        own = JSON_TYPES.get(type(value), frozenset())
        for constraint, names in on_json:
            if not names.isdisjoint(own):
                constraint.check(value)
        for constraint in on_value:
            constraint.check(made)
        return made

    return hook


def _parts(annotation: Annotation, value: Json, _structuring: Structuring) -> Iterator[Part]:
    yield Part(split(annotation).base, value)


CONSTRAINTS = (Row(lambda annotation: get_origin(annotation) is Annotated, _schema, _hook, _parts),)
