"""Schemas that an author wrote: told apart, copied, completed and checked."""

from collections.abc import Iterable, Mapping
from math import isfinite

from qitos_like.core._lazy import meta_validator
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.names import did_you_mean
from qitos_like.errors import SchemaError

from .loose_ends import loose_ends
from .problems import json_path
from .wellformed import KEYWORDS, is_schema, is_schema_map, is_wellformed

#: Keywords that say "this is a whole schema" when their value could not be a property's schema.
_STRUCTURAL = frozenset(
    [
        "type",
        "required",
        "$schema",
        "$id",
        "$ref",
        "$anchor",
        "enum",
        "const",
        "allOf",
        "anyOf",
        "oneOf",
        "additionalProperties",
        "minProperties",
        "maxProperties",
    ]
)

#: What authors of Python write, and JSON Schema's word for it.
_OF_PYTHON = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "dict": "object",
    "None": "null",
}


def object_schema(parameters: Json, required: Iterable[str] = (), *, tool: str | None) -> Schema:
    """The one JSON Schema object that ``parameters`` stands for, as a copy.

    A property map (``{"sql": {"type": "string"}}``) becomes an object schema that admits nothing
    else. A whole schema stays as it was written; ``type: object`` is added where it is missing,
    and ``required`` is added to its own.

    Raises:
        SchemaError: it is neither, or a required name has no property; the text says where.

    >>> object_schema({"sql": {"type": "string"}}, ["sql"], tool=None)["required"]
    ['sql']
    """
    if not isinstance(parameters, Mapping):
        message = f"parameters must be a mapping, not {parameters!r}"
        raise SchemaError(_about(tool, message), tool=tool)
    try:
        written = _copied(parameters, ())
    except (TypeError, ValueError, RecursionError) as error:
        reason = "it is nested too deep" if isinstance(error, RecursionError) else str(error)
        raise SchemaError(_about(tool, reason), tool=tool) from None
    is_whole = _is_whole(written)
    schema = _whole(written, tool) if is_whole else _from_properties(written)
    names = list(required)
    _check_required(names, schema, tool)
    own = schema.get("required", [])
    if names and isinstance(own, list):
        schema["required"] = own + [name for name in names if name not in own]
    return schema


def check_schema(schema: Schema, *, tool: str | None) -> None:
    """Return if the schema is valid by the 2020-12 meta-schema and has no loose ends.

    Raises:
        SchemaError: it is not; the text says where and why.
    """
    if not is_wellformed(schema):
        problem = min(
            meta_validator().iter_errors(schema),
            key=lambda error: (-len(error.absolute_path), str(error.message)),
            default=None,
        )
        if problem is not None:
            where = json_path(problem.absolute_path)
            message = f"at {where}: {_no_type(problem) or problem.message}"
            raise SchemaError(_about(tool, message), tool=tool)
    for where, reason in loose_ends(schema):
        message = f"at {where}: {reason}"
        raise SchemaError(_about(tool, message), tool=tool)


def _no_type(problem: Json) -> str | None:
    """What is wrong with a word after ``type``; ``None`` for other problems."""
    written: Json = problem.instance
    # A property may be called "type" too; what the keyword takes is a choice of two forms.
    is_keyword = [*problem.absolute_path][-1:] == ["type"] and problem.validator == "anyOf"
    if not (is_keyword and isinstance(written, str)):
        return None
    near = f"; did you mean {_OF_PYTHON[written]!r}?" if written in _OF_PYTHON else ""
    types = ", ".join(map(repr, dict.fromkeys(_OF_PYTHON.values())))
    return f"{written!r} is no type of JSON Schema ({types}){near}"


def _is_whole(written: Schema) -> bool:
    """Whether this is a whole schema, and not a property map.

    A parameter may have the name of a keyword: what decides is whether the value could be a
    property's schema (a mapping or a boolean), which the value of a keyword mostly cannot.
    """
    plain = [name for name, value in written.items() if not is_schema(value)]
    if any(name in _STRUCTURAL for name in plain):
        return True
    if "properties" in written:
        return is_schema_map(written["properties"]) and written.keys() <= KEYWORDS
    return bool(written) and written.keys() <= {"additionalProperties", *plain} & KEYWORDS


def _whole(written: Schema, tool: str | None) -> Schema:
    kind = written.get("type", "object")
    if kind != "object":
        message = f"at $.type: the arguments of a tool are an object, not {kind!r}"
        raise SchemaError(_about(tool, message), tool=tool)
    return written if "type" in written else {"type": "object", **written}


def _from_properties(properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _check_required(names: list[str], schema: Schema, tool: str | None) -> None:
    properties = schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    for name in names:
        if name not in known:
            near = did_you_mean(str(name), known)
            message = f"required name {name!r} has no property{near}"
            raise SchemaError(_about(tool, message), tool=tool)


def _copied(value: Json, path: tuple[str | int, ...]) -> Json:
    """A deep copy in plain JSON types."""
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                message = f"at {json_path(path)}: the key {key!r} is not text"
                raise TypeError(message)
        return {key: _copied(part, (*path, key)) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_copied(part, (*path, index)) for index, part in enumerate(value)]
    if value is None or isinstance(value, str | int) or _is_finite(value):
        return value
    message = f"at {json_path(path)}: {value!r} is no JSON value"
    raise ValueError(message)


def _is_finite(value: Json) -> bool:
    return isinstance(value, float) and isfinite(value)


def _about(tool: str | None, message: str) -> str:
    return f"the schema of {tool or 'a tool'}: {message}"
