"""Scalars, texts with a parser, and choices."""

# ruff: noqa: PYI061 (each spelling of a type is a case)

import datetime as dt
import re
from decimal import Decimal
from enum import Enum, Flag, IntEnum, IntFlag, StrEnum, auto
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path, PurePath, PurePosixPath
from typing import Any, AnyStr, Literal, LiteralString, NewType, TypeVar
from uuid import UUID

from tests.core.schema.case import one, table


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Mode(StrEnum):
    FAST = auto()
    SAFE = auto()


class Level(IntEnum):
    LOW = 1
    HIGH = 3


class Mixed(Enum):
    ON = True
    ONE = "1"
    PI = 3.5
    NOTHING = None


class Point(Enum):
    ORIGIN = (0, 0)
    RIGHT = (1, 0)


class Opaque(Enum):
    FIRST = len
    SECOND = object()


class Access(IntFlag):
    READ = 1
    WRITE = 2
    RUN = 4


class Sparse(Flag):
    A = 1
    B = 4


class Alias(Enum):
    NEW = "new"
    OLD = "new"  # noqa: PIE796 (an alias)


class Slug(str):
    __slots__ = ()

    def __new__(cls, text):
        if not text:
            raise ValueError("empty")
        return super().__new__(cls, text.lower().replace(" ", "-"))


class Count(int):
    pass


class Ratio(float):
    pass


UserId = NewType("UserId", int)
AdminId = NewType("AdminId", UserId)
Bounded = TypeVar("Bounded", bound=int)
Either = TypeVar("Either", int, str)
Free = TypeVar("Free")
Named = int | None

UTC = dt.timezone.utc  # noqa: UP017 (its repr is compared)


