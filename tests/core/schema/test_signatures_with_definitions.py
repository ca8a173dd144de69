"""Generic, recursive and shared classes, and pydantic models: what stands under ``$defs``."""

import dataclasses
import datetime as dt
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Generic, Protocol, TypedDict, TypeVar

import attrs
import pydantic
from attrs import evolve

from qitos_like.core.schema.signature import read
from tests.core.schema.case import Case, closed, one, table

T = TypeVar("T")
U = TypeVar("U")
INTEGER = {"type": "integer"}
STRING = {"type": "string"}


class Kind(StrEnum):
    ROUND = "round"
    FLAT = "flat"


@dataclass
class Point:
    x: int
    y: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    start: Point
    end: Point | None = None
    tags: list[str] = dataclasses.field(default_factory=list)
    kind: Kind = Kind.FLAT
    length: float = dataclasses.field(init=False, default=0.0)
    unit: ClassVar[str] = "cm"


@dataclass
class Box(Generic[T]):
    item: T
    more: list[T] = dataclasses.field(default_factory=list)


@dataclass
class IntBox(Box[int]):
    label: str = ""


@dataclass
class Both(Generic[T, U]):
    first: T
    second: Box[U]


@dataclass
class Node:
    value: int
    children: "list[Node]" = dataclasses.field(default_factory=list)


@dataclass
class Ping:
    pong: "Pong | None" = None


@dataclass
class Pong:
    ping: Ping | None = None


class Tree(TypedDict, total=False):
    left: "Tree"
    right: "Tree"


@attrs.frozen
class Linked(Generic[T]):
    value: T
    next: "Linked[T] | None" = None


class Holder(Protocol[T]):
    item: T


@dataclass
class Held(Holder[int]):
    item: int


class Model(pydantic.BaseModel):
    name: str
    size: int = 1
    when: dt.date | None = None


class Inner(pydantic.BaseModel, extra="allow"):
    n: int = pydantic.Field(ge=0, alias="N")


class Outer(pydantic.BaseModel):
    first: Inner
    others: list[Inner] = []


def shared(name: str, annotation: object, schema: dict, definitions: dict, *values) -> Case:
    """A row for a function of one parameter ``x`` with definitions beside its properties."""
    case = one(name, annotation, schema, *values)
    return evolve(case, schema=closed({"x": schema}, "x") | {"$defs": definitions})


