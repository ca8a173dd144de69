"""``grep``: a search through contents, in one of its three modes."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress

from attrs import frozen

from kits.errors import WorkspaceError

from .answer import Outcome, Shown, Window
from .dialect import Pattern
from .excerpts import Excerpter, Look
from .query import Found, Hits, Names, Task, Wanted
from .searcher import Place, Searcher


@frozen(kw_only=True)
class Request:
    """What a call of ``grep`` asks for.

    Attributes:
        pattern: what to find.
        path: the folder or file.
        names: which files of a folder.
        wanted: what of each file.
        window: which part of what is found is shown.
        look: how lines are shown.
        advice: how to search ignored files too, told where some were; empty for nothing.
    """

    pattern: Pattern
    path: str
    names: Names
    wanted: Wanted
    window: Window
    look: Look = Look()  # noqa: RUF009 - frozen
    advice: str = ""


@frozen
class Grep:
    """One call of ``grep``.

    Attributes:
        searcher: searches.
        place: where.
        task: for what.
        request: the call's arguments.
        excerpter: reads the lines that are shown.
    """

    searcher: Searcher
    place: Place
    task: Task
    request: Request
    excerpter: Excerpter

    def outcome(self) -> Outcome:
        """Search, and read what is shown.

        Raises:
            TooSlowError: the time is over.
            WorkspaceError: the place cannot be read, or the pattern is refused.
        """
        found = self.searcher.search(self.place, self.task)
        suspect = self.request.pattern if found.tally.searched else self.request.names
        by_lines = self.task.wanted == "lines"
        shown = self._with_lines(found) if by_lines else self._without_lines(found)
        return Outcome(
            shown,
            sum(len(each.lines) for each in found.hits) if by_lines else len(found.hits),
            self.request.window,
            found.tally.skipped if found.is_complete else None,
            None if found.hits else found.tally.searched,
            self.request.advice,
            suspect.hint,
        )

    def _with_lines(self, found: Found) -> list[Shown]:
        shown = list[Shown]()
        with suppress(WorkspaceError), self.searcher.opening(self.place) as opened:
            for hits in self._in_window(found):
                with suppress(OSError, WorkspaceError):  # gone since it was searched
                    handle = opened(hits.path)
                    try:
                        lines = self.excerpter.lines(handle, hits.lines)
                    finally:
                        os.close(handle)
                    shown.append(Shown(self.place.below(hits.path), lines))
        return shown

    def _in_window(self, found: Found) -> Iterator[Hits]:
        at = 0
        for hits in found.hits:
            first, last = self.request.window.offset - at, self.request.window.end - at
            at += len(hits.lines)
            if lines := hits.lines[max(first, 0) : max(last, 0)]:
                yield Hits(hits.path, lines)

    def _without_lines(self, found: Found) -> Sequence[Shown]:
        counted = self.task.wanted == "count"
        return [
            Shown(self.place.below(hits.path), count=len(hits.lines) if counted else None)
            for hits in found.hits[self.request.window.offset : self.request.window.end]
        ]
