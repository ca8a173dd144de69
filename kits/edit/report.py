"""What is told of an edit: the lines around it with their new numbers, and its diff."""

from collections.abc import Iterable, Iterator, Sequence

from kits.files.store import Edited
from kits.text import lines
from kits.text.content import Content, Part, Splice
from qitos_like.core.jsontypes import Json
from qitos_like.core.results import Ok

_CONTEXT_LINES = 3
_MAX_PLACES = 5
_MAX_LINES = 40


def report(edited: Edited, done: str) -> Ok:
    """The answer to an edit.

    Args:
        edited: the edit.
        done: what was done, as the beginning of a sentence.
    """
    windows = list(_windows(edited.parts))
    shown = [f"{done} in {edited.shown}:", *windows[:_MAX_PLACES]]
    if len(windows) > _MAX_PLACES:
        shown.append(f"… and {len(windows) - _MAX_PLACES} more places")
    if edited.note:
        shown.append(edited.note)
    first = edited.parts[0]
    line = lines.line_number(first.content.utf8, first.splices[0].start, first.content.start)
    structured: Json = {
        "path": edited.shown,
        "replacements": edited.count,
        "first_line": first.lines_before + line,
        "diff": edited.diff,
    }
    return Ok("\n".join(shown), structured=structured)


def _windows(parts: Iterable[Part]) -> Iterator[str]:
    """The lines around each edit as they are now, near ones together."""
    shift = 0
    for part in parts:
        content, text = part.content, part.content.utf8
        number, done = part.lines_before + 1, content.start
        for group, start, stop in _groups(content, part.splices):
            number += lines.count_breaks(text, done, start)
            new = content.changed(group, start, stop)
            yield _numbered(new, number + shift)
            shift += lines.count_breaks(new) - lines.count_breaks(text, start, stop)
            done = start


def _groups(content: Content, splices: Sequence[Splice]) -> Iterator[tuple[list[Splice], int, int]]:
    group: list[Splice] = []
    start = stop = line_stop = 0
    for splice in splices:
        if not group or splice.end > line_stop:  # not in the line of the one before
            above, line_stop, below = _around(content, splice)
            if group and above > stop:
                yield group, start, stop
                group = []
            if not group:
                start = above
            stop = below
        group.append(splice)
    yield group, start, stop


def _around(content: Content, splice: Splice) -> tuple[int, int, int]:
    """Where the context above begins, the last edited line ends, and the context below ends."""
    text = content.utf8
    above = lines.line_start(text, splice.start, content.start)
    for _ in range(_CONTEXT_LINES):
        above = lines.line_start(text, max(above - 1, content.start), content.start)
    below = splice.end
    if splice.start == splice.end or text[splice.end - 1 : splice.end] not in {b"\n", b"\r"}:
        below = lines.line_end(text, below)
    line_stop = below
    for _ in range(_CONTEXT_LINES):
        below = lines.line_end(text, below)
    return above, line_stop, below


def _numbered(text: bytes, first: int) -> str:
    shown = lines.split(text)
    head = list(lines.numbered(shown[:_MAX_LINES], first))
    if len(shown) > _MAX_LINES:
        head.append(f"     …\t{len(shown) - _MAX_LINES} more lines")
    return "\n".join(head)
