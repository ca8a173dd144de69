"""``Capture``: output as it comes, head and tail kept in bounded memory."""

from collections import deque

#: What is kept is far more than what is shown, since cleaning may shrink it.
HEAD_BYTES = 256 * 1024
TAIL_BYTES = 1024 * 1024


class Capture:
    """The bytes of one command, of which the middle may be dropped.

    >>> capture = Capture(head_bytes=2, tail_bytes=2)
    >>> for piece in (b"ab", b"cd", b"ef"):
    ...     capture.feed(piece)
    >>> capture.head(), capture.tail(), capture.dropped
    (b'ab', b'ef', 2)
    """

    def __init__(self, head_bytes: int = HEAD_BYTES, tail_bytes: int = TAIL_BYTES) -> None:
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
            oldest = len(self._tail.popleft())
            self._tail_size -= oldest
            self.dropped += oldest

    def head(self) -> bytes:
        """The first bytes; all of them when nothing was dropped, together with the tail."""
        return b"".join(self._head)

    def tail(self) -> bytes:
        """The last bytes that are not in the head."""
        return b"".join(self._tail)
