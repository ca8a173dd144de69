"""Who fills a parameter, and names that other libraries stumble over."""

from typing import Annotated, Optional

from qitos_like.core.context import ToolContext
from qitos_like.core.marks import CommandArg, Configured, Name, PathArg
from tests.core.schema.case import Case, closed, table

INTEGER = {"type": "integer"}
STRING = {"type": "string"}


def context_first(context: ToolContext, a: int):
    return context, a


def context_last(a: int, ctx: ToolContext | None = None):
    return a, ctx


def context_optional(a: int, *, runtime_context: Optional[ToolContext] = None):  # noqa: UP045
    return a, runtime_context


def another_context(context: str, deadline: int = 3):
    return context, deadline


def configured(query: str, limit: Annotated[int, Configured] = 10):
    return query, limit


def configured_instance(query: str, limit: Annotated[int, Configured()] = 10):
    return query, limit


def marks(path: Annotated[str, PathArg, "where"], command: Annotated[str, CommandArg] = ""):
    return path, command


def renamed(
    after: Annotated[int, Name("-A"), "lines after"] = 0, type_: Annotated[str, Name("type")] = ""
):
    return after, type_


def marked_in_a_union(
    n: Annotated[int, Name("-n")] | None = None, key: Annotated[str, Configured] | None = None
):
    return n, key


def renamed_with_rest(a: Annotated[int, Name("x")], **kwargs):
    return a, kwargs


def names(args: int, kwargs: str, name: str, schema: int, json: int, self_: int, cls_: int = 0):
    return args, kwargs, name, schema, json, self_, cls_


def more_names(
    model_config: int, _x: int, type: str, properties: str, required: bool, copy: int = 0
):
    return model_config, _x, type, properties, required, copy


def self_first(self: int, cls: int):
    return self, cls


def value_names(value: int, key: int, find: int, rest: int, arguments: int, target: int):
    return value, key, find, rest, arguments, target


def ünïcode(größe: int):  # noqa: PLC2401 (the case)
    return größe


@table(
    Case(
        "context first",
        context_first,
        {"a": INTEGER},
        {"a": 1},
        (None, 1),
        ({"a": 1, "context": None}, {"a": 1, "context": {}}),
    ),
    Case(
        "context last",
        context_last,
        {"a": INTEGER},
        {"a": 1},
        (1, None),
        ({"a": 1, "ctx": None}, {}),
    ),
    Case(
        "context by name",
        context_optional,
        {"a": INTEGER},
        {"a": 1},
        (1, None),
        ({"a": 1, "runtime_context": None}, {"a": None}),
    ),
    Case(
        "context of another type",
        another_context,
        {"context": STRING, "deadline": INTEGER | {"default": 3}},
        {"context": "x"},
        ("x", 3),
        ({}, {"context": None}),
    ),
    Case(
        "configured",
        configured,
        {"query": STRING},
        {"query": "x"},
        ("x", 10),
        ({"query": "x", "limit": 5}, {"limit": 5}),
    ),
    Case(
        "configured by an instance",
        configured_instance,
        {"query": STRING},
        {"query": "x"},
        ("x", 10),
        ({"query": "x", "limit": 5}, {}),
    ),
    Case(
        "marks",
        marks,
        {
            "path": {"type": "string", "description": "where"},
            "command": {"type": "string", "default": ""},
        },
        {"path": "a"},
        ("a", ""),
        ({"path": 1}, {"command": "ls"}),
    ),
    Case(
        "renamed",
        renamed,
        {
            "-A": {"type": "integer", "description": "lines after", "default": 0},
            "type": {"type": "string", "default": ""},
        },
        {"-A": 2, "type": "py"},
        (2, "py"),
        ({"after": 2}, {"type_": "py"}),
    ),
    Case(
        "marks in a union",
        marked_in_a_union,
        {"-n": {"type": ["integer", "null"], "default": None}},
        {"-n": 1},
        (1, None),
        ({"n": 1}, {"key": "k"}),
    ),
    Case(
        "renamed beside keywords",
        renamed_with_rest,
        {
            "type": "object",
            "properties": {"x": INTEGER},
            "required": ["x"],
            "additionalProperties": True,
        },
        {"x": 1, "b": 2},
        (1, {"b": 2}),
        ({"b": 1}, {"x": "1"}),
        unparsed=({"x": 1, "a": 2},),
    ),
    Case(
        "names of the machinery",
        names,
        closed(
            {
                "args": INTEGER,
                "kwargs": STRING,
                "name": STRING,
                "schema": INTEGER,
                "json": INTEGER,
                "self_": INTEGER,
                "cls_": INTEGER | {"default": 0},
            },
            *["args", "kwargs", "name", "schema", "json", "self_"],
        ),
        {"args": 1, "kwargs": "k", "name": "n", "schema": 2, "json": 3, "self_": 4},
        (1, "k", "n", 2, 3, 4, 0),
        ({"args": [], "kwargs": {}}, {}),
    ),
    Case(
        "names of keywords of JSON Schema and pydantic",
        more_names,
        closed(
            {
                "model_config": INTEGER,
                "_x": INTEGER,
                "type": STRING,
                "properties": STRING,
                "required": {"type": "boolean"},
                "copy": INTEGER | {"default": 0},
            },
            *["model_config", "_x", "type", "properties", "required"],
        ),
        {"model_config": 1, "_x": 2, "type": "t", "properties": "p", "required": True},
        (1, 2, "t", "p", True, 0),
        ({"model_config": 1}, {}),
    ),
    Case(
        "self in a function",
        self_first,
        {"self": INTEGER, "cls": INTEGER},
        {"self": 1, "cls": 2},
        (1, 2),
        ({"self": 1}, {"cls": 1}),
    ),
    Case(
        "names that we use ourselves",
        value_names,
        dict.fromkeys(["value", "key", "find", "rest", "arguments", "target"], INTEGER),
        {"value": 1, "key": 2, "find": 3, "rest": 4, "arguments": 5, "target": 6},
        (1, 2, 3, 4, 5, 6),
        ({}, {"value": 1}),
    ),
    Case("a name beyond ASCII", ünïcode, {"größe": INTEGER}, {"größe": 1}, 1, ({"grösse": 1}, {})),
)
def test_parameters_have_roles_and_any_name(case):
    case.check()
