"""Atomic writes: the new content is whole and on disk before it takes the name.

On Linux the content has no name until then (``O_TMPFILE``), so that even ``kill -9`` leaves no
temporary file; elsewhere, and in the moment between naming and renaming, a file of a dead process
is swept by the next write in that folder.
"""

import errno
import os
import re
import secrets
from collections.abc import Callable, Iterable
from contextlib import ExitStack

from attrs import frozen

from kits.errors import from_os

from . import attributes
from .closing import Closing
from .walk import Spot
from .writeback import STEP_BYTES, WriteBack


@frozen
class FileRange:
    """Bytes of an open file, copied without being read into memory where the system can.

    Attributes:
        fd: the file.
        offset, length: in bytes.
    """

    fd: int
    offset: int
    length: int


Piece = bytes | memoryview | FileRange

_ANONYMOUS = getattr(os, "O_TMPFILE", 0)
_NO_ANONYMOUS = {errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT}
#: Between some file systems, and on some, the kernel does not copy.
_NO_COPYING = {errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EBADF}
_COPIED_BYTES = 1 << 20
_NAME = re.compile(r"\.qitos-(\d+)-[0-9a-f]{16}\.tmp")


def stage(
    spot: Spot,
    pieces: Iterable[Piece],
    *,
    like: os.stat_result | None,
    mode: int | None = None,
    durable: bool = True,
    anonymous: bool = True,
) -> "Staged":
    """The pieces as new content for ``spot``, complete on disk; it takes over the spot.

    Args:
        spot: where the content shall be.
        pieces: the content, in order.
        like: the facts of the file it replaces, whose mode and owner it keeps; ``None`` for a
            new file, which is refused if the name is taken by then.
        mode: its permission bits, where they shall be others than those of ``like``.
        durable: wait until the disk has it.
        anonymous: without a name until the end, where the system can.

    Raises:
        OSError: the disk is full, or the like; nothing has happened then.
    """
    with ExitStack() as on_error:
        on_error.callback(spot.close)
        staged = Staged(spot, replaces=like is not None, durable=durable, anonymous=anonymous)
        on_error.pop_all()
        on_error.callback(staged.close)
        staged.fill(pieces, like, mode)
        on_error.pop_all()
    return staged