NODE = closed(
    {"value": INTEGER, "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}, "value"
)
TREE = closed({"left": {"$ref": "#/$defs/Tree"}, "right": {"$ref": "#/$defs/Tree"}})
PING = closed(
    {
        "pong": {
            "anyOf": [
                closed(
                    {
                        "ping": {
                            "anyOf": [{"$ref": "#/$defs/Ping"}, {"type": "null"}],
                            "default": None,
                        }
                    }
                ),
                {"type": "null"},
            ],
            "default": None,
        }
    }
)
LINKED = closed(
    {
        "value": INTEGER,
        "next": {"anyOf": [{"$ref": "#/$defs/Linked_int"}, {"type": "null"}], "default": None},
    },
    "value",
)
LINE = closed(
    {
        "start": {"$ref": "#/$defs/Point"},
        "end": {"anyOf": [{"$ref": "#/$defs/Point"}, {"type": "null"}], "default": None},
        "tags": {"type": "array", "items": STRING},
        "kind": {"type": "string", "enum": ["round", "flat"], "default": "flat"},
    },
    "start",
)
INNER = {
    "type": "object",
    "properties": {"N": {"type": "integer", "minimum": 0}},
    "required": ["N"],
    "additionalProperties": True,
}


@table(
    shared(
        "a class that holds itself",
        Node,
        {"$ref": "#/$defs/Node"},
        {"Node": NODE},
        {"value": 1, "children": [{"value": 2}]},
        Node(1, [Node(2)]),
        {"value": 1, "children": [{"value": "2"}]},
        {"value": 1, "children": [{"value": 2, "children": [{}]}]},
    ),
    shared(
        "a list of a class that holds itself",
        list[Node],
        {"type": "array", "items": {"$ref": "#/$defs/Node"}},
        {"Node": NODE},
        [{"value": 1}],
        [Node(1)],
        [{"value": 1, "children": None}],
        {"value": 1},
    ),
    shared(
        "a TypedDict that holds itself",
        Tree,
        {"$ref": "#/$defs/Tree"},
        {"Tree": TREE},
        {"left": {"right": {}}},
        {"left": {"right": {}}},
        {"left": {"up": {}}},
        {"left": None},
    ),
    shared(
        "two classes that hold each other",
        Ping,
        {"$ref": "#/$defs/Ping"},
        {"Ping": PING},
        {"pong": {"ping": {}}},
        Ping(Pong(Ping())),
        {"pong": {"pong": {}}},
        {"ping": {}},
    ),
    shared(
        "a generic class that holds itself",
        Linked[int],
        {"$ref": "#/$defs/Linked_int"},
        {"Linked_int": LINKED},
        {"value": 1, "next": {"value": 2}},
        Linked(1, Linked(2)),
        {"value": "1"},
        {"value": 1, "next": {"value": "2"}},
    ),
    shared(
        "a class used twice",
        Line,
        LINE,
        {"Point": closed({"x": INTEGER, "y": {"type": "integer", "default": 0}}, "x")},
        {"start": {"x": 1}, "end": {"x": 2, "y": 3}, "kind": "round"},
        Line(start=Point(1), end=Point(2, 3), kind=Kind.ROUND),
        {"start": {"x": 1}, "end": {}},
        {"start": {"x": 1}, "length": 1},
    ),
    shared(
        "a pydantic model used twice",
        Outer,
        closed(
            {
                "first": {"$ref": "#/$defs/Inner"},
                "others": {"type": "array", "items": {"$ref": "#/$defs/Inner"}, "default": []},
            },
            "first",
        ),
        {"Inner": INNER},
        {"first": {"N": 1, "more": "kept"}},
        Outer(first=Inner(N=1, more="kept")),
        {"first": {"N": -1}},
        {"first": {"n": 1}},
    ),
)
def test_a_class_that_is_used_more_than_once_stands_under_defs(case):
    case.check()


@table(
    one(
        "generic dataclass",
        Box[str],
        closed({"item": STRING, "more": {"type": "array", "items": STRING}}, "item"),
        {"item": "a", "more": ["b"]},
        Box("a", ["b"]),
        {"item": 1},
        {"item": "a", "more": [1]},
    ),
    one(
        "generic dataclass without arguments",
        Box,
        closed({"item": {}, "more": {"type": "array"}}, "item"),
        {"item": 1},
        Box(1),
        {},
        {"item": 1, "more": 1},
    ),
    one(
        "subclass of a generic dataclass",
        IntBox,
        closed(
            {
                "item": INTEGER,
                "more": {"type": "array", "items": INTEGER},
                "label": {"type": "string", "default": ""},
            },
            "item",
        ),
        {"item": 1},
        IntBox(1),
        {"item": "1"},
        {"item": 1, "more": ["1"]},
    ),
    one(
        "a dataclass with a generic protocol",
        Held,
        closed({"item": INTEGER}, "item"),
        {"item": 1},
        Held(1),
        {"item": "1"},
        {},
    ),
    one(
        "generic in a generic",
        Both[int, str],
        closed(
            {
                "first": INTEGER,
                "second": closed(
                    {"item": STRING, "more": {"type": "array", "items": STRING}}, "item"
                ),
            },
            "first",
            "second",
        ),
        {"first": 1, "second": {"item": "a"}},
        Both(1, Box("a")),
        {"first": "1", "second": {"item": "a"}},
        {"first": 1, "second": {"item": 1}},
    ),
)
def test_a_generic_class_has_its_arguments_in_the_schema(case):
    case.check()


@table(
    one(
        "pydantic",
        Model,
        closed(
            {
                "name": STRING,
                "size": {"type": "integer", "default": 1},
                "when": {
                    "anyOf": [{"type": "string", "format": "date"}, {"type": "null"}],
                    "default": None,
                },
            },
            "name",
        ),
        {"name": "a", "size": 2.0, "when": "2024-05-31"},
        Model(name="a", size=2, when=dt.date(2024, 5, 31)),
        {"name": "a", "size": "2"},
        {"name": "a", "colour": "red"},
        unparsed=[{"name": "a", "when": "never"}],
    ),
)
def test_a_pydantic_model_describes_and_makes_itself(case):
    case.check()


def test_two_classes_of_one_name_have_two_definitions():
    def make():
        @dataclass
        class Same:
            a: int

        return Same

    first, second = make(), make()

    def function(a: tuple[first, first], b: tuple[second, second]): ...

    schema = read(function).input_schema()

    assert ["Same", "Same_2"] == list(schema["$defs"])
    assert {"$ref": "#/$defs/Same_2"} == schema["properties"]["b"]["prefixItems"][1]
