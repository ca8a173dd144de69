"""What the meta-schema does not see: references that lead nowhere, patterns that do not compile.

Left alone, either would be an exception when the first arguments are checked.
"""

import re
from collections.abc import Iterator

from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.references import referred

from .problems import json_path

#: Keywords whose value maps free names to schemas, and keywords whose value is data.
_NAMED = frozenset({"properties", "$defs", "definitions", "patternProperties", "dependentSchemas"})
_DATA = frozenset({"enum", "const", "default", "examples"})
_META = "https://json-schema.org/draft/"

Path = tuple[str | int, ...]


def loose_ends(schema: Schema) -> Iterator[tuple[str, str]]:
    """Each reference that leads nowhere and each bad pattern: its path and what is wrong."""
    places = list(_schemas(schema, ()))
    has_ids = any("$id" in inner for _, inner in places)
    for path, inner in places:
        reference = inner.get("$ref")
        if isinstance(reference, str) and not has_ids and not _leads(reference, schema):
            yield json_path((*path, "$ref")), f"{reference!r} leads nowhere"
        for pattern, place in _patterns(inner):
            reason = _why_broken(pattern)
            if reason:
                yield json_path((*path, *place)), f"the pattern {pattern!r} is wrong: {reason}"


def _schemas(value: Json, path: Path) -> Iterator[tuple[Path, Schema]]:
    """Every schema in a schema, itself first."""
    if not isinstance(value, dict):
        return
    yield path, value
    for keyword, part in value.items():
        if keyword in _DATA:
            continue
        for step, inner in _parts(part, is_named=keyword in _NAMED):
            yield from _schemas(inner, (*path, keyword, *step))


def _parts(value: Json, *, is_named: bool) -> Iterator[tuple[Path, Json]]:
    if isinstance(value, list):
        yield from (((index,), part) for index, part in enumerate(value))
    elif is_named and isinstance(value, dict):
        yield from (((name,), part) for name, part in value.items())
    else:
        yield (), value


def _leads(reference: str, schema: Schema) -> bool:
    if not reference.startswith("#"):
        return reference.startswith(_META)
    return isinstance(referred(schema, {"$ref": reference}), dict | bool)


def _patterns(schema: Schema) -> Iterator[tuple[str, Path]]:
    pattern = schema.get("pattern")
    if isinstance(pattern, str):
        yield pattern, ("pattern",)
    by_pattern = schema.get("patternProperties")
    if isinstance(by_pattern, dict):
        yield from ((name, ("patternProperties", name)) for name in by_pattern)


def _why_broken(pattern: str) -> str | None:
    try:
        re.compile(pattern)
    except re.error as error:
        return str(error)
    return None
