"""A run of ripgrep, and its records as they come."""

import os
import re
import selectors
import subprocess
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import suppress
from pathlib import Path

from attrs import define, field, frozen

from .feed import Met
from .query import Patience
from .walk import Base

#: A path, a NUL and a number; behind the number of a line is what we do not look at.
_RECORD = re.compile(rb"([^\0]*)\0(\d+)(?::[^\n]*)?\r?\n")
#: What it tells at its end; not all versions need to.
_TOLD = re.compile(rb"^(\d+) (files|bytes) searched$", re.MULTILINE)

_CHUNK = 1 << 16
#: More output than this is not kept, but taken as it comes from a run in order.
_MOST_GATHERED = 1 << 20
#: It reads what it is given, in order if need be.
_GIVEN, _IN_ORDER = "--no-ignore", "--threads=1"
#: It walks by itself, and is to find the same files as we: none by rules from outside.
_BY_ITSELF = (
    "--no-require-git",
    "--no-ignore-parent",
    "--no-ignore-global",
    "--no-ignore-exclude",
    "--glob=!.*",
)
_CHECK_INTERVAL_S = 0.05
_FAILED = 2
#: It found something, or nothing, or could not read all.
_ENDS = frozenset({0, 1, _FAILED})

#: A path, and a line number or a count.
Record = tuple[bytes, int]


class UnusableError(Exception):
    """The program does not run here, or is another than we know."""


@define
class Run:
    """A running ripgrep.

    Attributes:
        process: it.
        files: what it searches.
        known: what it searches too, and was searched before.
        searched: how many files, and how many bytes, it read; told at its end, if at all.
        has_small_files: none of them is too large, as was looked after.
    """

    process: "subprocess.Popen[bytes]"
    files: list[str] | Met
    known: AbstractSet[str] = frozenset()
    searched: dict[str, int] = field(factory=dict, init=False)
    has_small_files: bool = field(default=False, init=False)
    _gathered: bytearray = field(factory=bytearray, init=False)
    _lines: int = field(default=0, init=False)
    _sorted: list[Record] | None = field(default=None, init=False)
    _is_over: bool = field(default=False, init=False)

    def lines_so_far(self) -> int:
        """Take what has come by now, without waiting; how many lines there are."""
        handle = self._handle
        with suppress(BlockingIOError):
            while len(self._gathered) <= _MOST_GATHERED and (chunk := os.read(handle, _CHUNK)):
                self._gathered += chunk
                self._lines += chunk.count(b"\n")
        return self._lines

    def gather(self, patience: Patience) -> bool:
        """Wait for its end; whether that comes before there is too much output to be kept.

        Raises:
            TooSlowError: the time is over; it may be waited for again.
        """
        for chunk in self._chunks(patience):
            self._gathered += chunk
            if len(self._gathered) > _MOST_GATHERED:
                return False
        self._sorted = sorted(self._parsed([bytes(self._gathered)]), key=_names)
        return True

    def records(self, patience: Patience) -> Iterable[Record]:
        """Its records in the order of the files.

        Raises:
            TooSlowError: the time is over.
        """
        return self._parsed(self._chunks(patience)) if self._sorted is None else self._sorted

    def _parsed(self, chunks: Iterable[bytes]) -> Iterator[Record]:
        rest = b""
        for chunk in chunks:
            rest += chunk
            end = 0
            for found in _RECORD.finditer(rest):
                end = found.end()
                yield found[1], int(found[2])
            rest = rest[end:]
        self.searched = {told[2].decode(): int(told[1]) for told in _TOLD.finditer(rest)}

    @property
    def has_searched_all(self) -> bool:
        """Whether it has read as many files as it was to."""
        return self.searched.get("files") == len(self.files) + len(self.known)

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

    @property
    def _handle(self) -> int:
        assert self.process.stdout is not None  # noqa: S101 - it is a pipe
        return self.process.stdout.fileno()

    def _chunks(self, patience: Patience) -> Iterator[bytes]:
        handle = self._handle
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
    """

    command: list[str]
    base: Base

    def start(self, files: list[str], *, in_order: bool = False) -> Run:
        """Begin to run it; to be closed. Without files it has nothing to search.

        Args:
            files: what it searches.
            in_order: by one thread, so that its output has their order.

        Raises:
            UnusableError: it cannot be run.
        """
        more = [_GIVEN, _IN_ORDER] if in_order else [_GIVEN]
        return Run(self._begun(more, files or [os.devnull]), files)

    def sweep(self, files: Met, known: AbstractSet[str]) -> Run:
        """Begin to run it, so that it walks by itself.

        Args:
            files: what it searches, for the caller to find.
            known: the files that were searched before.

        Raises:
            UnusableError: it cannot be run.
        """
        return Run(self._begun(_BY_ITSELF, ["./"]), files, known)

    def _begun(self, more: Iterable[str], paths: Iterable[str]) -> "subprocess.Popen[bytes]":
        try:
            process = subprocess.Popen(
                [*self.command, *more, "--", *paths],
                cwd=_folder(self.base),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError:
            raise UnusableError from None
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        os.set_blocking(process.stdout.fileno(), False)  # what has come can be taken
        return process


def _folder(base: Base) -> str:
    """The folder's path by its handle where there is one: no other can take its place."""
    by_handle = f"/proc/self/fd/{base.handle}"
    return by_handle if Path(by_handle).exists() else base.absolute
