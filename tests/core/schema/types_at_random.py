"""Hypothesis strategies of annotations, each with its values and their JSON."""

import base64
import dataclasses
import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from enum import Enum, IntEnum, IntFlag
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, Optional, TypedDict

import annotated_types as at
import attrs
from attrs import frozen
from hypothesis import strategies as st


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Access(IntFlag):
    READ = 1
    WRITE = 2


@frozen
class Kind:
    """An annotation to try.

    Attributes:
        values: a strategy of its values.
        to_json: from a value to the JSON that a model would send.
        is_hashable: whether its values can be in a set.
    """

    annotation: object
    values: st.SearchStrategy
    to_json: Callable[[Any], Any] = lambda value: value
    is_hashable: bool = True


def _seconds(delta: dt.timedelta) -> str:
    sign = "-" if delta < dt.timedelta(0) else ""
    delta = abs(delta)
    return f"{sign}P{delta.days}DT{delta.seconds}.{delta.microseconds:06d}S"


def _value(member):
    return member.value


def _iso(moment):
    return moment.isoformat()


INTEGERS = st.integers(-(2**60), 2**60)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=5)

SCALARS = [
    Kind(int, INTEGERS),
    Kind(float, FLOATS),
    Kind(bool, st.booleans()),
    Kind(str, TEXTS),
    Kind(None, st.none()),
    Kind(Literal["a", 1, True], st.sampled_from(["a", 1, True])),
    Kind(Colour, st.sampled_from(Colour), _value),
    Kind(Level, st.sampled_from(Level), _value),
    Kind(Access, st.sampled_from([Access(n) for n in range(4)]), _value),
    Kind(Annotated[int, at.Ge(0), at.Lt(9)], st.integers(0, 8)),
    Kind(Annotated[int, at.MultipleOf(3)], INTEGERS.map(lambda n: 3 * n)),
    Kind(Annotated[str, at.Len(1, 3)], st.text("ab", min_size=1, max_size=3)),
]
PARSED = [
    Kind(bytes, st.binary(max_size=5), lambda data: base64.b64encode(data).decode()),
    Kind(dt.date, st.dates(), _iso),
    Kind(dt.datetime, st.datetimes(), _iso),
    Kind(dt.time, st.times(), _iso),
    Kind(dt.timedelta, st.timedeltas(-dt.timedelta(99), dt.timedelta(99)), _seconds),
    Kind(Decimal, st.decimals(allow_nan=False, allow_infinity=False), str),
    Kind(Path, st.text("ab/", min_size=1).map(Path), str),
]


def _list(kind: Kind) -> Kind:
    return Kind(
        list[kind.annotation],
        st.lists(kind.values, max_size=3),
        lambda values: list(map(kind.to_json, values)),
        is_hashable=False,
    )


def _tuple(kind: Kind) -> Kind:
    return Kind(
        tuple[kind.annotation, ...],
        st.lists(kind.values, max_size=3).map(tuple),
        lambda values: list(map(kind.to_json, values)),
        is_hashable=kind.is_hashable,
    )


def _pair(kind: Kind) -> Kind:
    return Kind(
        tuple[kind.annotation, int],
        st.tuples(kind.values, INTEGERS),
        lambda pair: [kind.to_json(pair[0]), pair[1]],
        is_hashable=kind.is_hashable,
    )


def _set(kind: Kind) -> Kind:
    if not kind.is_hashable:
        return kind
    return Kind(
        frozenset[kind.annotation],
        st.frozensets(kind.values, max_size=3),
        lambda values: list(map(kind.to_json, values)),
    )


def _dict(kind: Kind) -> Kind:
    return Kind(
        dict[str, kind.annotation],
        st.dictionaries(TEXTS, kind.values, max_size=3),
        lambda values: {key: kind.to_json(value) for key, value in values.items()},
        is_hashable=False,
    )


def _dict_of_integers(kind: Kind) -> Kind:
    return Kind(
        dict[int, kind.annotation],
        st.dictionaries(INTEGERS, kind.values, max_size=3),
        lambda values: {str(key): kind.to_json(value) for key, value in values.items()},
        is_hashable=False,
    )


def _optional(kind: Kind) -> Kind:
    return Kind(
        Optional[kind.annotation],  # noqa: UP045 (made of a value)
        st.none() | kind.values,
        lambda value: None if value is None else kind.to_json(value),
        is_hashable=kind.is_hashable,
    )


def _dataclass(kind: Kind) -> Kind:
    made = dataclasses.make_dataclass("Data", [("a", kind.annotation), ("b", int, 3)], frozen=True)
    return Kind(
        made,
        st.builds(made, kind.values, INTEGERS),
        lambda data: {"a": kind.to_json(data.a), "b": data.b},
        is_hashable=kind.is_hashable,
    )


def _attrs(kind: Kind) -> Kind:
    fields = {"a": attrs.field(type=kind.annotation), "b": attrs.field(default=3, type=int)}
    made = attrs.make_class("Attrs", fields, frozen=True)
    return Kind(
        made,
        st.builds(made, kind.values, INTEGERS),
        lambda data: {"b": data.b, "a": kind.to_json(data.a)},
        is_hashable=kind.is_hashable,
    )


def _typed_dict(kind: Kind) -> Kind:
    made = TypedDict("Typed", {"a": kind.annotation, "b": NotRequired[int]})  # noqa: UP013 (of a value)
    return Kind(
        made,
        st.fixed_dictionaries({"a": kind.values}, optional={"b": INTEGERS}),
        lambda data: {**data, "a": kind.to_json(data["a"])},
        is_hashable=False,
    )


def _named_tuple(kind: Kind) -> Kind:
    made = NamedTuple("Named", [("a", kind.annotation), ("b", str)])  # noqa: UP014 (of a value)
    return Kind(
        made,
        st.builds(made, kind.values, TEXTS),
        lambda data: [kind.to_json(data.a), data.b],
        is_hashable=kind.is_hashable,
    )


WRAPPERS = [
    _list,
    _tuple,
    _pair,
    _set,
    _dict,
    _dict_of_integers,
    _optional,
    _dataclass,
    _attrs,
    _typed_dict,
    _named_tuple,
]


def kinds(leaves: list[Kind]) -> st.SearchStrategy[Kind]:
    """Leaves, wrapped up to three times."""
    leaf = st.sampled_from(leaves)
    wrappers = st.lists(st.sampled_from(WRAPPERS), max_size=3)

    def wrapped(kind, around):
        for wrap in around:
            kind = wrap(kind)
        return kind

    return st.builds(wrapped, leaf, wrappers)


#: Any JSON, small enough to be sometimes right.
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 10)
    | st.sampled_from([0.5, 1.0, 2.0, 1e15])
    | st.sampled_from(["", "a", "b", "red", "1", "-0", "01"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "c", "1", "-2", "01"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@st.composite
def damaged(draw, value):
    """A JSON value with one place inside it replaced by any JSON, or a key or item more or less."""
    inside = (
        list(value.items())
        if isinstance(value, dict)
        else list(enumerate(value))
        if isinstance(value, list)
        else []
    )
    if not inside or draw(st.booleans()):
        return draw(JSON)
    key, part = draw(st.sampled_from(inside))
    copy = value.copy()
    what = draw(st.sampled_from(["inside", "remove", "add"]))
    if what == "inside":
        copy[key] = draw(damaged(part))
    elif what == "remove":
        copy.pop(key)
    elif isinstance(copy, dict):
        copy[draw(st.sampled_from(["a", "b", "z"]))] = draw(JSON)
    else:
        copy.append(part)
    return copy
