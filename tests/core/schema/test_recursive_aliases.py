"""Aliases that mention themselves, ``Self``, and methods of generic classes."""

import dataclasses
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

import pytest

from qitos_like.core.decorator import tool
from qitos_like.core.schema.problems import ArgumentsError
from qitos_like.core.schema.signature import read
from qitos_like.core.toolset import ToolSet
from qitos_like.errors import SchemaWarning
from tests.core.schema.case import Case, closed, table

T = TypeVar("T")
JSON = dict[str, "JSON"] | list["JSON"] | str | float | bool | None
Nested = list["Nested"]
Left = dict[str, "Right"]
Right = list["Left"] | int
Itself = "Itself"
One = "Other"
Other = "One"

JSON_SCHEMA = {
    "anyOf": [
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/JSON"}},
        {"type": "array", "items": {"$ref": "#/$defs/JSON"}},
        {"type": "string"},
        {"type": "number"},
        {"type": "boolean"},
        {"type": "null"},
    ]
}
OR_NULL = {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}], "default": None}


@dataclass
class Node:
    value: int
    next: Self | None = None
    others: list["Self"] = dataclasses.field(default_factory=list)


@dataclass
class Leaf(Node):
    label: str = ""


class Store(ToolSet, Generic[T]):
    @tool
    def put(self, item: T, more: "list[T]" = ()) -> T:
        """Keep it."""
        return item


class Numbers(Store[int]):
    pass


class FewNumbers(Numbers):
    pass


class Modes(ToolSet):
    class Mode(str):
        """The mode of the base class."""

        __slots__ = ()

    @tool
    def change(self, mode: "Mode"):
        """Change it."""
        return type(mode)


class OtherModes(Modes):
    class Mode(int):
        """Another one, which the base class's method does not mean."""


def whole(x: JSON):
    return x


def named(x: "JSON"):
    return x


def optional(x: "JSON | None" = None):
    return x


def nested(x: Nested):
    return x


def mutual(x: Left):
    return x


def node(x: Node):
    return x


def leaf(x: list[Leaf]):
    return x


def with_defs(x: dict, defs: dict, *required: str) -> dict:
    return closed({"x": x}, *required) | {"$defs": defs}


@table(
    *(
        Case(
            name,
            function,
            with_defs({"$ref": "#/$defs/JSON"}, {"JSON": JSON_SCHEMA}, "x"),
            {"x": {"a": [1, {"b": None}]}},
            {"a": [1.0, {"b": None}]},
            (),
        )
        for name, function in (("JSON as a value", whole), ("JSON as text", named))
    ),
    Case(
        "an option of JSON",
        optional,
        with_defs({"$ref": "#/$defs/JSON", "default": None}, {"JSON": JSON_SCHEMA}),
        {"x": ["a", True]},
        ["a", True],
        (),
    ),
    Case(
        "a list of itself",
        nested,
        with_defs(
            {"$ref": "#/$defs/Nested"},
            {"Nested": {"type": "array", "items": {"$ref": "#/$defs/Nested"}}},
            "x",
        ),
        {"x": [[], [[]]]},
        [[], [[]]],
        ({"x": [1]}, {"x": [[[1]]]}),
    ),
    Case(
        "two that mention each other",
        mutual,
        with_defs(
            {"$ref": "#/$defs/Left"},
            {
                "Left": {
                    "type": "object",
                    "additionalProperties": {
                        "type": ["array", "integer"],
                        "items": {"$ref": "#/$defs/Left"},
                    },
                }
            },
            "x",
        ),
        {"x": {"a": [{"b": 1}]}},
        {"a": [{"b": 1}]},
        ({"x": {"a": "b"}}, {"x": {"a": [[]]}}),
    ),
    Case(
        "Self in a class",
        node,
        with_defs(
            {"$ref": "#/$defs/Node"},
            {
                "Node": closed(
                    {
                        "value": {"type": "integer"},
                        "next": OR_NULL,
                        "others": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
                    },
                    "value",
                )
            },
            "x",
        ),
        {"x": {"value": 1, "next": {"value": 2}, "others": [{"value": 3}]}},
        Node(1, Node(2), [Node(3)]),
        ({"x": {"value": 1, "next": 2}},),
    ),
)
def test_what_mentions_itself_stands_under_defs(case):
    case.check()


def test_self_in_a_base_class_is_the_class_that_is_asked_for():
    given = {"x": [{"value": 1, "next": {"value": 2, "label": "b"}, "label": "a"}]}

    assert {"x": [Leaf(1, Leaf(2, label="b"), label="a")]} == read(leaf).structure(given)


def test_a_wrong_value_deep_in_an_alias_is_refused():
    with pytest.raises(ArgumentsError, match=r"\$\.x"):
        read(whole).structure({"x": {"a": [object()]}})


@pytest.mark.parametrize("name", ["Itself", "One"])
def test_a_name_that_means_nothing_but_itself_takes_any_value_with_a_warning(name):
    def function(x): ...

    function.__annotations__["x"] = name
    with pytest.warns(SchemaWarning, match=f"'x' takes any value where '{name}' is not known"):
        read(function)


@pytest.mark.parametrize(
    ("toolset", "kind"),
    [
        (Numbers(), "integer"),
        (FewNumbers(), "integer"),
        (Store[str](), "string"),
        (Store[int](), "integer"),
    ],
    ids=["subclass", "its subclass", "str", "int"],
)
def test_a_method_of_a_generic_class_takes_what_its_variable_stands_for(toolset, kind):
    (put,) = toolset.tools()

    expected = {
        "item": {"type": kind},
        "more": {"type": "array", "items": {"type": kind}, "default": []},
    }
    assert expected == read(put).input_schema()["properties"]


def test_names_in_an_inherited_method_mean_what_they_mean_where_it_was_written():
    (change,) = OtherModes().tools()

    assert {"mode": {"type": "string"}} == read(change).input_schema()["properties"]
    assert Modes.Mode is change(**read(change).structure({"mode": "a"}))


def test_self_of_a_method_is_its_class():
    @dataclass
    class Money:
        cents: int

        def plus(self, other: Self):
            return Money(self.cents + other.cents)

    signature = read(Money(1).plus)

    assert Money(3) == Money(1).plus(**signature.structure({"other": {"cents": 2}}))
