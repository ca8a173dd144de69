"""Rows of arrays whose items are alike: sequences and sets."""

import collections
import collections.abc
from collections.abc import Callable, Container, Iterator, Sized
from typing import Any, get_args, get_origin

from qitos_like.core.jsontypes import Json, Schema
from qitos_like.errors import SchemaError

from .annotations import Annotation
from .jsonvalues import identity
from .rows import Hook, Inferring, Part, RefusalError, Row, Structuring, shown

#: What an array arrives as, by the annotation's origin.
_SEQUENCES: dict[object, Callable[[list[object]], object]] = {
    list: list,
    collections.deque: collections.deque,
    collections.abc.Sequence: list,
    collections.abc.MutableSequence: list,
    collections.abc.Collection: list,
    collections.abc.Iterable: list,
    collections.abc.Container: list,
    collections.abc.Reversible: list,
}
_SETS: dict[object, Callable[[list[object]], object]] = {
    set: set,
    frozenset: frozenset,
    collections.abc.Set: set,
    collections.abc.MutableSet: set,
}
_SCALAR_TYPES = ["string", "number", "boolean", "null"]


def origin_of(annotation: Annotation) -> object:
    """``list`` of ``list[int]``, and of ``list`` itself."""
    return get_origin(annotation) or annotation


def argument_of(annotation: Annotation, index: int = 0) -> Annotation:
    """An argument of a generic alias; any value where it has none."""
    arguments = get_args(annotation)
    return arguments[index] if index < len(arguments) else Any


def as_array(value: Json) -> list[Json]:
    """The value, which has to be an array.

    Raises:
        RefusalError: it is none.
    """
    if isinstance(value, list):
        return value
    message = f"must be an array, not {shown(value)}"
    raise RefusalError(message)


def array_schema(items: Schema) -> Schema:
    """An array of such items."""
    return {"type": "array", "items": items} if items else {"type": "array"}


def _sequence_schema(annotation: Annotation, inferring: Inferring) -> Schema:
    return array_schema(inferring.schema(argument_of(annotation)))


def _sequence_hook(annotation: Annotation, structuring: Structuring) -> Hook:
    items = structuring.many(argument_of(annotation))
    make = _SEQUENCES[origin_of(annotation)]

    def as_list(value: Json, _type: object = None) -> list[object]:
        return [*items(as_array(value))]

    def made(value: Json, _type: object = None) -> object:
        return make(items(as_array(value)))

    return as_list if make is list else made


def _array_parts(annotation: Annotation, value: Json, _structuring: Structuring) -> Iterator[Part]:
    if isinstance(value, list):
        item = argument_of(annotation)
        yield from (Part(item, part, index) for index, part in enumerate(value))


def _set_schema(annotation: Annotation, inferring: Inferring) -> Schema:
    """Without a type, the items are the JSON values that Python can hash.

    Raises:
        SchemaError: the items cannot be hashed, so that no set could hold one.
    """
    item = argument_of(annotation)
    if getattr(origin_of(item), "__hash__", None) is None:
        name = item.__qualname__ if isinstance(item, type) else item
        message = f"a set cannot hold {name}, which has no hash: use a list, or a frozen class"
        raise SchemaError(message)
    items = inferring.schema(argument_of(annotation)) or {"type": _SCALAR_TYPES}
    return {"type": "array", "items": items, "uniqueItems": True}


def _set_hook(annotation: Annotation, structuring: Structuring) -> Hook:
    item = structuring.hook(argument_of(annotation))
    make = _SETS[origin_of(annotation)]

    def hook(value: Json, _type: object = None) -> object:
        array = as_array(value)
        parts = [item(part, None) for part in array]
        try:
            made = make(parts)
        except TypeError:
            message = "must hold strings, numbers, booleans and null only"
            raise RefusalError(message) from None
        is_short = isinstance(made, Sized) and len(made) < len(array)
        if is_short and len(set(map(identity, array))) < len(array):
            message = "must not hold a value twice"
            raise RefusalError(message)
        return made

    return hook


def _is_sequence(annotation: Annotation) -> bool:
    return is_known(origin_of(annotation), _SEQUENCES)


def _is_set(annotation: Annotation) -> bool:
    return is_known(origin_of(annotation), _SETS)


def is_known(origin: object, table: Container[object]) -> bool:
    """Whether a table has this origin; what cannot be hashed is in none."""
    return isinstance(origin, type) and origin in table


ARRAYS = (
    Row(_is_sequence, _sequence_schema, _sequence_hook, _array_parts),
    Row(_is_set, _set_schema, _set_hook, _array_parts),
)
