"""Fixed lists of one type, said in a way that more providers know."""

from collections.abc import Mapping
from math import inf

from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.schema.definitions import mapped


def evened(schema: Schema) -> Schema:
    """The schema with ``[int, int]`` as a list of two integers; itself if it has no such thing."""
    return _evened(schema) if "prefixItems" in str(schema) else schema


def _evened(schema: Schema) -> Schema:
    whole = mapped(schema, _evened)
    first = whole.get("prefixItems", ())
    if not first or not _is_even(whole, first):
        return whole
    kept = {key: value for key, value in whole.items() if key not in {"prefixItems", "items"}}
    if whole.get("items") != first[0]:
        kept["maxItems"] = min(len(first), whole.get("maxItems", inf))
    return {**kept, "items": first[0]}


def _is_even(schema: Mapping[str, Json], first: list[Json]) -> bool:
    """Whether each item there may be has the one type, which is no matter of its place."""
    rest = schema.get("items", True)
    has_end = rest is False or schema.get("maxItems", inf) <= len(first)
    return (has_end or rest == first[0]) and all(each == first[0] for each in first)
