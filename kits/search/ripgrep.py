"""Searching by ripgrep: it finds files and lines, what is shown is read by ourselves.

All that a model says reaches it as data: behind ``-e``, behind ``--``, or not at all.
"""

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from attrs import frozen

from . import contents
from .messages import Messages
from .query import Found, Hits, Listed, Names, Patience, Skipped, Task
from .running import Program
from .walk import Base, open_below

#: Counts are taken from its messages for debugging, which have been the same for many versions.
_ALWAYS = ("--no-config", "--color=never", "--debug", "--null")
_RULES = ("--no-require-git", "--no-ignore-global", "--no-ignore-exclude")
_CONTENT = ("--text", "--with-filename", "--no-heading", "--max-columns=1", "--crlf")
_SPANNING = ("--multiline", "--multiline-dotall", "--no-crlf")
_WANTED = {"lines": "--line-number", "first": "--files-with-matches", "count": "--count"}

#: More than this is not gathered to be sorted; the search then begins again, in order.
_GATHERED = 2_000


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
        return self._gathered(base, task) or self._in_order(base, task)

    def files(self, base: Base, names: Names, patience: Patience) -> Listed:
        """The files below a folder, in the order of their names.

        Raises:
            NotAlikeError: our own walk has to do it.
            TooSlowError: the time is over.
        """
        skipped = Skipped()
        with Program([*self._command(base, names), "--files", "--", "."], base).run() as run:
            found = [path for path, _ in run.records(patience) if _is_meant(path, names)]
            run.finish(Messages(base, names, skipped))
        return Listed(sorted(found, key=_in_name_order), skipped)

    def _gathered(self, base: Base, task: Task) -> Found | None:
        """All hits, by many threads and then sorted; ``None`` if there are too many to keep."""
        most, skipped = max(_GATHERED, task.enough), Skipped()
        found: dict[str, list[Sequence[int]]] = {}
        with Program(self._search_command(base, task), base).run() as run:
            for number, hits in enumerate(_hits(run.records(task.patience), task)):
                if number >= most:
                    return None
                found.setdefault(hits.path, []).append(hits.lines)
            run.finish(Messages(base, task.names, skipped))
        paths = sorted(found, key=_in_name_order)
        in_order = (Hits(path, _joined(found[path])) for path in paths)
        return Found.until_enough(_texts(base, in_order, skipped), task, skipped)

    def _in_order(self, base: Base, task: Task) -> Found:
        """As many hits as are enough, found one after the other."""
        command, skipped = self._search_command(base, task, "--sort=path"), Skipped()
        with Program(command, base).run() as run:
            records = _hits(run.records(task.patience), task)
            grouped = groupby(records, key=lambda hits: hits.path)
            hits = (Hits(path, _joined(each.lines for each in group)) for path, group in grouped)
            found = Found.until_enough(_texts(base, hits, skipped), task, skipped)
            run.stop()
            run.finish(Messages(base, task.names, skipped))
        return found

    def _search_command(self, base: Base, task: Task, *more: str) -> list[str]:
        pattern = task.pattern
        wanted = "lines" if task.wanted == "count" and pattern.multiline else task.wanted
        return [
            *self._command(base, task.names),
            *_CONTENT,
            *(_SPANNING if pattern.multiline else ()),
            "--ignore-case" if pattern.ignore_case else "--case-sensitive",
            f"--max-filesize={contents.MAX_BYTES}",
            _WANTED[wanted],
            *more,
            "-e",
            pattern.rust,
            "--",
            ".",
        ]

    def _command(self, base: Base, names: Names) -> list[str]:
        globs = [glob for each in names.globs[:1] for glob in each.name_globs]
        return [
            self.path,
            *_ALWAYS,
            *_RULES,
            *(() if base.above.has_rules else ("--no-ignore-parent",)),
            *(("--no-ignore",) if names.include_ignored else ()),
            *(("--hidden",) if names.wants_hidden else ()),
            *(f"--type-add=wanted:{glob}" for glob in globs),
            *(("--type=wanted",) if globs else ()),
        ]


def _hits(records: Iterator[tuple[str, int]], task: Task) -> Iterator[Hits]:
    """Records as hits of one line each, or of all that were counted."""
    is_count = task.wanted == "count" and not task.pattern.multiline
    for path, number in records:
        if _is_meant(path, task.names):
            yield Hits(path, range(number) if is_count else (number - 1,))


def _is_meant(path: str, names: Names) -> bool:
    return not names.hides(path) and names.admits(path)


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
