"""The portable way below a root: one part at a time, from handle to handle.

No part is opened through a link: links are read and their text is walked in the same way, so that
a folder swapped for a link while we walk leads nowhere but inside.
"""

import errno
import os
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing, suppress
from typing import NoReturn

from attrs import field, frozen

from .closing import Closing
from .paths import parts_below

MAX_LINKS = 40
#: Linux opens folders it may pass but not list with ``O_PATH``; elsewhere a plain open must do.
PATH_ONLY = getattr(os, "O_PATH", os.O_RDONLY)

_NO_FOLDER = {errno.ENOTDIR, errno.ELOOP}
_RACES = 4
_FOLDER = PATH_ONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@frozen
class Making:
    """Leave to make missing folders on the way.

    Attributes:
        check: called with the parts of a path before a folder is made on the way to it; raises
            to refuse.
        made: the paths of those that were made, outermost first.
    """

    check: Callable[[tuple[str, ...]], None]
    made: list[str] = field(factory=list)


@frozen
class Spot(Closing):
    """Where a path leads: a handle on the folder and a name in it that is no link.

    Attributes:
        fd: the folder's handle, closed with the spot.
        name: the name in that folder; ``.`` for the folder itself. It need not exist.
        parts: the path from the root, all links followed.
    """

    fd: int
    name: str
    parts: tuple[str, ...]

    @property
    def path(self) -> str:
        """The path from the root as text, all links followed."""
        return "/".join(self.parts) or "."

    def close(self) -> None:
        """Close the handle."""
        os.close(self.fd)


def find(
    root: int, parts: Iterable[str], *, spellings: Iterable[str], make: Making | None = None
) -> Spot:
    """Where ``parts`` lead below the folder ``root``.

    Args:
        root: a handle, which stays open.
        parts: of a relative path.
        spellings: absolute paths that name the root; absolute links below one of them work.
        make: make missing folders on the way.

    Raises:
        OSError: ``EXDEV`` if the way leaves the root, ``ELOOP`` after 40 links, and whatever
            opening the folders on the way says.
    """
    way = _Way(root, parts, spellings=tuple(spellings), make=make)
    with ExitStack() as unless_found:
        unless_found.callback(way.close)
        spot = way.walk()
        unless_found.pop_all()
    return spot


def real(root: int, parts: Iterable[str], *, spellings: Iterable[str]) -> tuple[str, ...]:
    """``parts`` with all links followed; from the first part that is missing, by text.

    Raises:
        OSError: as ``find``, but for ``ENOENT``.
    """
    way = _Way(root, parts, spellings=tuple(spellings), make=None)
    with closing(way):
        try:
            return way.walk().parts
        except FileNotFoundError:
            return way.reached()


class _Way:
    def __init__(
        self,
        root: int,
        parts: Iterable[str],
        *,
        spellings: tuple[str, ...],
        make: Making | None,
    ) -> None:
        self._root = root
        self._spellings = spellings
        self._make = make
        self._pending = deque(parts)
        self._links = 0
        self._done: list[str] = []
        self._at = os.dup(root)

    def close(self) -> None:
        os.close(self._at)

    def walk(self) -> Spot:
        while self._pending:
            name = self._pending.popleft()
            if name in {"", "."}:
                continue
            if name == "..":
                self._climb()
            elif self._pending:
                self._enter(name)
            elif (text := self._link(name)) is not None:
                self._follow(text)
            else:
                return Spot(self._at, name, (*self._done, name))
        return Spot(self._at, ".", tuple(self._done))

    def reached(self) -> tuple[str, ...]:
        """What has been walked, and what is left of the way."""
        parts = parts_below("/".join([*self._done, *self._pending]), ())
        if parts is None:
            _refuse(errno.EXDEV)
        return tuple(parts)

    def _climb(self) -> None:
        """Walk to the folder above again from the root: a moved folder's ``..`` may be outside."""
        if not self._done:
            _refuse(errno.EXDEV)
        self._restart([*self._done[:-1], *self._pending])

    def _enter(self, name: str) -> None:
        for _ in range(_RACES):  # what is no folder now, and no link a moment later, was swapped
            try:
                folder = self._open(name)
            except OSError as error:
                if error.errno not in _NO_FOLDER:
                    self._pending.appendleft(name)
                    raise
                text = self._link(name)
                if text is not None:
                    self._follow(text)
                    return
            else:
                self._step_to(folder)
                self._done.append(name)
                return
        _refuse(errno.ENOTDIR)

    def _open(self, name: str) -> int:
        try:
            return os.open(name, _FOLDER, dir_fd=self._at)
        except FileNotFoundError:
            if self._make is None:
                raise
        self._make.check((*self._done, name, *self._pending))
        with suppress(FileExistsError):  # made by another at the same time
            os.mkdir(name, dir_fd=self._at)
            self._make.made.append("/".join([*self._done, name]))
        return os.open(name, _FOLDER, dir_fd=self._at)

    def _link(self, name: str) -> str | None:
        try:
            return os.readlink(name, dir_fd=self._at)
        except OSError as error:
            if error.errno in {errno.EINVAL, errno.ENOENT}:
                return None
            raise

    def _follow(self, text: str) -> None:
        self._links += 1
        if self._links > MAX_LINKS:
            _refuse(errno.ELOOP)
        if not text.startswith("/"):
            self._pending.extendleft(reversed(text.split("/")))
            return
        parts = parts_below(text, self._spellings)
        if parts is None:
            _refuse(errno.EXDEV)
        self._restart([*parts, *self._pending])

    def _restart(self, parts: list[str]) -> None:
        self._step_to(os.dup(self._root))
        self._done.clear()
        self._pending = deque(parts)

    def _step_to(self, fd: int) -> None:
        os.close(self._at)
        self._at = fd


def _refuse(code: int) -> NoReturn:
    raise OSError(code, os.strerror(code))
