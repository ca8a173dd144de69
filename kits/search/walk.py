"""The files below a folder, in the order of their names; what is ignored is not entered."""

import os
from collections.abc import Generator
from contextlib import ExitStack, suppress
from operator import attrgetter

from attrs import define, field, frozen

from kits.workspace import Workspace

from .ignores import NAMES, FolderRules, OwnRules, Stack
from .query import Names, Patience, Skipped

_REPOSITORY = ".git"
_NAME = attrgetter("name")
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
    """Files of one folder, with none of another between them.

    Attributes:
        folder: its path below the folder that is searched: empty, or it ends in a slash.
        handle: on the folder, open until the next files are asked for.
        names: of the files.
    """

    folder: str
    handle: int
    names: list[str]

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
    with ExitStack() as stack:
        for parent in parents:
            folder = os.open(parent, _FOLDER, dir_fd=folder)
            stack.callback(os.close, folder)
        return os.open(name, _FILE, dir_fd=folder)


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
        if stack.inside(prefix).ignores_folder(name):
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
            if files:
                yield Files(level.path, level.handle, files)
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
    """A folder on the way, and what of it is left, the last first."""

    handle: int
    path: str
    stack: Stack
    rules: FolderRules
    left: list["os.DirEntry[str]"]


@frozen
class _Walk:
    prefix: str
    names: Names
    skipped: Skipped
    patience: Patience

    def entered(self, handle: int, path: str, stack: Stack) -> _Level:
        """A folder with all its entries."""
        self.patience.left_s()
        with os.scandir(handle) as scanned:
            entries = list(scanned)
        names = [entry.name for entry in entries]
        entries.sort(key=_NAME if "".join(names).isascii() else _name_bytes, reverse=True)
        inside = self.prefix + path
        if not self.names.include_ignored and self.names.rules.replace is None:
            stack = _entered(stack, handle, inside, names=names)
        return _Level(handle, path, stack, stack.inside(inside), entries)

    def step(self, level: _Level) -> tuple[list[str], _Level | None]:
        """The files up to the next folder, and that; ``None`` at the end."""
        files: list[str] = []
        left, hidden = level.left, self.names.wants_hidden
        repository = self.names.wants_repository
        while left:
            entry = left.pop()
            name = entry.name
            if name[0] == "." and (not hidden or (name == _REPOSITORY and not repository)):
                continue
            if entry.is_file(follow_symlinks=False):
                files.append(name)
            elif entry.is_dir(follow_symlinks=False) and (inner := self._inner(level, name)):
                return self._meant(level, files), inner
        return self._meant(level, files), None

    def _meant(self, level: _Level, files: list[str]) -> list[str]:
        for glob in self.names.globs:
            files = [name for name in files if glob.matches(level.path + name)]
        kept = level.rules.kept(files)
        self.skipped.ignored += len(files) - len(kept)
        return kept

    def _inner(self, level: _Level, name: str) -> _Level | None:
        if level.rules.ignores_folder(name):
            self.skipped.ignored += 1
            return None
        try:
            with ExitStack() as opened:
                handle = os.open(name, _FOLDER, dir_fd=level.handle)
                opened.callback(os.close, handle)
                inner = self.entered(handle, f"{level.path}{name}/", level.stack)
                opened.pop_all()
        except FileNotFoundError:  # gone since it was listed
            return None
        except OSError:
            self.skipped.unreadable += 1
            return None
        return inner


def _name_bytes(entry: "os.DirEntry[str]") -> bytes:
    return os.fsencode(entry.name)


def _entered(stack: Stack, handle: int, prefix: str, *, names: list[str]) -> Stack:
    files = {}
    for name in NAMES:
        if name in names:
            with suppress(OSError):
                files[name] = _text(handle, name)
    return stack.entered(files, prefix, is_repository=_REPOSITORY in names)


def _text(handle: int, name: str) -> str:
    """An ignore file; one that is a link is not read, as it may lead anywhere."""
    fd = os.open(name, _FILE, dir_fd=handle)
    try:
        return os.fsdecode(os.read(fd, _MAX_IGNORE_BYTES))
    finally:
        os.close(fd)
