"""Tables of options: put together, and checked by a schema."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from qitos_like.core.jsontypes import Json
from qitos_like.core.names import did_you_mean
from qitos_like.core.schema.problems import json_path

from .explain import explain
from .validation import Validation

Table = dict[str, Any]


def merged(far: Table, near: Mapping[str, Json]) -> Table:
    """Two tables as one: the nearer value wins, and tables are merged.

    >>> merged({"a": {"b": 1, "c": [1]}}, {"a": {"c": [2]}})
    {'a': {'b': 1, 'c': [2]}}
    """
    both = dict(far)
    for key, value in near.items():
        old = both.get(key)
        if isinstance(old, dict) and isinstance(value, Mapping):
            both[key] = merged(old, value)
        else:
            both[key] = value
    return both


def broken(validation: Validation, data: Json) -> Iterator[tuple[str, str]]:
    """What of the data breaks a schema: its path, and why."""
    for error in validation.errors(data):
        if error.validator != "additionalProperties":
            for problem in explain([error]):
                key = problem.path.removeprefix("$").lstrip(".") or "the whole"
                yield problem.path, f"{key}: {problem.message}"
            continue
        holder: Json = error.instance
        schema: Json = error.schema
        known = list(schema.get("properties", {}))
        for key in holder:
            if key not in known:
                yield json_path((*error.absolute_path, key)), unknown("key", key, known)


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """That there is no ``name``, with what may have been meant."""
    names = list(known)
    near = did_you_mean(name, names, 1)
    listed = f"; there {'is' if len(names) == 1 else 'are'} {', '.join(names[:12])}"
    return f"unknown {what} {name!r}{near or (listed if names else '')}"