@table(
    one("str", str, {"type": "string"}, "a", "a", 1, None),
    one("empty string", str, {"type": "string"}, "", "", [], {}),
    one("int", int, {"type": "integer"}, 3, 3, "3", 3.5),
    one("int from 1.0", int, {"type": "integer"}, 1.0, 1, True, None),
    one("a huge int", int, {"type": "integer"}, 10**30, 10**30, "1", [1]),
    one("float", float, {"type": "number"}, 2.5, 2.5, "2.5", True),
    one("float from an integer", float, {"type": "number"}, 2, 2.0, None, [2]),
    one("bool", bool, {"type": "boolean"}, True, True, 1, "true"),
    one("None", None, {"type": "null"}, None, None, 0, ""),
    one("NoneType", type(None), {"type": "null"}, None, None, False, "null"),
    one(
        "bytes",
        bytes,
        {"type": "string", "contentEncoding": "base64"},
        "aGk=",
        b"hi",
        5,
        None,
        unparsed=["a", "aGk", "é", "aGk=\n"],
    ),
    one(
        "datetime",
        dt.datetime,
        {"type": "string", "format": "date-time"},
        "2024-05-31T12:00:00+00:00",
        dt.datetime(2024, 5, 31, 12, tzinfo=UTC),
        0,
        None,
        unparsed=["now", "", "2024-13-01"],
    ),
    one(
        "date",
        dt.date,
        {"type": "string", "format": "date"},
        "2024-05-31",
        dt.date(2024, 5, 31),
        20240531,
        None,
        unparsed=["31.5.2024", "2024-02-30"],
    ),
    one(
        "time",
        dt.time,
        {"type": "string", "format": "time"},
        "12:30:00",
        dt.time(12, 30),
        12,
        None,
        unparsed=["noon", "25:00"],
    ),
    one(
        "timedelta",
        dt.timedelta,
        {"type": "string", "format": "duration"},
        "P1W2DT3H4M5.5S",
        dt.timedelta(days=9, hours=3, minutes=4, seconds=5.5),
        60,
        None,
        unparsed=["P", "PT", "1 day", "P1H", "P1DT"],
    ),
    one(
        "a negative timedelta",
        dt.timedelta,
        {"type": "string", "format": "duration"},
        "-PT90M",
        -dt.timedelta(minutes=90),
        -90,
        [],
        unparsed=["--PT1S", "PT1"],
    ),
    one(
        "UUID",
        UUID,
        {"type": "string", "format": "uuid"},
        "12345678-1234-5678-1234-567812345678",
        UUID("12345678-1234-5678-1234-567812345678"),
        1,
        None,
        unparsed=["1234", "x" * 36],
    ),
    one(
        "Decimal",
        Decimal,
        {"type": "string", "format": "decimal"},
        "1.10",
        Decimal("1.10"),
        1.1,
        1,
        unparsed=["one", ""],
    ),
    one("Path", Path, {"type": "string"}, "a/b", Path("a/b"), 1, ["a"]),
    one("PurePath", PurePath, {"type": "string"}, "a", PurePath("a"), 1, None),
    one("PurePosixPath", PurePosixPath, {"type": "string"}, "a", PurePosixPath("a"), 1, {}),
    one(
        "Pattern",
        re.Pattern,
        {"type": "string", "format": "regex"},
        "a+",
        re.compile("a+"),
        1,
        None,
        unparsed=["(", "[a"],
    ),
    one(
        "Pattern of str",
        re.Pattern[str],
        {"type": "string", "format": "regex"},
        "^a",
        re.compile("^a"),
        True,
        {},
        unparsed=["*"],
    ),
    one(
        "Literal of strings",
        Literal["a", "b"],
        {"type": "string", "enum": ["a", "b"]},
        "b",
        "b",
        "c",
        1,
    ),
    one("Literal of one", Literal["a"], {"type": "string", "enum": ["a"]}, "a", "a", "A", None),
    one(
        "Literal of integers", Literal[1, 2], {"type": "integer", "enum": [1, 2]}, 2.0, 2, True, "1"
    ),
    one(
        "Literal of booleans",
        Literal[True],
        {"type": "boolean", "enum": [True]},
        True,
        True,
        1,
        False,
    ),
    one("Literal mixed", Literal["a", 1, None], {"enum": ["a", 1, None]}, None, None, True, "1"),
    one(
        "Literal in Literal",
        Literal["a", "b"],
        {"type": "string", "enum": ["a", "b"]},
        "a",
        "a",
        "",
        0,
    ),
    one(
        "Literal of a member",
        Literal[Colour.RED],
        {"type": "string", "enum": ["red"]},
        "red",
        Colour.RED,
        "blue",
        "RED",
    ),
    one(
        "Enum", Colour, {"type": "string", "enum": ["red", "blue"]}, "blue", Colour.BLUE, "BLUE", 1
    ),
    one(
        "StrEnum",
        Mode,
        {"type": "string", "enum": ["fast", "safe"]},
        "fast",
        Mode.FAST,
        "FAST",
        None,
    ),
    one("IntEnum", Level, {"type": "integer", "enum": [1, 3]}, 3, Level.HIGH, 2, True),
    one("Enum of several types", Mixed, {"enum": [True, "1", 3.5, None]}, True, Mixed.ON, 1, 0),
    one("Enum of tuples", Point, {"enum": [[0, 0], [1, 0]]}, [1, 0], Point.RIGHT, [0, 1], "RIGHT"),
    one(
        "Enum of objects goes by name",
        Opaque,
        {"type": "string", "enum": ["FIRST", "SECOND"]},
        "SECOND",
        Opaque.SECOND,
        "THIRD",
        2,
    ),
    one(
        "Enum with an alias", Alias, {"type": "string", "enum": ["new"]}, "new", Alias.NEW, "OLD", 1
    ),
    one(
        "IntFlag",
        Access,
        {
            "type": "integer",
            "minimum": 0,
            "maximum": 7,
            "description": "a sum of READ=1, WRITE=2, RUN=4",
        },
        3,
        Access.READ | Access.WRITE,
        8,
        "READ",
    ),
    one(
        "Flag with gaps",
        Sparse,
        {"type": "integer", "enum": [0, 1, 4, 5], "description": "a sum of A=1, B=4"},
        5,
        Sparse.A | Sparse.B,
        2,
        6,
    ),
    one("LiteralString", LiteralString, {"type": "string"}, "a", "a", 1, None),
    one("a class of texts", Slug, {"type": "string"}, "A b", Slug("a-b"), 1, None, unparsed=[""]),
    one("a class of integers", Count, {"type": "integer"}, 2.0, Count(2), "2", True),
    one("a class of numbers", Ratio, {"type": "number"}, 1, Ratio(1.0), "1", None),
    one(
        "IPv4Address",
        IPv4Address,
        {"type": "string", "format": "ipv4"},
        "127.0.0.1",
        IPv4Address("127.0.0.1"),
        1,
        None,
        unparsed=["::1", "host"],
    ),
    one(
        "IPv6Address",
        IPv6Address,
        {"type": "string", "format": "ipv6"},
        "::1",
        IPv6Address("::1"),
        1,
        None,
        unparsed=["127.0.0.1"],
    ),
    one("NewType", UserId, {"type": "integer"}, 7, 7, "7", None),
    one("NewType of a NewType", AdminId, {"type": "integer"}, 7, 7, True, 0.5),
    one("TypeVar with a bound", Bounded, {"type": "integer"}, 7, 7, "7", None),
    one("TypeVar with constraints", Either, {"type": ["integer", "string"]}, "a", "a", None, 1.5),
    one(
        "AnyStr",
        AnyStr,
        {"anyOf": [{"type": "string"}, {"type": "string", "contentEncoding": "base64"}]},
        "abcd",
        "abcd",
        1,
    ),
    one("an alias", Named, {"type": ["integer", "null"]}, None, None, "", False),
)
def test_a_scalar_has_its_schema_and_arrives_as_itself(case):
    case.check()


@table(
    one("Any", Any, {}, [1, {"a": None}], [1, {"a": None}]),
    one("object", object, {}, 1.5, 1.5),
    one("a free TypeVar", Free, {}, "a", "a"),
)
def test_any_value_fits_where_nothing_is_said(case):
    case.check()
