"""A tool's value as text for a model, and as JSON data."""

import dataclasses
import datetime as dt
import enum
import json
import pathlib
import uuid
from collections import deque
from decimal import Decimal
from types import MappingProxyType

import attrs
import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qitos_like.run import serialise


class Colour(enum.Enum):
    RED = "red"
    TWO = 2


class Word(enum.StrEnum):
    YES = "yes"


@dataclasses.dataclass
class Point:
    x: int
    y: object = None


@attrs.frozen
class Person:
    name: str


class Model(pydantic.BaseModel):
    at: dt.date


class Array:
    def tolist(self):
        return [[1, 2], [3, 4]]


class Odd:
    def __str__(self):
        return "an odd thing"


AUTO = [
    ("text", "as it is: é \n", "as it is: é \n"),
    ("nothing", None, "null"),
    ("flag", True, "true"),
    ("number", 1.5, "1.5"),
    ("mapping", {"a": "é"}, '{"a": "é"}'),
    ("other mapping", MappingProxyType({"a": 1}), '{"a": 1}'),
    ("tuple", (1, 2), "[1, 2]"),
    ("deque", deque([1]), "[1]"),
    ("range", range(3), "[0, 1, 2]"),
    ("views", {"a": 1}.keys(), '["a"]'),
    ("set of texts", {"b", "a"}, '["a", "b"]'),
    ("set of numbers", {10, 9}, "[9, 10]"),
    ("mixed set", {1, "b"}, '["b", 1]'),
    ("dataclass", Point(1, Point(2)), '{"x": 1, "y": {"x": 2, "y": null}}'),
    ("attrs class", [Person("Ann")], '[{"name": "Ann"}]'),
    ("pydantic model", Model(at="2026-01-02"), '{"at": "2026-01-02"}'),
    ("enum", Colour.RED, "red"),
    ("enum of a number", Colour.TWO, "2"),
    ("text enum", Word.YES, "yes"),
    ("enum inside", [Colour.RED, Word.YES], '["red", "yes"]'),
    ("path", pathlib.PurePosixPath("a/b"), "a/b"),
    ("path inside", [pathlib.PurePosixPath("a/b")], '["a/b"]'),
    ("date", dt.date(2026, 1, 2), "2026-01-02"),
    ("uuid", uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    ("decimal", Decimal("1.50"), "1.50"),
    ("array", Array(), "[[1, 2], [3, 4]]"),
    ("bytes", b"abc", "<3 bytes>"),
    ("bytes inside", {"data": memoryview(b"abcd")}, '{"data": "<4 bytes>"}'),
    ("anything else", Odd(), "an odd thing"),
    ("anything else inside", [Odd()], '["an odd thing"]'),
    ("keys that are no text", {1: "a", None: "b"}, '{"1": "a", "null": "b"}'),
    ("keys that JSON does not take", {(1, 2): 3, Colour.RED: {4}}, '{"(1, 2)": 3, "red": [4]}'),
    (
        "odd keys below a class",
        Point({Word.YES: 1, (1,): 2}),
        '{"x": {"yes": 1, "(1,)": 2}, "y": null}',
    ),
]


@pytest.mark.parametrize(("value", "text"), [row[1:] for row in AUTO], ids=[row[0] for row in AUTO])
def test_auto_gives_text_as_it_is_and_data_as_json(value, text):
    assert text == serialise.text(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [("a", '"a"'), (Word.YES, '"yes"'), (b"ab", '"<2 bytes>"'), ({"a": 1}, '{"a": 1}')],
    ids=["text", "enum", "bytes", "mapping"],
)
def test_json_always_gives_json(value, text):
    assert text == serialise.text(value, "json")


@pytest.mark.parametrize(
    ("value", "text"),
    [("a", "a"), ([1, "b"], "[1, 'b']"), (float("nan"), "nan"), (b"ab", "<2 bytes>")],
    ids=["text", "list", "nan", "bytes"],
)
def test_str_gives_str_but_for_bytes(value, text):
    assert text == serialise.text(value, "str")


def own_cycle():
    value = []
    value.append(value)
    return value


def cycle_of_records():
    value = Point(1)
    value.y = [value]
    return value


def deep():
    value = inner = []
    for _ in range(20_000):
        inner.append([])
        inner = inner[0]
    return value


class Itself:
    def tolist(self):
        return self


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (float("nan"), "$ is nan, which JSON has no form for"),
        ({"a": [1, float("-inf")]}, "$.a[1] is -inf, which JSON has no form for"),
        (own_cycle(), "$[0] holds itself"),
        ({"at": cycle_of_records()}, "$.at.y[0] holds itself"),
        (deep(), "it is nested too deep"),
        ({(1,): own_cycle()}, "it is nested too deep or holds itself"),
        ({"a": 10**5_000}, "$.a has more digits than Python prints"),
        ([{float("nan"): 1}], "a key of $[0] is nan, which JSON has no form for"),
        ([10**400, float("nan")], "$[1] is nan, which JSON has no form for"),
        ({10**5_000: 1}, "a key of $ has more digits than Python prints"),
        ([Itself()], "$[0] holds itself"),
    ],
    ids=[
        "nan",
        "infinity",
        "cycle",
        "cycle of records",
        "too deep",
        "cycle under odd keys",
        "huge integer",
        "nan as a key",
        "nan beside a large integer",
        "huge key",
        "a form that is itself",
    ],
)
def test_what_json_has_no_form_for_is_named_with_its_place(value, reason):
    with pytest.raises(serialise.NotJsonError) as raised:
        serialise.text(value)

    assert reason == str(raised.value)


def test_what_a_value_raises_is_not_hidden():
    class Broken:
        def __str__(self):
            raise LookupError("no")

    with pytest.raises(LookupError, match="no"):
        serialise.text([Broken()])


@pytest.mark.parametrize(
    ("value", "expected"),
    [({"a": 1}, True), (Point(1), True), (Person("x"), True), ([1], False), ("a", False)],
    ids=["mapping", "dataclass", "attrs class", "list", "text"],
)
def test_a_mapping_or_a_record_is_structured(value, expected):
    assert expected == serialise.is_structured(value)


def test_data_is_a_plain_copy():
    value = {"at": Point(1, {"b", "a"})}

    assert {"at": {"x": 1, "y": ["a", "b"]}} == serialise.data(value)


def test_surrogate_halves_are_joined_or_written_out():
    assert "\U0001f600 and \\udc80" == serialise.wellformed("\ud83d\ude00 and \udc80")


@given(st.text(alphabet=st.characters()) | st.text(alphabet='\ud83d\ude00\udc80a\\"'))
def test_every_text_becomes_utf8_and_stays_json(text):
    dumped = serialise.text([text], "json")

    assert dumped.encode().decode() == dumped
    assert [serialise.wellformed(text)] == json.loads(dumped)
