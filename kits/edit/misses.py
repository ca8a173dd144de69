"""Why a text was not found: the one reason that helps most, and the lines it may have meant."""

import re
from bisect import bisect_right
from collections.abc import Callable
from difflib import SequenceMatcher
from itertools import accumulate

from attrs import frozen

from kits.text import lines
from kits.text.content import Content

from . import matching, spelling
from .likeness import nearest

#: Beyond this the search for likely places would take longer than reading the file again.
_MAX_SEARCHED_BYTES = 2 << 20
_MAX_COMPARED_CHARS = 500
_MAX_SHOWN_LINES = 8
_FEW = 3  # differences to name, and the characters of each
_MIN_PROOF_CHARS = 3

#: As ``cat -n``, ``grep -n`` and others write line numbers; a tab may have become spaces.
_PREFIXES = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (r"^ *(?:L|line )?\d+(?:\t| *[:|│→] ?|-|\. )", r"^ *\d+ {2}", r"^ *\d+ ")
)
#: How ``view`` and ``grep`` say that a line is cut.
_CUT = re.compile(r"\[… (?:of )?[\d,]+ (?:more characters|bytes)\]")


@frozen
class Miss:
    """A text that is not in a file.

    Attributes:
        reason: what stands in its way, as the end of a sentence; lines of the file may follow.
        hint: what to do.
    """

    reason: str
    hint: str


@frozen
class _Search:
    content: Content
    old: str
    new: str
    file_lines: list[str]

    @property
    def old_lines(self) -> list[str]:
        """The text that was not found, each line with its end."""
        return _split(self.old)

    def line_of(self, text: str) -> int | None:
        """The line at which a text stands that ``old`` may have meant."""
        if not text.strip() or text == self.old:
            return None
        found = matching.find(self.content, text, limit=1).spans
        start = self.content.start
        return lines.line_number(self.content.utf8, found[0][0], start) if found else None

    def lines_like(self, form: Callable[[str], str]) -> tuple[int, int] | None:
        """The lines in which ``old`` stands when both are brought to a common form."""
        wanted = form(self.old)
        if not wanted:
            return None
        forms = [form(line) for line in self.file_lines]
        at = "".join(forms).find(wanted)
        if at < 0:
            return None
        ends = list(accumulate(map(len, forms)))
        return bisect_right(ends, at), bisect_right(ends, at + len(wanted) - 1) + 1

    def differences(self, span: tuple[int, int]) -> list[tuple[str, str]]:
        """What these lines have and ``old`` has instead, where it may not be seen.

        The rest is other text on the same lines.
        """
        theirs = "".join(self.file_lines[slice(*span)]).rstrip("\r\n")[:_MAX_COMPARED_CHARS]
        ours = self.old[:_MAX_COMPARED_CHARS]
        matcher = SequenceMatcher(None, theirs, ours, autojunk=False)
        spans = (each[1:] for each in matcher.get_opcodes() if each[0] != "equal")
        pairs = ((theirs[a:b], ours[c:d]) for a, b, c, d in spans)
        return [pair for pair in pairs if not all(map(spelling.is_ordinary, pair))]

    def has_undecoded(self, span: tuple[int, int]) -> bool:
        """Whether these lines hold bytes that are no UTF-8."""
        whole = lines.split(self.content.utf8[self.content.start :])[slice(*span)]
        return any(line != line.decode("utf-8", "ignore").encode() for line in whole)

    def quoted(self, first: int, stop: int) -> str:
        """Lines of the file with their numbers, invisible characters shown."""
        shown = self.file_lines[first : min(stop, first + _MAX_SHOWN_LINES)]
        text = "".join(
            f"\n{number:6d}\t{spelling.visible(line)}"
            for number, line in enumerate(shown, first + 1)
        )
        more = stop - first - len(shown)
        return f"{text}\n       … {more} more lines" if more else text


def explain(content: Content, old: str, new: str) -> Miss:
    """Why ``old``, which shall become ``new``, is not found."""
    if len(content.utf8) == content.start:
        return Miss("the file is empty.", "Insert text at its top, or write the file as a whole.")
    head = content.utf8[content.start : content.start + _MAX_SEARCHED_BYTES]
    text = head.decode("utf-8", "backslashreplace")
    search = _Search(content, old, new, _split(text))
    for reason in _REASONS:
        miss = reason(search)
        if miss is not None:
            return miss
    return Miss("nothing like it was found.", "View the file and copy the text from there.")


