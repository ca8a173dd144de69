"""Which JSON types a schema admits, and which of them a value has."""

import types

from qitos_like.core.jsontypes import Json, Schema

#: What JSON Schema calls the type of a value; ``bool`` comes before ``int``, which it is too.
_NAMES: tuple[tuple[type, str], ...] = (
    (str, "string"),
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (list, "array"),
    (dict, "object"),
    (types.NoneType, "null"),
)
#: The types of values that have no parts, null aside.
SCALARS = ("string", "boolean", "integer", "number")
#: All names that the type of a value goes by; 1.0 is an integer too.
JSON_TYPES: dict[type, frozenset[str]] = {
    kind: frozenset({"integer", "number"} if name in {"integer", "number"} else {name})
    for kind, name in _NAMES
}


def kind_of(value: Json) -> str:
    """The type of a value, by the name that says most.

    >>> kind_of(True), kind_of(1), kind_of(1.0)
    ('boolean', 'integer', 'number')
    """
    return next((name for kind, name in _NAMES if isinstance(value, kind)), "value")


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
