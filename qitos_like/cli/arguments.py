"""``key=value`` pairs to a tool's arguments, read by its schema."""

import json
from collections.abc import Iterable

import click

from qitos_like.core.jsontypes import Json, Schema


def parse(pairs: Iterable[str], schema: Schema) -> dict[str, Json]:
    """The arguments that ``key=value`` pairs spell.

    A value stays text where the schema admits text, and is JSON where it wants something else;
    what is no JSON is left to the check, which says what was expected.

    Raises:
        UsageError: a pair has no ``=``, or a key is given twice.
    """
    arguments: dict[str, Json] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key:
            message = f"{pair!r} is not key=value"
            raise click.UsageError(message)
        if key in arguments:
            message = f"{key} is given twice; a list is JSON, as in {key}='[1, 2]'"
            raise click.UsageError(message)
        arguments[key] = _value(text, _property(schema, key), schema)
    return arguments


def _property(schema: Schema, key: str) -> Json:
    return schema.get("properties", {}).get(key, schema.get("additionalProperties", {}))


def _value(text: str, wanted: Json, root: Schema) -> Json:
    if _admits_text(wanted, root):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _admits_text(wanted: Json, root: Schema) -> bool:
    """Whether a string may pass; a schema that says nothing of types lets everything pass."""
    if not isinstance(wanted, dict):
        return True
    if "$ref" in wanted:
        name = str(wanted["$ref"]).rpartition("/")[2]
        return _admits_text(root.get("$defs", {}).get(name), root)
    members = wanted.get("anyOf") or wanted.get("oneOf")
    if members:
        return any(_admits_text(member, root) for member in members)
    if "enum" in wanted:
        return any(isinstance(value, str) for value in wanted["enum"])
    kinds = wanted.get("type", "string")
    return "string" in ([kinds] if isinstance(kinds, str) else kinds)
