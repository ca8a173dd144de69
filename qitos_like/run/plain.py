"""Arguments as plain JSON data within limits, before anything looks at what they mean.

A schema validator recurses as deep as its data, and a number may have a million digits: what is
over a limit is refused first, with its place.
"""

from collections.abc import Mapping
from math import isfinite

from qitos_like.core.jsontypes import Json
from qitos_like.core.safe_text import joined
from qitos_like.core.schema.problems import ArgumentsError, Problem, json_path

MAX_CHARS = 1_048_576
MAX_DEPTH = 64
MAX_DIGITS = 4_300  # as many as Python itself reads, unless told otherwise

_MAX_VALUES = 200_000
_MAX_INT = 10**MAX_DIGITS


def copied(args: Mapping[object, object]) -> dict[str, Json]:
    """The arguments as a copy in plain JSON types, each value looked at.

    Raises:
        ArgumentsError: something in them is no JSON data, or over a limit; it says where.

    >>> copied({"at": (1, 2)})
    {'at': [1, 2]}
    """
    return _Copy().mapping(args, ())


def value(data: object) -> Json:
    """Any value as a copy in plain JSON types, each part looked at.

    Raises:
        ArgumentsError: as ``copied``.
    """
    return _Copy().value(data, ())


class _Copy:
    """One copy in the making, and what it has used of the limits."""

    def __init__(self) -> None:
        self._chars = 0
        self._values = 0

    def mapping(
        self, value: Mapping[object, object], path: tuple[str | int, ...]
    ) -> dict[str, Json]:
        plain = {}
        for key, part in value.items():
            if not isinstance(key, str):
                raise _refused(path, f"the key {key!r} is not text")
            name = self._text(key, path)
            plain[name] = self.value(part, (*path, name))
        return plain

    def value(self, value: object, path: tuple[str | int, ...]) -> Json:
        self._values += 1
        if self._values > _MAX_VALUES:
            raise _refused((), f"more than {_MAX_VALUES:,} values")
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self._text(value, path)
        if isinstance(value, int | float):
            return _number(value, path)
        if len(path) >= MAX_DEPTH:
            raise _refused(path[:4], f"nested deeper than {MAX_DEPTH} levels")
        return self._container(value, path)

    def _container(self, value: object, path: tuple[str | int, ...]) -> Json:
        if isinstance(value, Mapping):
            return self.mapping(value, path)
        if isinstance(value, list | tuple):
            return [self.value(part, (*path, index)) for index, part in enumerate(value)]
        raise _refused(path, f"a value of type {type(value).__name__} is no JSON data")

    def _text(self, value: str, path: tuple[str | int, ...]) -> str:
        self._chars += len(value)
        if self._chars > MAX_CHARS:
            raise _refused((), f"more than {MAX_CHARS:,} characters of text")
        if not value.isascii():
            value = whole(value, path)
        return str.__str__(value)


def whole(text: str, path: tuple[str | int, ...], of: str = "") -> str:
    """The text, in which the halves of surrogate pairs are joined.

    Raises:
        ArgumentsError: a half stands alone.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        text = joined(text)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = f"\\u{ord(text[error.start]):04x}"
        message = f"{half} at character {error.start}{of} is half of a surrogate pair"
        raise _refused(path, message) from None
    return text


def _number(value: float, path: tuple[str | int, ...]) -> Json:
    if isinstance(value, int):
        if not -_MAX_INT < value < _MAX_INT:
            raise _refused(path, f"an integer of more than {MAX_DIGITS:,} digits")
        return int(value)
    if not isfinite(value):
        raise _refused(path, f"{value} is no JSON number")
    return float(value)


def _refused(path: tuple[str | int, ...], message: str) -> ArgumentsError:
    return ArgumentsError([Problem(json_path(path), message)])
