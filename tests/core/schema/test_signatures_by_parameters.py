"""Kinds of parameters, and defaults."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, NotRequired, TypedDict, Unpack

import typing_extensions

from tests.core.schema.case import Case, closed, table

INTEGER = {"type": "integer"}
STRING = {"type": "string"}


class Mode(StrEnum):
    FAST = "fast"


@dataclass
class Options:
    depth: int = 1


class Extras(TypedDict):
    size: int
    colour: NotRequired[str]


def nothing():
    return ()


def untyped(a, b=3):
    return a, b


def keyword_only(*, a: int, b: str = "x"):
    return a, b


def positional_only(a: int, b: int = 2, /, c: int = 3):
    return a, b, c


def rest(a: int, *args: str):
    return a, args


def rest_and_keywords(a: int = 1, *more: int, flag: bool = False):
    return a, more, flag


def keywords(a: int, **kwargs: int):
    return a, kwargs


def free_keywords(**kwargs):
    return kwargs


def all_kinds(a: int, /, b: int, *args: int, c: int, **kwargs: int):
    return a, b, args, c, kwargs


def unpacked(a: int, **kwargs: Unpack[Extras]):
    return a, kwargs


def unpacked_by_extensions(a: int, **kwargs: typing_extensions.Unpack[Extras]):
    return a, kwargs


def star_tuple(*args: *tuple[int, str]):
    return args


def default_none(a: int = None, b: list[str] = None):  # noqa: RUF013 (the case)
    return a, b


def described_none(a: Annotated[int, "n"] = None):  # noqa: RUF013 (the case)
    return a


def mutable(a: list[int] = [], b: dict[str, int] = {}):  # noqa: B006 (the case)
    a.append(1)
    return a, b


def shown(
    a: Mode = Mode.FAST,
    b: Path = Path("x"),
    c: tuple[int, ...] = (1, 2),
    d: Options = Options(),  # noqa: B008
):
    return a, b, c, d


def not_json(a: Any = len, b: float = float("inf")):
    return a, b


ARGS = {"type": "array", "items": STRING}


@table(
    Case("nothing", nothing, closed({}), {}, (), ({"a": 1}, {"": None})),
    Case(
        "untyped",
        untyped,
        {"a": {}, "b": {"default": 3}},
        {"a": None},
        (None, 3),
        ({}, {"a": 1, "c": 1}),
    ),
    Case(
        "keyword-only",
        keyword_only,
        {"a": INTEGER, "b": STRING | {"default": "x"}},
        {"a": 1},
        (1, "x"),
        ({}, {"a": 1, "b": 2}),
    ),
    Case(
        "positional-only",
        positional_only,
        {"a": INTEGER, "b": INTEGER | {"default": 2}, "c": INTEGER | {"default": 3}},
        {"a": 1, "c": 5},
        (1, 2, 5),
        ({"b": 1}, {"a": "1"}),
    ),
    Case(
        "rest",
        rest,
        closed({"a": INTEGER, "args": ARGS}, "a"),
        {"a": 1, "args": ["x", "y"]},
        (1, ("x", "y")),
        ({"args": []}, {"a": 1, "args": [1]}),
    ),
    Case(
        "rest left out",
        rest,
        {"a": INTEGER, "args": ARGS},
        {"a": 1},
        (1, ()),
        ({"a": 1, "args": "x"}, {"a": 1, "args": None}),
    ),
    Case(
        "rest after a default",
        rest_and_keywords,
        {
            "a": INTEGER | {"default": 1},
            "more": {"type": "array", "items": INTEGER},
            "flag": {"type": "boolean", "default": False},
        },
        {"more": [2, 3], "flag": True},
        (1, (2, 3), True),
        ({"more": 2}, {"flag": 1}),
    ),
    Case(
        "keywords",
        keywords,
        {
            "type": "object",
            "properties": {"a": INTEGER},
            "required": ["a"],
            "additionalProperties": INTEGER,
        },
        {"a": 1, "b": 2.0},
        (1, {"b": 2}),
        ({"a": 1, "b": "2"}, {"b": 2}),
    ),
    Case(
        "free keywords",
        free_keywords,
        {"type": "object", "properties": {}, "additionalProperties": True},
        {"a": [1], "b": None},
        {"a": [1], "b": None},
        (),
    ),
    Case(
        "all kinds",
        all_kinds,
        {
            "type": "object",
            "properties": {
                "a": INTEGER,
                "b": INTEGER,
                "args": {"type": "array", "items": INTEGER},
                "c": INTEGER,
            },
            "required": ["a", "b", "c"],
            "additionalProperties": INTEGER,
        },
        {"c": 4, "args": [3], "b": 2, "a": 1, "d": 5},
        (1, 2, (3,), 4, {"d": 5}),
        ({"a": 1, "b": 2}, {"a": 1, "b": 2, "c": 3, "d": "x"}),
    ),
    Case(
        "keywords of a TypedDict",
        unpacked,
        closed({"a": INTEGER, "size": INTEGER, "colour": STRING}, "a", "size"),
        {"a": 1, "size": 2},
        (1, {"size": 2}),
        ({"a": 1}, {"a": 1, "size": 2, "shape": ""}),
    ),
    Case(
        "unpacked by typing_extensions",
        unpacked_by_extensions,
        closed({"a": INTEGER, "size": INTEGER, "colour": STRING}, "a", "size"),
        {"a": 1, "size": 2},
        (1, {"size": 2}),
        ({"a": 1}, {"a": 1, "size": 2, "shape": ""}),
    ),
    Case(
        "rest of a tuple",
        star_tuple,
        {"args": {"type": "array", "prefixItems": [INTEGER, STRING], "minItems": 2, "maxItems": 2}},
        {"args": [1, "a"]},
        (1, "a"),
        ({"args": [1]}, {"args": ["a", 1]}),
    ),
    Case(
        "None as a default",
        default_none,
        {
            "a": {"type": ["integer", "null"], "default": None},
            "b": {"type": ["array", "null"], "items": STRING, "default": None},
        },
        {"a": None},
        (None, None),
        ({"a": "1"}, {"b": "x"}),
    ),
    Case(
        "None as a default beside a text",
        described_none,
        {"a": {"type": ["integer", "null"], "description": "n", "default": None}},
        {"a": None},
        None,
        ({"a": ""}, {"a": 0.5}),
    ),
    Case(
        "mutable defaults",
        mutable,
        {
            "a": {"type": "array", "items": INTEGER, "default": []},
            "b": {"type": "object", "additionalProperties": INTEGER, "default": {}},
        },
        {},
        ([1], {}),
        ({"a": {}}, {"b": []}),
    ),
    Case(
        "defaults in their JSON form",
        shown,
        {
            "a": {"type": "string", "enum": ["fast"], "default": "fast"},
            "b": {"type": "string", "default": "x"},
            "c": {"type": "array", "items": INTEGER, "default": [1, 2]},
            "d": closed({"depth": INTEGER | {"default": 1}}),
        },
        {"d": {"depth": 2}},
        (Mode.FAST, Path("x"), (1, 2), Options(2)),
        ({"a": "FAST"}, {"d": {"width": 1}}),
    ),
    Case(
        "defaults that are no JSON",
        not_json,
        {"a": {}, "b": {"type": "number"}},
        {},
        (len, float("inf")),
        ({"b": "inf"}, {"c": 1}),
    ),
    Case(
        "a lambda",
        lambda x, y=2: (x, y),
        {"x": {}, "y": {"default": 2}},
        {"x": 1},
        (1, 2),
        ({}, {"x": 1, "z": 1}),
    ),
)
def test_parameters_become_properties_and_are_filled(case):
    case.check()
