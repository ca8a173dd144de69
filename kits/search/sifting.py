"""What of a run of ripgrep counts: lines in texts that are not too large; the rest is counted."""

import os
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter

from attrs import frozen

from . import contents
from .query import Hits, Tally, Task
from .running import Run
from .walk import Base, open_below


@frozen
class Sifter:
    """Takes the hits of one run after the other.

    Attributes:
        base: the folder that is searched.
        task: for what.
        tally: counts what is searched and passed over.
    """

    base: Base
    task: Task
    tally: Tally

    def hits(self, run: Run) -> Iterator[Hits]:
        """The hits in texts that are not too large, but for files known before.

        Raises:
            TooSlowError: the time is over.
            UnusableError: it came to another end than it should.
        """
        done = set(run.known)
        for path, group in groupby(run.records(self.task.patience), key=itemgetter(0)):
            numbers = array("Q", islice(map(itemgetter(1), group), self.task.most_lines))
            name = os.fsdecode(path).removeprefix("./")
            if name not in done:
                done.add(name)
                if self._is_text(name):
                    yield Hits(name, self._lines(numbers))
        self.tally.searched += self._without_lines(run, done)

    def too_large(self, paths: Iterable[str], most_bytes: int = sys.maxsize) -> set[str]:
        """Those files that are too large, which are counted.

        Args:
            paths: of the files.
            most_bytes: they have no more together, so that not all need to be looked at.
        """
        found = set[str]()
        for path in paths:
            if most_bytes <= contents.MAX_BYTES:
                break
            size = self._size(path)
            most_bytes -= size
            if size > contents.MAX_BYTES:
                found.add(path)
        self.tally.skipped.too_large += len(found)
        return found

    def _without_lines(self, run: Run, done: set[str]) -> int:
        """How many files were searched, and have no lines that match; the others are counted."""
        has_failed = run.has_failed() and not run.has_searched_all
        most_bytes = run.searched.get("bytes", sys.maxsize)
        if not has_failed and (run.has_small_files or most_bytes <= contents.MAX_BYTES):
            return len(run.files) + len(run.known) - len(done)
        left = [path for path in run.files if path not in done]
        if has_failed:
            left = [path for path in left if self._is_readable(path)]
        if not run.has_small_files:
            return len(left) - len(self.too_large(left, most_bytes))
        return len(left)

    def _lines(self, numbers: Sequence[int]) -> Sequence[int]:
        if self.task.wanted != "count":
            return array("Q", (number - 1 for number in numbers))
        return range(len(numbers) if self.task.pattern.multiline else numbers[0])

    def _is_text(self, path: str) -> bool:
        try:
            handle = open_below(self.base.handle, path)
        except OSError:  # gone, or no longer what it was
            return False
        try:
            is_large = os.fstat(handle).st_size > contents.MAX_BYTES
            is_binary = not is_large and contents.is_binary(contents.head(handle))
        finally:
            os.close(handle)
        self.tally.searched += not is_large
        self.tally.skipped.too_large += is_large
        self.tally.skipped.binary += is_binary
        return not (is_large or is_binary)

    def _is_readable(self, path: str) -> bool:
        try:
            os.close(open_below(self.base.handle, path))
        except FileNotFoundError:  # gone since it was listed
            return False
        except OSError:
            self.tally.skipped.unreadable += 1
            return False
        return True

    def _size(self, path: str) -> int:
        try:
            return os.stat(path, dir_fd=self.base.handle, follow_symlinks=False).st_size
        except OSError:  # gone since it was listed
            return 0
