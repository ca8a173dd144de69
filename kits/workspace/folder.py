"""``ConfinedFolder``: a folder whose files are reached through a handle, and nothing else."""

import io
import os
from collections.abc import Iterable
from contextlib import AbstractContextManager, ExitStack, suppress
from pathlib import Path

from kits.errors import WorkspaceError, denied, from_os, invalid

from . import staged
from .closing import Closing
from .kinds import FolderEntry, entry_kind, kind_of
from .locks import FileLocks
from .paths import folded
from .places import Folder, Place, Places
from .protected import DEFAULT_PROTECTED, Protected
from .root import Confinement
from .walk import Making, Spot

#: A non-blocking open returns at once where a pipe would wait for a writer.
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY


class ConfinedFolder(Closing):
    """A folder and its files; nothing outside it is reached.

    Paths are relative to it, or absolute below it; links may lead anywhere inside. Every file is
    reached through a handle on the folder, so that no swap of a folder for a link while a tool
    runs leads outside. Its methods raise ``WorkspaceError``, whose text is for the model.

    Its arguments are ``Workspace``'s.

    Attributes:
        root: the folder's absolute path, links resolved.
        readable: more folders, whose files may be read, links resolved.
        protected: patterns of paths that are not written, at any depth.

    Raises:
        NotADirectoryError: ``root`` or one of ``readable`` is no folder.
        NotImplementedError: the host is no POSIX system.

    >>> ConfinedFolder(".").relative("./src/../README.md")
    'README.md'
    """

    def __init__(
        self,
        root: Folder = ".",
        *,
        readable: Iterable[Folder] = (),
        protected: Iterable[str] = DEFAULT_PROTECTED,
        durable: bool = True,
        confinement: Confinement = "auto",
    ) -> None:
        if os.name != "posix":
            message = "a workspace needs a POSIX host; on Windows, use WSL"
            raise NotImplementedError(message)
        self._places = Places(root, readable, confinement)
        self._protected = Protected(protected)
        self._durable = durable
        self._locks = FileLocks()
        self._swept: set[tuple[int, int]] = set()
        self.root: Path = self._places.root.path
        self.readable: tuple[Path, ...] = self._places.readable
        self.protected = self._protected.patterns
        self._opened()

    def _opened(self) -> None:
        """For what a subclass adds, once the folder is open."""

    def relative(self, path: str) -> str:
        """``path`` normalised by its text: ``.`` for the root, absolute in a readable folder.

        Raises:
            WorkspaceError: it is outside, or no path.
        """
        place = self._places.find(path)
        return place.shown(place.relative)

    def real(self, path: str) -> str:
        """Where ``path`` leads: as ``relative``, with every link followed; it need not exist.

        Raises:
            WorkspaceError: it leads outside, or a file stands for a folder on the way.
        """
        return self._places.find(path).real()

    def stat(self, path: str) -> os.stat_result:
        """The facts of a file or folder, links followed.

        Raises:
            WorkspaceError: it does not exist, or is outside.
        """
        place = self._places.find(path)
        with place.spot() as spot:
            try:
                return os.stat(spot.name, dir_fd=spot.fd, follow_symlinks=False)
            except OSError as error:
                raise place.explained(error) from None

    def open_read(self, path: str) -> io.FileIO:
        """A regular file, open for reading, unbuffered; opening it never blocks.

        Raises:
            WorkspaceError: it does not exist, is outside, or is no regular file.
        """
        fd = self._places.find(path).open(_READ)
        kind = kind_of(os.fstat(fd))
        if kind == "file":
            return io.FileIO(fd)
        os.close(fd)
        message = f"{path!r} is a {kind}, not a file"
        raise invalid(message)

    def open_folder(self, path: str) -> int:
        """A folder's handle, for ``scandir`` and ``dir_fd``; the caller closes it.

        Raises:
            WorkspaceError: it does not exist, is outside, or is no folder.
        """
        return self._places.find(path).open(_READ | os.O_DIRECTORY)

    def scandir(self, path: str) -> list[FolderEntry]:
        """What is in a folder, by name.

        Raises:
            WorkspaceError: as ``open_folder``.
        """
        fd = self.open_folder(path)
        try:
            with os.scandir(fd) as entries:
                found = [FolderEntry(entry.name, entry_kind(entry)) for entry in entries]
        finally:
            os.close(fd)
        return sorted(found, key=lambda entry: entry.name)

    def stage(
        self,
        path: str,
        pieces: Iterable[staged.Piece],
        *,
        exclusive: bool = False,
        mode: int | None = None,
    ) -> staged.Staged:
        """The new content of a file, complete on disk; ``commit`` puts it in its place.

        Missing folders are made. A link is followed and stays a link; mode and owner stay.

        Args:
            path: the file.
            pieces: the content, in order, taken as it is written.
            exclusive: refuse a file that exists.
            mode: permission bits, where they shall not stay as they are.

        Raises:
            WorkspaceError: the path is outside, protected or no file, or the disk is full.
        """
        place = self._writable(path)
        making = Making(self._protected.check)
        with ExitStack() as on_error:
            on_error.callback(self._remove_empty, making.made)
            with ExitStack() as until_taken:
                spot = until_taken.enter_context(place.spot(make=making))
                self._protected.check(spot.parts)
                try:
                    like = _replaced(spot, exclusive=exclusive)
                    self._sweep_once(spot)
                    until_taken.pop_all()
                    content = staged.stage(
                        spot, pieces, like=like, mode=mode, durable=self._durable
                    )
                except OSError as error:
                    raise from_os(error, path) from None
            content.on_close(on_error.pop_all().close)
        return content

    def write_bytes(
        self, path: str, *pieces: staged.Piece, exclusive: bool = False
    ) -> os.stat_result:
        """Write a file as a whole, or not at all; see ``stage``.

        Returns:
            The facts of the new file.

        Raises:
            WorkspaceError: as ``stage``; the old file is as it was.
        """
        with self.stage(path, pieces, exclusive=exclusive) as content:
            return content.commit()

    def remove(self, path: str, *, even_read_only: bool = False) -> None:
        """Delete a regular file; a link to one is refused.

        Args:
            path: the file.
            even_read_only: whether it may be one that this user may not write.

        Raises:
            WorkspaceError: it does not exist, is outside, protected or no regular file.
        """
        place = self._writable(path)
        with place.spot() as spot:
            self._protected.check(spot.parts)
            if spot.path != place.unfollowed():
                message = f"{path!r} is a link to {spot.path!r}"
                raise invalid(message, hint="Name the file itself, or remove links by a command.")
            try:
                _replaced(spot, exclusive=False, even_read_only=even_read_only)
                os.unlink(spot.name, dir_fd=spot.fd)
            except OSError as error:
                raise place.explained(error) from None

    def locked(self, *paths: str) -> AbstractContextManager[None]:
        """Hold the files that the paths lead to, against other edits through this workspace.

        Raises:
            WorkspaceError: as ``real``.
        """
        return self._locks.hold(*(folded(self.real(path)) for path in paths))

    def close(self) -> None:
        """Let go of the folder; it also goes with the object."""
        self._places.close()

    def _writable(self, path: str) -> Place:
        place = self._places.find(path)
        if not place.writable:
            message = f"{path!r} is in a folder that may only be read"
            raise denied(message, hint=f"What can be written is below {self.root}.")
        self._protected.check(tuple(place.relative.split("/")))
        if path.endswith("/"):
            message = f"{path!r} names a folder, not a file"
            raise invalid(
                message, hint="Leave out the '/' at the end. Folders come with their files."
            )
        return place

    def _remove_empty(self, folders: list[str]) -> None:
        """Take back what was made for a file that was not written; one with files stays."""
        for folder in reversed(folders):
            with suppress(WorkspaceError, OSError), self._places.find(folder).spot() as spot:
                os.rmdir(spot.name, dir_fd=spot.fd)

    def _sweep_once(self, spot: Spot) -> None:
        facts = os.fstat(spot.fd)
        folder = (facts.st_dev, facts.st_ino)
        if folder not in self._swept:
            staged.sweep(spot.fd)
            self._swept.add(folder)


def _replaced(
    spot: Spot, *, exclusive: bool, even_read_only: bool = False
) -> os.stat_result | None:
    """The facts of the file that will be replaced, which must be one that may be written."""
    try:
        facts = os.stat(spot.name, dir_fd=spot.fd, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if exclusive:
        raise FileExistsError(17, os.strerror(17))
    kind = kind_of(facts)
    if kind != "file":
        message = f"{spot.path!r} is a {kind}, not a file"
        raise invalid(message)
    if even_read_only:
        return facts
    # A rename would replace a read-only file too; who may not write it may not replace it.
    flags = os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    os.close(os.open(spot.name, flags, dir_fd=spot.fd))
    return facts
