"""Rows of tuples: arrays whose items have types of their own."""

from collections.abc import Iterator
from types import GenericAlias
from typing import Any, Unpack, cast, get_args, get_origin

from qitos_like.core.jsontypes import Json, Schema

from .annotations import Annotation
from .arrays import array_schema, as_array
from .rows import Hook, Inferring, Part, RefusalError, Row, Structuring


def _tuple_items(annotation: Annotation) -> tuple[list[Annotation], Annotation | None]:
    """The items in their places, and what any further items are; ``None`` if there are none."""
    arguments = get_args(annotation)
    if not arguments:
        is_bare = annotation is tuple or getattr(annotation, "__args__", None) is None
        return [], Any if is_bare else None
    if len(arguments) == 2 and arguments[1] is ...:  # noqa: PLR2004 (tuple[T, ...])
        return [], arguments[0]
    fixed: list[Annotation] = []
    rest: Annotation | None = None
    for argument in arguments:
        inner = _unpacked(argument)
        if inner is None:
            fixed.append(argument)
        else:
            more, rest = _tuple_items(inner)
            fixed += more
    return fixed, rest


def _unpacked(argument: Annotation) -> Annotation | None:
    """The tuple in ``*tuple[int, ...]`` or ``Unpack[tuple[int, ...]]``."""
    if get_origin(argument) is Unpack:
        return cast(Annotation, get_args(argument)[0])
    if getattr(argument, "__unpacked__", False):
        return GenericAlias(tuple, get_args(argument))
    return None


def _tuple_schema(annotation: Annotation, inferring: Inferring) -> Schema:
    fixed, rest = _tuple_items(annotation)
    if not fixed and rest is not None:
        return array_schema(inferring.schema(rest))
    schema: Schema = {"type": "array"}
    if fixed:
        schema["prefixItems"] = [inferring.schema(item) for item in fixed]
        schema["minItems"] = len(fixed)
    if rest is None:
        schema["maxItems"] = len(fixed)
    elif items := inferring.schema(rest):
        schema["items"] = items
    return schema


def _tuple_hook(annotation: Annotation, structuring: Structuring) -> Hook:
    fixed, rest = _tuple_items(annotation)
    hooks = [structuring.hook(item) for item in fixed]
    more = None if rest is None else structuring.hook(rest)

    def hook(value: Json, _type: object = None) -> object:
        array = as_array(value)
        if len(array) < len(hooks) or (more is None and len(array) > len(hooks)):
            least = "at least" if more else "exactly"
            message = f"must have {least} {len(hooks)} items, not {len(array)}"
            raise RefusalError(message)
        head = [item(part, None) for item, part in zip(hooks, array, strict=False)]
        tail = [more(part, None) for part in array[len(hooks) :]] if more else []
        return (*head, *tail)

    return hook


def _tuple_parts(annotation: Annotation, value: Json, _structuring: Structuring) -> Iterator[Part]:
    fixed, rest = _tuple_items(annotation)
    if isinstance(value, list):
        for index, part in enumerate(value):
            item = fixed[index] if index < len(fixed) else rest
            if item is not None:
                yield Part(item, part, index)


TUPLES = (
    Row(
        lambda annotation: annotation is tuple or get_origin(annotation) is tuple,
        _tuple_schema,
        _tuple_hook,
        _tuple_parts,
    ),
)
