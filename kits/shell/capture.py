"""Output as it comes, in bounded memory: head and tail of it, or what is new since a mark."""

import threading
from collections import deque
from typing import Protocol

#: What is kept is far more than what is shown, since cleaning may shrink it.
HEAD_BYTES = 256 * 1024
TAIL_BYTES = 1024 * 1024


class Sink(Protocol):
    """What takes output as it comes."""

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        ...


class Capture:
    """The bytes of one command, of which the middle may be dropped.

    Args:
        head_bytes, tail_bytes: how much is kept.
        spill: takes the head and all that is dropped, in order; so that with the tail, it has all.

    >>> capture = Capture(head_bytes=2, tail_bytes=2)
    >>> for piece in (b"ab", b"cd", b"ef"):
    ...     capture.feed(piece)
    >>> capture.head(), capture.tail(), capture.dropped
    (b'ab', b'ef', 2)
    """

    def __init__(
        self,
        head_bytes: int = HEAD_BYTES,
        tail_bytes: int = TAIL_BYTES,
        spill: Sink | None = None,
    ) -> None:
        self._spill = spill
        self._head_left = head_bytes
        self._tail_bytes = tail_bytes
        self._head: list[bytes] = []
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self.dropped = 0

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        if self._head_left:
            piece = data[: self._head_left]
            self._head.append(piece)
            self._head_left -= len(piece)
            data = data[len(piece) :]
        if not data:
            return
        self._tail.append(data)
        self._tail_size += len(data)
        while self._tail_size - len(self._tail[0]) >= self._tail_bytes:
            self._drop(self._tail.popleft())

    def _drop(self, piece: bytes) -> None:
        if self._spill:
            if not self.dropped:
                self._spill.feed(self.head())
            self._spill.feed(piece)
        self._tail_size -= len(piece)
        self.dropped += len(piece)

    def head(self) -> bytes:
        """The first bytes; all of them when nothing was dropped, together with the tail."""
        return b"".join(self._head)

    def tail(self) -> bytes:
        """The last bytes that are not in the head."""
        return b"".join(self._tail)


class Log:
    """The last bytes of a command that goes on, each with its place in all of them.

    >>> log = Log(kept_bytes=4)
    >>> for piece in (b"ab", b"cdef"):
    ...     log.feed(piece)
    >>> log.since(0), log.since(4), log.total
    ((2, b'cdef'), (4, b'ef'), 6)
    """

    def __init__(self, kept_bytes: int = TAIL_BYTES) -> None:
        self._kept_bytes = kept_bytes
        self._kept = bytearray()
        self._lock = threading.Lock()
        self.total = 0

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        with self._lock:
            self.total += len(data)
            self._kept += data
            del self._kept[: -self._kept_bytes]

    def since(self, mark: int) -> tuple[int, bytes]:
        """Where the bytes behind a mark begin that are kept, and those."""
        with self._lock:
            begin = self.total - len(self._kept)
            start = min(max(mark, begin), self.total)
            return start, bytes(self._kept[start - begin :])
