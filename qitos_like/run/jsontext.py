"""JSON text from a model, read within limits; what is wrong with it is said with its place."""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from json.scanner import make_scanner
from typing import NoReturn

from qitos_like.core.jsontypes import Json
from qitos_like.core.schema.problems import ArgumentsError, Problem, json_path

from . import plain

_EXCERPT_CHARS = 20
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_KEY_END = re.compile(r'"\s*:')
_OBJECTS = frozenset({dict})
_CONTAINERS = frozenset({dict, list})
#: So short a text is not too deep, if it is whole.
_SHORT_CHARS = 2 * plain.MAX_DEPTH
#: Of more objects and arrays than these the keys are counted, instead of looked at.
_FEW = 16
#: Of what models often get wrong it is told how to write it.
_REASONS = {
    "Invalid control character": "a control character in a string; write a line break as \\n",
    "Invalid \\escape": "a backslash that escapes nothing; write it as \\\\",
}
_TOO_DEEP = f"nested deeper than {plain.MAX_DEPTH} levels"
_TOO_LONG = f"a number of more than {plain.MAX_DIGITS:,} digits"


class _Pairs(list[tuple[str, Json]]):
    """An object with all its keys, also those given twice."""


def parse(text: str) -> Json:
    """The value of a JSON text.

    Raises:
        ArgumentsError: it is no JSON, says a key twice, or is over a limit.

    >>> parse('{"n": 1}')
    {'n': 1}
    """
    if len(text) > plain.MAX_CHARS or not text.isascii():
        text = _within_limits(text)
    # As they are counted, those in strings are among them.
    containers = text.count("{") + text.count("[") if len(text) > _SHORT_CHARS else 0
    is_large = containers > _FEW
    try:
        value, end = (_SCAN_LARGE if is_large else _SCAN)(text, 0)
    except (StopIteration, ValueError, RecursionError, _GivenTwiceError):
        end = -1
    # Spaces around the value, a key that may be given twice, or something is wrong.
    if end != len(text) or (is_large and not _is_whole(text, value, containers)):
        value = _decoded(text)
    return plain.value(value) if "\\" in text and _SURROGATE.search(text) else value


def _is_whole(text: str, value: Json, containers: int) -> bool:
    """Whether a count shows that the value has all keys of the text, at no great depth.

    Each key has a colon behind it. Strings that hold colons can leave that in doubt, but they
    cannot make up for a key that is lost.
    """
    keys = _keys(value, containers)
    return keys == text.count(":") or keys == len(_KEY_END.findall(text))


def _keys(value: Json, containers: int) -> int:
    """How many keys all objects in the value have together; -1 if it is too deep.

    Args:
        value: what is looked through.
        containers: how many objects and arrays are in it, at most.
    """
    keys = 0
    level: Iterable[Json] = [value]
    for _ in range(plain.MAX_DEPTH + 1):
        parts = [*level] if containers else []
        kinds = {*map(type, parts)}
        if not kinds & _CONTAINERS:
            return keys
        objects = parts if kinds == _OBJECTS else [each for each in parts if type(each) is dict]
        arrays = [] if objects is parts else [each for each in parts if type(each) is list]
        keys += sum(map(len, objects))
        containers -= len(objects) + len(arrays)
        level = chain.from_iterable(chain(map(dict.values, objects), arrays))
    return -1


def _decoded(text: str) -> Json:
    """The value of the whole text.

    Raises:
        ArgumentsError: as ``parse``.
    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise _refused(_syntax(text, error)) from None
    except _GivenTwiceError:
        raise ArgumentsError([_given_twice(_PAIRS_DECODER.decode(text))]) from None
    except RecursionError:
        raise _refused(_TOO_DEEP) from None
    except ValueError:  # the only other one: Python refuses to read that many digits
        raise _refused(_TOO_LONG) from None
    if _keys(value, len(text)) < 0:
        raise _refused(_TOO_DEEP)
    return value


class _GivenTwiceError(Exception):
    """Some object has a key twice."""


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _GivenTwiceError
    return value


def _constant(name: str) -> NoReturn:
    message = f"{name} is no JSON number"
    raise _refused(message)


def _float(digits: str) -> float:
    value = float(digits)
    if value - value == 0.0:  # of an infinity it is NaN
        return value
    message = f"the number {digits[:_EXCERPT_CHARS]} is too large"
    raise _refused(message)


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)
_SCAN = make_scanner(_DECODER)  # type: ignore[arg-type] # typeshed has another scanner in its place
#: Keeps the last of equal keys, and calls nothing back for an object.
_SCAN_LARGE = make_scanner(
    json.JSONDecoder(parse_constant=_constant, parse_float=_float)  # type: ignore[arg-type] # as above
)
_PAIRS_DECODER = json.JSONDecoder(object_pairs_hook=_Pairs)


def _within_limits(text: str) -> str:
    if len(text) > plain.MAX_CHARS:
        message = f"{len(text):,} characters of JSON text; at most {plain.MAX_CHARS:,}"
        raise _refused(message)
    return plain.whole(text, (), of=" of the text")


def _syntax(text: str, error: json.JSONDecodeError) -> str:
    """What is wrong, where, and the text around that place."""
    start = max(error.pos - _EXCERPT_CHARS, 0)
    near = text[start : error.pos + _EXCERPT_CHARS]
    reason = next(
        (ours for theirs, ours in _REASONS.items() if error.msg.startswith(theirs)),
        error.msg[0].lower() + error.msg[1:],
    )
    place = f"line {error.lineno} column {error.colno}"
    if error.pos >= len(text.rstrip()):
        return f"not valid JSON: {reason}, at its end after {near!r}"
    return f"not valid JSON: {reason}, at {place}, near {near!r}"


def _given_twice(value: Json) -> Problem:
    """The first key that its object has twice; there is one."""
    path = next(_paths_given_twice(value, ()))
    return Problem(json_path(path), "given twice; give it once")


def _paths_given_twice(value: Json, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    if isinstance(value, _Pairs):
        seen: set[str] = set()
        for key, _ in value:
            if key in seen:
                yield (*path, key)
            seen.add(key)
    for step, inner in _parts(value):
        yield from _paths_given_twice(inner, (*path, step))


def _parts(value: Json) -> Iterable[tuple[str | int, Json]]:
    if isinstance(value, _Pairs):
        return value
    return enumerate(value) if isinstance(value, list) else ()


def _refused(message: str) -> ArgumentsError:
    return ArgumentsError([Problem("$", message)])
