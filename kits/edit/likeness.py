"""Which lines of a file come closest to a text that is not in it."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

_MAX_COMPARED_LINES = 20_000
_MAX_COMPARED_CHARS = 500
_MAX_COMPARED_PAIRS = 5_000_000  # of characters: a second or two where few are different
_MAX_PLACES = 500
_NEAR_RATIO = 0.5
#: A line of so many characters that stands in the file as it is tells the place by itself.
_TELLING_CHARS = 8


def nearest(wanted: Sequence[str], lines: Sequence[str]) -> tuple[int, int] | None:
    """The span of lines, as many as are wanted; ``None`` where nothing is like them.

    Indents do not count. Where several places hold the telling line, the one is taken at which
    most of the others agree.
    """
    asked = _stripped(wanted)
    there = _stripped(lines[:_MAX_COMPARED_LINES])
    matched = max(_anchors(asked, there), default=None)
    if matched is None:
        return None
    _, lead, text = matched
    places = [at for at, line in enumerate(there) if line == text][:_MAX_PLACES]
    at = max(places, key=lambda place: _agreeing(asked, there, max(place - lead, 0)))
    first = max(at - lead, 0)
    return first, min(first + len(asked), len(lines))


def _anchors(asked: list[str], there: list[str]) -> Iterator[tuple[float, int, str]]:
    """Lines that may tell the place: how well, which of the text, and what the file has for it."""
    known = set(there)
    telling = [index for index, line in enumerate(asked) if line]
    by_length = sorted(telling, key=lambda index: -len(asked[index]))
    exact = next((index for index in by_length if asked[index] in known), None)
    if exact is not None:
        yield float(len(asked[exact])), exact, asked[exact]
        if len(asked[exact]) >= _TELLING_CHARS:
            return
    for index in dict.fromkeys([*telling[:1], *by_length[:1]]):
        text, ratio = _most_alike(asked[index], there)
        if ratio >= _NEAR_RATIO:
            yield ratio * len(asked[index]), index, text


def _most_alike(wanted: str, candidates: list[str]) -> tuple[str, float]:
    """The line most like the wanted one; those that may be most like it are compared first."""
    matcher: SequenceMatcher[str] = SequenceMatcher(None, autojunk=False)
    matcher.set_seq2(wanted)
    bounds: list[tuple[float, str]] = []
    for line in dict.fromkeys(candidates):
        matcher.set_seq1(line)
        if matcher.real_quick_ratio() >= _NEAR_RATIO:
            bounds.append((matcher.quick_ratio(), line))
    best, best_ratio = "", 0.0
    left = _MAX_COMPARED_PAIRS
    for bound, line in sorted(bounds, key=lambda pair: -pair[0]):
        left -= len(wanted) * len(line)
        if bound <= best_ratio or bound < _NEAR_RATIO or left < 0:
            break
        matcher.set_seq1(line)
        ratio = matcher.ratio()
        if ratio > best_ratio:
            best, best_ratio = line, ratio
    return best, best_ratio


def _agreeing(asked: list[str], there: list[str], first: int) -> int:
    pairs = zip(asked, there[first:], strict=False)
    return sum(one == other for one, other in pairs)


def _stripped(lines: Sequence[str]) -> list[str]:
    return [line.strip()[:_MAX_COMPARED_CHARS] for line in lines]
