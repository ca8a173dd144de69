"""Searching by ripgrep: it is given files, and finds lines; what is shown is read by ourselves.

All that a model says reaches it as data: in ``--regexp=``, behind ``--``, or not at all.
"""

from collections import deque
from collections.abc import Generator, Iterator
from contextlib import closing

from attrs import evolve, field, frozen

from kits import programs

from .feed import Feed
from .own import Reader
from .query import Found, Hits, Tally, Task, TooSlowError
from .running import Program, Run, UnusableError
from .sifting import Sifter
from .sweep import Sweep
from .walk import Base, walk

#: It reads each file as text.
_ALWAYS = ("--no-config", "--color=never", "--null", "--no-messages", "--text", "--stats")
_SHAPE = ("--with-filename", "--no-heading", "--max-columns=1")
_SPANNING = ("--multiline", "--multiline-dotall")

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
        path = programs.find("rg")
        return cls(path) if path else None

    def search(self, base: Base, task: Task) -> Found:
        """The files with lines that match, in the order of their names.

        Raises:
            TooSlowError: the time is over.
            UnusableError: it does not run, or is another program.
        """
        tally = Tally()
        program = Program([self.path, *_ALWAYS, *_options(task)], base)
        with closing(walk(base, task.names, tally.skipped, patience=task.patience)) as walked:
            searching = _Searching(base, program, Feed(walked), task, tally)
            with closing(searching.hits(self.quick_files)) as hits:
                return Found.until_enough(hits, task, tally)


def _options(task: Task) -> list[str]:
    pattern = task.pattern
    counts_lines = task.wanted == "count" and not pattern.multiline  # else it would count matches
    is_capped = task.most_lines is not None and not pattern.multiline
    return [
        *_SHAPE,
        *(_SPANNING if pattern.multiline else ()),
        "--ignore-case" if pattern.ignore_case else "--case-sensitive",
        "--count" if counts_lines else "--line-number",
        *((f"--max-count={task.most_lines}",) if is_capped else ()),
        f"--regexp={pattern.rust}",
    ]


@frozen
class _Searching:
    """A search through all files: some by ourselves, then all others at once, or some at a time."""

    base: Base
    program: Program
    feed: Feed
    task: Task
    tally: Tally
    quick: set[str] = field(factory=set, init=False)

    def hits(self, quick_files: int) -> Generator[Hits, None, None]:
        """Hits in the order of the files."""
        yield from self._quick(quick_files)
        swept = self._swept()
        if not swept:
            yield from self._by_files()
            return
        with closing(swept):
            yield from self._sifter.hits(swept)

    @property
    def _sifter(self) -> Sifter:
        return Sifter(self.base, self.task, self.tally)

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
                    self.feed.put_back([evolve(files, names=files.names[at:])])
                    return
                self.quick.add(files.folder + name)
                left -= 1
                if hits:
                    yield hits

    def _swept(self) -> Run | None:
        """A run through all at once, where nothing from outside says what is meant."""
        if self.tally.skipped.too_large:  # it would read all of what was passed over
            return None
        names = self.task.names
        if names.globs or names.include_ignored or names.rules or not self.base.above.is_empty:
            return None
        if not self.feed.has_more():
            return None
        return Sweep(self.program, self.feed, self.task, self._sifter).run(self.quick)

    def _by_files(self) -> Iterator[Hits]:
        """Some files are searched while the next are walked over."""
        runs: deque[Run] = deque()
        try:
            batch = self.feed.batch(_FEW)
            while batch or runs:
                if self.feed.is_deep:
                    raise UnusableError
                if batch:
                    runs.append(self.program.start(batch))
                if not batch or len(runs) == _AT_ONCE:
                    runs[0] = self._ready(runs[0])
                    yield from self._sifter.hits(runs[0])
                    runs.popleft().close()
                batch = self.feed.batch(_MANY) if batch else batch
        finally:
            for run in runs:
                run.close()

    def _ready(self, run: Run) -> Run:
        """A run with all its output; or begun again, in order, without files too large."""
        try:
            if run.gather(self.task.patience.at_most(_SLOW_S)):
                return run
        except TooSlowError:
            self.task.patience.left_s()
        run.close()
        large = self._sifter.too_large(run.files)
        again = self.program.start([path for path in run.files if path not in large], in_order=True)
        again.has_small_files = True
        return again
