"""``type`` statements, type parameters and their defaults, which older Pythons cannot parse."""

import sys
import textwrap

import pytest

from qitos_like.core.schema.signature import read
from qitos_like.errors import SchemaWarning
from tests.core.schema.case import Case, closed, table

needs_3_12 = pytest.mark.skipif(sys.version_info < (3, 12), reason="type statements need 3.12")
needs_3_13 = pytest.mark.skipif(sys.version_info < (3, 13), reason="defaults need 3.13")

SOURCE = """
from dataclasses import dataclass
from typing import Annotated

type Size = int
type Names = list[str]
type Pair[T] = tuple[T, T]
type Tree = dict[str, Tree] | int
type Nested[T] = list[Nested[T]] | T
type Late = Missing
type Described = Annotated[int, "how many"]

@dataclass
class Box[T]:
    item: T
    more: "list[T] | None" = None

@dataclass
class IntBox(Box[int]):
    pass

def size(x: Size): return x
def names(x: Names): return x
def optional(x: Size | None = None): return x
def pair(x: Pair[int]): return x
def tree(x: Tree): return x
def nested(x: Nested[str]): return x
def described(x: Described): return x
def box(x: Box[str]): return x
def int_box(x: IntBox): return x
def generic[T: int](x: T, y: "list[T]"): return x, y
def late(x: Late): return x
def keys(x: dict[Size, Names]): return x
"""

DEFAULTS = """
def default[T = int](x: T): return x
"""


def functions(source: str = SOURCE) -> dict:
    names = {"__name__": __name__}
    exec(textwrap.dedent(source), names)
    return names


INTEGER = {"type": "integer"}
STRING = {"type": "string"}


def rows():
    if sys.version_info < (3, 12):
        return []
    made = functions()

    def row(name, schema, good, arrives, *bad, **more):
        refused = tuple({"x": value} for value in bad)
        schema = closed({"x": schema}, "x") | more
        return Case(name, made[name], schema, {"x": good}, arrives, refused)

    tree = {"type": ["object", "integer"], "additionalProperties": {"$ref": "#/$defs/Tree"}}
    nested = {"type": ["array", "string"], "items": {"$ref": "#/$defs/Nested_str"}}
    box_, int_box = (
        closed(
            {"item": item, "more": {"type": ["array", "null"], "items": item, "default": None}},
            "item",
        )
        for item in (STRING, INTEGER)
    )
    strings = {"type": "array", "items": STRING}
    pair = {"type": "array", "prefixItems": [INTEGER, INTEGER], "minItems": 2, "maxItems": 2}
    return [
        row("size", INTEGER, 1.0, 1, "1"),
        row("names", strings, ["a"], ["a"], "a", [1]),
        row("pair", pair, [1, 2], (1, 2), [1], ["a", 1]),
        row(
            "tree",
            {"$ref": "#/$defs/Tree"},
            {"a": {"b": 1}},
            {"a": {"b": 1}},
            {"a": "b"},
            [],
            **{"$defs": {"Tree": tree}},
        ),
        row(
            "nested",
            {"$ref": "#/$defs/Nested_str"},
            [["a"], "b"],
            [["a"], "b"],
            [1],
            1,
            **{"$defs": {"Nested_str": nested}},
        ),
        row("described", INTEGER | {"description": "how many"}, 1, 1, "1"),
        row("box", box_, {"item": "a", "more": ["b"]}, made["Box"]("a", ["b"]), {"item": 1}, {}),
        row(
            "int_box",
            int_box,
            {"item": 1},
            made["IntBox"](1),
            {"item": "a"},
            {"item": 1, "more": ["a"]},
        ),
        row(
            "keys",
            {
                "type": "object",
                "propertyNames": {"pattern": "^-?(0|[1-9][0-9]*)$"},
                "additionalProperties": strings,
            },
            {"1": ["a"]},
            {1: ["a"]},
            {"a": []},
            {"1": "a"},
        ),
        Case(
            "optional",
            made["optional"],
            closed({"x": {"type": ["integer", "null"], "default": None}}),
            {"x": 1},
            1,
            ({"x": "1"}, {"y": 1}),
        ),
        Case(
            "generic",
            made["generic"],
            closed({"x": INTEGER, "y": {"type": "array", "items": INTEGER}}, "x", "y"),
            {"x": 1, "y": [2]},
            (1, [2]),
            ({"x": 1, "y": ["2"]}, {"x": "1", "y": []}),
        ),
    ]


@needs_3_12
@table(*rows())
def test_a_type_statement_means_what_it_stands_for(case):
    case.check()


@needs_3_12
def test_a_type_statement_whose_value_is_unknown_takes_any_value():
    with pytest.warns(SchemaWarning, match="'Missing' is not known"):
        schema = read(functions()["late"]).input_schema()

    assert {"x": {}} == schema["properties"]


@needs_3_13
def test_a_type_variable_has_its_default():
    assert {"x": INTEGER} == read(functions(DEFAULTS)["default"]).input_schema()["properties"]
