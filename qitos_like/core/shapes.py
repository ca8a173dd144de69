"""JSON Schemas in the short spelling of a signature: ``int``, ``[str]``, ``{a: int, b?: str}``."""

import re
from collections.abc import Callable, Mapping
from json import JSONEncoder
from math import isfinite

from .jsontypes import Json, Schema
from .references import reference_name, referred
from .safe_text import clean, hides

#: Types that have no parts, as they are spelled.
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "null"}
_BOUNDS = {
    "minimum": ">= {}",
    "exclusiveMinimum": "> {}",
    "maximum": "<= {}",
    "exclusiveMaximum": "< {}",
    "multipleOf": "multiple of {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "uniqueItems": "no item twice",
    "minProperties": "at least {} keys",
    "maxProperties": "at most {} keys",
    "pattern": "matches {}",
}
#: What says nothing about values, or is said elsewhere.
_ASIDE = frozenset(
    [
        "description",
        "default",
        "examples",
        "title",
        "$defs",
        "definitions",
        "$schema",
        "$id",
        "$anchor",
        "$dynamicAnchor",
        "$comment",
    ]
)
_PLAIN_NAME = re.compile(r"[\w$][\w$-]*", re.ASCII)
_encode = JSONEncoder(ensure_ascii=False, default=str).encode
_encode_ascii = JSONEncoder(default=str).encode


class Speller:
    """Spells the schemas of one tool; a class that is defined by reference is spelled once.

    >>> Speller({}).spell({"type": "array", "items": {"enum": ["a", 1]}})
    '["a" | 1]'
    """

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._spelled: set[str] = set()

    def spell(self, schema: Json) -> str:
        """The type that a schema admits; ``any`` if it admits everything."""
        return " | ".join(self.members(schema))

    def members(self, schema: Json) -> list[str]:
        """The alternatives of a union, each spelled; one for anything else."""
        if not isinstance(schema, Mapping):
            return ["any" if schema else "nothing"]
        for keyword, handler, _ in _HANDLERS:
            if keyword in schema:
                return list(dict.fromkeys(handler(self, schema)))
        return ["any"]

    def resolve(self, schema: Json) -> Json:
        """What a reference into the tool's schema stands for; anything else as it is."""
        found = referred(self._root, schema)
        return schema if found is None else found

    def _reference(self, schema: Mapping[str, Json]) -> list[str]:
        name, target = clean(reference_name(schema)), referred(self._root, schema)
        if name in self._spelled or target is None:
            return [name or "object"]
        self._spelled.add(name)
        members = self.members(target)
        return [f"{name}{members[0]}"] if members[0].startswith("{") else members

    def _enum(self, schema: Mapping[str, Json]) -> list[str]:
        return list(map(literal, schema["enum"]))

    def _const(self, schema: Mapping[str, Json]) -> list[str]:
        return [literal(schema["const"])]

    def _any_of(self, schema: Mapping[str, Json]) -> list[str]:
        return [spelled for member in schema["anyOf"] for spelled in self.members(member)]

    def _one_of(self, schema: Mapping[str, Json]) -> list[str]:
        return [spelled for member in schema["oneOf"] for spelled in self.members(member)]

    def _intersection(self, schema: Mapping[str, Json]) -> list[str]:
        return [" & ".join(dict.fromkeys(map(self.spell, schema["allOf"])))]

    def _typed(self, schema: Mapping[str, Json]) -> list[str]:
        kinds = schema["type"]
        return [self._kind(kind, schema) for kind in ([kinds] if type(kinds) is str else kinds)]

    def _kind(self, kind: str, schema: Mapping[str, Json]) -> str:
        if kind == "array":
            return self._array(schema)
        if kind == "object":
            return self._object(schema)
        name = PLAIN.get(kind) or clean(kind)
        return f"{name}<{clean(schema['format'])}>" if "format" in schema else name

    def _array(self, schema: Mapping[str, Json]) -> str:
        parts = [self.spell(item) for item in schema.get("prefixItems", ())]
        rest = schema.get("items", not parts)
        if rest is not False:
            parts.append(f"{'...' if parts else ''}{self.spell(rest)}")
        return f"[{', '.join(parts)}]"

    def _object(self, schema: Mapping[str, Json]) -> str:
        required = schema.get("required", ())
        fields = [
            self._field(name, value, is_required=name in required)
            for name, value in schema.get("properties", {}).items()
        ]
        rest = schema.get("additionalProperties")
        if rest is not False and rest is not None and (fields or rest is not True):
            fields.append(f"*: {self.spell(rest)}")
        elif not fields:
            return "object" if rest is not False else "{}"
        return f"{{{', '.join(fields)}}}"

    def _field(self, name: str, schema: Json, *, is_required: bool) -> str:
        shown = self.spell(schema)
        if is_required:
            return f"{key(name)}: {shown}"
        if isinstance(schema, Mapping) and schema.get("default") is not None:
            return f"{key(name)}: {shown} = {literal(schema['default'])}"
        return f"{key(name)}?: {shown}"