def _already_applied(search: _Search) -> Miss | None:
    new = search.new
    if len(new.strip()) < _MIN_PROOF_CHARS or new in search.old:
        return None
    line = search.line_of(new)
    meant = search.lines_like(spelling.spaceless) or search.lines_like(spelling.plain)
    if line is None or (meant is not None and not meant[0] < line <= meant[1]):
        return None  # what was to be replaced is still there, but for its spelling
    return Miss(
        f"the new text is in the file already, at line {line}.",
        "If that is this edit, it has been applied already; else view the file.",
    )


def _whitespace(search: _Search) -> Miss | None:
    span = search.lines_like(spelling.spaceless)
    if span is None:
        return None
    return Miss(
        f"only whitespace differs from {_named(span)} (· space, → tab, ␍ CR, ¶ line end).\n"
        f"The file has:{search.quoted(*span)}\nyours is:{_quoted(search.old_lines)}",
        "Send the text with the file's own whitespace.",
    )


def _undecoded(search: _Search) -> Miss | None:
    if search.content.encoding.codec is not None:
        return None
    span = search.lines_like(spelling.ascii_only)
    if span is None or not search.has_undecoded(span):
        return None
    return Miss(
        f"bytes that are no UTF-8 stand in {_named(span)}, and no text is equal to them.\n"
        rf"The file has (\xNN is such a byte):{search.quoted(*span)}",
        "Send only what is before or behind them.",
    )


def _characters(search: _Search) -> Miss | None:
    span = search.lines_like(spelling.plain)
    if span is None:
        return None
    return Miss(
        f"characters differ that look alike, in {_named(span)}: "
        f"{spelling.told(search.differences(span))}.\n"
        f"The file has:{search.quoted(*span)}",
        "Send the text with the file's own characters.",
    )


def _line_numbers(search: _Search) -> Miss | None:
    bares = (prefix.sub("", search.old) for prefix in _PREFIXES)
    if all(search.line_of(bare) is None for bare in bares):
        return None
    return Miss(
        "it begins with line numbers, which view adds and the file does not have.",
        "Send the text without the line number and the tab behind it.",
    )


def _escapes(search: _Search) -> Miss | None:
    for form, reason in spelling.FORMS:
        line = search.line_of(form(search.old))
        if line is not None:
            hint = "Send both texts as they stand in the file: nothing in them is converted."
            return Miss(f"at line {line} {reason}.", hint)
    return None


def _cut_lines(search: _Search) -> Miss | None:
    mark = _CUT.search(search.old)
    if mark is None:
        return None
    return Miss(
        f"it has {mark[0]!r}, which is shown where a line is cut, and the file does not.",
        "Send only what the file has: a part of that line is enough if it is unique.",
    )


def _closest(search: _Search) -> Miss | None:
    span = nearest(search.old_lines, search.file_lines)
    if span is None:
        return None
    pairs = [pair for pair in search.differences(span) if max(map(len, pair)) <= _FEW]
    named = f"\nThere {spelling.told(pairs[:_FEW])}." if pairs else ""
    return Miss(
        f"the closest lines are:{search.quoted(*span)}{named}",
        "Copy the text exactly from the file (· is a space, → a tab, ¶ a line end).",
    )


#: In the order of spec and use: the first that holds is told.
_REASONS = (
    _already_applied,
    _undecoded,
    _whitespace,
    _characters,
    _line_numbers,
    _cut_lines,
    _escapes,
    _closest,
)


def _named(span: tuple[int, int]) -> str:
    first, stop = span
    return f"line {first + 1}" if stop == first + 1 else f"lines {first + 1}-{stop}"


def _quoted(old_lines: list[str]) -> str:
    return "".join(f"\n      \t{spelling.visible(line)}" for line in old_lines[:_MAX_SHOWN_LINES])


def _split(text: str) -> list[str]:
    """The lines of a text, each with its end; ``str.splitlines`` would split at more."""
    return re.findall(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+", text)
