"""Our own search, where ripgrep is not installed or would answer otherwise."""

import os
from array import array
from collections.abc import Generator, Sequence
from contextlib import closing
from itertools import islice

from attrs import field, frozen

from . import contents
from .matching import Matcher
from .query import Found, Hits, Tally, Task, TooSlowError
from .walk import Base, Files, walk


@frozen
class OwnSearch:
    """Reads by itself; as ``Ripgrep``, and with the same answers."""

    def search(self, base: Base, task: Task) -> Found:
        """The files with lines that match, in the order of their names.

        Raises:
            TooSlowError: the time is over.
        """
        tally = Tally()
        with closing(_hits(base, task, tally)) as hits:
            return Found.until_enough(hits, task, tally)


def lines_of(handle: int, matcher: Matcher, task: Task) -> Sequence[int]:
    """The lines of an open file that match, as far as they are wanted.

    Raises:
        OSError: it cannot be read.
        TooSlowError: the time is over.
    """
    blocks = contents.blocks(handle, whole=task.pattern.multiline)
    found = (line for block in blocks for line in matcher.lines(block))
    if task.wanted == "count":
        return range(sum(1 for _ in found))
    return array("Q", islice(found, task.most_lines))


@frozen
class Reader:
    """Searches one file after the other.

    Attributes:
        task: for what.
        tally: counts what is searched and passed over.
        slow_bytes: a file that is larger takes too much time.
    """

    task: Task
    tally: Tally
    slow_bytes: int = contents.MAX_BYTES
    _matcher: Matcher = field(init=False)

    @_matcher.default
    def _make_matcher(self) -> Matcher:
        return Matcher(self.task.pattern, self.task.patience)

    def hits(self, files: Files, name: str) -> Hits | None:
        """The lines of a file that match; ``None`` if there are none, or it is passed over.

        Raises:
            TooSlowError: the time is over, or it would be.
        """
        self.task.patience.left_s()
        try:
            lines = self._lines(files, name)
        except FileNotFoundError:  # gone since it was listed
            return None
        except OSError:
            self.tally.skipped.unreadable += 1
            return None
        return Hits(files.folder + name, lines) if lines else None

    def _lines(self, files: Files, name: str) -> Sequence[int]:
        handle = files.open(name)
        try:
            size = os.fstat(handle).st_size
            if size > contents.MAX_BYTES:
                self.tally.skipped.too_large += 1
                return []
            if size > self.slow_bytes:
                raise TooSlowError
            lines = lines_of(handle, self._matcher, self.task)
            self.tally.searched += 1
            if lines and contents.is_binary(contents.head(handle)):
                self.tally.skipped.binary += 1
                return []
        finally:
            os.close(handle)
        return lines


def _hits(base: Base, task: Task, tally: Tally) -> Generator[Hits, None, None]:
    reader = Reader(task, tally)
    with closing(walk(base, task.names, tally.skipped, patience=task.patience)) as walked:
        for files in walked:
            for name in files.names:
                if hits := reader.hits(files, name):
                    yield hits
