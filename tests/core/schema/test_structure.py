"""Where refusals point, and what they say to a model."""

import datetime as dt
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

import annotated_types as at
import attrs
import pydantic
import pytest

from qitos_like.core.schema.problems import ArgumentsError, Problem, json_path
from qitos_like.core.schema.signature import read


class Unit(Enum):
    KM = "km"
    MILE = "mile"


@dataclass
class Edit:
    old_str: str
    new_str: str = ""
    when: dt.date | None = None


@dataclass
class Node:
    value: int
    children: "list[Node]" = field(default_factory=list)


@attrs.frozen
class Checked:
    n: int = attrs.field()

    @n.validator
    def _even(self, _attribute, value):
        if value % 2:
            raise ValueError(f"{value} is odd")


@attrs.frozen
class Chosen:
    colour: str = attrs.field(validator=attrs.validators.in_(["red", "blue"]))


@dataclass
class Broken:
    n: int

    def __post_init__(self):
        raise KeyError(self.n)


@dataclass(init=False)
class Swapped:
    left: int
    right: int

    def __init__(self, right: int, left: int) -> None:
        self.left, self.right = left, right


class Pair(NamedTuple):
    left: int
    right: str


class Options(TypedDict, total=False):
    depth: int


class Model(pydantic.BaseModel):
    sizes: list[int]
    when: dt.date = dt.date(2024, 1, 1)


def problems(annotation, value):
    def function(x): ...

    function.__annotations__["x"] = annotation
    with pytest.raises(ArgumentsError) as caught:
        read(function).structure({"x": value})
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        (int, "1", ["$.x: must be an integer, not the string '1'"]),
        (int, True, ["$.x: must be an integer, not the boolean true"]),
        (int, 1.5, ["$.x: must be an integer, not the number 1.5"]),
        (str, {"a": 1}, ["$.x: must be a string, not an object"]),
        (str, None, ["$.x: must be a string, not null"]),
        (bool, 1, ["$.x: must be a boolean, not the number 1"]),
        (float, "x" * 99, [f"$.x: must be a number, not the string '{'x' * 59}…"]),
        (float, 10**400, ["$.x: must be a number that a 64-bit float can hold"]),
        (str, ("a",), ["$.x: must be a string, not a value of type tuple"]),
        (None, 0, ["$.x: must be null, not the number 0"]),
        (
            dt.date,
            "soon",
            [
                "$.x: must be a date such as 2024-05-31, not the string 'soon' (Invalid isoformat string: 'soon')"
            ],
        ),
        (Decimal, "x", ["$.x: must be a decimal number, not the string 'x'"]),
        (Literal["a", 1], "b", ["$.x: must be one of \"a\", 1, not the string 'b'"]),
        (Unit, "KM", ['$.x: must be one of "km", "mile", not the string \'KM\'']),
        (
            list[int],
            [1, "2", 3, None],
            [
                "$.x[1]: must be an integer, not the string '2'",
                "$.x[3]: must be an integer, not null",
            ],
        ),
        (
            dict[str, int],
            {"a b": "1", "c": []},
            [
                "$.x['a b']: must be an integer, not the string '1'",
                "$.x.c: must be an integer, not an array",
            ],
        ),
        (dict[int, int], {"a": 1}, ["$.x: has the key 'a', which must be an integer"]),
        (tuple[int, str], [1, 2], ["$.x[1]: must be a string, not the number 2"]),
        (tuple[int, str], [1], ["$.x: must have exactly 2 items, not 1"]),
        (tuple[int, *tuple[str, ...]], [1, "a", 2], ["$.x[2]: must be a string, not the number 2"]),
        (tuple[int, *tuple[str, ...]], [], ["$.x: must have at least 1 items, not 0"]),
        (
            tuple[*tuple[str, ...], int],
            ["a", "b"],
            ["$.x[1]: must be an integer, not the string 'b'"],
        ),
        (set[str], ["a", "a"], ["$.x: must not hold a value twice"]),
        (set, [["a"]], ["$.x: must hold strings, numbers, booleans and null only"]),
        (
            list[Edit],
            [{"old_str": "a"}, {"old_str": 1, "when": "now"}],
            [
                "$.x[1].old_str: must be a string, not the number 1",
                "$.x[1].when: must be a date such as 2024-05-31, not the string 'now' (Invalid isoformat string: 'now')",
            ],
        ),
        (Edit, {"old": "a"}, ["$.x: has no property 'old'; did you mean 'old_str'?"]),
        (Edit, {}, ["$.x: lacks 'old_str'"]),
        (Edit, [], ["$.x: must be an object, not an array"]),
        (
            Node,
            {"value": 1, "children": [{"value": 1}, {"value": "1"}]},
            ["$.x.children[1].value: must be an integer, not the string '1'"],
        ),
        (list[Checked], [{"n": 2}, {"n": 3}], ["$.x[1]: 3 is odd"]),
        (
            Chosen,
            {"colour": "grey"},
            ["$.x: 'colour' must be in ['red', 'blue'] (got 'grey')"],
        ),
        (Broken, {"n": 1}, ["$.x: KeyError: 1"]),
        (Pair, [1], ["$.x: must be an array of left, right, not of 1 items"]),
        (Pair, ["a", "b"], ["$.x[0]: must be an integer, not the string 'a'"]),
        (Options, {"depth": 1, "colour": 2}, ["$.x: has no property 'colour'"]),
        (Options, {"depth": "1"}, ["$.x.depth: must be an integer, not the string '1'"]),
        (int | None, "1", ["$.x: must be of type integer or null, not the string '1'"]),
        (list[int] | None, ["1"], ["$.x[0]: must be an integer, not the string '1'"]),
        (Edit | list[Edit], [{}], ["$.x[0]: lacks 'old_str'"]),
        (Edit | Options, {"a": 1}, ["$.x: has no property 'a'"]),
        (Annotated[int, at.Ge(1)] | None, 0, ["$.x: must be at least 1"]),
        (
            list[Annotated[str, at.MinLen(2)]],
            ["ab", "a"],
            ["$.x[1]: must have a length of at least 2"],
        ),
        (Model, {"sizes": [1, "2"]}, ["$.x.sizes[1]: '2' is not of type 'integer'"]),
        (
            Model,
            {"sizes": [], "when": "now"},
            ["$.x.when: Input should be a valid date or datetime, input is too short"],
        ),
    ],
    ids=str,
)
def test_a_refusal_is_at_its_innermost_place(annotation, value, expected):
    assert expected == problems(annotation, value)


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        (Edit, [{"old_str": "a", "new_str": "b"}] * 2, [Edit("a", "b")] * 2),
        (
            Edit,
            [{"new_str": "b", "old_str": "a"}, {"old_str": "c", "new_str": "d"}],
            [Edit("a", "b"), Edit("c", "d")],
        ),
        (
            Edit,
            [{"old_str": "a", "when": None}, {"old_str": "b", "new_str": "c"}],
            [Edit("a"), Edit("b", "c")],
        ),
        (Edit, [{"old_str": "a"}, {"old_str": "b", "new_str": "c"}], [Edit("a"), Edit("b", "c")]),
        (
            Edit,
            [{"old_str": "a", "new_str": "b", "when": "2024-05-31"}],
            [Edit("a", "b", dt.date(2024, 5, 31))],
        ),
        (Edit, [], []),
        (Checked, [{"n": 2.0}, {"n": 4}], [Checked(2), Checked(4)]),
        (Swapped, [{"left": 1, "right": 2}] * 2, [Swapped(right=2, left=1)] * 2),
        (Options, [{"depth": 1.0}, {"depth": 2}], [{"depth": 1}, {"depth": 2}]),
        (Options, [{"depth": 1}, {}], [{"depth": 1}, {}]),
    ],
)
def test_records_of_an_array_are_made_the_same_however_alike_they_are(annotation, value, expected):
    def function(x): ...

    function.__annotations__["x"] = list[annotation]

    found = read(function).structure({"x": value})["x"]

    assert repr(expected) == repr(found)
    assert all(made is not given for made, given in zip(found, value, strict=True))


