"""Arrays, and objects with free keys."""

from collections import OrderedDict, deque
from collections.abc import (
    Collection,
    Iterable,
    Mapping,
    MutableMapping,
    MutableSequence,
    Sequence,
)
from collections.abc import (
    Set as AbstractSet,
)
from enum import Enum, IntEnum
from typing import Any, Dict, List, Literal  # noqa: UP035
from uuid import UUID

from tests.core.schema.case import one, table

STRINGS = {"type": "array", "items": {"type": "string"}}


class Size(Enum):
    S = "s"
    L = "l"


class Rank(IntEnum):
    FIRST = 1
    LAST = 9


@table(
    one("list", list, {"type": "array"}, [1, "a"], [1, "a"], "ab", {}),
    one("list of str", list[str], STRINGS, ["a"], ["a"], [1], ["a", None]),
    one("typing.List", List[str], STRINGS, [], [], "a", None),  # noqa: UP006
    one(
        "list of lists",
        list[list[int]],
        {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
        [[1], []],
        [[1], []],
        [1],
        [["1"]],
    ),
    one("list of Any", list[Any], {"type": "array"}, [None, 1], [None, 1], {}, 0),
    one(
        "Sequence",
        Sequence[int],
        {"type": "array", "items": {"type": "integer"}},
        [1.0],
        [1],
        "1",
        [1.5],
    ),
    one(
        "MutableSequence",
        MutableSequence[int],
        {"type": "array", "items": {"type": "integer"}},
        [1],
        [1],
        1,
        [True],
    ),
    one("Iterable", Iterable[str], STRINGS, ["a"], ["a"], "a", [0]),
    one("Collection", Collection[str], STRINGS, ["a"], ["a"], {"a": 1}, [[]]),
    one("a bare Sequence", Sequence, {"type": "array"}, ["a", 1], ["a", 1], "a", 1),
    one(
        "deque",
        deque[int],
        {"type": "array", "items": {"type": "integer"}},
        [1],
        deque([1]),
        1,
        ["1"],
    ),
    one(
        "set",
        set[int],
        {"type": "array", "items": {"type": "integer"}, "uniqueItems": True},
        [1, 2],
        {1, 2},
        [1, 1],
        [1, 1.0],
    ),
    one(
        "frozenset of choices",
        frozenset[Literal["a", "b"]],
        {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "uniqueItems": True},
        ["b"],
        frozenset({"b"}),
        ["b", "b"],
        ["c"],
    ),
    one(
        "a bare set",
        set,
        {
            "type": "array",
            "items": {"type": ["string", "number", "boolean", "null"]},
            "uniqueItems": True,
        },
        ["a", None],
        {"a", None},
        [[1]],
        [{}],
    ),
    one(
        "abstract Set",
        AbstractSet[str],
        {**STRINGS, "uniqueItems": True},
        ["a"],
        {"a"},
        ["a", "a"],
        "a",
    ),
    one("typing.Dict", Dict, {"type": "object"}, {"a": 1}, {"a": 1}, [], 1),  # noqa: UP006
    one("dict", dict, {"type": "object"}, {"a": [1]}, {"a": [1]}, [], "a"),
    one(
        "dict of int",
        dict[str, int],
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {"a": 1.0},
        {"a": 1},
        {"a": "1"},
        {"a": None},
    ),
    one("dict of Any", dict[str, Any], {"type": "object"}, {"": None}, {"": None}, [["a", 1]], 1),
    one(
        "Mapping",
        Mapping[str, list[str]],
        {"type": "object", "additionalProperties": STRINGS},
        {"a": ["b"]},
        {"a": ["b"]},
        {"a": "b"},
        {"a": [1]},
    ),
    one(
        "MutableMapping",
        MutableMapping[str, bool],
        {"type": "object", "additionalProperties": {"type": "boolean"}},
        {"a": True},
        {"a": True},
        {"a": 1},
        [],
    ),
    one(
        "OrderedDict",
        OrderedDict[str, int],
        {"type": "object", "additionalProperties": {"type": "integer"}},
        {"a": 1},
        OrderedDict(a=1),
        {"a": []},
        None,
    ),
    one(
        "dict with integer keys",
        dict[int, str],
        {
            "type": "object",
            "propertyNames": {"pattern": "^-?(0|[1-9][0-9]*)$"},
            "additionalProperties": {"type": "string"},
        },
        {"1": "a", "-20": "b"},
        {1: "a", -20: "b"},
        {"a": "a"},
        {"01": "a"},
    ),
    one(
        "dict with chosen keys",
        dict[Literal["a", "b"], int],
        {
            "type": "object",
            "propertyNames": {"enum": ["a", "b"]},
            "additionalProperties": {"type": "integer"},
        },
        {"b": 1},
        {"b": 1},
        {"c": 1},
        {"a": "1"},
    ),
    one(
        "dict with enum keys",
        dict[Size, Any],
        {"type": "object", "propertyNames": {"enum": ["s", "l"]}},
        {"s": 0},
        {Size.S: 0},
        {"S": 0},
        {"": 0},
    ),
    one(
        "dict with integer enum keys",
        dict[Rank, Any],
        {"type": "object", "propertyNames": {"enum": ["1", "9"]}},
        {"9": 0},
        {Rank.LAST: 0},
        {"2": 0},
        {"LAST": 0},
    ),
    one(
        "dict with UUID keys",
        dict[UUID, int],
        {
            "type": "object",
            "propertyNames": {"format": "uuid"},
            "additionalProperties": {"type": "integer"},
        },
        {"12345678-1234-5678-1234-567812345678": 1},
        {UUID("12345678-1234-5678-1234-567812345678"): 1},
        {"12345678-1234-5678-1234-567812345678": "1"},
        1,
        unparsed=[{"a": 1}],
    ),
)
def test_a_container_holds_what_it_says(case):
    case.check()
