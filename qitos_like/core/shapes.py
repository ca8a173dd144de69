"""JSON Schemas in the short spelling of a signature: ``int``, ``[str]``, ``{a: int, b?: str}``."""

import json
from collections.abc import Callable, Mapping

from .jsontypes import Json, Schema

_NAMES = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "null",
    "array": "[any]",
    "object": "object",
}
_BOUNDS: tuple[tuple[str, str], ...] = (
    ("minimum", ">= {}"),
    ("exclusiveMinimum", "> {}"),
    ("maximum", "<= {}"),
    ("exclusiveMaximum", "< {}"),
    ("multipleOf", "multiple of {}"),
    ("minLength", "at least {} characters"),
    ("maxLength", "at most {} characters"),
    ("minItems", "at least {} items"),
    ("maxItems", "at most {} items"),
    ("uniqueItems", "no item twice"),
    ("minProperties", "at least {} keys"),
    ("maxProperties", "at most {} keys"),
    ("pattern", "matches {}"),
)


class Speller:
    """Spells the schemas of one tool; a class that is defined by reference is spelled once.

    >>> Speller({}).spell({"type": "array", "items": {"enum": ["a", 1]}})
    '["a" | 1]'
    """

    def __init__(self, root: Schema) -> None:
        self._definitions: Mapping[str, Json] = root.get("$defs") or root.get("definitions") or {}
        self._spelled: set[str] = set()

    def spell(self, schema: Json) -> str:
        """The type that a schema admits; ``any`` if it admits everything."""
        if not isinstance(schema, Mapping):
            return "any" if schema else "nothing"
        for keyword, handler in _HANDLERS:
            if keyword in schema:
                return handler(self, schema)
        return "any"

    def resolve(self, schema: Json) -> Json:
        """What a reference into the definitions stands for; anything else as it is."""
        name = schema.get("$ref", "").rpartition("/")[2] if isinstance(schema, Mapping) else ""
        return self._definitions.get(name, schema) if name else schema

    def _reference(self, schema: Mapping[str, Json]) -> str:
        name = str(schema["$ref"]).rpartition("/")[2]
        if name in self._spelled or name not in self._definitions:
            return name or "object"
        self._spelled.add(name)
        shape = self.spell(self._definitions[name])
        return f"{name}{shape}" if shape.startswith("{") else shape

    def _enum(self, schema: Mapping[str, Json]) -> str:
        return " | ".join(_literal(value) for value in schema["enum"])

    def _const(self, schema: Mapping[str, Json]) -> str:
        return _literal(schema["const"])

    def _union(self, schema: Mapping[str, Json]) -> str:
        members = schema.get("anyOf") or schema.get("oneOf") or ()
        return " | ".join(dict.fromkeys(self.spell(member) for member in members))

    def _intersection(self, schema: Mapping[str, Json]) -> str:
        return " & ".join(dict.fromkeys(self.spell(member) for member in schema["allOf"]))

    def _typed(self, schema: Mapping[str, Json]) -> str:
        kinds = schema["type"]
        if not isinstance(kinds, str):
            return " | ".join(self._typed({**schema, "type": kind}) for kind in kinds)
        if kinds == "array":
            return self._array(schema)
        if kinds == "object":
            return self._object(schema)
        name = _NAMES.get(kinds, kinds)
        return f"{name}<{schema['format']}>" if kinds == "string" and "format" in schema else name

    def _array(self, schema: Mapping[str, Json]) -> str:
        parts = [self.spell(item) for item in schema.get("prefixItems", ())]
        rest = schema.get("items", not parts)
        if rest is not False:
            parts.append(f"{'...' if parts else ''}{self.spell(rest)}")
        return f"[{', '.join(parts)}]"

    def _object(self, schema: Mapping[str, Json]) -> str:
        required = schema.get("required", ())
        fields = [
            f"{name}{'' if name in required else '?'}: {self.spell(value)}"
            for name, value in schema.get("properties", {}).items()
        ]
        rest = schema.get("additionalProperties")
        if isinstance(rest, Mapping) and rest:
            fields.append(f"*: {self.spell(rest)}")
        elif not fields:
            return "object" if rest is not False else "{}"
        return f"{{{', '.join(fields)}}}"


_HANDLERS: tuple[tuple[str, Callable[[Speller, Mapping[str, Json]], str]], ...] = (
    ("$ref", Speller._reference),  # noqa: SLF001 (the table belongs to the class)
    ("const", Speller._const),  # noqa: SLF001
    ("enum", Speller._enum),  # noqa: SLF001
    ("anyOf", Speller._union),  # noqa: SLF001
    ("oneOf", Speller._union),  # noqa: SLF001
    ("type", Speller._typed),  # noqa: SLF001
    ("allOf", Speller._intersection),  # noqa: SLF001
)


def bounds(schema: Json) -> list[str]:
    """What a schema demands beyond the type, in words: ``>= 1``, ``at most 5 items``."""
    if not isinstance(schema, Mapping):
        return []
    told = {"minItems", "maxItems"} if "prefixItems" in schema else set()  # a tuple's shape tells
    return [
        words.format(schema[key])
        for key, words in _BOUNDS
        if key not in told and schema.get(key) is not None
    ]


def _literal(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
