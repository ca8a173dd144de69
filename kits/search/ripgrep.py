"""Searching by ripgrep: it finds files and lines, what is shown is read by ourselves.

All that a model says reaches it as data: behind ``-e``, behind ``--``, or not at all.
"""

import os
import shutil
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import groupby

from attrs import evolve, frozen

from . import contents
from .messages import Messages
from .query import Found, Hits, Listed, Names, Patience, Skipped, Task, TooSlowError
from .running import Program
from .walk import Base, open_below

#: Counts are taken from its messages for debugging, which have been the same for many versions.
_ALWAYS = ("--no-config", "--color=never", "--debug", "--null")
_RULES = ("--no-require-git", "--no-ignore-global", "--no-ignore-exclude")
_CONTENT = ("--text", "--with-filename", "--no-heading", "--max-columns=1", "--crlf")
_SPANNING = ("--multiline", "--multiline-dotall", "--no-crlf")
_WANTED = {"lines": "--line-number", "first": "--files-with-matches", "count": "--count"}
_EVERYTHING = ("./",)

#: In order it takes one thread; what is common is found by it before the time is over.
_QUICK_S = 0.03
#: More than this is not gathered to be sorted; the search then begins again, in order.
_GATHERED = 2_000
#: Systems limit what a command line holds; this is half of the least of them.
_MAX_COMMAND_BYTES = 128 << 10


@frozen
class Ripgrep:
    """The program, where it is installed.

    Attributes:
        path: where it is.
    """

    path: str

    @classmethod
    def find(cls) -> "Ripgrep | None":
        """The one on PATH."""
        path = shutil.which("rg")
        return cls(path) if path else None

    def search(self, base: Base, task: Task) -> Found:
        """The files with lines that match, in the order of their names.

        Raises:
            NotAlikeError: our own search has to do it.
            TooSlowError: the time is over.
            WorkspaceError: it does not take the pattern.
        """
        command = [*self._command(base, task.names), f"--max-filesize={contents.MAX_BYTES}"]
        search = _Search(command, base)
        if task.names.globs:
            listed = _listed(command, base, task.names, patience=task.patience)
            search = evolve(search, targets=listed.paths, passed=listed.skipped)
        with suppress(TooSlowError):
            return search.in_order(evolve(task, patience=task.patience.at_most(_QUICK_S)))
        return search.gathered(task) or search.in_order(task)

    def files(self, base: Base, names: Names, patience: Patience) -> Listed:
        """The files below a folder, in the order of their names.

        Raises:
            NotAlikeError: our own walk has to do it.
            TooSlowError: the time is over.
        """
        return _listed(self._command(base, names), base, names, patience=patience)

    def _command(self, base: Base, names: Names) -> list[str]:
        return [
            self.path,
            *_ALWAYS,
            *_RULES,
            *(() if base.above.has_rules else ("--no-ignore-parent",)),
            *(("--no-ignore",) if names.include_ignored else ()),
            *(("--hidden", "--glob=!.git") if names.wants_hidden else ()),
        ]


def _listed(command: list[str], base: Base, names: Names, *, patience: Patience) -> Listed:
    skipped = Skipped()
    with Program([*command, "--files", "--", "./"], base).run() as run:
        found = names.meant(run.paths(patience))
        run.finish(Messages(base, names, skipped))
    return Listed(sorted(found, key=_in_name_order), skipped)


@frozen
class _Search:
    """A search for lines, in the whole folder or in files that were chosen before.

    Attributes:
        command: the program and how it walks.
        base: the folder.
        targets: the files, relative to it.
        passed: what was passed over when they were chosen.
    """

    command: list[str]
    base: Base
    targets: Sequence[str] = _EVERYTHING
    passed: Skipped = Skipped()  # noqa: RUF009 - copied before anything is counted

    def gathered(self, task: Task) -> Found | None:
        """All hits, by many threads and then sorted; ``None`` if there are too many to keep."""
        most, skipped = max(_GATHERED, task.enough), evolve(self.passed)
        found: dict[str, list[Sequence[int]]] = {}
        with closing(self._hits(task, skipped)) as hits:
            for number, each in enumerate(hits):
                if number >= most:
                    return None
                found.setdefault(each.path, []).append(each.lines)
        paths = sorted(found, key=_in_name_order)
        in_order = (Hits(path, _joined(found[path])) for path in paths)
        return Found.until_enough(_texts(self.base, in_order, skipped), task, skipped)

    def in_order(self, task: Task) -> Found:
        """As many hits as are enough, found one after the other."""
        skipped = evolve(self.passed)
        with closing(self._hits(task, skipped, "--sort=path")) as hits:
            grouped = groupby(hits, key=lambda each: each.path)
            joined = (Hits(path, _joined(each.lines for each in group)) for path, group in grouped)
            return Found.until_enough(_texts(self.base, joined, skipped), task, skipped)

    def _hits(self, task: Task, skipped: Skipped, *more: str) -> Generator[Hits, None, None]:
        """Hits of one line each, or of all that were counted; closing it takes the messages."""
        is_count = task.wanted == "count" and not task.pattern.multiline
        numbered = task.wanted != "first"
        for targets in _batches(self.targets):
            early = True
            with Program([*self._searching(task), *more, "--", *targets], self.base).run() as run:
                try:
                    for path, number in run.records(task.patience, numbered=numbered):
                        if not task.names.hides(path):
                            yield Hits(path, range(number) if is_count else (number - 1,))
                    early = False
                finally:
                    run.finish(Messages(self.base, task.names, skipped), early=early)

    def _searching(self, task: Task) -> list[str]:
        pattern = task.pattern
        wanted = "lines" if task.wanted == "count" and pattern.multiline else task.wanted
        return [
            *self.command,
            *_CONTENT,
            *(_SPANNING if pattern.multiline else ()),
            "--ignore-case" if pattern.ignore_case else "--case-sensitive",
            _WANTED[wanted],
            f"--regexp={pattern.rust}",
        ]


def _batches(targets: Sequence[str]) -> Iterator[list[str]]:
    """The targets, as many at a time as a command line takes."""
    batch: list[str] = []
    left = _MAX_COMMAND_BYTES
    for target in targets:
        size = len(os.fsencode(target)) + len("./") + 9  # a pointer and a zero
        if batch and size > left:
            yield batch
            batch, left = [], _MAX_COMMAND_BYTES
        batch.append(target if targets is _EVERYTHING else f"./{target}")
        left -= size
    if batch:
        yield batch


def _in_name_order(path: str) -> bytes:
    """Folder by folder: a slash comes before every other character."""
    return os.fsencode(path).replace(b"/", b"\0")


def _joined(lines: Iterable[Sequence[int]]) -> Sequence[int]:
    whole = [*lines]
    return whole[0] if len(whole) == 1 else [line for part in whole for line in part]


def _texts(base: Base, hits: Iterable[Hits], skipped: Skipped) -> Iterator[Hits]:
    """The hits in text; binary files that match are counted."""
    for each in hits:
        try:
            handle = open_below(base.handle, each.path)
        except OSError:  # gone, or no longer what it was
            continue
        try:
            is_binary = contents.is_binary(contents.head(handle))
        finally:
            os.close(handle)
        if is_binary:
            skipped.binary += 1
        else:
            yield each
