"""A run of ripgrep, and its records as they come."""

import os
import re
import selectors
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from attrs import define, field, frozen

from .query import Patience
from .walk import Base

#: A path and a NUL; then, if lines are asked for, a number, and what we do not look at.
_LINE = re.compile(rb"([^\0]*)\0(\d+)(?::[^\n]*)?\r?\n")
_PATH = re.compile(rb"([^\0]*)\0()")
#: Of what it tells at its end; not all versions need to.
_BYTES = re.compile(rb"^(\d+) bytes searched$", re.MULTILINE)

_CHUNK = 1 << 16
#: More output than this is not kept, but taken as it comes from a run in order.
_MOST_GATHERED = 1 << 20
_IN_ORDER = "--threads=1"
_CHECK_INTERVAL_S = 0.05
_FAILED = 2
#: It found something, or nothing, or could not read all.
_ENDS = frozenset({0, 1, _FAILED})

#: A path, and a line number or a count; 1 where only paths are asked for.
Record = tuple[bytes, int]


class UnusableError(Exception):
    """The program does not run here, or is another than we know."""


@define
class Run:
    """A running ripgrep.

    Attributes:
        process: it.
        files: what it searches.
        numbered: whether its records have numbers.
        searched_bytes: how much it read, told at its end; ``None`` if it does not say.
    """

    process: "subprocess.Popen[bytes]"
    files: Sequence[str]
    numbered: bool
    searched_bytes: int | None = field(default=None, init=False)
    _gathered: bytes = field(default=b"", init=False)
    _is_over: bool = field(default=False, init=False)

    def gather(self, patience: Patience) -> bool:
        """Wait for its end; whether that comes before there is too much output to be kept.

        Raises:
            TooSlowError: the time is over.
        """
        chunks = []
        size = 0
        for chunk in self._chunks(patience):
            chunks.append(chunk)
            size += len(chunk)
            if size > _MOST_GATHERED:
                return False
        self._gathered = b"".join(chunks)
        return True

    def records(self, patience: Patience) -> Iterable[Record]:
        """Its records in the order of the files.

        Raises:
            TooSlowError: the time is over.
        """
        if not self._is_over:
            return self._parsed(self._chunks(patience))
        return sorted(self._parsed([self._gathered]), key=_names)

    def _parsed(self, chunks: Iterable[bytes]) -> Iterator[Record]:
        rest, shape = b"", _LINE if self.numbered else _PATH
        for chunk in chunks:
            rest += chunk
            end = 0
            for found in shape.finditer(rest):
                end = found.end()
                yield found[1], int(found[2] or 1)
            rest = rest[end:]
        told = _BYTES.search(rest)
        self.searched_bytes = int(told[1]) if told else None

    def has_failed(self) -> bool:
        """Whether there was a file that it could not read, when it has come to its end.

        Raises:
            UnusableError: it came to another end, or says more than that.
        """
        assert self.process.stderr is not None  # noqa: S101 - it is a pipe
        reasons = self.process.stderr.read()
        code = self.process.wait()
        if code not in _ENDS or (code == _FAILED and reasons):
            raise UnusableError
        return code == _FAILED

    def close(self) -> None:
        """End it."""
        self.process.kill()
        with self.process:
            pass

    def _chunks(self, patience: Patience) -> Iterator[bytes]:
        assert self.process.stdout is not None  # noqa: S101 - it is a pipe
        handle = self.process.stdout.fileno()
        with selectors.DefaultSelector() as selector:
            selector.register(handle, selectors.EVENT_READ)
            while not self._is_over:
                if selector.select(min(patience.left_s(), _CHECK_INTERVAL_S)):
                    chunk = os.read(handle, _CHUNK)
                    self._is_over = not chunk
                    yield chunk


def _names(record: Record) -> list[bytes]:
    """The names of a path, which are in order folder by folder, as files are walked over."""
    return record[0].split(b"/")


@frozen
class Program:
    """A command line that is run for some files at a time.

    Attributes:
        command: it, without the files.
        base: the folder it is run in.
        numbered: whether its records have numbers.
    """

    command: list[str]
    base: Base
    numbered: bool

    def start(self, files: Sequence[str], *, in_order: bool = False) -> Run:
        """Begin to run it; to be closed. Without files it has nothing to search.

        Args:
            files: what it searches.
            in_order: by one thread, so that its output has their order.

        Raises:
            UnusableError: it cannot be run.
        """
        more = (_IN_ORDER,) if in_order else ()
        try:
            process = subprocess.Popen(
                [*self.command, *more, "--", *(files or [os.devnull])],
                cwd=_folder(self.base),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError:
            raise UnusableError from None
        return Run(process, files, self.numbered)


def _folder(base: Base) -> str:
    """The folder's path by its handle where there is one: no other can take its place."""
    by_handle = f"/proc/self/fd/{base.handle}"
    return by_handle if Path(by_handle).exists() else base.absolute
