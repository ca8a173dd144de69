"""A quick yes for well-formed schemas, so that the common ones need no meta-schema.

``is_wellformed`` says yes only to what the 2020-12 meta-schema admits. Its no means "look closer".
"""

import re
from collections.abc import Callable, Iterable, Mapping

from qitos_like.core.jsontypes import Json

_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_MAX_DEPTH = 32


def is_schema(value: Json) -> bool:
    """Whether the value could be a schema by its type: a mapping or a boolean."""
    return isinstance(value, Mapping | bool)


def is_schema_map(value: Json) -> bool:
    """Whether the value is a mapping whose values could be schemas."""
    return isinstance(value, Mapping) and all(map(is_schema, value.values()))


def is_wellformed(schema: Json, depth: int = 0) -> bool:
    """Whether each keyword is known here and has a value that the meta-schema admits."""
    if isinstance(schema, bool):
        return True
    if not isinstance(schema, dict) or depth > _MAX_DEPTH:
        return False
    for keyword, value in schema.items():
        if keyword in _PLAIN:
            if not _PLAIN[keyword](value):
                return False
        elif keyword not in _INNER or not _all_wellformed(_INNER[keyword](value), depth + 1):
            return False
    return True


def _all_wellformed(schemas: Iterable[Json] | None, depth: int) -> bool:
    return schemas is not None and all(is_wellformed(inner, depth) for inner in schemas)


def _text(value: Json) -> bool:
    return isinstance(value, str)


def _flag(value: Json) -> bool:
    return isinstance(value, bool)


def _anything(_value: Json) -> bool:
    return True


def _number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _positive(value: Json) -> bool:
    return _number(value) and value > 0


def _count(value: Json) -> bool:
    return type(value) is int and value >= 0


def _list(value: Json) -> bool:
    return isinstance(value, list)


def _texts(value: Json) -> bool:
    return isinstance(value, list) and all(map(_text, value)) and len(set(value)) == len(value)


def _type(value: Json) -> bool:
    if isinstance(value, str):
        return value in _TYPES
    return _texts(value) and bool(value) and _TYPES.issuperset(value)


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


def _pattern(value: Json) -> bool:
    return isinstance(value, str) and _compiles(value)


def _fragment(value: Json) -> bool:
    return isinstance(value, str) and value.startswith("#")


#: Keywords without schemas inside, and whether a value is right.
_PLAIN: dict[str, Callable[[Json], bool]] = {
    "type": _type,
    "enum": _list,
    "const": _anything,
    "default": _anything,
    "examples": _list,
    "title": _text,
    "description": _text,
    "format": _text,
    "$comment": _text,
    "$ref": _fragment,
    "deprecated": _flag,
    "readOnly": _flag,
    "writeOnly": _flag,
    "required": _texts,
    "minimum": _number,
    "maximum": _number,
    "exclusiveMinimum": _number,
    "exclusiveMaximum": _number,
    "multipleOf": _positive,
    "minLength": _count,
    "maxLength": _count,
    "minItems": _count,
    "maxItems": _count,
    "minProperties": _count,
    "maxProperties": _count,
    "uniqueItems": _flag,
    "pattern": _pattern,
    "contentEncoding": _text,
    "contentMediaType": _text,
}


def _one(value: Json) -> Iterable[Json]:
    return (value,)


def _some(value: Json) -> Iterable[Json] | None:
    return value if isinstance(value, list) and value else None


def _named(value: Json) -> Iterable[Json] | None:
    return value.values() if isinstance(value, dict) else None


#: Keywords that hold schemas, and the schemas of a value; ``None`` if the value is wrong.
_INNER: dict[str, Callable[[Json], Iterable[Json] | None]] = {
    "properties": _named,
    "$defs": _named,
    "additionalProperties": _one,
    "items": _one,
    "not": _one,
    "propertyNames": _one,
    "prefixItems": _some,
    "anyOf": _some,
    "oneOf": _some,
    "allOf": _some,
}

#: Every keyword of 2020-12, for telling a whole schema from a property map.
KEYWORDS = frozenset(_PLAIN.keys() | _INNER.keys()) | frozenset(
    [
        "$schema",
        "$id",
        "$anchor",
        "$dynamicRef",
        "$dynamicAnchor",
        "$vocabulary",
        "definitions",
        "dependencies",
        "patternProperties",
        "dependentSchemas",
        "dependentRequired",
        "unevaluatedItems",
        "unevaluatedProperties",
        "contains",
        "minContains",
        "maxContains",
        "if",
        "then",
        "else",
        "contentSchema",
    ]
)
