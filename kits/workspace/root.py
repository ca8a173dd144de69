"""A folder held open: what is asked of it cannot lead outside it."""

import errno
import os
import sys
import weakref
from pathlib import Path
from typing import Literal

from . import walk
from .openat2 import Openat2

#: How paths are confined: by the kernel where it can, or by the portable walk.
Confinement = Literal["auto", "openat2", "walk"]

#: Answers of the kernel that only mean "not by this call": an absolute link, a busy tree.
_WALK_INSTEAD = {errno.EXDEV, errno.EAGAIN}
#: Answers to ``O_NOFOLLOW`` where a link is.
_A_LINK = {errno.ELOOP, errno.ENOTDIR}
_RACES = 8


class Root:
    """A folder by its handle.

    Attributes:
        path: the absolute path, links resolved.
        spellings: absolute paths that name it: as given, and resolved.
    """

    def __init__(self, folder: str | os.PathLike[str], confinement: Confinement = "auto") -> None:
        given = os.path.abspath(folder)  # noqa: PTH100 - must not resolve links, as Path does not
        self.path = Path(given).resolve()
        self.spellings = tuple(dict.fromkeys((str(self.path), given)))
        self._fd = os.open(given, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._closing = weakref.finalize(self, os.close, self._fd)
        self._kernel = _kernel(self._fd, confinement)

    @property
    def confinement(self) -> Confinement:
        """Which way is taken here."""
        return "openat2" if self._kernel else "walk"

    def open(self, relative: str, flags: int) -> int:
        """A handle on an existing file or folder below; links inside are followed.

        Raises:
            OSError: ``EXDEV`` if the way leads outside, and whatever ``open`` says.
        """
        if self._kernel:
            try:
                return self._kernel.open_beneath(self._fd, relative, flags)
            except OSError as error:
                if error.errno not in _WALK_INSTEAD:
                    raise
        return self._open_walking(relative, flags)

    def spot(self, relative: str, *, make: walk.Making | None = None) -> walk.Spot:
        """Where ``relative`` leads, to be closed; its last part need not exist.

        Raises:
            OSError: as ``walk.find``.
        """
        return walk.find(self._fd, relative.split("/"), spellings=self.spellings, make=make)

    def real(self, relative: str) -> str:
        """Where ``relative`` leads, all links followed; it and folders on the way may be missing.

        Raises:
            OSError: as ``walk.find``.
        """
        parts = walk.real(self._fd, relative.split("/"), spellings=self.spellings)
        return "/".join(parts) or "."

    def close(self) -> None:
        """Let go of the folder; again does nothing."""
        self._fd = -1
        self._closing()

    def _open_walking(self, relative: str, flags: int) -> int:
        """Walk, and walk again if the last part became a link in between."""
        flags |= os.O_NOFOLLOW | os.O_CLOEXEC
        refusal = OSError()
        for _ in range(_RACES):
            with self.spot(relative) as spot:
                try:
                    return os.open(spot.name, flags, dir_fd=spot.fd)
                except OSError as error:
                    if error.errno not in _A_LINK:
                        raise
                    refusal = error
        raise refusal


def _kernel(fd: int, confinement: Confinement) -> Openat2 | None:
    if confinement == "walk" or (confinement == "auto" and not sys.platform.startswith("linux")):
        return None
    kernel = Openat2()
    if kernel.works(fd):
        return kernel
    if confinement == "openat2":
        raise OSError(errno.ENOSYS, "openat2 does not work here; use confinement='walk'")
    return None
