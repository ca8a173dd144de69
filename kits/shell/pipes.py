"""The named pipes of one shell, in a private folder."""

import fcntl
import os
import sys
import tempfile
import termios
from contextlib import suppress
from pathlib import Path
from shutil import rmtree

from .scripts import CONTROL, OUTPUT, SCRIPTS, STATUS

_CHUNK = 1024 * 1024
_NEEDED = frozenset([OUTPUT, STATUS, CONTROL, *SCRIPTS])
_SHARED_MEMORY = "/dev/shm"  # noqa: S108 - the folder in it has a name of its own


class Pipes:
    """Pipes that bash opens by name, so that no command inherits a handle of ours.

    Each is open here for reading and for writing: then it has neither an end of file when a
    command closes it, nor a broken pipe when nobody reads.

    Attributes:
        folder: the private folder, mode 0700.
        output, status: handles for reading, which never block.
    """

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="qitos-", dir=in_memory()))
        self._handles: list[int] = []
        self.output, _ = self._make(OUTPUT)
        _enlarge(self.output)
        self.status, _ = self._make(STATUS)
        self._control_reader, self._control = self._make(CONTROL)

    def are_there(self) -> bool:
        """Whether bash finds them, and its scripts; commands may remove anything."""
        try:
            found = os.listdir(self.folder)  # noqa: PTH208 - once a command, and pathlib is slow
        except OSError:
            return False
        return _NEEDED.issubset(found)

    def write_control(self, data: bytes) -> None:
        """Give bash its next lines."""
        os.write(self._control, data)

    @property
    def control_bytes(self) -> int:
        """How much of what bash was given it has not read yet."""
        unread = bytearray(4)
        fcntl.ioctl(self._control_reader, termios.FIONREAD, unread)
        return int.from_bytes(unread, sys.byteorder)

    def discard_control(self) -> None:
        """Forget lines that a bash which is gone has not read."""
        read_all(self._control_reader)

    def close(self) -> None:
        """Close and remove all; again does nothing."""
        while self._handles:
            os.close(self._handles.pop())
        with suppress(OSError):
            rmtree(self.folder)

    def _make(self, name: str) -> tuple[int, int]:
        path = self.folder / name
        os.mkfifo(path, 0o600)
        reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        self._handles.append(reader)
        writer = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        self._handles.append(writer)
        return reader, writer


def _enlarge(handle: int) -> None:
    """Let a pipe hold more, so that a command which writes much is seldom interrupted by reading."""
    if sys.platform == "linux":
        with suppress(OSError):  # the user has too many of them
            fcntl.fcntl(handle, fcntl.F_SETPIPE_SZ, _CHUNK)


def in_memory() -> str | None:
    """Where files never reach a disk, which is faster and keeps the environment off it."""
    return _SHARED_MEMORY if os.access(_SHARED_MEMORY, os.W_OK | os.X_OK) else None


def read_all(handle: int, limit: int = _CHUNK) -> bytes:
    """What is in a pipe now; no more than ``limit``, since somebody may go on writing."""
    pieces = []
    with suppress(BlockingIOError):
        while limit > 0 and (piece := os.read(handle, limit)):
            pieces.append(piece)
            limit -= len(piece)
    return b"".join(pieces)
