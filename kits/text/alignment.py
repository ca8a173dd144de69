"""Which lines of two texts are the same, and so which were changed."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import takewhile

from attrs import frozen

#: Matching takes time by the square of these; what has more is parted where single lines agree.
_MAX_MATCHED_LINES = 2000
_MAX_SAME = 20_000  # pairs of a line of the one and an equal one of the other

_Lines = Sequence[bytes]


@frozen
class Change:
    """Lines of the old text and those of the new one in their place; stops are not included."""

    start: int
    stop: int
    new_start: int
    new_stop: int


def changes(old: _Lines, new: _Lines) -> list[Change]:
    r"""The changes that make one list of lines the other, in order, same lines between them.

    >>> changes([b"a\n", b"b\n"], [b"a\n", b"c\n"])
    [Change(start=1, stop=2, new_start=1, new_stop=2)]
    """
    return list(_changes(old, new, (0, 0)))


def _changes(old: _Lines, new: _Lines, at: tuple[int, int]) -> Iterator[Change]:
    head = _shared(old, new)
    tail = _shared(old[head:][::-1], new[head:][::-1])
    old, new = old[head : len(old) - tail], new[head : len(new) - tail]
    start, new_start = at[0] + head, at[1] + head
    is_short = max(len(old), len(new)) <= _MAX_MATCHED_LINES
    if is_short and _same(old, new) <= _MAX_SAME:
        yield from _matched(old, new, (start, new_start))
        return
    fixed = _agreeing(old, new)
    if not fixed:
        yield Change(start, start + len(old), new_start, new_start + len(new))
        return
    done, new_done = 0, 0
    for place, new_place in [*fixed, (len(old), len(new))]:
        if place > done or new_place > new_done:
            parts = old[done:place], new[new_done:new_place]
            yield from _changes(*parts, (start + done, new_start + new_done))
        done, new_done = place + 1, new_place + 1


def _matched(old: _Lines, new: _Lines, at: tuple[int, int]) -> Iterator[Change]:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, start, stop, new_start, new_stop in matcher.get_opcodes():
        if tag != "equal":
            yield Change(at[0] + start, at[0] + stop, at[1] + new_start, at[1] + new_stop)


def _same(old: _Lines, new: _Lines) -> int:
    theirs = Counter(new)
    return sum(count * theirs[line] for line, count in Counter(old).items())


def _agreeing(old: _Lines, new: _Lines) -> list[tuple[int, int]]:
    """Places of lines that each text has once, as many as are in the same order in both."""
    theirs = _single(new)
    pairs = [(at, theirs[line]) for line, at in _single(old).items() if line in theirs]
    ends: list[int] = []  # the last of the shortest run of each length, by its place in ``new``
    runs: list[int] = []  # the same, by its index in ``pairs``
    before: list[int] = []
    for index, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before.append(runs[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        runs[length : length + 1] = [index]
    kept, index = [], runs[-1] if runs else -1
    while index >= 0:
        kept.append(pairs[index])
        index = before[index]
    return kept[::-1]


def _single(lines: _Lines) -> dict[bytes, int]:
    """The lines that occur once, in order, and where."""
    places: dict[bytes, int] = {}
    again: set[bytes] = set()
    for at, line in enumerate(lines):
        if line in places:
            again.add(line)
        places[line] = at
    return {line: at for line, at in places.items() if line not in again}


def _shared(one: _Lines, other: _Lines) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
