"""Which JSON types a schema admits, and which of them a value has."""

import types

from qitos_like.core.jsontypes import Json, Schema

#: The names of JSON Schema for the type of a value; 1.0 is an integer too.
JSON_TYPES: dict[type, frozenset[str]] = {
    str: frozenset({"string"}),
    bool: frozenset({"boolean"}),
    int: frozenset({"integer", "number"}),
    float: frozenset({"number", "integer"}),
    list: frozenset({"array"}),
    dict: frozenset({"object"}),
    types.NoneType: frozenset({"null"}),
}


def json_types(schema: Schema, definitions: Schema | None = None) -> set[str] | None:
    """The JSON types that a schema may admit; ``None`` for all."""
    definitions = definitions or schema.get("$defs", {})
    if "type" in schema:
        return set(listed(schema["type"]))
    if "enum" in schema:
        return {name for value in schema["enum"] for name in JSON_TYPES[type(value)]}
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        others = {other: inner for other, inner in definitions.items() if other != name}
        return json_types(definitions.get(name, {}), others)
    if "anyOf" in schema:
        inner = [json_types(branch, definitions) for branch in schema["anyOf"]]
        known = [names for names in inner if names is not None]
        return set().union(*known) if len(known) == len(inner) else None
    return None


def listed(kind: Json) -> list[str]:
    """The types of a ``type`` keyword, which may be one name or a list."""
    return [kind] if isinstance(kind, str) else list(kind)
