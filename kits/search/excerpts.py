"""Lines of files as they are shown: cut around the match, with the lines around them."""

import re
from collections import deque
from collections.abc import Iterator, Sequence

from attrs import frozen

from . import contents
from .matching import Matcher

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


@frozen
class Line:
    """A line that is shown.

    Attributes:
        number: from 1.
        text: without its end, cut if it is long.
        is_match: whether it matches, or stands beside one that does.
    """

    number: int
    text: str
    is_match: bool = True


@frozen(kw_only=True)
class Look:
    """How lines are shown.

    Attributes:
        before, after: how many lines around each are shown too.
        only_matching: of a line that matches, only the text that does, each on a line.
    """

    before: int = 0
    after: int = 0
    only_matching: bool = False


@frozen
class Excerpter:
    """Reads lines of a file by their numbers.

    Attributes:
        matcher: where in a line the match is.
        look: how lines are shown.
        max_chars: where a line is cut.
    """

    matcher: Matcher
    look: Look
    max_chars: int

    def lines(self, handle: int, numbers: Sequence[int]) -> list[Line]:
        """The lines with these numbers, from 0 and in order, of an open file.

        Raises:
            OSError: it cannot be read.
        """
        wanted = self._around(numbers)
        matching = set(numbers)
        return [
            Line(number + 1, _printable(text), number in matching)
            for number, data in _numbered(handle, wanted)
            for text in self._texts(data, is_match=number in matching)
        ]

    def _around(self, numbers: Sequence[int]) -> list[int]:
        around = range(-self.look.before, self.look.after + 1)
        shown = {number + step for number in numbers for step in around}
        return sorted(number for number in shown if number >= 0)

    def _texts(self, data: bytes, *, is_match: bool) -> list[str]:
        """What is shown of a line: all of it, or one text for each match."""
        line = data.removesuffix(b"\r").decode("utf-8", "surrogateescape")
        is_apart = is_match and (self.look.only_matching or len(line) > self.max_chars)
        places = self.matcher.places(line) if is_apart else None
        if places and self.look.only_matching:
            return [self._cut(line[start:end], 0) for start, end in places if end > start]
        return [self._cut(line, places[0][0] if places else 0)]

    def _cut(self, line: str, match: int) -> str:
        """A part of a long line with the match at its first third, and marks where it was cut."""
        if len(line) <= self.max_chars:
            return line
        begin = max(min(match - self.max_chars // 3, len(line) - self.max_chars), 0)
        end = begin + self.max_chars
        before = f"[{begin:,} characters] " if begin else ""
        after = f" [{len(line) - end:,} characters]" if end < len(line) else ""
        return before + line[begin:end] + after


def _printable(text: str) -> str:
    r"""Text with bytes that are no UTF-8, and control characters, as ``\xNN``."""
    shown = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", shown)


def _numbered(handle: int, wanted: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """The lines with these numbers, as far as there are so many."""
    left = deque(wanted)
    for block in contents.blocks(handle):
        end = block.first + block.data.count(b"\n") + (not block.data.endswith(b"\n"))
        if left and left[0] < end and block.data:
            lines = block.data.split(b"\n")
            while left and left[0] < end:
                number = left.popleft()
                yield number, lines[number - block.first]
        if not left:
            return
