"""The items of each array, which OpenAI wants to be told even where they may be of any type."""

from math import inf

from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.schema.definitions import mapped

from .kinds import is_flat, kinds


def with_items(schema: Schema) -> Schema:
    """The schema with ``items`` as a schema in every array; itself if they all are."""
    return schema if is_flat(schema) or not _lacks(schema) else _told(schema)


def _lacks(value: Json) -> bool:
    """Whether an array somewhere inside does not say what its items are."""
    if isinstance(value, dict):
        kind = value.get("type")
        is_array = isinstance(kind, str | list) and "array" in kind
        if is_array and not isinstance(value.get("items"), dict):
            return True
        return any(map(_lacks, value.values()))
    return isinstance(value, list) and any(map(_lacks, value))


def _told(schema: Schema) -> Schema:
    told = mapped(schema, _told)
    if "array" in kinds(schema) and not isinstance(schema.get("items"), dict):
        return told | _items(told)
    return told


def _items(schema: Schema) -> Schema:
    """Keywords that say the same with ``items`` as a schema."""
    first: list[Json] = schema.get("prefixItems", [])
    most = len(first) if schema.get("items") is False else schema.get("maxItems", inf)
    if most > len(first):
        return {"items": {}}
    distinct = [each for at, each in enumerate(first) if each not in first[:at]]
    if not all(isinstance(each, dict) for each in first):
        distinct = []
    items = distinct[0] if len(distinct) == 1 else {"anyOf": distinct} if distinct else {}
    return {"items": items, "maxItems": min(most, schema.get("maxItems", inf))}
