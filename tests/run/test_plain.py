"""Arguments of a caller as plain JSON data within limits."""

import enum
import pathlib
from types import MappingProxyType

import pytest

from qitos_like.core.schema.problems import ArgumentsError
from qitos_like.run import plain


class Word(enum.StrEnum):
    YES = "yes"


class Number(enum.IntEnum):
    ONE = 1


def own_cycle():
    value = {}
    value["a"] = value
    return value


def test_the_halves_of_a_character_are_joined():
    assert {"\U0001f600": ["a\U0001f600"]} == plain.copied({"\ud83d\ude00": ["a\ud83d\ude00"]})


def test_arguments_are_copied_in_plain_types():
    inner = [1]
    args = MappingProxyType({"a": (1, {"b": Word.YES}), "c": Number.ONE, "d": inner, "e": None})

    copy = plain.copied(args)

    assert {"a": [1, {"b": "yes"}], "c": 1, "d": [1], "e": None} == copy
    assert (str, int) == (type(copy["a"][1]["b"]), type(copy["c"]))
    assert copy["d"] is not inner


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({1: 2}, "$: the key 1 is not text"),
        ({"a": {"b": object}}, "$.a.b: a value of type type is no JSON data"),
        ({"a": pathlib.PurePosixPath("x")}, "$.a: a value of type PurePosixPath is no JSON data"),
        ({"a": float("nan")}, "$.a: nan is no JSON number"),
        ({"a": 10**4300}, "$.a: an integer of more than 4,300 digits"),
        ({"a": "x\ud800"}, "$.a: \\ud800 at character 1 is half of a surrogate pair"),
        ({"\ud800": 1}, "$: \\ud800 at character 0 is half of a surrogate pair"),
        ({"a": ["x" * 600_000] * 2}, "$: more than 1,048,576 characters of text"),
        ({"a": [0] * 200_000}, "$: more than 200,000 values"),
        (own_cycle(), "$.a.a.a.a: nested deeper than 64 levels"),
    ],
    ids=[
        "key",
        "type",
        "path",
        "nan",
        "digits",
        "half",
        "half in a key",
        "text",
        "values",
        "cycle",
    ],
)
def test_what_is_no_json_data_is_named_with_its_place(args, message):
    with pytest.raises(ArgumentsError) as raised:
        plain.copied(args)

    assert message == str(raised.value)
