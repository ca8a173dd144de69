"""Looking for a text in a file too large for memory, and copying what is not changed meanwhile."""

import codecs
import os
from collections.abc import Callable, Iterator

from attrs import frozen

from kits.text import lines
from kits.text.encoding import UTF_8, detect
from kits.workspace.staged import FileRange, Piece

_CHUNK = 1 << 20
_COPIED_BYTES = 4 << 20
_SAMPLE_BYTES = 1 << 16
_RARE = 256


class NotPlainError(Exception):
    """A case that wants the whole file in memory.

    >>> raise NotPlainError
    Traceback (most recent call last):
    kits.edit.scanning.NotPlainError
    """


@frozen
class Place:
    """Where the text is.

    Attributes:
        start, stop: in bytes, the stop not included.
        lines_before: how many line ends there are before it.
    """

    start: int
    stop: int
    lines_before: int


_Find = Callable[[bytearray, int], int]


class Scan:
    """One pass over a file in UTF-8 with newlines, which makes a copy with another text in places.

    Attributes:
        places: those that were found, complete when the pass is over.

    Args:
        fd: the file.
        old: the text to find. A piece of the file that is looked at reaches so far into the next
            one that no place is parted.
        new: what stands there in the copy.
        most: how many places there may be, not overlapping; with 1, an overlapping one counts too.
    """

    def __init__(self, fd: int, old: bytes, new: bytes, *, most: int) -> None:
        self.places: list[Place] = []
        self._fd = fd
        self._old, self._new = old, new
        self._most = most
        self._step = len(old) if most > 1 else 1
        self._buffer = bytearray(_CHUNK + len(old) - 1)
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._lines = 0

    def pieces(self) -> Iterator[Piece]:
        """The new content, in order, each piece as soon as it is known.

        Raises:
            NotPlainError: the file is not so plain, or has no place or too many.
        """
        done = at = 0
        find: _Find | None = None
        while size := os.preadv(self._fd, [self._buffer], at):
            chunk = self._buffer if size == len(self._buffer) else self._buffer[:size]
            find = find or self._finder(chunk)
            for start in self._found(chunk, at, find):
                yield FileRange(self._fd, done, start - done)
                yield self._new
                done = start + len(self._old)
            at += min(size, _CHUNK)
            if at - done >= _COPIED_BYTES:
                yield FileRange(self._fd, done, at - done)
                done = at
        yield FileRange(self._fd, done, at - done)
        self._check_utf_8(b"", final=True)
        if not self.places:
            raise NotPlainError

    def _finder(self, first: bytearray) -> _Find:
        """A search that looks for the rarest byte of the text first, where one is rare."""
        head, old = bytes(first[:_SAMPLE_BYTES]), self._old
        if detect(head, whole=False) != UTF_8:
            raise NotPlainError
        rare = min(set(old), key=head.count)
        if head.count(rare) * _RARE > len(head):
            return lambda chunk, at: chunk.find(old, at)
        shift = old.index(rare)

        def find(chunk: bytearray, at: int) -> int:
            at = chunk.find(rare, at + shift)
            while at >= 0 and not chunk.startswith(old, at - shift):
                at = chunk.find(rare, at + 1)
            return at - shift if at >= 0 else -1

        return find

    def _found(self, chunk: bytearray, at: int, find: _Find) -> Iterator[int]:
        """The places that begin in one piece of the file, which is at ``at``."""
        if b"\r" in chunk:
            raise NotPlainError
        self._check_utf_8(chunk)
        counted = 0
        free = max(self.places[-1].stop - at, 0) if self.places and self._step > 1 else 0
        place = find(chunk, free)
        while 0 <= place < _CHUNK:
            if len(self.places) == self._most:
                raise NotPlainError
            self._lines += lines.count_breaks(chunk, counted, place)
            counted = place
            self.places.append(Place(at + place, at + place + len(self._old), self._lines))
            yield at + place
            place = find(chunk, place + self._step)
        if len(self.places) < self._most:
            self._lines += lines.count_breaks(chunk, counted, min(len(chunk), _CHUNK))

    def _check_utf_8(self, chunk: bytes | bytearray, *, final: bool = False) -> None:
        if not final and chunk.isascii() and not self._decoder.getstate()[0]:
            return
        try:
            self._decoder.decode(chunk[:_CHUNK], final)
        except UnicodeDecodeError:
            raise NotPlainError from None