def test_arguments_as_a_whole():
    def function(path: str, n: int = 1): ...

    with pytest.raises(ArgumentsError) as caught:
        read(function).structure({"paht": "a", "n": "1"})

    expected = (
        Problem("$.paht", "is no parameter; did you mean 'path'?"),
        Problem("$.n", "must be an integer, not the string '1'"),
        Problem("$.path", "is missing"),
    )
    assert expected == caught.value.problems
    assert "$.paht: is no parameter; did you mean 'path'?; $.n: " in str(caught.value)


def test_data_deeper_than_python_follows_is_refused():
    value = {"value": 1}
    for _ in range(100_000):
        value = {"value": 1, "children": [value]}

    assert ["$: is nested too deep"] == problems(Node, value)


def test_values_of_subclasses_are_values():
    class Text(str):
        __slots__ = ()

    class Number(int):
        pass

    def function(a: str, b: int, c: float): ...

    values = read(function).structure({"a": Text("x"), "b": Number(1), "c": Number(2)})

    assert [Text, int, float] == [type(value) for value in values.values()]


def test_any_value_is_a_copy_that_a_tool_may_change():
    def function(x: Any): ...

    value = {"a": [{"b": 1}]}
    arrived = read(function).structure({"x": value})["x"]
    arrived["a"][0].clear()

    assert {"a": [{"b": 1}]} == value


@pytest.mark.parametrize(
    ("steps", "path"),
    [
        ([], "$"),
        (["a", 0, "b"], "$.a[0].b"),
        (["a-b", "c d", ""], "$['a-b']['c d']['']"),
    ],
)
def test_paths(steps, path):
    assert path == json_path(steps)


def test_two_unions_in_two_orders_keep_their_orders():
    def function(a: str | dt.date, b: dt.date | str): ...

    values = read(function).structure({"a": "2024-05-31", "b": "2024-05-31"})

    assert {"a": "2024-05-31", "b": dt.date(2024, 5, 31)} == values


def test_what_a_limit_of_another_type_raises_is_told_at_its_place():
    annotation = list[Annotated[Node, at.Ge(1)]]

    expected = ["$.x[0]: TypeError: '>=' not supported between instances of 'Node' and 'int'"]
    assert expected == problems(annotation, [{"value": 1}])
