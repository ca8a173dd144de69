"""The files below a folder, in the order of their names; what is ignored is not entered."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, suppress

from attrs import field, frozen

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
class Entry:
    """A file that was found.

    Attributes:
        path: relative to the folder that is searched.
        folder: a handle on the folder it is in, open until the next entry is asked for.
    """

    path: str
    folder: int

    def open(self) -> int:
        """A handle on it, which does not follow what became a link meanwhile.

        Raises:
            OSError: it is gone, a link, or may not be read.
        """
        return os.open(self.path.rpartition("/")[2], _FILE, dir_fd=self.folder)


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
        prefix += f"{name}/"
        if stack.ignores(prefix):
            return rules.stack()
    return stack


def walk(base: Base, names: Names, skipped: Skipped, *, patience: Patience) -> Iterator[Entry]:
    """The regular files below a folder that are meant; links are not followed.

    Args:
        base: the folder.
        names: which files are meant.
        skipped: counts what is ignored, and folders that cannot be read.
        patience: for how long.

    Raises:
        TooSlowError: the time is over.
    """
    stack = Stack() if names.include_ignored else base.above
    yield from _Walk(base.prefix, names, skipped, patience).below(base.handle, "", stack)


@frozen
class _Walk:
    prefix: str
    names: Names
    skipped: Skipped
    patience: Patience

    def below(self, handle: int, path: str, stack: Stack) -> Iterator[Entry]:
        self.patience.left_s()
        with os.scandir(handle) as scanned:
            entries = sorted(scanned, key=lambda entry: os.fsencode(entry.name))
        if not self.names.include_ignored and self.names.rules.replace is None:
            names = [entry.name for entry in entries]
            stack = _entered(stack, handle, self.prefix + path, names=names)
        hidden = self.names.wants_hidden
        for entry in entries:
            name = entry.name
            if name[0] == "." and (not hidden or name == _REPOSITORY):
                continue
            if entry.is_file(follow_symlinks=False):
                yield from self._file(Entry(path + name, handle), stack)
            elif entry.is_dir(follow_symlinks=False):
                yield from self._folder(handle, path, name, stack=stack)

    def _file(self, entry: Entry, stack: Stack) -> Iterator[Entry]:
        if not self.names.admits(entry.path):
            return
        if stack.ignores(self.prefix + entry.path):
            self.skipped.ignored += 1
        else:
            yield entry

    def _folder(self, handle: int, path: str, name: str, *, stack: Stack) -> Iterator[Entry]:
        if stack.ignores(f"{self.prefix}{path}{name}/"):
            self.skipped.ignored += 1
            return
        try:
            inner = os.open(name, _FOLDER, dir_fd=handle)
        except OSError:
            self.skipped.unreadable += 1
            return
        try:
            yield from self.below(inner, f"{path}{name}/", stack)
        finally:
            os.close(inner)


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
