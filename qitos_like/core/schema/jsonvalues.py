"""Python values as JSON data, and when two JSON values are the same one."""

import os
from binascii import b2a_base64
from collections.abc import Callable, Hashable
from enum import Enum
from math import isfinite

from qitos_like.core.jsontypes import Json


class NotJsonError(TypeError):
    """A Python value that has no form in JSON that we would show."""


def to_json(value: object) -> Json:
    """The value as JSON data, in the form that arguments of its type have.

    Raises:
        NotJsonError: it has none.

    >>> to_json(("a", 1.5))
    ['a', 1.5]
    """
    if value is None or isinstance(value, bool):
        return value
    convert = next((row[1] for row in _ROWS if row[0](value)), None)
    if convert is None:
        raise NotJsonError(type(value).__name__)
    return convert(value)


def identity(value: Json) -> Hashable:
    """A key that two JSON values share if they are equal in JSON: 1 and 1.0 are, 1 and true not."""
    if isinstance(value, bool):
        return ("boolean", value)
    if isinstance(value, list):
        return ("array", *map(identity, value))
    if isinstance(value, dict):
        return ("object", frozenset((key, identity(part)) for key, part in value.items()))
    return value if isinstance(value, Hashable) else id(value)


def _sequence(value: Json) -> Json:
    return [to_json(part) for part in value]


def _mapping(value: Json) -> Json:
    if not all(isinstance(key, str) for key in value):
        raise NotJsonError(type(value).__name__)
    return {str(key): to_json(part) for key, part in value.items()}


def _set(value: Json) -> Json:
    return sorted(map(to_json, value), key=repr)


def _number(value: Json) -> Json:
    if not isfinite(value):
        raise NotJsonError(str(value))
    return int(value) if isinstance(value, int) else float(value)


def _duration(value: Json) -> str:
    seconds = value.total_seconds()
    sign = "-" if seconds < 0 else ""
    return f"{sign}PT{f'{abs(seconds):.6f}'.rstrip('0').rstrip('.')}S"


def _base64(value: Json) -> str:
    return b2a_base64(value, newline=False).decode()


def _instance_of(*kinds: type) -> Callable[[object], bool]:
    return lambda value: isinstance(value, kinds)


def _named(*names: str) -> Callable[[object], bool]:
    """By module and name, so that the module is imported only by who uses it."""
    return lambda value: f"{type(value).__module__}.{type(value).__qualname__}" in names


_ADDRESSES = [
    f"ipaddress.IPv{version}{kind}"
    for version in (4, 6)
    for kind in ("Address", "Network", "Interface")
]
_ROWS: tuple[tuple[Callable[[object], bool], Callable[[Json], Json]], ...] = (
    (_instance_of(Enum), lambda member: to_json(member.value)),
    (_instance_of(str), str),
    (_instance_of(int, float), _number),
    (_instance_of(list, tuple), _sequence),
    (_instance_of(dict), _mapping),
    (_instance_of(set, frozenset), _set),
    (_instance_of(bytes, bytearray), _base64),
    (_named("datetime.timedelta"), _duration),
    (_instance_of(os.PathLike), lambda path: to_json(os.fspath(path))),
    (_named("datetime.datetime", "datetime.date", "datetime.time"), lambda at: at.isoformat()),
    (
        _named(
            "uuid.UUID", "decimal.Decimal", "fractions.Fraction", "zoneinfo.ZoneInfo", *_ADDRESSES
        ),
        str,
    ),
)
