"""Rows of annotations that stand for another: ``NewType``, ``TypeVar``, ``type`` statements."""

from collections.abc import Callable, Iterator
from typing import Any, NewType, TypeVar, cast

from qitos_like.core.jsontypes import Json, Schema

from .annotations import Annotation, Recursive, Scope, union
from .rows import Inferring, Part, Row, Structuring
from .statements import is_statement, statement_of, value_of

Meaning = Callable[[Annotation, Scope], Annotation]
Infer = Callable[[Annotation, Inferring], Schema]


def _standing_for(
    meaning: Meaning,
    matches: Callable[[Annotation], bool],
    schema: Infer | None = None,
) -> Row:
    """A row of annotations that mean the same as another one."""

    def parts(annotation: Annotation, value: Json, structuring: Structuring) -> Iterator[Part]:
        yield Part(meaning(annotation, structuring.scope), value)

    def plain(annotation: Annotation, inferring: Inferring) -> Schema:
        return inferring.schema(meaning(annotation, inferring.scope))

    return Row(
        matches,
        schema or plain,
        lambda annotation, structuring: structuring.hook(meaning(annotation, structuring.scope)),
        parts,
    )


def _supertype(annotation: Annotation, scope: Scope) -> Annotation:
    return scope.resolve(annotation.__supertype__) if isinstance(annotation, NewType) else Any


def _limit(annotation: Annotation, scope: Scope) -> Annotation:
    """The default of a variable, its constraints as a union, its bound, or any value."""
    if not isinstance(annotation, TypeVar):
        return Any
    has_default = getattr(annotation, "has_default", None)  # from Python 3.13 on
    if has_default is not None and has_default():
        return scope.resolve(cast("Json", annotation).__default__)
    if annotation.__constraints__:  # of AnyStr, a text as it is comes before base64
        return scope.resolve(union(*sorted(annotation.__constraints__, key=_is_bytes)))
    return Any if annotation.__bound__ is None else scope.resolve(annotation.__bound__)


def _is_bytes(annotation: Annotation) -> bool:
    return annotation is bytes


def _by_reference(name: Callable[[Annotation], str], meaning: Meaning) -> Infer:
    """The schema of what an alias stands for; by reference if it mentions itself."""

    def schema(annotation: Annotation, inferring: Inferring) -> Schema:
        return inferring.define_alias(
            annotation,
            name(annotation),
            lambda: inferring.schema(meaning(annotation, inferring.scope)),
        )

    return schema


def _recursive_value(annotation: Annotation, _scope: Scope) -> Annotation:
    return cast("Recursive", annotation).value  # the row matches nothing else


ALIASES = (
    _standing_for(_supertype, lambda annotation: isinstance(annotation, NewType)),
    _standing_for(_limit, lambda annotation: isinstance(annotation, TypeVar)),
    _standing_for(
        value_of,
        is_statement,
        _by_reference(lambda alias: statement_of(alias).__name__, value_of),
    ),
    _standing_for(
        _recursive_value,
        lambda annotation: isinstance(annotation, Recursive),
        _by_reference(str, _recursive_value),
    ),
)
