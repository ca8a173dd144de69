"""What is waited for, on a terminal: a line that counts the seconds, and is gone in the end."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic
from types import TracebackType
from typing import Self

from qitos_like.core.safe_text import clean
from qitos_like.run import events

from .console import is_terminal, note, width

_ERASE = "\r\x1b[K"
_SECOND = 1.0


class Waiting:
    """Says on stderr that something is worked on, if a person sees that, and for how long.

    >>> with Waiting("coding.run_command") as waiting, waiting.aside():
    ...     print("a line that stays")
    a line that stays
    """

    def __init__(self, what: str) -> None:
        """Take the name of what is waited for."""
        self._what = clean(what)
        self._is_shown = is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb"
        self._over = Event()
        self._lock = Lock()
        self._since = monotonic()
        self._thread = Thread(target=self._count, daemon=True)

    def __enter__(self) -> Self:
        """Begin to count."""
        if self._is_shown:
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Take the line away."""
        if self._is_shown:
            self._over.set()
            self._thread.join()
            self._write(_ERASE)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Keep the line away while something else is written or asked; then count anew."""
        with self._lock:
            if self._is_shown:
                self._write(_ERASE)
            yield
            self._since = monotonic()

    def progress(self, event: events.Event) -> None:
        """Write what a tool says to the user while it works."""
        if isinstance(event, events.ToolProgress) and event.audience == "user":
            done = "" if event.percent is None else f" ({event.percent:.0f} %)"
            with self.aside():
                note(clean(f"{event.action.name}: {event.message}{done}"))

    def _count(self) -> None:
        while not self._over.wait(_SECOND):
            with self._lock:
                line = f"{self._what}: {monotonic() - self._since:.0f} s"
                self._write(_ERASE + line[: width() - 1])

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
