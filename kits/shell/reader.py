"""The thread that reads all that comes from one shell, as it comes."""

import selectors
import socket
import threading
from collections.abc import Callable
from time import sleep

from .capture import Capture, Sink
from .pipes import Pipes, read_all
from .scripts import Report, Scripts

_CHUNK = 1024 * 1024
#: Who writes so much goes on writing; to wait a moment is to read more at once.
_MUCH = 32 * 1024
_NAP_S = 0.0005
#: A report is far shorter; what else is written there is a command's mischief.
_STATUS_BYTES = 64 * 1024


class Reader:
    """Output, reports and the supervisor's words, gathered by a thread of its own.

    It reads between commands too, so that a background process never waits for a reader. The
    attributes change under ``news``, which is notified.

    Attributes:
        news: the condition to hold and to wait on.
        report: the report of the running command, once it has come.
        wait_status: how bash ended; ``None`` while it runs.
        stopped_by: the name of the signal that ended a stopped tree.
        lost: the supervisor itself is gone.
    """

    def __init__(self, pipes: Pipes, scripts: Scripts, words: socket.socket) -> None:
        self.news = threading.Condition()
        self.report: Report | None = None
        self.wait_status: int | None = 0
        self.stopped_by: str | None = None
        self.lost = False
        self._sink: Sink = Capture()
        self._pipes = pipes
        self._scripts = scripts
        self._words = words
        self._status = b""
        self._line = b""
        self._thread = threading.Thread(target=self._read, name="qitos-like-shell", daemon=True)
        self._thread.start()

    def begin(self, sink: Sink) -> None:
        """Make ready for a command whose output goes to ``sink``."""
        with self.news:
            self._sink.feed(read_all(self._pipes.output))
            self._sink = sink
            self.report = None
            self._status = b""

    def started(self) -> None:
        """Bash was started anew."""
        with self.news:
            self.wait_status = None
            self.stopped_by = None

    def divert(self, sink: Sink) -> None:
        """Give what comes from now on to ``sink``."""
        with self.news:
            self._sink = sink

    def join(self) -> None:
        """Wait for the thread, which ends when the supervisor is gone."""
        self._thread.join()

    def _read(self) -> None:
        handlers: dict[int, Callable[[], None]] = {
            self._pipes.output: self._read_output,
            self._pipes.status: self.read_status,
            self._words.fileno(): self._read_words,
        }
        try:
            with selectors.DefaultSelector() as selector:
                for handle in handlers:
                    selector.register(handle, selectors.EVENT_READ)
                while not self.lost:
                    ready = {key.fd for key, _ in selector.select()}
                    for handle, handler in handlers.items():
                        if handle in ready:
                            handler()
        finally:  # whatever is wrong, nobody waits for a thread that has ended
            with self.news:
                self.lost = True
                self.news.notify_all()

    def _read_output(self) -> None:
        with self.news:
            data = read_all(self._pipes.output, _CHUNK)
            self._sink.feed(data)
        if len(data) >= _MUCH:
            sleep(_NAP_S)

    def read_status(self) -> None:
        """Read what bash has told so far."""
        with self.news:
            self._status = (self._status + read_all(self._pipes.status))[-_STATUS_BYTES:]
            report = self._scripts.parse(self._status)
            if report is not None:
                # All output was written before the report was.
                self._sink.feed(read_all(self._pipes.output))
                self.report = report
                self._status = b""
                self.news.notify_all()

    def _read_words(self) -> None:
        try:
            data = self._words.recv(4096)
        except ConnectionError:
            data = b""
        *lines, self._line = (self._line + data).split(b"\n")
        self.read_status()
        with self.news:
            for line in lines:
                self._hear(*line.decode().split())
            self.lost = not data
            self._sink.feed(read_all(self._pipes.output))
            self.news.notify_all()

    def _hear(self, word: str, value: str) -> None:
        if word == "exited":
            self.wait_status = int(value)
        else:
            self.stopped_by = value
