"""What stands beside a property's type: its description and its default."""

from attrs import NOTHING

from qitos_like.core.jsontypes import Schema

from .jsonvalues import NotJsonError, to_json


def described(schema: Schema, text: str | None) -> Schema:
    """The schema with a description; what its type says of itself follows in brackets."""
    if not text:
        return schema
    own = schema.get("description")
    return {**schema, "description": f"{text} ({own})" if own else text}


def with_default(schema: Schema, default: object) -> Schema:
    """The schema with a default, where the default has a form in JSON."""
    if default is NOTHING:
        return schema
    try:
        return {**schema, "default": to_json(default)}
    except NotJsonError:
        return schema
