"""The output of a command for who watches, while it comes."""

import threading

from qitos_like.core.context import ToolContext

from .flow import Flow

#: How much is shown at a time; of what comes faster, the last.
_SHOWN_BYTES = 8 * 1024
#: A line that goes on and on is shown after so many looks without one that has ended.
_PATIENCE = 10


class Live:
    r"""Shows output by the context of its call: lines, and what stands still within a line.

    It is fed by the thread that reads, and shows in the thread that runs the call.

    Args:
        context: shows.
        flow: makes it readable.

    >>> class Printing(ToolContext):
    ...     is_watched = True
    ...
    ...     def output(self, text):
    ...         print(repr(text))
    >>> live = Live(Printing(), Flow())
    >>> live.feed(b"one\ntw")
    >>> live.show()
    'one\n'
    >>> live.show()
    'tw'
    """

    def __init__(self, context: ToolContext, flow: Flow) -> None:
        self._context = context
        self._flow = flow
        self._lock = threading.Lock()
        self._new = bytearray()
        self._missed = 0
        self._looks = 0
        self._is_amid = False
        self._returned = False

    def feed(self, data: bytes) -> None:
        """Take the next bytes."""
        with self._lock:
            over = max(len(self._new) + len(data) - _SHOWN_BYTES, 0)
            self._new += data[-_SHOWN_BYTES:]
            del self._new[:-_SHOWN_BYTES]
            self._missed += over

    def show(self, *, is_last: bool = False) -> None:
        """Show what has come, if anybody looks."""
        with self._lock:
            new, missed = bytes(self._new), self._missed
            self._new.clear()
            self._missed = 0
        if self._context.is_watched and (new or self._flow.is_amid or is_last):
            shown = self._readable(new, missed, is_last=is_last)
            if shown:
                self._context.output(shown.decode())

    def _readable(self, new: bytes, missed: int, *, is_last: bool) -> bytes:
        before = b""
        if missed:
            before = self._flow.rest() + f"\n[... {missed:,} bytes left out ...]\n".encode()
        self._returned |= self._is_amid and _returns(new)
        shown = self._flow.feed(new)
        self._looks += 1
        if is_last:
            shown += self._flow.rest()
        elif not shown and (not new or self._looks >= _PATIENCE):
            shown = self._flow.amid()
        if shown:
            if self._returned and not before:
                before = b"\n"
            self._looks, self._returned = 0, False
            self._is_amid = not shown.endswith(b"\n")
        return before + shown


def _returns(data: bytes) -> bool:
    """Whether the line that has begun is overwritten by what comes."""
    line = data.partition(b"\n")[0]
    return b"\r" in line.removesuffix(b"\r")
