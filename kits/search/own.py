"""Our own search, where ripgrep is not installed or would answer otherwise."""

import os
from collections.abc import Generator
from contextlib import closing
from itertools import islice

from attrs import frozen

from . import contents
from .matching import Matcher
from .query import Found, Hits, Listed, Names, Patience, Skipped, Task
from .walk import Base, Entry, walk


@frozen
class OwnSearch:
    """Walks and reads by itself; as ``Ripgrep``, and with the same answers."""

    def search(self, base: Base, task: Task) -> Found:
        """The files with lines that match, in the order of their names.

        Raises:
            TooSlowError: the time is over.
        """
        skipped = Skipped()
        with closing(_hits(base, task, skipped)) as hits:
            return Found.until_enough(hits, task, skipped)

    def files(self, base: Base, names: Names, patience: Patience) -> Listed:
        """The files below a folder, in the order of their names.

        Raises:
            TooSlowError: the time is over.
        """
        skipped = Skipped()
        paths = [entry.path for entry in walk(base, names, skipped, patience=patience)]
        return Listed(paths, skipped)


def lines_of(handle: int, matcher: Matcher, task: Task) -> list[int]:
    """The lines of an open file that match, as far as they are wanted.

    Raises:
        OSError: it cannot be read.
        TooSlowError: the time is over.
    """
    limit = {"first": 1, "lines": task.enough, "count": None}[task.wanted]
    blocks = contents.blocks(handle, whole=task.pattern.multiline)
    return list(islice((line for block in blocks for line in matcher.lines(block)), limit))


def _hits(base: Base, task: Task, skipped: Skipped) -> Generator[Hits, None, None]:
    matcher = Matcher(task.pattern, task.patience)
    for entry in walk(base, task.names, skipped, patience=task.patience):
        task.patience.left_s()
        try:
            lines = _lines(entry, matcher, task=task, skipped=skipped)
        except OSError:
            skipped.unreadable += 1
            continue
        if lines:
            yield Hits(entry.path, lines)


def _lines(entry: Entry, matcher: Matcher, *, task: Task, skipped: Skipped) -> list[int]:
    handle = entry.open()
    try:
        if os.fstat(handle).st_size > contents.MAX_BYTES:
            skipped.too_large += 1
            return []
        lines = lines_of(handle, matcher, task)
        if lines and contents.is_binary(contents.head(handle)):
            skipped.binary += 1
            return []
    finally:
        os.close(handle)
    return lines
