"""Classes that are data: dataclasses, attrs, ``TypedDict``, ``NamedTuple``."""

import collections
import dataclasses
from dataclasses import InitVar, dataclass
from typing import (
    Annotated,
    Final,
    Literal,
    NamedTuple,
    NotRequired,
    Required,
    TypedDict,
)

import annotated_types as at
import attrs
import typing_extensions

from qitos_like.core.marks import Name
from tests.core.schema.case import closed, one, table

INTEGER = {"type": "integer"}
STRING = {"type": "string"}


@dataclass
class Point:
    """A place.

    Attributes:
        x: to the right
        y: upwards
    """

    x: int
    y: int = 0


POINT = closed(
    {
        "x": {"type": "integer", "description": "to the right"},
        "y": {"type": "integer", "description": "upwards", "default": 0},
    },
    "x",
)


@dataclass
class Raised(Point):
    """A place above another.

    Args:
        y: even more upwards
    """

    z: int = dataclasses.field(default=0, metadata={"description": "how high"})


@dataclass
class Seeded:
    seed: InitVar[int]
    value: Final[int] = 0
    doubled: int = dataclasses.field(init=False)

    def __post_init__(self, seed):
        self.doubled = 2 * seed


@dataclass
class Positive:
    n: int

    def __post_init__(self):
        if self.n <= 0:
            raise ValueError("n has to be positive")


@dataclass
class Marked:
    flag: Annotated[bool, Name("-A"), "all of them"] = False
    size: Annotated[int, at.Ge(1)] = 1


@attrs.frozen
class Edit:
    old: str
    _new: str = ""
    count: int = attrs.field(default=1, kw_only=True)
    made: int = attrs.field(init=False, default=0)


@attrs.define
class Checked:
    n: int = attrs.field(validator=attrs.validators.ge(1))
    words: tuple[str, ...] = attrs.field(default=(), converter=tuple)
    free = attrs.field(default=None)


class Movie(TypedDict):
    title: str
    year: NotRequired[int]


class Partial(TypedDict, total=False):
    name: Required[str]
    age: int


class More(Movie, total=False):
    stars: Annotated[int, at.Interval(ge=1, le=5)]


class Extended(typing_extensions.TypedDict, closed=True):
    a: typing_extensions.Required[int]
    b: typing_extensions.NotRequired[typing_extensions.ReadOnly[str]]


Odd = TypedDict("Odd", {"in": int, "a-b": str})


class Pair(NamedTuple):
    left: int
    right: str = "r"


Bare = collections.namedtuple("Bare", "a b")  # noqa: PYI024 (the untyped one is the case)


@attrs.frozen
class Cat:
    kind: Literal["cat"]
    lives: int = 9


@attrs.frozen
class Dog:
    kind: Literal["dog"]
    name: str


