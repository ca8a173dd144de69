"""Searching by ripgrep: it is given files, and finds lines; what is shown is read by ourselves.

All that a model says reaches it as data: in ``--regexp=``, behind ``--``, or not at all.
"""

import os
import shutil
from array import array
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from itertools import groupby, islice
from operator import itemgetter

from attrs import evolve, frozen

from . import contents
from .feed import Feed
from .own import Reader
from .query import Found, Hits, Tally, Task, TooSlowError
from .running import Program, Run
from .walk import Base, Files, open_below, walk

#: It reads the files it is given, each as text.
_ALWAYS = ("--no-config", "--color=never", "--null", "--no-ignore", "--no-messages", "--text")
_CONTENT = ("--with-filename", "--no-heading", "--max-columns=1")
_SPANNING = ("--multiline", "--multiline-dotall")
_WANTED = {"lines": "--line-number", "first": "--files-with-matches", "count": "--count"}

#: What we search ourselves is neither large nor takes long.
_QUICK_BYTES, _QUICK_S = 1 << 18, 0.01
#: It is run for so many files at a time, the first time for few, and more than once at a time.
_FEW, _MANY, _AT_ONCE = 512, 6000, 3
#: What takes longer may have met a file that is too large.
_SLOW_S = 3.0


@frozen
class Ripgrep:
    """The program, where it is installed.

    Attributes:
        path: where it is.
        quick_files: so many files are searched by ourselves before it is started: often that is
            enough.
    """

    path: str
    quick_files: int = 32

    @classmethod
    def find(cls) -> "Ripgrep | None":
        """The one on PATH."""
        path = shutil.which("rg")
        return cls(path) if path else None

    def search(self, base: Base, task: Task) -> Found:
        """The files with lines that match, in the order of their names.

        Raises:
            TooSlowError: the time is over.
            UnusableError: it does not run, or is another program.
        """
        tally = Tally()
        program = Program([self.path, *_ALWAYS, *_options(task)], base, task.wanted != "first")
        with closing(walk(base, task.names, tally.skipped, patience=task.patience)) as walked:
            searching = _Searching(base, program, Feed(walked), task, tally)
            with closing(searching.hits(self.quick_files)) as hits:
                return Found.until_enough(hits, task, tally)


def _options(task: Task) -> list[str]:
    pattern = task.pattern
    counts_lines = task.wanted == "count" and pattern.multiline  # it counts matches
    is_capped = task.wanted == "lines" and not pattern.multiline
    return [
        *_CONTENT,
        *(_SPANNING if pattern.multiline else ()),
        "--ignore-case" if pattern.ignore_case else "--case-sensitive",
        _WANTED["lines" if counts_lines else task.wanted],
        *(() if task.wanted == "first" else ("--stats",)),  # it would read all of each file
        *((f"--max-count={task.enough}",) if is_capped else ()),
        f"--regexp={pattern.rust}",
    ]


@frozen
class _Searching:
    """A search through all files, some at a time."""

    base: Base
    program: Program
    feed: Feed
    task: Task
    tally: Tally

    def hits(self, quick_files: int) -> Generator[Hits, None, None]:
        """Hits in the order of the files; some are searched while the next are walked over."""
        yield from self._quick(quick_files)
        runs: deque[Run] = deque()
        try:
            batch = self.feed.batch(_FEW)
            while batch or runs:
                if batch:
                    runs.append(self.program.start(batch))
                if not batch or len(runs) == _AT_ONCE:
                    runs[0] = self._ready(runs[0])
                    yield from self._hits(runs[0])
                    runs.popleft().close()
                batch = self.feed.batch(_MANY) if batch else batch
        finally:
            for run in runs:
                run.close()

    def _quick(self, left: int) -> Iterator[Hits]:
        """Hits in the first files, which come before the program has begun."""
        patience = self.task.patience.at_most(_QUICK_S)
        reader = Reader(evolve(self.task, patience=patience), self.tally, _QUICK_BYTES)
        for files in self.feed.walked:
            for at, name in enumerate(files.names):
                try:
                    hits = reader.hits(files, name) if left else None
                except TooSlowError:
                    left = 0
                if not left:
                    self.feed.put_back(Files(files.folder, files.handle, files.names[at:]))
                    return
                left -= 1
                if hits:
                    yield hits

    def _ready(self, run: Run) -> Run:
        """A run with all its output; or begun again, in order, without files too large."""
        try:
            if run.gather(self.task.patience.at_most(_SLOW_S)):
                return run
        except TooSlowError:
            self.task.patience.left_s()
        run.close()
        return self.program.start(list(filter(self._is_small, run.files)), in_order=True)

    def _hits(self, run: Run) -> Iterator[Hits]:
        """The hits in texts that are not too large; the rest is counted."""
        shown = set()
        most = self.task.enough if self.task.wanted == "lines" else None
        for path, group in groupby(run.records(self.task.patience), key=itemgetter(0)):
            numbers = array("Q", islice(map(itemgetter(1), group), most))
            name = os.fsdecode(path)
            shown.add(name)
            if self._is_text(name):
                yield Hits(name.removeprefix("./"), self._lines(numbers))
        self.tally.searched += self._without_lines(run, shown)

    def _without_lines(self, run: Run, shown: set[str]) -> int:
        """How many files were searched, and have no lines that match; the others are counted."""
        left = run.files
        if run.has_failed():
            left = [path for path in left if path in shown or self._is_readable(path)]
        if run.searched_bytes is None or run.searched_bytes > contents.MAX_BYTES:
            left = [path for path in left if path in shown or self._is_small(path)]
        return len(left) - len(shown)

    def _lines(self, numbers: Sequence[int]) -> Sequence[int]:
        if self.task.wanted != "count":
            return array("Q", (number - 1 for number in numbers))
        return range(len(numbers) if self.task.pattern.multiline else numbers[0])

    def _is_text(self, path: str) -> bool:
        try:
            handle = open_below(self.base.handle, path.removeprefix("./"))
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
            os.close(open_below(self.base.handle, path.removeprefix("./")))
        except FileNotFoundError:  # gone since it was listed
            return False
        except OSError:
            self.tally.skipped.unreadable += 1
            return False
        return True

    def _is_small(self, path: str) -> bool:
        is_large = self._size(path) > contents.MAX_BYTES
        self.tally.skipped.too_large += is_large
        return not is_large

    def _size(self, path: str) -> int:
        try:
            return os.stat(path, dir_fd=self.base.handle, follow_symlinks=False).st_size
        except OSError:  # gone since it was listed
            return 0
