"""Classes whose constructor takes something else than their fields say."""

from dataclasses import InitVar, dataclass
from typing import Annotated, Generic, NamedTuple, TypeVar

import attrs

from qitos_like.core.marks import Name
from tests.core.schema.case import closed, one, table

T = TypeVar("T")
INTEGER = {"type": "integer"}
STRING = {"type": "string"}


@attrs.define(init=False)
class Hashed:
    digest: int

    def __init__(self, text: str, *, salt: "int" = 0):
        self.__attrs_init__(len(text) + salt)


@dataclass(init=False)
class Half:
    whole: int
    rest: int = 1

    def __init__(self, whole):
        self.whole = whole


@dataclass
class Renamed:
    width: int

    def __init__(self, breadth: int, *rest: int, **more: int):
        self.width = breadth


@dataclass
class Same:
    width: int
    seed: InitVar[int] = 0

    def __init__(self, width: int, seed: int = 0):
        self.width = width + seed


def parts(text: str) -> list[str]:
    return text.split(",")


def anything(value: object) -> int:
    return int(value)  # type: ignore[call-overload]


@attrs.frozen
class Converted:
    words: list[str] = attrs.field(converter=parts)
    more: list[str] | None = attrs.field(converter=attrs.converters.optional(parts), default=None)
    size: int = attrs.field(converter=anything, default=1)
    twice: int = attrs.field(converter=lambda n: 2 * n, default=0)
    bare: int = attrs.field(converter=lambda *n: n[0], default=attrs.Factory(int))
    taken: int = attrs.field(
        converter=attrs.Converter(lambda n, _self: n, takes_self=True), default=0
    )


class Pair(NamedTuple):
    left: int
    right: str = "r"


class Swapping(Pair):
    """Has methods of its own and no annotations."""

    def swapped(self):
        return self.right, self.left


class Cell(NamedTuple, Generic[T]):
    value: Annotated[T, Name("v"), "what it holds"]


@table(
    one(
        "attrs with a constructor of its own",
        Hashed,
        closed({"text": STRING, "salt": {"type": "integer", "default": 0}}, "text"),
        {"text": "abc", "salt": 2},
        Hashed("abcde"),
        {"digest": 1},
        {"text": "abc", "salt": "2"},
    ),
    one(
        "dataclass with a constructor of its own",
        Half,
        closed({"whole": INTEGER}, "whole"),
        {"whole": 3},
        Half(3),
        {"whole": 3, "rest": 1},
        {"whole": "3"},
    ),
    one(
        "a constructor with other names",
        Renamed,
        closed({"breadth": INTEGER}, "breadth"),
        {"breadth": 3},
        Renamed(3),
        {"width": 3},
    ),
    one(
        "a constructor of the same names",
        Same,
        closed({"width": INTEGER, "seed": {"type": "integer", "default": 0}}, "width"),
        {"width": 3, "seed": 1},
        Same(4),
        {"width": 3, "other": 1},
    ),
    one(
        "attrs with converters",
        Converted,
        closed(
            {
                "words": STRING,
                "more": {"type": ["string", "null"], "default": None},
                "size": {"type": "integer", "default": 1},
                "twice": {"type": "integer", "default": 0},
                "bare": INTEGER,
                "taken": {"type": "integer", "default": 0},
            },
            "words",
        ),
        {"words": "a,b", "more": "c", "twice": 2},
        Converted("a,b", more="c", twice=2),
        {"words": ["a"]},
        {"words": "a", "more": ["c"]},
    ),
    one(
        "a subclass of a named tuple",
        Swapping,
        {
            "type": "array",
            "prefixItems": [
                {"type": "integer", "description": "left"},
                {"type": "string", "description": "right"},
            ],
            "minItems": 1,
            "maxItems": 2,
        },
        [1, "a"],
        Swapping(1, "a"),
        ["1"],
        [1, 2],
    ),
    one(
        "a generic named tuple",
        Cell[int],
        {
            "type": "array",
            "prefixItems": [{"type": "integer", "description": "what it holds"}],
            "minItems": 1,
            "maxItems": 1,
        },
        [1],
        Cell(1),
        ["a"],
        [],
    ),
)
def test_what_the_constructor_takes_is_what_the_schema_asks_for(case):
    case.check()
