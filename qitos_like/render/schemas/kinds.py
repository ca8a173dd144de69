"""JSON types: which ones a schema names or lists, and which keywords are about which."""

from collections.abc import Iterable

from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.schema.jsonkinds import SCALARS, kind_of, listed

#: Keywords that say nothing about which values there may be.
ANNOTATIONS = frozenset(
    [
        "description",
        "title",
        "default",
        "examples",
        "$comment",
        "$schema",
        "deprecated",
        "readOnly",
        "writeOnly",
    ]
)
_NUMBERS = ("number", "integer")
#: Which types a keyword is about; one that is not here is about all.
_ABOUT: dict[str, tuple[str, ...]] = {
    "properties": ("object",),
    "required": ("object",),
    "additionalProperties": ("object",),
    "minProperties": ("object",),
    "maxProperties": ("object",),
    "items": ("array",),
    "prefixItems": ("array",),
    "minItems": ("array",),
    "maxItems": ("array",),
    "uniqueItems": ("array",),
    "pattern": ("string",),
    "format": ("string",),
    "minLength": ("string",),
    "maxLength": ("string",),
    "minimum": _NUMBERS,
    "maximum": _NUMBERS,
    "exclusiveMinimum": _NUMBERS,
    "exclusiveMaximum": _NUMBERS,
    "multipleOf": _NUMBERS,
}
_PLAIN_KEYWORDS = frozenset({"type", "description", "default"})
_FLAT_KEYWORDS = frozenset({"type", "properties", "required", "additionalProperties"})
#: Of plain parameters, so many can be said by any grammar.
_FEW = 20


def is_plain(schema: Json) -> bool:
    """Whether a schema says one plain type, a text and a default: most parameters do no more."""
    return (
        type(schema) is dict
        and _PLAIN_KEYWORDS.issuperset(schema)
        and schema.get("type") in SCALARS
    )


def is_flat(schema: Schema) -> bool:
    """Whether it is an object of a few plain parameters and nothing else, as of most tools."""
    properties = schema.get("properties", {})
    return (
        _FLAT_KEYWORDS.issuperset(schema)
        and schema.get("additionalProperties") is False
        and len(properties) <= _FEW
        and properties.keys() >= set(schema.get("required", ()))
        and all(map(is_plain, properties.values()))
    )


def kinds(schema: Schema) -> list[str]:
    """The types that a schema names; none if it names none."""
    return listed(schema.get("type", ()))


def implied_kinds(schema: Schema) -> list[str]:
    """The types that the keywords of a schema without a type are about."""
    return list(dict.fromkeys(_ABOUT[key][0] for key in schema if key in _ABOUT))


def of_kind(schema: Schema, kind: str) -> Schema:
    """What of a schema is about values of one type."""
    own = {key: value for key, value in schema.items() if kind in _ABOUT.get(key, (kind,))}
    return {**own, "type": kind}


def allowed(schema: Json) -> list[Json]:
    """The values that a schema lists, by ``enum`` or ``const``; empty if it lists none."""
    if not isinstance(schema, dict):
        return []
    return [schema["const"]] if "const" in schema else list(schema.get("enum", ()))


def kinds_of(values: Iterable[Json]) -> list[str]:
    """The types of some values, each once."""
    return list(dict.fromkeys(map(kind_of, values)))
