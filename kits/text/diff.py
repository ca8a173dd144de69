"""Unified diffs of byte strings, made from the changed lines alone."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import takewhile

from .content import Content, Part, Splice
from .encoding import BinaryFileError

CONTEXT_LINES = 3
_MAX_MATCHED_LINES = 2000  # matching takes time by their square; more are replaced as a block

_Opcode = tuple[str, int, int, int, int]


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
    group: list[Splice] = []
    stop = -1
    for splice in splices:
        start, end = _window(content.utf8, [splice], content.start)
        if group and start > stop:
            yield group
            group = []
        group.append(splice)
        stop = end
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
    """The hunks between two windows, before which there are so many lines, old and new.

    Common lines at both ends are set aside, so that each hunk has context on both sides: without
    it a patch holds at the end of a file only.
    """
    old_lines, new_lines = _lines(old), _lines(new)
    head = _shared(old_lines, new_lines)
    tail = _shared(old_lines[head:][::-1], new_lines[head:][::-1])
    above = old_lines[max(head - CONTEXT_LINES, 0) : head]
    below = old_lines[len(old_lines) - tail :][:CONTEXT_LINES]
    old_lines, new_lines = (lines[head : len(lines) - tail] for lines in (old_lines, new_lines))
    groups = _groups(old_lines, new_lines)
    for index, group in enumerate(groups):
        body = [*_body(group, old_lines, new_lines)]
        first = (before[0] + head + group[0][1], before[1] + head + group[0][3])
        if index == 0:
            body = [(" ", line) for line in above] + body
            first = (first[0] - len(above), first[1] - len(above))
        if index == len(groups) - 1:
            body += [(" ", line) for line in below]
        yield _hunk(body, first)


def _groups(old: list[bytes], new: list[bytes]) -> list[list[_Opcode]]:
    if max(len(old), len(new)) > _MAX_MATCHED_LINES:
        return [[("replace", 0, len(old), 0, len(new))]]
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return list(matcher.get_grouped_opcodes(CONTEXT_LINES))


def _body(group: list[_Opcode], old: list[bytes], new: list[bytes]) -> Iterator[tuple[str, bytes]]:
    for tag, old_start, old_stop, new_start, new_stop in group:
        if tag == "equal":
            yield from ((" ", line) for line in old[old_start:old_stop])
        else:
            yield from (("-", line) for line in old[old_start:old_stop])
            yield from (("+", line) for line in new[new_start:new_stop])


def _hunk(body: list[tuple[str, bytes]], before: tuple[int, int]) -> str:
    removed = _range(before[0], sum(mark != "+" for mark, _ in body))
    added = _range(before[1], sum(mark != "-" for mark, _ in body))
    return "".join([f"@@ -{removed} +{added} @@\n", *(_marked(*line) for line in body)])


def _shared(one: list[bytes], other: list[bytes]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


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
