"""Rows of tuples: arrays whose items have types of their own."""

from collections.abc import Iterator
from typing import Any, get_args, get_origin

from attrs import frozen

from qitos_like.core.jsontypes import Json, Schema

from .annotations import Annotation, unpacked
from .arrays import array_schema, as_array
from .rows import Hook, Inferring, Part, RefusalError, Row, Structuring
from .unions import union_schema


@frozen
class _Items:
    """What a tuple's items are.

    Attributes:
        first: those in their places.
        rest: what any number of items after them are; ``None`` if there are none.
        last: those in their places behind the rest.
    """

    first: tuple[Annotation, ...] = ()
    rest: Annotation | None = None
    last: tuple[Annotation, ...] = ()

    @property
    def least(self) -> int:
        """How many items there are at least."""
        return len(self.first) + len(self.last)

    def all(self, count: int) -> list[Annotation]:
        """What each of so many items is."""
        if self.rest is None:
            return [*self.first][:count]
        return [*self.first, *[self.rest] * (count - self.least), *self.last][:count]


def _items(annotation: Annotation) -> _Items:
    arguments = get_args(annotation)
    if not arguments:
        is_bare = annotation is tuple or getattr(annotation, "__args__", None) is None
        return _Items(rest=Any if is_bare else None)
    if len(arguments) == 2 and arguments[1] is ...:  # noqa: PLR2004 (tuple[T, ...])
        return _Items(rest=arguments[0])
    items = _Items()
    for argument in arguments:
        inner = unpacked(argument)
        more = _Items((argument,)) if inner is None else _items(inner)
        if items.rest is None:
            items = _Items((*items.first, *more.first), more.rest, more.last)
        else:
            items = _Items(items.first, items.rest, (*items.last, *more.first))
    return items


def _tuple_schema(annotation: Annotation, inferring: Inferring) -> Schema:
    items = _items(annotation)
    if not items.least and items.rest is not None:
        return array_schema(inferring.schema(items.rest))
    schema: Schema = {"type": "array"}
    if items.first:
        schema["prefixItems"] = [inferring.schema(item) for item in items.first]
    if items.least:
        schema["minItems"] = items.least
    if items.rest is None:
        schema["maxItems"] = items.least
        return schema
    behind = union_schema([inferring.schema(item) for item in (items.rest, *items.last)])
    return {**schema, "items": behind} if behind else schema


def _tuple_hook(annotation: Annotation, structuring: Structuring) -> Hook:
    items = _items(annotation)
    first = [structuring.hook(item) for item in items.first]
    last = [structuring.hook(item) for item in items.last]
    more = None if items.rest is None else structuring.hook(items.rest)

    def hook(value: Json, _type: object = None) -> object:
        array = as_array(value)
        spare = len(array) - items.least
        if spare < 0 or (more is None and spare):
            least = "at least" if more else "exactly"
            message = f"must have {least} {items.least} items, not {len(array)}"
            raise RefusalError(message)
        hooks = [*first, *[more] * spare, *last] if more else first
        return tuple([item(part, None) for item, part in zip(hooks, array, strict=True)])

    return hook


def _tuple_parts(annotation: Annotation, value: Json, _structuring: Structuring) -> Iterator[Part]:
    if isinstance(value, list):
        kinds = _items(annotation).all(len(value))
        for index, (kind, part) in enumerate(zip(kinds, value, strict=False)):
            yield Part(kind, part, index)


TUPLES = (
    Row(
        lambda annotation: annotation is tuple or get_origin(annotation) is tuple,
        _tuple_schema,
        _tuple_hook,
        _tuple_parts,
    ),
)
