"""Which way of searching a call takes; what it gives is the same in either way."""

import io
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from stat import S_ISDIR

from attrs import frozen

from kits.errors import MissingPathError, invalid
from kits.files import artifacts
from kits.workspace import Workspace
from qitos_like.core.context import ToolContext

from .ignores import Stack
from .matching import Matcher
from .own import OwnSearch, lines_of
from .query import Found, Hits, Listed, Names, Patience, Skipped, Tally, Task
from .ripgrep import Ripgrep
from .running import UnusableError
from .walk import Base, above, open_below, walk

_WILDCARDS = frozenset("*?{")


@frozen
class Place:
    """Where a model asks to search.

    Attributes:
        shown: the path as tools name it.
        real: the same with links followed.
        is_folder: whether it is a folder; else it is a file.
    """

    shown: str
    real: str
    is_folder: bool

    def below(self, path: str) -> str:
        """What was found here, as tools name it; an empty path is the place itself."""
        if self.shown == "." or not path:
            return path or self.shown
        return f"{self.shown.rstrip('/')}/{path}"


@frozen
class Searcher:
    """Searches in a workspace, by ripgrep where that is installed and would answer alike.

    Attributes:
        workspace: decides the paths.
        ripgrep: the program; ``None`` to do without.
        call: the call, whose executor keeps artifacts.
    """

    workspace: Workspace
    ripgrep: Ripgrep | None
    call: ToolContext | None = None

    def place(self, path: str) -> Place:
        """What is at a path, or an artifact by its name; an empty path is the workspace.

        Raises:
            WorkspaceError: there is nothing, or it is outside.
        """
        path = path or "."
        if path.startswith(artifacts.PREFIX):
            return Place(path, path, is_folder=False)
        try:
            real = self.workspace.real(path)
            is_folder = S_ISDIR(self.workspace.stat(real).st_mode)
        except MissingPathError as error:
            if _WILDCARDS.isdisjoint(path):
                raise
            hint = "A path is one folder or file; wildcards belong into a glob."
            raise MissingPathError(str(error), hint=hint) from None
        return Place(self.workspace.relative(path), real, is_folder)

    def search(self, place: Place, task: Task) -> Found:
        """The lines that match in a folder, or in one file whatever its name and content.

        Raises:
            TooSlowError: the time is over.
            WorkspaceError: it cannot be read.
        """
        if place.is_folder:
            with self._base(place, task.names) as base:
                if self.ripgrep and task.pattern.is_portable:
                    with suppress(UnusableError):
                        return self.ripgrep.search(base, task)
                    os.lseek(base.handle, 0, os.SEEK_SET)
                return OwnSearch().search(base, task)
        matcher = Matcher(task.pattern, task.patience)
        with self._file(place) as file:
            lines = lines_of(file.fileno(), matcher, task)
        is_complete = task.wanted != "lines" or len(lines) < task.enough
        return Found((Hits("", lines),) if lines else (), is_complete, Tally(searched=1))

    def files(self, place: Place, names: Names, patience: Patience) -> Listed:
        """The files in a folder, relative to it, in the order of their names.

        Raises:
            TooSlowError: the time is over.
            WorkspaceError: it cannot be read.
        """
        skipped = Skipped()
        with self._base(place, names) as base:
            walked = walk(base, names, skipped, patience=patience)
            return Listed([path for files in walked for path in files.paths], skipped)

    def newest_first(self, place: Place, paths: Sequence[str]) -> list[str]:
        """Files that were found, the last changed first."""
        folder = self.workspace.open_folder(place.real)
        try:
            return sorted(paths, key=lambda path: -_changed(folder, path))
        finally:
            os.close(folder)

    @contextmanager
    def opening(self, place: Place) -> Iterator[Callable[[str], int]]:
        """What opens files that were found: it gives a handle, to be closed.

        It raises ``OSError`` or ``WorkspaceError`` if a file is gone, or no longer what it was.

        Raises:
            WorkspaceError: the place is gone.
        """
        if not place.is_folder:
            yield lambda _: self._handle(place)
            return
        folder = self.workspace.open_folder(place.real)
        try:
            yield partial(open_below, folder)
        finally:
            os.close(folder)

    def _handle(self, place: Place) -> int:
        with self._file(place) as file:
            return os.dup(file.fileno())

    def _file(self, place: Place) -> io.FileIO:
        if place.real.startswith(artifacts.PREFIX):
            return artifacts.open_read(place.real, self.call)
        return self.workspace.open_read(place.real)

    @contextmanager
    def _base(self, place: Place, names: Names) -> Iterator[Base]:
        handle = self.workspace.open_folder(place.real)
        try:
            if not os.fstat(handle).st_nlink:  # it is held open, so that it seems to be empty
                message = "the workspace's folder is gone: it was removed or replaced"
                raise invalid(message)
            rules = Stack()
            if not names.include_ignored:
                rules = above(self.workspace, place.real, names.rules)
            absolute = os.path.normpath(self.workspace.root / place.real)
            yield Base(handle, absolute, place.real, rules)
        finally:
            os.close(handle)


def _changed(folder: int, path: str) -> int:
    try:
        return os.stat(path, dir_fd=folder, follow_symlinks=False).st_mtime_ns
    except OSError:  # gone since it was found
        return 0
