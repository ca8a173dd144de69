"""Types of the standard library beside the common ones."""

import collections
import numbers
import os
from enum import Enum
from fractions import Fraction
from ipaddress import IPv4Network, IPv6Interface
from pathlib import Path
from typing import Counter  # noqa: UP035 (the older spelling is a case)
from zoneinfo import ZoneInfo

import pytest

from qitos_like.core.schema.jsonvalues import to_json
from qitos_like.core.schema.signature import read
from qitos_like.errors import SchemaWarning
from tests.core.schema.case import one, table

INTEGERS = {"type": "object", "additionalProperties": {"type": "integer"}}


class Nothing(Enum):
    """An enumeration that subclasses would fill."""


@table(
    one(
        "Fraction",
        Fraction,
        {"type": "string", "format": "fraction"},
        "1/3",
        Fraction(1, 3),
        1,
        unparsed=["x", "1/0"],
    ),
    one(
        "IPv4Network",
        IPv4Network,
        {"type": "string", "format": "ipv4network"},
        "10.0.0.0/8",
        IPv4Network("10.0.0.0/8"),
        8,
        unparsed=["10.0.0.1/8"],
    ),
    one(
        "IPv6Interface",
        IPv6Interface,
        {"type": "string", "format": "ipv6interface"},
        "::1/64",
        IPv6Interface("::1/64"),
        None,
        unparsed=["127.0.0.1:80"],
    ),
    one(
        "ZoneInfo",
        ZoneInfo,
        {"type": "string", "format": "timezone"},
        "Europe/Paris",
        ZoneInfo("Europe/Paris"),
        1,
        unparsed=["Europe", "Nowhere/Else", "../passwd", ""],
    ),
    one(
        "bytearray",
        bytearray,
        {"type": "string", "contentEncoding": "base64"},
        "aGk=",
        bytearray(b"hi"),
        [104],
        unparsed=["aGk"],
    ),
    one("PathLike", os.PathLike, {"type": "string"}, "a/b", Path("a/b"), 1),
    one("PathLike[str]", os.PathLike[str], {"type": "string"}, "a", Path("a"), None),
    one("a text or a path", str | os.PathLike[str], {"type": "string"}, "a", "a", 1),
    one("Number", numbers.Number, {"type": "number"}, 10**400, 10**400, True, "1"),
    one("Real", numbers.Real, {"type": "number"}, 1.5, 1.5, None),
    one("Integral", numbers.Integral, {"type": "integer"}, 2.0, 2, 1.5, True),
    one("Counter", Counter[str], INTEGERS, {"a": 1}, collections.Counter(a=1), {"a": 1.5}, []),
    one("Counter of anything", collections.Counter, INTEGERS, {}, collections.Counter(), {"a": ""}),
    one(
        "defaultdict",
        collections.defaultdict[int, list[str]],
        {
            "type": "object",
            "propertyNames": {"pattern": "^-?(0|[1-9][0-9]*)$"},
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
        },
        {"1": ["a"]},
        collections.defaultdict(list, {1: ["a"]}),
        {"a": []},
        {"1": [1]},
    ),
    one(
        "defaultdict without a value to begin with",
        collections.defaultdict[str, Path],
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"a": "b"},
        collections.defaultdict(None, {"a": Path("b")}),
        {"a": 1},
    ),
)
def test_a_type_of_the_standard_library_arrives_as_itself(case):
    case.check()


@pytest.mark.parametrize("annotation", [Nothing, Enum, list[Nothing]], ids=str)
def test_an_enumeration_without_members_takes_any_value_with_a_warning(annotation):
    def function(x): ...

    function.__annotations__["x"] = annotation
    with pytest.warns(SchemaWarning, match="parameter 'x' takes any value where .* has no members"):
        signature = read(function)

    assert {"x": ["a"]} == signature.structure({"x": ["a"]})


@pytest.mark.parametrize(
    ("default", "json"),
    [
        (Fraction(1, 3), "1/3"),
        (IPv4Network("10.0.0.0/8"), "10.0.0.0/8"),
        (ZoneInfo("Europe/Paris"), "Europe/Paris"),
        (bytearray(b"hi"), "aGk="),
    ],
    ids=str,
)
def test_their_defaults_are_shown(default, json):
    assert json == to_json(default)
