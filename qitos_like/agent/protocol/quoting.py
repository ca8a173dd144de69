"""Where a text shows something in place of saying it: code in a line, and what is quoted."""

import re
from bisect import bisect_right
from collections.abc import Iterable

from attrs import frozen

_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_CODE = re.compile(r"(?<!`)(?P<mark>`{1,2})(?!`)[^\n]*?(?<!`)(?P=mark)(?!`)")


@frozen
class Quoted:
    """The parts of a text that are shown.

    Attributes:
        begins: where they begin, in order; none is in another.
        ends: where each of them ends.
    """

    begins: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    @classmethod
    def of(cls, text: str) -> "Quoted":
        """Those of a text; one that is nothing but code in a line means what it says.

        >>> quoted = Quoted.of("Write `{}`, then {}.")
        >>> quoted.holds(7), quoted.holds(17)
        (True, False)
        """
        whole = _CODE.fullmatch(text.strip())
        code = [] if whole else [found.span() for found in _CODE.finditer(text)]
        return cls().and_spans([*code, *(found.span() for found in _LINE.finditer(text))])

    def and_spans(self, more: Iterable[tuple[int, int]]) -> "Quoted":
        """The same with more parts."""
        joined: list[tuple[int, int]] = []
        for begin, end in sorted([*zip(self.begins, self.ends, strict=True), *more]):
            if joined and begin <= joined[-1][1]:
                joined[-1] = joined[-1][0], max(end, joined[-1][1])
            else:
                joined.append((begin, end))
        return Quoted(tuple(begin for begin, _ in joined), tuple(end for _, end in joined))

    def holds(self, position: int) -> bool:
        """Whether what stands there is shown."""
        index = bisect_right(self.begins, position)
        return index > 0 and position < self.ends[index - 1]

    def blanked(self, text: str) -> str:
        """The text with blanks in place of what is shown."""
        parts, at = [], 0
        for begin, end in zip(self.begins, self.ends, strict=True):
            parts += [text[at:begin], " " * (end - begin)]
            at = end
        return "".join([*parts, text[at:]])
