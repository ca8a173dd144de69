"""One ripgrep that walks by itself, beside our own walk, which tells whether to believe it.

So both cores of a small machine are busy from the beginning, and no file has to be named to it.
"""

import os
from collections.abc import Set as AbstractSet
from contextlib import ExitStack, suppress

from attrs import frozen

from .feed import Feed, Met
from .query import Task, TooSlowError
from .running import Program, Run, UnusableError
from .sifting import Sifter

#: What takes longer than our walk by so much may have met a file that is too large.
_SLOW_S = 0.3
#: Output is looked at after so many folders.
_OFTEN = 16


@frozen
class Sweep:
    """A search through a whole folder at once.

    It is believed if all ignore files on the way are plain, and if ripgrep has searched as many
    files as we have met and found lines in no others. It is given up early if so much is found
    that a search in order needs to see only a part.

    Attributes:
        program: ripgrep.
        feed: the files that are left; all of them again, if nothing comes of it.
        task: for what.
        sifter: tells files that are too large.
    """

    program: Program
    feed: Feed
    task: Task
    sifter: Sifter

    def run(self, known: AbstractSet[str]) -> Run | None:
        """A run that is over, to be closed; ``None`` if it is not believed.

        Args:
            known: the files that were searched before.

        Raises:
            TooSlowError: the time is over.
        """
        met = Met()
        with suppress(UnusableError), ExitStack() as stack:
            run = self.program.sweep(met, known)
            stack.callback(run.close)
            if self._has_met_all(run, met) and self._is_over(run, met) and self._agrees(run, met):
                stack.pop_all()
                return run
        self.feed.put_back(met.parts)
        return None

    def _has_met_all(self, run: Run, met: Met) -> bool:
        for number, files in enumerate(self.feed.walked):
            met.parts.append(files)
            if not self.feed.is_plain:
                return False
            if number % _OFTEN == 0 and run.lines_so_far() >= self.task.enough:
                return False
        return True

    def _is_over(self, run: Run, met: Met) -> bool:
        """Whether it comes to its end; files that are too large are left out of those met."""
        try:
            return run.gather(self.task.patience.at_most(_SLOW_S))
        except TooSlowError:
            self.task.patience.left_s()
        large = self.sifter.too_large(met)
        if large:
            met.leave_out(large)
            return False
        run.has_small_files = True
        return run.gather(self.task.patience)

    def _agrees(self, run: Run, met: Met) -> bool:
        run.has_failed()  # which is to be expected where a folder may not be read
        if not run.has_searched_all:
            return False
        found = {os.fsdecode(path) for path, _ in run.records(self.task.patience)}
        left = {path.removeprefix("./") for path in found} - run.known
        return left <= met.in_folders({path[: path.rfind("/") + 1] for path in left})
