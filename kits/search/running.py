"""A run of ripgrep: its records as they come, its messages at the end."""

import os
import re
import selectors
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from attrs import frozen

from .messages import Messages
from .query import NotAlikeError, Patience
from .walk import Base

#: A path and a NUL; then, if lines are asked for, a number, and what we do not look at.
_LINE = re.compile(rb"([^\0]*)\0(\d+)(?::[^\n]*)?\r?\n")
_PATH = re.compile(rb"([^\0]*)\0()")

_CHUNK = 1 << 16
_CHECK_INTERVAL_S = 0.05
_NO_MATCH, _FAILED = 1, 2


@frozen
class Run:
    """A running ripgrep.

    Attributes:
        process: it.
        errors: the file that takes its messages.
    """

    process: "subprocess.Popen[bytes]"
    errors: IO[bytes]

    def records(self, patience: Patience, *, numbered: bool) -> Iterator[tuple[str, int]]:
        """Paths, each with a line number or a count, or 1 where only paths are asked for.

        Args:
            patience: for how long.
            numbered: whether numbers are asked for.

        Raises:
            NotAlikeError: a name has a line break, which ripgrep's globs do not match.
            TooSlowError: the time is over.
        """
        rest, shape = b"", _LINE if numbered else _PATH
        for chunk in self._chunks(patience):
            rest += chunk
            end = 0
            for found in shape.finditer(rest):
                end = found.end()
                yield _path(found[1]), int(found[2] or 1)
            rest = rest[end:]

    def paths(self, patience: Patience) -> list[str]:
        """Paths alone, all at once.

        Raises:
            NotAlikeError, TooSlowError: as ``records``.
        """
        data = b"".join(self._chunks(patience))
        if b"\n" in data:
            raise NotAlikeError
        return [path.removeprefix("./") for path in os.fsdecode(data).split("\0")[:-1]]

    def finish(self, messages: Messages, *, early: bool = False) -> None:
        """Take its messages.

        Args:
            messages: takes them.
            early: it has more to tell, and is ended.

        Raises:
            NotAlikeError, WorkspaceError: as ``Messages.take``.
        """
        if early:
            self.process.kill()
        failed = self.process.wait() == _FAILED
        self.errors.seek(0)
        messages.take(self.errors.read(), failed=failed)

    def _chunks(self, patience: Patience) -> Iterator[bytes]:
        assert self.process.stdout is not None  # noqa: S101 - it is a pipe
        handle = self.process.stdout.fileno()
        with selectors.DefaultSelector() as selector:
            selector.register(handle, selectors.EVENT_READ)
            while True:
                ready = selector.select(min(patience.left_s(), _CHECK_INTERVAL_S))
                if not ready:
                    continue
                chunk = os.read(handle, _CHUNK)
                if not chunk:
                    return
                yield chunk


def _path(data: bytes) -> str:
    if b"\n" in data:
        raise NotAlikeError
    return os.fsdecode(data.removeprefix(b"./"))


@frozen
class Program:
    """A command line, and the folder it is run in."""

    command: list[str]
    base: Base

    @contextmanager
    def run(self) -> Iterator[Run]:
        """Run it; it does not outlive the block."""
        with (
            tempfile.TemporaryFile() as errors,
            subprocess.Popen(
                self.command,
                cwd=_folder(self.base),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
            ) as process,
        ):
            try:
                yield Run(process, errors)
            finally:
                process.kill()


def _folder(base: Base) -> str:
    """The folder's path by its handle where there is one: no other can take its place."""
    by_handle = f"/proc/self/fd/{base.handle}"
    return by_handle if Path(by_handle).exists() else base.absolute
