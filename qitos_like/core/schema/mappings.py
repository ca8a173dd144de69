"""Rows of objects with free keys."""

import collections
import collections.abc
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from qitos_like.core.jsontypes import Json, Schema

from .annotations import Annotation
from .arrays import argument_of, is_known, origin_of
from .rows import Hook, Inferring, Part, RefusalError, Row, Structuring, shown
from .scalars import structure_anything, structure_text

#: What an object arrives as, by the annotation's origin.
_MAPPINGS: dict[object, Callable[[dict[object, object]], object]] = {
    dict: dict,
    collections.OrderedDict: collections.OrderedDict,
    collections.Counter: collections.Counter,
    collections.defaultdict: partial(collections.defaultdict, None),
    collections.abc.Mapping: dict,
    collections.abc.MutableMapping: dict,
}
#: Types whose values a ``defaultdict`` begins with.
_EMPTY = frozenset({int, float, str, bool, list, dict, set})
#: How an integer is written as a key, which JSON has as text only.
_INTEGER_KEY = "^-?(0|[1-9][0-9]*)$"


def as_object(value: Json) -> dict[str, Json]:
    """The value, which has to be an object.

    Raises:
        RefusalError: it is none.
    """
    if isinstance(value, dict):
        return value
    message = f"must be an object, not {shown(value)}"
    raise RefusalError(message)


def _schema(annotation: Annotation, inferring: Inferring) -> Schema:
    schema: Schema = {"type": "object"}
    names = _names_schema(inferring.schema(argument_of(annotation, 0)), inferring)
    if names:
        schema["propertyNames"] = names
    values = inferring.schema(_values(annotation))
    if values:
        schema["additionalProperties"] = values
    return schema


def _names_schema(keys: Schema, inferring: Inferring) -> Schema:
    """What the schema of the keys says of property names."""
    kind = keys.get("type")
    if kind == "string" or not keys:
        return {keyword: value for keyword, value in keys.items() if keyword != "type"}
    if kind != "integer":
        return inferring.unknown("keys of an object are texts or integers")
    if "enum" in keys:
        return {"enum": list(map(str, keys["enum"]))}
    return {"pattern": _INTEGER_KEY}


def _hook(annotation: Annotation, structuring: Structuring) -> Hook:
    key_annotation = argument_of(annotation, 0)
    key_hook = _key_hook(key_annotation, structuring)
    item = structuring.hook(_values(annotation))
    make = _maker(annotation)

    def hook(value: Json, _type: object = None) -> object:
        items = as_object(value).items()
        return make({key_hook(key, None): item(part, None) for key, part in items})

    def with_plain_keys(value: Json, _type: object = None) -> object:
        return {key: item(part, None) for key, part in as_object(value).items()}

    is_plain = key_annotation is Any or key_annotation is str
    return with_plain_keys if is_plain and make is dict else hook


def _values(annotation: Annotation) -> Annotation:
    """What the values are; a ``Counter`` does not say it."""
    return int if origin_of(annotation) is collections.Counter else argument_of(annotation, 1)


def _maker(annotation: Annotation) -> Callable[[dict[object, object]], object]:
    """The class; a ``defaultdict`` goes on with empty values of its own type."""
    origin = origin_of(annotation)
    if origin is not collections.defaultdict:
        return _MAPPINGS[origin]
    kind = origin_of(_values(annotation))
    factory = kind if isinstance(kind, type) and kind in _EMPTY else None
    return partial(collections.defaultdict, factory)


def _key_hook(annotation: Annotation, structuring: Structuring) -> Hook:
    inner = structuring.hook(annotation)
    if inner in {structure_anything, structure_text}:
        return inner
    kind = structuring.schema(annotation).get("type")
    is_integer = kind == "integer"
    if not is_integer and kind != "string":
        return structure_anything

    def hook(key: Json, _type: object = None) -> object:
        try:
            return inner(_integer(key) if is_integer else key, None)
        except ValueError as error:
            message = f"has the key {key!r}, which {error}"
            raise RefusalError(message) from None

    return hook


def _integer(key: str) -> int:
    if re.search(_INTEGER_KEY, key) is None:
        message = "must be an integer"
        raise RefusalError(message)
    return int(key)


def _parts(annotation: Annotation, value: Json, _structuring: Structuring) -> Iterator[Part]:
    if isinstance(value, dict):
        item = _values(annotation)
        yield from (Part(item, part, key) for key, part in value.items())


MAPPINGS = (
    Row(
        lambda annotation: is_known(origin_of(annotation), _MAPPINGS),
        _schema,
        _hook,
        _parts,
    ),
)
