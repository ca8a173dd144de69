"""Unified diffs of byte strings, made from the changed lines alone."""

from collections.abc import Iterable, Iterator, Sequence

from .alignment import changes
from .content import Content, Part, Splice
from .encoding import BinaryFileError
from .spans import together

CONTEXT_LINES = 3


def of_parts(path: str, parts: Iterable[Part]) -> str:
    """The diff that edits make of a file, given the parts of it that they change."""
    found: list[str] = []
    delta = 0
    for part in parts:
        content, text = part.content, part.content.utf8
        before, lines_before = 0, part.lines_before
        for group in _near(content, part.splices):
            start, stop = _window(text, group, content.start)
            old = text[start:stop]
            new = content.changed(group, start, stop)
            lines_before += text.count(b"\n", before, start)
            found += _hunks(old, new, (lines_before, lines_before + delta))
            delta += new.count(b"\n") - old.count(b"\n")
            before = start
    return _headed(path, "".join(found))


def between(path: str, old: bytes, new: bytes) -> str:
    """The diff from one whole text to another."""
    return _headed(path, hunks(old, new))


def hunks(old: bytes, new: bytes) -> str:
    """The same without the two lines that name the file."""
    return "".join(_hunks(old, new, (0, 0)))


def of_files(path: str, old: bytes, new: bytes) -> str | None:
    """The diff from one file to another, whatever their encodings; ``None`` if one is no text."""
    try:
        texts = [Content.of(data).utf8 for data in (old, new)]
    except BinaryFileError:
        return None
    return between(path, *texts)


def _headed(path: str, body: str) -> str:
    return f"--- a/{path}\n+++ b/{path}\n{body}" if body else ""


def _near(content: Content, splices: Sequence[Splice]) -> Iterator[list[Splice]]:
    """Edits whose lines, with their context, touch belong together."""
    text = content.utf8
    group: list[Splice] = []
    stop = line_stop = -1
    for splice in splices:
        if splice.end >= line_stop:  # not in the line of the one before
            start, end = _window(text, [splice], content.start)
            if group and start > stop:
                yield group
                group = []
            stop = end
            line_stop = text.find(b"\n", splice.end) + 1 or len(text)
        group.append(splice)
    if group:
        yield group


def _window(text: bytes, group: list[Splice], floor: int) -> tuple[int, int]:
    """From the first edited line to the last, with context; lines end at newlines in a diff."""
    start, stop = group[0].start, group[-1].end
    start = text.rfind(b"\n", floor, start) + 1 or floor
    for _ in range(CONTEXT_LINES):
        start = text.rfind(b"\n", floor, max(start - 1, floor)) + 1 or floor
    for _ in range(CONTEXT_LINES + 1):
        stop = text.find(b"\n", stop) + 1 or len(text)
    return start, stop


def _hunks(old: bytes, new: bytes, before: tuple[int, int]) -> Iterator[str]:
    """The hunks between two windows, before which there are so many lines, old and new."""
    old_lines, new_lines = _lines(old), _lines(new)
    for group in together(changes(old_lines, new_lines), CONTEXT_LINES):
        start = max(group[0].start - CONTEXT_LINES, 0)
        new_start = group[0].new_start - (group[0].start - start)
        body, done = [], start
        for change in group:
            body += [(" ", line) for line in old_lines[done : change.start]]
            body += [("-", line) for line in old_lines[change.start : change.stop]]
            body += [("+", line) for line in new_lines[change.new_start : change.new_stop]]
            done = change.stop
        body += [(" ", line) for line in old_lines[done : done + CONTEXT_LINES]]
        yield _hunk(body, (before[0] + start, before[1] + new_start))


def _hunk(body: list[tuple[str, bytes]], before: tuple[int, int]) -> str:
    removed = _range(before[0], sum(mark != "+" for mark, _ in body))
    added = _range(before[1], sum(mark != "-" for mark, _ in body))
    return "".join([f"@@ -{removed} +{added} @@\n", *(_marked(*line) for line in body)])


def _lines(text: bytes) -> list[bytes]:
    lines = [line + b"\n" for line in text.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _marked(mark: str, line: bytes) -> str:
    text = line.decode("utf-8", "backslashreplace")
    if text.endswith("\n"):
        return mark + text
    return f"{mark}{text}\n\\ No newline at end of file\n"


def _range(before: int, count: int) -> str:
    if count == 1:
        return str(before + 1)
    return f"{before + bool(count)},{count}"
