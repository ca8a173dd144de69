"""Replacing a text in a very large file: searched by pieces, copied by the kernel.

Only the plain case is taken: UTF-8, one place, no doubt about line ends. For everything else the
answer is ``None``, and the file is edited in memory, where a refusal can be explained.
"""

import codecs
import os
from collections.abc import Callable, Iterator
from itertools import count, islice

from attrs import frozen

from kits.errors import WorkspaceError
from kits.files.changes import Loaded
from kits.files.history import MAX_BYTES, History
from kits.files.store import Edited, FileStore
from kits.text import lines
from kits.text.content import Content, Splice
from kits.text.encoding import UTF_8, detect
from kits.workspace.staged import FileRange, Piece
from qitos_like.core.context import ToolContext
from qitos_like.core.results import ErrorCode

from .replacing import Replacement

#: A file that undo could not keep anyway.
LARGE_BYTES = MAX_BYTES

_CHUNK = 1 << 20
_MAX_TEXT_BYTES = 1 << 16
_WINDOW_BYTES = 1 << 17
_SAMPLE_BYTES = 1 << 16
_RARE = 256
_MIN_LINES = 4  # around the place: as many as an answer shows, and the line itself


def replace(
    store: FileStore,
    path: str,
    context: ToolContext | None,
    *,
    wanted: Replacement,
    above: int = LARGE_BYTES,
) -> Edited | None:
    """Make the replacement, if the file has more bytes than ``above`` and the case is plain.

    Raises:
        WorkspaceError: the file cannot be read or written, or changed meanwhile.
    """
    if wanted.everywhere or store.workspace.stat(path).st_size <= above:
        return None
    with store.workspace.locked(path), store.workspace.open_read(path) as file:
        facts = os.fstat(file.fileno())
        old = wanted.old.encode("utf-8", "surrogatepass")
        place = _Search(file.fileno(), old).place() if len(old) <= _MAX_TEXT_BYTES else None
        window = _window(file.fileno(), place, facts.st_size) if place else None
        if window is None:
            return None
        shown = store.workspace.relative(path)
        loaded = Loaded(path, store.name(path), shown, facts, b"")
        note = store.check_read(loaded, context, needs_same=False)
        splices = tuple(wanted.splices(window.content))
        pieces = _pieces(file.fileno(), facts.st_size, window=window, splice=splices[0])
        with store.workspace.stage(path, *pieces) as content:
            _check_unchanged(shown, facts, os.fstat(file.fileno()))
            now = content.commit()
        store.remember(path, context, facts=now, data=None)
        store.kept(context, History).forget(loaded.name)
    return Edited(shown, window.content, splices, note, window.lines_before)


@frozen
class _Place:
    """Where the text is, in bytes, and how many line ends there are before it."""

    start: int
    stop: int
    lines_before: int


@frozen
class _Window:
    """The lines around a place.

    Attributes:
        content: of these lines.
        offset: where they begin in the file.
        lines_before: how many lines there are before.
    """

    content: Content
    offset: int
    lines_before: int


_Find = Callable[[bytearray, int], int]


class _Search:
    """One pass over a file in UTF-8 with newlines, for the one place of a text.

    Args:
        fd: the file.
        old: the text; a piece of the file ends so much behind the next one's begin that no place
            is parted.
    """

    def __init__(self, fd: int, old: bytes) -> None:
        self._fd = fd
        self._old = old
        self._buffer = bytearray(_CHUNK + len(old) - 1)
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._found: _Place | None = None
        self._lines = 0

    def place(self) -> _Place | None:
        """The place; ``None`` if there is none or another, or the file is not so plain."""
        find: _Find | None = None
        for at in count(0, _CHUNK):
            size = os.preadv(self._fd, [self._buffer], at)
            if not size:
                break
            chunk = self._buffer if size == len(self._buffer) else self._buffer[:size]
            if find is None:
                head = bytes(chunk[:_SAMPLE_BYTES])
                if detect(head, whole=False) != UTF_8:
                    return None
                find = _finder(self._old, head)
            if b"\r" in chunk or not self._is_utf_8(chunk) or not self._take(chunk, at, find):
                return None
        return self._found if self._is_utf_8(b"", final=True) else None

    def _take(self, chunk: bytearray, at: int, find: _Find) -> bool:
        """Look through one piece; whether there is still at most one place."""
        places = islice(_places(chunk, find), 2)
        new = [place for place in places if place < _CHUNK]
        if new and (self._found is not None or len(new) > 1):
            return False
        if new:
            start = at + new[0]
            lines_before = self._lines + lines.count_breaks(chunk, 0, new[0])
            self._found = _Place(start, start + len(self._old), lines_before)
        elif self._found is None:
            self._lines += lines.count_breaks(chunk, 0, _CHUNK)
        return True

    def _is_utf_8(self, chunk: bytes | bytearray, *, final: bool = False) -> bool:
        if chunk.isascii() and not self._decoder.getstate()[0]:
            return True
        try:
            self._decoder.decode(chunk[:_CHUNK], final)
        except UnicodeDecodeError:
            return False
        return True


def _finder(old: bytes, sample: bytes) -> _Find:
    """A search that looks for the rarest byte of the text first, where one is rare."""
    rare = min(set(old), key=sample.count)
    if sample.count(rare) * _RARE > len(sample):
        return lambda chunk, at: chunk.find(old, at)
    shift = old.index(rare)

    def find(chunk: bytearray, at: int) -> int:
        at = chunk.find(rare, at + shift)
        while at >= 0 and not chunk.startswith(old, at - shift):
            at = chunk.find(rare, at + 1)
        return at - shift if at >= 0 else -1

    return find


def _places(chunk: bytearray, find: _Find) -> Iterator[int]:
    at = find(chunk, 0)
    while at >= 0:
        yield at
        at = find(chunk, at + 1)


def _window(fd: int, place: _Place, size: int) -> _Window | None:
    """Whole lines around the place; ``None`` where they are too long for that."""
    start = max(place.start - _WINDOW_BYTES, 0)
    data = os.pread(fd, place.stop + _WINDOW_BYTES - start, start)
    at_end = start + len(data) >= size
    head = data.find(b"\n", 0, place.start - start) + 1 if start else 0
    tail = len(data) if at_end else data.rfind(b"\n", place.stop - start) + 1
    above = data.count(b"\n", head, place.start - start)
    below = data.count(b"\n", place.stop - start, tail)
    if (start and (not head or above < _MIN_LINES)) or (not at_end and below < _MIN_LINES):
        return None
    data = data[head:tail]
    content = Content(data, UTF_8, data, 0)
    return _Window(content, start + head, place.lines_before - above)


def _pieces(fd: int, size: int, *, window: _Window, splice: Splice) -> list[Piece]:
    """The file after the edit: what is before and behind is copied from the file itself."""
    start, stop = window.offset + splice.start, window.offset + splice.end
    text = window.content.encoding.encode(splice.text)
    return [FileRange(fd, 0, start), text, FileRange(fd, stop, size - stop)]


def _check_unchanged(shown: str, before: os.stat_result, after: os.stat_result) -> None:
    facts = ((each.st_size, each.st_mtime_ns) for each in (before, after))
    if len(set(facts)) > 1:
        message = f"{shown!r} changed while it was edited; nothing was written"
        raise WorkspaceError(message, code=ErrorCode.STALE_WRITE, hint="Try again.")