#: The keyword that gives the spelling, how, and what else it tells. The table belongs to the class.
_Row = tuple[str, Callable[[Speller, Mapping[str, Json]], list[str]], frozenset[str]]
_HANDLERS: tuple[_Row, ...] = (
    ("$ref", Speller._reference, frozenset()),  # noqa: SLF001
    ("const", Speller._const, frozenset({"type"})),  # noqa: SLF001
    ("enum", Speller._enum, frozenset({"type"})),  # noqa: SLF001
    ("anyOf", Speller._any_of, frozenset()),  # noqa: SLF001
    ("oneOf", Speller._one_of, frozenset()),  # noqa: SLF001
    (
        "type",
        Speller._typed,  # noqa: SLF001
        frozenset(
            ["format", "items", "prefixItems", "properties", "required", "additionalProperties"]
        ),
    ),
    ("allOf", Speller._intersection, frozenset()),  # noqa: SLF001
)
_SPELLED = _ASIDE | _BOUNDS.keys() | {"type", *_HANDLERS[-2][2]}


def bounds(schema: Json) -> list[str]:
    """What a schema demands beyond the type, in words: ``>= 1``, ``at most 5 items``."""
    if not isinstance(schema, Mapping) or _BOUNDS.keys().isdisjoint(schema):
        return []
    told = {"minItems", "maxItems"} if "prefixItems" in schema else set()  # a tuple's shape tells
    return [
        words.format(_bound(schema[keyword]))
        for keyword, words in _BOUNDS.items()
        if keyword not in told and schema.get(keyword) is not None and schema[keyword] is not False
    ]


def rest(schema: Mapping[str, Json]) -> dict[str, Json]:
    """What of a schema neither its spelling nor its bounds tell: ``{"not": {"const": 0}}``."""
    if _SPELLED.issuperset(schema):
        return {}
    told = set(_ASIDE)
    for keyword, _, beside in _HANDLERS:
        if keyword in schema:
            told |= {keyword, *beside}
            break
    return {
        keyword: value
        for keyword, value in schema.items()
        if keyword not in told and keyword not in _BOUNDS
    }


def key(name: str) -> str:
    """A property's name, as JSON text if it is not a plain one."""
    return name if _PLAIN_NAME.fullmatch(name) else literal(name)


def literal(value: Json) -> str:
    """A value as JSON text on one line; with escapes where a character could not be seen."""
    kind = type(value)
    if kind is int or kind is bool or (kind is float and isfinite(value)):
        return str(value).lower()
    text = _encode(value)
    return text if text.isascii() or not hides(text) else _encode_ascii(value)


def _bound(value: Json) -> Json:
    return literal(value) if isinstance(value, str) and hides(value) else value
