"""The files below a folder, in the order of their names; what is ignored is not entered."""

import os
from bisect import bisect_left
from collections.abc import Generator
from contextlib import ExitStack, suppress
from stat import S_ISREG

from attrs import define, field, frozen

from kits.workspace import Workspace

from .ignores import NAMES, OwnRules, Stack
from .query import Names, Patience, Skipped

_REPOSITORY = ".git"
_MAX_IGNORE_BYTES = 1 << 20
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


@frozen
class Base:
    """The folder that is searched.

    Attributes:
        handle: open as long as the search.
        absolute: its absolute path.
        path: from the workspace; ``.`` for the workspace itself.
        above: the ignore files above it that count in it.
    """

    handle: int
    absolute: str
    path: str
    above: Stack = field(factory=Stack)

    @property
    def prefix(self) -> str:
        """What its entries begin with, seen from the workspace."""
        return "" if self.path == "." else f"{self.path}/"


@frozen
class Files:
    """Files of one folder, with none of another between them; none, at the end of a folder.

    Attributes:
        folder: its path below the folder that is searched: empty, or it ends in a slash.
        handle: on the folder, open until the next files are asked for.
        names: of the files.
        stack: the ignore files that count in the folder.
    """

    folder: str
    handle: int
    names: list[str]
    stack: Stack

    @property
    def paths(self) -> list[str]:
        """Their paths below the folder that is searched."""
        return [self.folder + name for name in self.names]

    def open(self, name: str) -> int:
        """A handle on one of them, which does not follow what became a link meanwhile.

        Raises:
            OSError: it is gone, a link, or may not be read.
        """
        return os.open(name, _FILE, dir_fd=self.handle)


def open_below(folder: int, path: str) -> int:
    """A handle on a file below a folder; no link is followed on the way.

    Raises:
        OSError: it is gone, there is a link on the way, or it may not be read.
    """
    *parents, name = path.split("/")
    inner = folder
    try:
        for parent in parents:
            outer, inner = inner, os.open(parent, _FOLDER, dir_fd=inner)
            if outer != folder:
                os.close(outer)
        return os.open(name, _FILE, dir_fd=inner)
    finally:
        if inner != folder:
            os.close(inner)


def above(workspace: Workspace, path: str, rules: OwnRules) -> Stack:
    """The ignore files in the folders above ``path`` that count in it, and an operator's rules.

    A folder that is itself ignored was asked for by its name: what ignores it does not count.
    """
    stack, prefix = rules.stack(), ""
    if path == "." or path.startswith("/"):  # below another root than the workspace
        return stack
    for name in path.split("/"):
        handle = workspace.open_folder(prefix or ".")
        try:
            with os.scandir(handle) as scanned:
                names = [entry.name for entry in scanned]
            if rules.replace is None:
                stack = _entered(stack, handle, prefix, names=names)
        finally:
            os.close(handle)
        if not stack.kept([name], prefix, folders=True):
            return rules.stack()
        prefix += f"{name}/"
    return stack


def walk(
    base: Base, names: Names, skipped: Skipped, *, patience: Patience
) -> Generator[Files, None, None]:
    """The regular files below a folder that are meant; links are not followed.

    Args:
        base: the folder.
        names: which files are meant.
        skipped: counts what is ignored, and folders that cannot be read.
        patience: for how long.

    Raises:
        TooSlowError: the time is over.
    """
    walking = _Walk(base.prefix, names, skipped, patience)
    levels = [walking.entered(base.handle, "", Stack() if names.include_ignored else base.above)]
    try:
        while levels:
            level = levels[-1]
            files, inner = walking.step(level)
            if files or not inner:
                yield Files(level.path, level.handle, files, level.stack)
            if inner:
                levels.append(inner)
            else:
                levels.pop()
                if levels:
                    os.close(level.handle)
    finally:
        for level in levels[1:]:
            os.close(level.handle)


@define
class _Level:
    """A folder on the way, and what of it is left.

    Attributes:
        handle: on it.
        path: below the folder that is searched.
        stack: the ignore files that count in it.
        files: in their order.
        folders: the last first.
    """

    handle: int
    path: str
    stack: Stack
    files: list[str]
    folders: list[str]


@frozen
class _Walk:
    prefix: str
    names: Names
    skipped: Skipped
    patience: Patience

    def entered(self, handle: int, path: str, stack: Stack) -> _Level:
        """A folder with all that is meant in it."""
        self.patience.left_s()
        with os.scandir(handle) as scanned:
            entries = list(scanned)
        names = [entry.name for entry in entries]
        files = [entry.name for entry in entries if entry.is_file(follow_symlinks=False)]
        folders = []
        if len(files) < len(entries):
            folders = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
        joined = "/".join(names)
        if joined.startswith(".") or "/." in joined:
            if not self.names.include_ignored and self.names.rules.replace is None:
                stack = _entered(stack, handle, self.prefix + path, names=names)
            files, folders = self._shown(files), self._shown(folders)
        order = None if joined.isascii() else os.fsencode
        files.sort(key=order)
        folders.sort(key=order, reverse=True)
        for glob in self.names.globs:
            files = [name for name in files if glob.matches(path + name)]
        return _Level(
            handle,
            path,
            stack,
            self._kept(stack, files, path, folders=False),
            self._kept(stack, folders, path, folders=True),
        )

    def step(self, level: _Level) -> tuple[list[str], _Level | None]:
        """The files up to the next folder, and that; ``None`` at the end."""
        files = level.files
        while level.folders:
            name = level.folders.pop()
            inner = self._inner(level, name)
            if inner:
                end = bisect_left(files, os.fsencode(name), key=os.fsencode) if files else 0
                level.files = files[end:]
                return files[:end], inner
        return files, None

    def _shown(self, names: list[str]) -> list[str]:
        """Those that are not hidden, unless hidden ones are meant; and git's own folder."""
        if not self.names.wants_hidden:
            return [name for name in names if name[0] != "."]
        if not self.names.wants_repository:
            return [name for name in names if name != _REPOSITORY]
        return names

    def _kept(self, stack: Stack, names: list[str], path: str, *, folders: bool) -> list[str]:
        if not names:
            return names
        kept = stack.kept(names, self.prefix + path, folders=folders)
        self.skipped.ignored += len(names) - len(kept)
        return kept

    def _inner(self, level: _Level, name: str) -> _Level | None:
        try:
            handle = os.open(name, _FOLDER, dir_fd=level.handle)
        except FileNotFoundError:  # gone since it was listed
            return None
        except OSError:
            self.skipped.unreadable += 1
            return None
        inner = None
        try:
            inner = self.entered(handle, f"{level.path}{name}/", level.stack)
        except OSError:
            self.skipped.unreadable += 1
        finally:
            if not inner:
                os.close(handle)
        return inner


def _entered(stack: Stack, handle: int, prefix: str, *, names: list[str]) -> Stack:
    files = {name: _text(handle, name) for name in NAMES if name in names}
    return stack.entered(files, prefix, is_repository=_REPOSITORY in names)


def _text(handle: int, name: str) -> str | None:
    """An ignore file; one that is a link is not read, as it may lead anywhere, nor is a pipe."""
    with suppress(OSError), ExitStack() as stack:
        fd = os.open(name, _FILE, dir_fd=handle)
        stack.callback(os.close, fd)
        if S_ISREG(os.fstat(fd).st_mode):
            return os.fsdecode(os.read(fd, _MAX_IGNORE_BYTES))
    return None
