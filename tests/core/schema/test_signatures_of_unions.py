"""Tuples and unions."""

# ruff: noqa: PYI061, UP007, UP044, UP045 (each spelling of a type is a case)

import datetime as dt
from pathlib import Path
from typing import Annotated, Any, Literal, Optional, Union, Unpack

import annotated_types as at
import typing_extensions
from typing_extensions import TypeAliasType

from tests.core.schema.case import one, table


@table(
    one("tuple", tuple, {"type": "array"}, [1, "a"], (1, "a"), "a", {}),
    one(
        "tuple of any length",
        tuple[int, ...],
        {"type": "array", "items": {"type": "integer"}},
        [1, 2],
        (1, 2),
        ["1"],
        1,
    ),
    one(
        "fixed tuple",
        tuple[int, str],
        {
            "type": "array",
            "prefixItems": [{"type": "integer"}, {"type": "string"}],
            "minItems": 2,
            "maxItems": 2,
        },
        [1, "a"],
        (1, "a"),
        [1],
        [1, "a", 2],
    ),
    one(
        "typing.Tuple",
        tuple[bool],
        {"type": "array", "prefixItems": [{"type": "boolean"}], "minItems": 1, "maxItems": 1},
        [True],
        (True,),
        [],
        [1],
    ),
    one("empty tuple", tuple[()], {"type": "array", "maxItems": 0}, [], (), [1], [None]),
    one(
        "tuple that goes on",
        tuple[int, *tuple[str, ...]],
        {
            "type": "array",
            "prefixItems": [{"type": "integer"}],
            "minItems": 1,
            "items": {"type": "string"},
        },
        [1, "a", "b"],
        (1, "a", "b"),
        [],
        [1, 2],
    ),
    one(
        "tuple that goes on in front",
        tuple[*tuple[str, ...], int],
        {"type": "array", "minItems": 1, "items": {"type": ["string", "integer"]}},
        ["a", "b", 1],
        ("a", "b", 1),
        [],
        [1, None],
    ),
    one(
        "tuple that goes on in the middle",
        tuple[int, *tuple[dt.date, ...], str],
        {
            "type": "array",
            "prefixItems": [{"type": "integer"}],
            "minItems": 2,
            "items": {"anyOf": [{"type": "string", "format": "date"}, {"type": "string"}]},
        },
        [1, "2024-05-31", "a"],
        (1, dt.date(2024, 5, 31), "a"),
        [1],
        [1, 2, "a"],
    ),
    one(
        "tuple unpacked by typing_extensions",
        tuple[int, typing_extensions.Unpack[tuple[str, ...]]],
        {
            "type": "array",
            "prefixItems": [{"type": "integer"}],
            "minItems": 1,
            "items": {"type": "string"},
        },
        [1, "a"],
        (1, "a"),
        ["a"],
        [1, 2],
    ),
    one(
        "tuple in a tuple unpacked",
        tuple[int, Unpack[tuple[str, bool]]],
        {
            "type": "array",
            "prefixItems": [{"type": "integer"}, {"type": "string"}, {"type": "boolean"}],
            "minItems": 3,
            "maxItems": 3,
        },
        [1, "a", True],
        (1, "a", True),
        [1, "a"],
        [1, "a", 1],
    ),
)
def test_a_tuple_has_items_in_their_places(case):
    case.check()


@table(
    one("Optional", Optional[int], {"type": ["integer", "null"]}, None, None, "1", True),
    one("None first", None | str, {"type": ["string", "null"]}, None, None, 1, []),
    one("Union", Union[int, str], {"type": ["integer", "string"]}, "1", "1", None, 1.5),
    one("bool or int", bool | int, {"type": ["boolean", "integer"]}, True, True, "1", 0.5),
    one("int or bool", int | bool, {"type": ["integer", "boolean"]}, 1.0, 1, "1", None),
    one(
        "float or int takes an integer as one",
        float | int,
        {"type": ["number", "integer"]},
        3,
        3,
        "3",
        None,
    ),
    one(
        "int or float takes a float as one",
        int | float,
        {"type": ["integer", "number"]},
        2.0,
        2.0,
        "3",
        True,
    ),
    one("str or Path", str | Path, {"type": "string"}, "a", "a", 1, None),
    one(
        "str or a list of str",
        str | list[str],
        {"type": ["string", "array"], "items": {"type": "string"}},
        ["a"],
        ["a"],
        [1],
        {},
    ),
    one(
        "optional list",
        list[int] | None,
        {"type": ["array", "null"], "items": {"type": "integer"}},
        [1],
        [1],
        ["1"],
        {},
    ),
    one(
        "optional choice",
        Literal["a"] | None,
        {"type": ["string", "null"], "enum": ["a", None]},
        None,
        None,
        "b",
        0,
    ),
    one(
        "optional mixed choice",
        Optional[Literal["a", 1]],
        {"enum": ["a", 1, None]},
        1,
        1,
        True,
        "1",
    ),
    one(
        "optional choice with None in it",
        Optional[Literal["a", None]],
        {"anyOf": [{"enum": ["a", None]}, {"type": "null"}]},
        None,
        None,
        "b",
        0,
    ),
    one(
        "date or str",
        dt.date | str,
        {"anyOf": [{"type": "string", "format": "date"}, {"type": "string"}]},
        "2024-05-31",
        dt.date(2024, 5, 31),
        1,
        None,
    ),
    one(
        "a moment, or a date alone",
        dt.datetime | dt.date,
        {
            "anyOf": [
                {"type": "string", "format": "date-time"},
                {"type": "string", "format": "date"},
            ]
        },
        "2024-05-31",
        dt.date(2024, 5, 31),
        1,
        unparsed=["soon"],
    ),
    one(
        "str or date",
        str | dt.date,
        {"anyOf": [{"type": "string"}, {"type": "string", "format": "date"}]},
        "2024-05-31",
        "2024-05-31",
        1,
        None,
    ),
    one("anything in a union", int | Any, {}, [1], [1]),
    one(
        "two lists",
        list[int] | list[str],
        {
            "anyOf": [
                {"type": "array", "items": {"type": "integer"}},
                {"type": "array", "items": {"type": "string"}},
            ]
        },
        ["a"],
        ["a"],
        [1, "a"],
        "a",
    ),
    one(
        "a bounded integer or a number",
        Annotated[int, at.Ge(0)] | float,
        {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "number"}]},
        -1,
        -1.0,
        "1",
        None,
    ),
    one(
        "a union behind a name in a union",
        Optional[TypeAliasType("Moment", dt.date | str)],
        {
            "anyOf": [
                {"type": "string", "format": "date"},
                {"type": "string"},
                {"type": "null"},
            ]
        },
        "2024-05-31",
        dt.date(2024, 5, 31),
        1,
        [],
    ),
    one(
        "a union in a union",
        list[int | None] | None,
        {"type": ["array", "null"], "items": {"type": ["integer", "null"]}},
        [None],
        [None],
        ["a"],
        0,
    ),
)
def test_a_union_takes_what_one_branch_takes(case):
    case.check()
