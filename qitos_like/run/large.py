"""Large values as JSON, in steps between which other threads run.

The encoder of JSON and its reader hold the interpreter's lock for as long as a call takes, which for
50 MB is seconds: a thread would not keep them out of an event loop's way.
"""

import json
from collections.abc import Callable, Iterator, Mapping

from qitos_like.core.jsontypes import Json

#: So many parts, or characters, are encoded in a moment.
MOST_PARTS = 5_000
MOST_CHARS = 500_000

_CONTAINERS = (dict, list, tuple)

Dumps = Callable[[object], str]


def is_large(value: object) -> bool:
    """Whether it takes more than a moment to encode, as far as plain containers show.

    >>> is_large("a" * 1_000_000), is_large({"a": [1, 2]}), is_large([[0] * 6_000])
    (True, False, True)
    """
    kind = type(value)
    if kind is str:
        return len(value) > MOST_CHARS  # type: ignore[arg-type]  # it is text
    return kind in _CONTAINERS and _weight(value, MOST_PARTS) >= MOST_PARTS


def pieces(value: object, dumps: Dumps, most: int = MOST_PARTS) -> tuple[str, Json]:
    """A large container as ``dumps`` and reading that again make it.

    Args:
        value: the container.
        dumps: makes JSON text of what is not large.
        most: how many parts are encoded at once.

    Raises:
        Exception: what ``dumps`` raises for a part.
        RecursionError: it holds itself.
    """
    made = _Pieces(dumps, most)
    data = made.add(value)
    return "".join(made.texts), data


class _Pieces:
    """JSON text in the making, and the same as data."""

    def __init__(self, dumps: Dumps, most: int) -> None:
        self.texts: list[str] = []
        self._dumps = dumps
        self._most = most

    def add(self, value: object) -> Json:
        """Add the text of a value; what that is as data."""
        if type(value) is dict:
            return self._mapping(value)
        if type(value) in _CONTAINERS:
            return self._several(value)
        return json.loads(self._added(self._dumps(value)))

    def _added(self, text: str) -> str:
        self.texts.append(text)
        return text

    def _mapping(self, value: Mapping[object, object]) -> Json:
        data: dict[str, Json] = {}
        separator = "{"
        for group, is_heavy in self._groups(value.items()):
            self.texts.append(separator)
            separator = ", "
            if is_heavy:
                ((key, part),) = group
                text = self._dumps({key: None})
                self.texts.append(text[1 : -len("null}")])
                (name,) = json.loads(text)
                data[name] = self.add(part)
            else:
                text = self._dumps(dict(group))
                self.texts.append(text[1:-1])
                data |= json.loads(text)
        self.texts.append("}" if data else "{}")
        return data

    def _several(self, value: Json) -> Json:
        data: list[Json] = []
        separator = "["
        for group, is_heavy in self._groups((None, part) for part in value):
            self.texts.append(separator)
            separator = ", "
            if is_heavy:
                data.append(self.add(group[0][1]))
            else:
                text = self._dumps([part for _, part in group])
                self.texts.append(text[1:-1])
                data += json.loads(text)
        self.texts.append("]" if data else "[]")
        return data

    def _groups(self, pairs: Json) -> Iterator[tuple[list[tuple[object, object]], bool]]:
        """Pairs that go together, and large ones alone."""
        group: list[tuple[object, object]] = []
        total = 0
        for pair in pairs:
            weight = _weight(pair[1], self._most)
            if group and total + weight > self._most:
                yield group, False
                group, total = [], 0
            if weight >= self._most:
                yield [pair], True
            else:
                group.append(pair)
                total += weight
        if group:
            yield group, False


def _weight(value: object, most: int) -> int:
    """How many parts it has, or as many as its characters are worth; about ``most`` at most."""
    weight = 1
    waiting: list[Json] = [value]
    for part in waiting:  # which grows
        kind = type(part)
        if kind is str:
            weight += len(part) * MOST_PARTS // MOST_CHARS
        elif kind in _CONTAINERS:
            weight += len(part)
            if weight >= most:
                break
            waiting += part.values() if kind is dict else part
    return weight