class Staged(Closing):
    """New content of one file, complete, waiting to take its name.

    ``commit`` gives it the name; leaving the ``with`` block without it drops it.
    """

    def __init__(self, spot: Spot, *, replaces: bool, durable: bool, anonymous: bool) -> None:
        self._spot = spot
        self._replaces = replaces
        self._durable = durable
        self._temporary: str | None = None
        self._size = self._given = 0
        self._closing = ExitStack()
        self._writeback: WriteBack | None = None
        self._fd = self._open(anonymous=anonymous)

    def fill(self, pieces: Iterable[Piece], like: os.stat_result | None, mode: int | None) -> None:
        """Write the content, and give it the mode and owner of ``like``, or this mode.

        Raises:
            OSError: the disk is full, or the like.
        """
        for piece in pieces:
            if isinstance(piece, FileRange):
                self._copy(piece)
            else:
                self._write(piece)
        if like is not None:
            attributes.keep(self._fd, like, self._spot)
        if mode is not None:
            os.fchmod(self._fd, mode)
        if self._durable:
            os.fsync(self._fd)

    def commit(self) -> os.stat_result:
        """Give the content its name, and wait until the disk has that too.

        Returns:
            The facts of the file as it is now.

        Raises:
            WorkspaceError: as ``rename`` and ``settle``.
        """
        facts = self.rename()
        self.settle()
        return facts

    def rename(self) -> os.stat_result:
        """Give the content its name; what had the name is gone in the same instant.

        Returns:
            The facts of the file as it is now.

        Raises:
            WorkspaceError: the name was taken meanwhile, for a new file, or the like.
        """
        try:
            self._name()
        except OSError as error:
            raise from_os(error, self._spot.path) from None
        return os.fstat(self._fd)

    def settle(self) -> None:
        """Wait until the disk has the name, if writes are to be durable.

        Raises:
            WorkspaceError: the disk fails.
        """
        try:
            if self._durable:
                _sync_folder(self._spot.fd)
        except OSError as error:
            raise from_os(error, self._spot.path) from None

    def on_close(self, act: Callable[[], None]) -> None:
        """What else to do when this is closed, after ``commit`` or without it."""
        self._closing.callback(act)

    def close(self) -> None:
        """Drop what has not been committed."""
        os.close(self._fd)
        if self._temporary is not None:
            os.unlink(self._temporary, dir_fd=self._spot.fd)
        self._spot.close()
        self._closing.close()

    def _write(self, piece: bytes | memoryview) -> None:
        rest = memoryview(piece)
        while rest:
            written = os.write(self._fd, rest[:STEP_BYTES])
            rest = rest[written:]
            self._wrote(written)

    def _copy(self, piece: FileRange) -> None:
        at, stop = piece.offset, piece.offset + piece.length
        while at < stop:
            copied = _copied(piece.fd, self._fd, at, length=min(stop - at, STEP_BYTES))
            if not copied:
                raise OSError(errno.ESTALE, "the file became shorter while it was copied")
            at += copied
            self._wrote(copied)

    def _wrote(self, length: int) -> None:
        """Count what was written; the disk begins with it while we go on."""
        self._size += length
        behind = self._size - self._given
        if self._durable and behind >= STEP_BYTES:
            self._writeback = self._writeback or WriteBack()
            self._writeback.begin(self._fd, self._given, behind)
            self._given = self._size

    def _open(self, *, anonymous: bool) -> int:
        flags = os.O_WRONLY | os.O_CLOEXEC
        mode = 0o600 if self._replaces else 0o666  # of a new file the umask takes its part
        if anonymous and _ANONYMOUS and os.path.isdir("/proc/self/fd"):  # noqa: PTH112 - a plain look
            try:
                return os.open(".", flags | _ANONYMOUS, mode, dir_fd=self._spot.fd)
            except OSError as error:
                if error.errno not in _NO_ANONYMOUS:
                    raise
        name = _temporary_name()
        flags |= os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        fd = os.open(name, flags, mode, dir_fd=self._spot.fd)
        self._temporary = name
        return fd

    def _name(self) -> None:
        if self._replaces:
            self._rename()
        elif self._temporary is None:
            self._link(self._spot.name)
        else:
            self._claim()
            self._rename()

    def _link(self, name: str) -> None:
        source = f"/proc/self/fd/{self._fd}"
        os.link(source, name, dst_dir_fd=self._spot.fd, follow_symlinks=True)

    def _claim(self) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        os.close(os.open(self._spot.name, flags, dir_fd=self._spot.fd))

    def _rename(self) -> None:
        if self._temporary is None:
            name = _temporary_name()
            self._link(name)
            self._temporary = name
        folder = self._spot.fd
        os.rename(self._temporary, self._spot.name, src_dir_fd=folder, dst_dir_fd=folder)
        self._temporary = None


def sweep(folder: int) -> None:
    """Remove temporary files that dead processes left in this folder."""
    listed = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
    try:
        for name in os.listdir(listed):  # noqa: PTH208 - a handle is no path
            match = _NAME.fullmatch(name)
            if match and not _is_alive(int(match[1])):
                os.unlink(name, dir_fd=listed)
    finally:
        os.close(listed)


def _copied(source: int, target: int, offset: int, *, length: int) -> int:
    """Copy at most ``length`` bytes to where ``target`` stands; how many."""
    if hasattr(os, "copy_file_range"):
        try:
            return os.copy_file_range(source, target, length, offset)
        except OSError as error:
            if error.errno not in _NO_COPYING:
                raise
    return os.write(target, os.pread(source, min(length, _COPIED_BYTES), offset))


def _temporary_name() -> str:
    return f".qitos-{os.getpid()}-{secrets.token_hex(8)}.tmp"


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _sync_folder(folder: int) -> None:
    fd = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