@table(
    one(
        "texts of a base and of metadata",
        Raised,
        closed(
            {
                "x": {"type": "integer", "description": "to the right"},
                "y": {"type": "integer", "description": "even more upwards", "default": 0},
                "z": {"type": "integer", "description": "how high", "default": 0},
            },
            "x",
        ),
        {"x": 1, "z": 3},
        Raised(1, z=3),
        {"z": 3},
    ),
    one("dataclass", Point, POINT, {"x": 1}, Point(1, 0), {"y": 1}, {"x": 1, "z": 1}),
    one(
        "dataclass with InitVar and Final",
        Seeded,
        closed({"seed": INTEGER, "value": {"type": "integer", "default": 0}}, "seed"),
        {"seed": 2},
        Seeded(2),
        {"seed": "2"},
        {"seed": 2, "doubled": 4},
    ),
    one(
        "dataclass that checks itself",
        Positive,
        closed({"n": INTEGER}, "n"),
        {"n": 1},
        Positive(1),
        {},
        {"n": "1"},
        unparsed=[{"n": 0}],
    ),
    one(
        "marks in a dataclass",
        Marked,
        closed(
            {
                "-A": {"type": "boolean", "description": "all of them", "default": False},
                "size": {"type": "integer", "minimum": 1, "default": 1},
            }
        ),
        {"-A": True, "size": 2},
        Marked(flag=True, size=2),
        {"flag": True},
        {"size": 0},
    ),
    one(
        "attrs",
        Edit,
        closed(
            {
                "old": STRING,
                "new": {"type": "string", "default": ""},
                "count": {"type": "integer", "default": 1},
            },
            "old",
        ),
        {"old": "a", "new": "b", "count": 2.0},
        Edit("a", "b", count=2),
        {"old": "a", "_new": "b"},
        {"old": "a", "made": 1},
    ),
    one(
        "attrs with a validator and a converter",
        Checked,
        closed(
            {
                "n": INTEGER,
                "words": {"type": "array", "items": STRING, "default": []},
                "free": {"default": None},
            },
            "n",
        ),
        {"n": 1, "words": ["a"], "free": {}},
        Checked(1, ("a",), {}),
        {"n": "1"},
        {"n": 1, "words": "a"},
        unparsed=[{"n": 0}],
    ),
    one(
        "TypedDict",
        Movie,
        closed({"title": STRING, "year": INTEGER}, "title"),
        {"title": "a", "year": 1.0},
        {"title": "a", "year": 1},
        {"year": 1},
        {"title": "a", "director": "b"},
    ),
    one(
        "TypedDict that is not total",
        Partial,
        closed({"name": STRING, "age": INTEGER}, "name"),
        {"name": "a"},
        {"name": "a"},
        {"age": 1},
        {"name": "a", "age": None},
    ),
    one(
        "TypedDict that extends another",
        More,
        closed(
            {
                "title": STRING,
                "year": INTEGER,
                "stars": {"type": "integer", "minimum": 1, "maximum": 5},
            },
            "title",
        ),
        {"title": "a", "stars": 5},
        {"title": "a", "stars": 5},
        {"title": "a", "stars": 6},
        {"stars": 1},
    ),
    one(
        "TypedDict of typing_extensions",
        Extended,
        closed({"a": INTEGER, "b": STRING}, "a"),
        {"a": 1, "b": ""},
        {"a": 1, "b": ""},
        {"b": ""},
        {"a": 1, "b": 1},
    ),
    one(
        "TypedDict with keys that are no names",
        Odd,
        closed({"in": INTEGER, "a-b": STRING}, "in", "a-b"),
        {"in": 1, "a-b": ""},
        {"in": 1, "a-b": ""},
        {"in": 1},
        {"in": 1, "a_b": ""},
    ),
    one(
        "NamedTuple",
        Pair,
        {
            "type": "array",
            "prefixItems": [
                {"type": "integer", "description": "left"},
                {"type": "string", "description": "right"},
            ],
            "minItems": 1,
            "maxItems": 2,
        },
        [1],
        Pair(1),
        [],
        ["a", 1],
    ),
    one(
        "namedtuple",
        Bare,
        {
            "type": "array",
            "prefixItems": [{"description": "a"}, {"description": "b"}],
            "minItems": 2,
            "maxItems": 2,
        },
        [1, None],
        Bare(1, None),
        [1],
        [1, 2, 3],
    ),
    one(
        "classes told apart by a choice",
        Cat | Dog,
        {
            "anyOf": [
                closed(
                    {
                        "kind": {"type": "string", "enum": ["cat"]},
                        "lives": {"type": "integer", "default": 9},
                    },
                    "kind",
                ),
                closed(
                    {"kind": {"type": "string", "enum": ["dog"]}, "name": STRING}, "kind", "name"
                ),
            ]
        },
        {"kind": "dog", "name": "Rex"},
        Dog("dog", "Rex"),
        {"kind": "dog", "lives": 1},
        {"kind": "cow"},
    ),
)
def test_a_class_is_an_object_and_arrives_as_an_instance(case):
    case.check()
