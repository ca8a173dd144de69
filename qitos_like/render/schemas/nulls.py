"""Null as "left out": which schemas admit null, and how a strict call's nulls are taken back.

In OpenAI's strict mode each parameter has to be sent. An optional one is made nullable there, and
a null in its place means that the model left it out.
"""

from collections.abc import Iterable, Mapping

from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.references import referred

from .kinds import allowed, kinds


def admits_null(schema: Json, root: Schema, around: tuple[int, ...] = ()) -> bool:
    """Whether null is a value of the schema; not of one that is nothing but itself."""
    if not isinstance(schema, dict):
        return bool(schema)
    target = referred(root, schema)
    if target is not None:
        return id(target) not in around and admits_null(target, root, (*around, id(target)))
    members = schema.get("anyOf") or schema.get("oneOf") or [True]
    return (
        "null" in (kinds(schema) or ["null"])
        and None in schema.get("enum", (None,))
        and schema.get("const") is None
        and any(admits_null(member, root, around) for member in members)
    )


def is_optional(name: str, schema: Schema) -> bool:
    """Whether a property of an object schema may be left out."""
    return name not in schema.get("required", ())


def has_optional(schema: Json, root: Schema, around: tuple[int, ...] = ()) -> bool:
    """Whether a value of the schema may have a null that means "left out"."""
    if not isinstance(schema, dict) or id(schema) in around:
        return False
    around = (*around, id(schema))
    properties = schema.get("properties", {})
    inner = [*properties.values(), schema.get("items"), *schema.get("anyOf", ())]
    return any(is_optional(name, schema) for name in properties) or any(
        has_optional(each, root, around) for each in [*inner, referred(root, schema)]
    )


def restored(value: Json, schema: Json, root: Schema) -> Json:
    """The value without the nulls that stand for parameters left out."""
    schema = _member(value, alternatives(schema, root))
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        return {
            name: restored(part, properties.get(name, {}), root)
            for name, part in value.items()
            if part is not None or not _stands_for_absence(name, schema, root)
        }
    if isinstance(value, list):
        return [restored(part, schema.get("items", {}), root) for part in value]
    return value


def alternatives(schema: Json, root: Schema, around: tuple[int, ...] = ()) -> list[Schema]:
    """The members of a union, also of unions and references inside it; else the schema alone."""
    target = referred(root, schema)
    if target is not None:
        inside = (*around, id(target))
        return [] if id(target) in around else alternatives(target, root, inside)
    if not isinstance(schema, dict):
        return []
    members = schema.get("anyOf")
    if not members:
        return [schema]
    return [each for member in members for each in alternatives(member, root, around)]


def are_apart(one: Schema, other: Schema) -> bool:
    """Whether no object with all its properties can be of both schemas."""
    ours, theirs = one.get("properties", {}), other.get("properties", {})
    return ours.keys() != theirs.keys() or any(
        not is_optional(name, one)
        and not is_optional(name, other)
        and allowed(ours[name])
        and allowed(theirs[name])
        and not any(value in allowed(theirs[name]) for value in allowed(ours[name]))
        for name in ours
    )


def _member(value: Json, members: Iterable[Schema]) -> Schema:
    """The alternative that a value is of, as far as its properties tell."""
    kind = "object" if isinstance(value, dict) else "array"
    fitting = [member for member in members if kind in kinds(member)]
    for member in fitting:
        if len(fitting) == 1 or (isinstance(value, dict) and _may_be(value, member)):
            return member
    return {}


def _may_be(value: Mapping[str, Json], schema: Schema) -> bool:
    properties = schema.get("properties", {})
    return value.keys() == properties.keys() and all(
        value[name] in allowed(part) or is_optional(name, schema)
        for name, part in properties.items()
        if allowed(part)
    )


def _stands_for_absence(name: str, schema: Schema, root: Schema) -> bool:
    part = schema.get("properties", {}).get(name)
    return part is not None and is_optional(name, schema) and not admits_null(part, root)
