"""The definitions of a schema that are used, which are all that a provider has to judge."""

from collections.abc import Iterator

from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.references import referred

_HOLDERS = ("$defs", "definitions")


def with_used(schema: Schema) -> Schema:
    """The schema without definitions that nothing refers to; itself if it has none."""
    if schema.keys().isdisjoint(_HOLDERS):
        return schema
    used: list[int] = []
    pending: list[Json] = [{key: part for key, part in schema.items() if key not in _HOLDERS}]
    while pending:
        for target in _targets(pending.pop(), schema):
            if id(target) not in used:
                used.append(id(target))
                pending.append(target)
    kept = {
        holder: {name: part for name, part in schema[holder].items() if _holds(part, used)}
        for holder in _HOLDERS
        if holder in schema
    }
    beside = {key: part for key, part in schema.items() if key not in _HOLDERS}
    return {**beside, **{holder: parts for holder, parts in kept.items() if parts}}


def _targets(value: Json, root: Schema) -> Iterator[Json]:
    """What is referred to from anywhere inside."""
    if isinstance(value, dict):
        target = referred(root, value)
        if target is not None:
            yield target
    for part in _inside(value):
        yield from _targets(part, root)


def _holds(value: Json, used: list[int]) -> bool:
    """Whether a definition is used, or something inside it."""
    return id(value) in used or any(_holds(part, used) for part in _inside(value))


def _inside(value: Json) -> Iterator[Json]:
    if isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list):
        yield from value
