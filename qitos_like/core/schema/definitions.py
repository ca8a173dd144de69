"""Definitions under ``$defs``: those that are used once move to where they are used."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from qitos_like.core.jsontypes import Json, Schema

_PREFIX = "#/$defs/"
#: Keywords whose value is data, and keywords whose value maps free names to schemas.
_DATA = frozenset({"enum", "const", "default", "examples"})
_NAMED = frozenset({"properties", "$defs", "patternProperties"})


def reference(name: str) -> Schema:
    """The schema that refers to a definition."""
    return {"$ref": _PREFIX + name}


def referred(schema: Json) -> str | None:
    """The name of the definition that a schema refers to, if it does."""
    target = schema.get("$ref") if isinstance(schema, dict) else None
    return target.removeprefix(_PREFIX) if isinstance(target, str) else None


def inlined(schema: Schema, definitions: Mapping[str, Schema]) -> Schema:
    """The schema with its definitions, each in place or, if used more than once, under ``$defs``.

    A schema that refers to itself is used more than once: from outside and from inside.
    """
    if not definitions:
        return schema
    uses: Counter[str] = Counter()
    pending: list[Json] = [schema]
    while pending:
        for name in _references(pending.pop()):
            uses[name] += 1
            if uses[name] == 1:
                pending.append(definitions[name])

    def placed(inner: Schema) -> Schema:
        name = referred(inner)
        if name is None or uses[name] > 1:
            return mapped(inner, placed)
        beside = {keyword: value for keyword, value in inner.items() if keyword != "$ref"}
        return mapped({**definitions[name], **beside}, placed)

    result = placed(schema)
    shared = {name: mapped(definitions[name], placed) for name in uses if uses[name] > 1}
    return {**result, "$defs": shared} if shared else result


def mapped(schema: Schema, change: Callable[[Schema], Schema]) -> Schema:
    """A copy of a schema with the schemas directly inside it changed."""

    def changed(value: Json) -> Json:
        return change(value) if isinstance(value, dict) else value

    result: Schema = {}
    for keyword, value in schema.items():
        if keyword in _DATA:
            result[keyword] = value
        elif keyword in _NAMED:
            result[keyword] = {name: changed(inner) for name, inner in value.items()}
        elif isinstance(value, list):
            result[keyword] = list(map(changed, value))
        else:
            result[keyword] = changed(value)
    return result


def _references(schema: Json) -> Iterator[str]:
    found: list[str] = []

    def look(inner: Schema) -> Schema:
        name = referred(inner)
        if name is not None:
            found.append(name)
        return mapped(inner, look)

    look(schema)
    yield from found
