"""What is searched for, and what is found: the same for both ways of searching."""

import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from time import monotonic
from typing import Literal

from attrs import define, field, frozen

from .dialect import Pattern
from .globs import Glob
from .ignores import OwnRules

#: A search that takes longer is given up; ours, since a catastrophic pattern never ends.
TIMEOUT_S = 30.0

#: Of a file: all its lines that match, only the first, or only how many there are.
Wanted = Literal["lines", "first", "count"]


class TooSlowError(Exception):
    """The search takes too long, and is over."""


@frozen
class Patience:
    """How long a search may take.

    Attributes:
        deadline: when to give up, on the ``time.monotonic`` clock.
        check: raises if nobody waits for the answer any more.
    """

    deadline: float
    check: Callable[[], None]

    def at_most(self, seconds: float) -> "Patience":
        """No longer than so many seconds from now."""
        return Patience(min(self.deadline, monotonic() + seconds), self.check)

    def left_s(self) -> float:
        """The seconds that are left; to be asked now and then.

        Raises:
            TooSlowError: there are none.
        """
        self.check()
        left = self.deadline - monotonic()
        if left <= 0:
            raise TooSlowError
        return left


@frozen(kw_only=True)
class Names:
    """Which files are meant, by their names.

    Attributes:
        globs: each has to match.
        include_ignored: hidden and ignored files are meant too.
        rules: what an operator says about ignoring.
    """

    globs: tuple[Glob, ...] = ()
    include_ignored: bool = False
    rules: OwnRules = field(factory=OwnRules)

    @cached_property
    def wants_hidden(self) -> bool:
        """Whether hidden files or folders can be meant."""
        return self.include_ignored or any(each.wants_hidden for each in self.globs)

    @property
    def hint(self) -> str:
        """What may be wrong with the globs if no file is found."""
        return next((glob.hint for glob in self.globs if glob.hint), "")

    @cached_property
    def wants_repository(self) -> bool:
        """Whether git's own folder is meant."""
        return any(each.wants_repository for each in self.globs)


@frozen(kw_only=True)
class Task:
    """A search through the content of files.

    Attributes:
        pattern: what to find.
        names: in which files.
        patience: for how long.
        wanted: what of each file.
        enough: after so many lines, or files if not lines are wanted, the rest is left out.
    """

    pattern: Pattern
    names: Names
    patience: Patience
    wanted: Wanted = "lines"
    enough: int = sys.maxsize

    @property
    def most_lines(self) -> int | None:
        """So many lines of one file are looked for; ``None`` for all, which are counted."""
        return {"lines": self.enough, "first": 1, "count": None}[self.wanted]


@define
class Skipped:
    """What a search passed over, counted as it goes.

    Attributes:
        ignored: files, and folders as one each, that ignore files name.
        binary: files that match and are no text.
        unreadable: files and folders that may not be read.
        too_large: files above the size limit.
    """

    ignored: int = 0
    binary: int = 0
    unreadable: int = 0
    too_large: int = 0


@define
class Tally:
    """What is counted as a search goes.

    Attributes:
        searched: files that were searched.
        skipped: what was passed over.
    """

    searched: int = 0
    skipped: Skipped = field(factory=Skipped)


@frozen
class Hits:
    """The lines of one file that match.

    Attributes:
        path: relative to the folder that is searched.
        lines: their numbers, from 0, in order; at most one if the first was wanted, and any
            numbers if only their count was.
    """

    path: str
    lines: Sequence[int]


@frozen
class Found:
    """What a search found.

    Attributes:
        hits: in the order of the files' names.
        is_complete: whether these are all.
        tally: what was searched and passed over on the way.
    """

    hits: tuple[Hits, ...]
    is_complete: bool
    tally: Tally = field(factory=Tally)

    @classmethod
    def until_enough(cls, hits: Iterable[Hits], task: Task, tally: Tally) -> "Found":
        """As many hits as are enough."""
        taken, size = [], 0
        for each in hits:
            taken.append(each)
            size += len(each.lines) if task.wanted == "lines" else 1
            if size >= task.enough:
                return cls(tuple(taken), is_complete=False, tally=tally)
        return cls(tuple(taken), is_complete=True, tally=tally)


@frozen
class Listed:
    """The files of a folder.

    Attributes:
        paths: relative to it, in the order of their names.
        skipped: what was passed over.
    """

    paths: Sequence[str]
    skipped: Skipped
