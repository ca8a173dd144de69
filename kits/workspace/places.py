"""From a path as a model writes it to a handle, and from a refusal to an explanation."""

import errno
import os
from collections.abc import Iterable
from pathlib import Path

from attrs import field, frozen

from kits.errors import MissingPathError, WorkspaceError, denied, from_os

from . import near
from .paths import check_text, parts_below
from .root import Confinement, Root
from .walk import Making, Spot

Folder = str | os.PathLike[str]


@frozen
class Place:
    """A path by its text: below which root, and where.

    Attributes:
        text: as the model wrote it.
        relative: normalised; ``.`` is the root.
        writable: whether the root may be written at all.
    """

    text: str
    root: Root = field(repr=False)
    relative: str
    writable: bool

    def shown(self, relative: str) -> str:
        """A path below this root as tools name it: relative, or absolute in a readable root."""
        return relative if self.writable else os.path.normpath(self.root.path / relative)

    def open(self, flags: int) -> int:
        """A handle on what is there.

        Raises:
            WorkspaceError: it leads outside, does not exist, or cannot be opened.
        """
        try:
            return self.root.open(self.relative, flags)
        except OSError as error:
            raise self.explained(error) from None

    def spot(self, *, make: Making | None = None) -> Spot:
        """The folder and the name it leads to, which need not exist.

        Raises:
            WorkspaceError: it leads outside, or no folder is on the way.
        """
        try:
            return self.root.spot(self.relative, make=make)
        except OSError as error:
            raise self.explained(error) from None

    def real(self) -> str:
        """The path that tools name, all links followed; what is missing is missing.

        Raises:
            WorkspaceError: it leads outside, or a file stands for a folder on the way.
        """
        try:
            return self.shown(self.root.real(self.relative))
        except OSError as error:
            raise self.explained(error) from None

    def unfollowed(self) -> str:
        """As ``real``, but the last part is as it is written, link or not.

        Raises:
            WorkspaceError: the folder is outside, or a file stands for it.
        """
        folder, _, name = self.relative.rpartition("/")
        above = self.root.real(folder) if folder else "."
        return name if above == "." else f"{above}/{name}"

    def explained(self, error: OSError) -> WorkspaceError:
        """The refusal, with what would be right instead."""
        if error.errno == errno.EXDEV:
            message = f"{self.text!r} is a link, or below one, that leads outside the workspace"
            return denied(message, hint="Links may lead only to what is inside the workspace.")
        if error.errno == errno.ENOENT:
            return self._missing()
        return from_os(error, self.text)

    def _missing(self) -> MissingPathError:
        try:
            target = self.root.real(self.relative)
        except OSError:  # it moves while we look
            target = self.relative
        message = f"{self.text!r} does not exist"
        if target != self.relative:
            message = f"{self.text!r} leads to {self.shown(target)!r}, which does not exist"
        return MissingPathError(message, hint=near.hint(self.root, target))


class Places:
    """The roots of a workspace: one that may be written, and more that may be read."""

    def __init__(self, root: Folder, readable: Iterable[Folder], confinement: Confinement) -> None:
        more = (readable,) if isinstance(readable, str | os.PathLike) else readable
        self._roots = [_opened(folder, confinement) for folder in (root, *more)]

    @property
    def root(self) -> Root:
        """The root that may be written."""
        return self._roots[0]

    @property
    def readable(self) -> tuple[Path, ...]:
        """The folders that may only be read, links resolved."""
        return tuple(root.path for root in self._roots[1:])

    def find(self, path: str) -> Place:
        """The place of ``path``, by its text alone.

        Raises:
            WorkspaceError: it is no path, or outside every root.
        """
        check_text(path)
        for root in self._roots:
            parts = parts_below(path, root.spellings)
            if parts is not None:
                writable = root is self.root
                return Place(path, root, "/".join(parts) or ".", writable)
            if not path.startswith("/"):
                break
        message = f"{path!r} is outside the workspace"
        raise denied(message, hint=self._allowed(path))

    def close(self) -> None:
        """Let go of the folders."""
        for root in self._roots:
            root.close()

    def _allowed(self, path: str) -> str:
        text = f"Use a path relative to the workspace, or absolute below {self.root.path}"
        more = [str(root.path) for root in self._roots[1:]]
        text = f"{text}; {', '.join(more)} can be read." if more else f"{text}."
        meant = near.inside(self.root, path)
        return f"{text} Did you mean {meant!r}?" if meant else text


def _opened(folder: Folder, confinement: Confinement) -> Root:
    try:
        return Root(folder, confinement)
    except (FileNotFoundError, NotADirectoryError):
        message = f"{os.fspath(folder)!r} is no folder; a workspace needs one that exists"
        raise NotADirectoryError(message) from None
