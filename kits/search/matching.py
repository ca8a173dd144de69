"""Our own search of a file's content, when ripgrep is not there."""

from collections.abc import Iterator

import regex

from .contents import Block
from .dialect import Pattern
from .query import Patience, TooSlowError

#: The library takes these for an i in the other case, as in Turkish; ripgrep for none. Two letters
#: that have no case, and that nobody searches for, stand for them.
_TURKIC = str.maketrans({"\u0130": "\ua7f7", "\u0131": "\ua7fb"})


#: The library counts the time of the process, of which a busy machine gives it only a part.
_SEARCH_S = 10.0
#: Where in a line a match is only decides where the line is cut.
_PLACES_S = 0.1


class Matcher:
    """Finds the lines that match a pattern.

    Args:
        pattern: what to search for.
        patience: for how long.
    """

    def __init__(self, pattern: Pattern, patience: Patience) -> None:
        flags = regex.VERSION0 | regex.MULTILINE
        flags |= regex.IGNORECASE if pattern.ignore_case else 0
        flags |= regex.DOTALL if pattern.multiline else 0
        self._needle = pattern.needle.encode()
        self._is_literal = pattern.is_literal
        self._spans_lines = pattern.multiline
        self._folds = pattern.folds
        self._plain = regex.compile(self._folded(pattern.ours), flags)
        self._strict = regex.compile(self._folded(pattern.strict), flags)
        self._patience = patience

    def matches(self, block: Block) -> bool:
        """Whether there is a line at all.

        Raises:
            TooSlowError: the time is over.
        """
        return next(self.lines(block), None) is not None

    def lines(self, block: Block) -> Iterator[int]:
        """The numbers of the lines that match, from 0 and in order.

        Raises:
            TooSlowError: the time is over.
        """
        if self._needle not in block.data:
            return
        if self._is_literal and not self._spans_lines:
            yield from self._literal_lines(block)
            return
        text, compiled = self._decoded(block.data)
        try:
            if self._spans_lines:
                yield from self._spanned_lines(compiled, text, block.first)
            else:
                yield from self._single_lines(compiled, text, block.first)
        except TimeoutError:
            raise TooSlowError from None

    def places(self, line: str) -> list[tuple[int, int]] | None:
        """Where in a line the matches begin and end; none for a part of one that spans lines.

        ``None`` if that takes too long, or the time is over.
        """
        try:
            left_s = min(self._patience.left_s(), _PLACES_S)
            found = self._strict.finditer(self._folded(line), timeout=left_s)
            return [each.span() for each in found]
        except (TimeoutError, TooSlowError):
            return None

    def _left_s(self) -> float:
        return min(self._patience.left_s(), _SEARCH_S)

    def _decoded(self, data: bytes) -> tuple[str, "regex.Pattern[str]"]:
        """The text, and the expression for it: bytes that are no UTF-8 match nothing else."""
        try:
            text, compiled = data.decode(), self._plain
        except UnicodeDecodeError:
            text, compiled = data.decode("utf-8", "surrogateescape"), self._strict
        text = self._folded(text)
        if self._spans_lines:
            return text, compiled
        whole = f"{text}\n" if text.endswith("\r") else text
        return whole.replace("\r\n", "\n"), compiled

    def _folded(self, text: str) -> str:
        """A text in which letters in either case are those that ripgrep takes for them."""
        has_any = self._folds and ("\u0130" in text or "\u0131" in text)
        return text.translate(_TURKIC) if has_any else text

    def _literal_lines(self, block: Block) -> Iterator[int]:
        data, needle = block.data, self._needle
        number, counted, at = block.first, 0, data.find(needle)
        while at >= 0:
            number += data.count(b"\n", counted, at)
            yield number
            counted = at
            line_end = data.find(b"\n", at)
            at = data.find(needle, line_end) if line_end >= 0 else -1

    def _single_lines(
        self, compiled: "regex.Pattern[str]", text: str, number: int
    ) -> Iterator[int]:
        counted = at = 0
        while found := compiled.search(text, at, timeout=self._left_s()):
            start = found.start()
            if _is_behind_the_end(text, start):
                return
            number += text.count("\n", counted, start)
            yield number
            counted = start
            at = text.find("\n", start) + 1
            if at == 0:
                return

    def _spanned_lines(
        self, compiled: "regex.Pattern[str]", text: str, number: int
    ) -> Iterator[int]:
        counted, last = 0, number - 1
        for found in compiled.finditer(text, timeout=self._left_s()):
            start, end = found.span()
            if _is_behind_the_end(text, start):
                return
            number += text.count("\n", counted, start)
            counted = start
            final = number + text.count("\n", start, max(end - 1, start))
            yield from range(max(number, last + 1), final + 1)
            last = final


def _is_behind_the_end(text: str, start: int) -> bool:
    """Whether a match of nothing stands behind the last line's end, where no line is."""
    return start == len(text) and (not text or text[-1] == "\n")
