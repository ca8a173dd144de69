"""States of a folder as copies of its files, where git is not installed; all files count."""

import os
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from stat import S_IMODE, S_ISDIR, S_ISLNK, S_ISREG

from attrs import field, frozen

from .git_patch import Side, file_patch

_EXECUTABLE = 0o111


@frozen
class Entry:
    """One name of a folder.

    Attributes:
        kind: ``file``, ``link`` or ``folder``.
        mode: the permission bits.
        content: of a file the name of its copy, of a link where it leads.
        facts: what tells an unchanged file without reading it.
    """

    kind: str
    mode: int
    content: str = ""
    facts: tuple[int, ...] = field(default=(), eq=False)


State = dict[str, Entry]


class CopyStore:
    """Takes states of a folder and brings them back; ``.git`` folders are left alone.

    Args:
        root: the folder.
        store: an empty folder outside of it.
    """

    def __init__(self, root: Path, store: Path) -> None:
        self._root = root
        self._store = store
        self._last: State = {}

    def take(self) -> State:
        """The folder as it is now; what has not changed since the last time is not read."""
        self._last = dict(self._entries(""))
        return self._last

    def restore(self, state: State) -> None:
        """Make the folder what it was."""
        now = self.take()
        for name in sorted(now, reverse=True):
            if name not in state or state[name].kind != now[name].kind:
                path = self._root / name
                path.rmdir() if now[name].kind == "folder" else path.unlink()
        for name in sorted(state):
            if now.get(name) != state[name]:
                self._make(name, state[name])

    def diff(self, old: State, new: State) -> str:
        """What leads from one state to another, as a patch that git applies."""
        names = sorted({*old, *new})
        return "".join(
            file_patch(name, self._side(old.get(name)), self._side(new.get(name)))
            for name in names
            if old.get(name) != new.get(name)
        )

    def _entries(self, folder: str) -> Iterator[tuple[str, Entry]]:
        with os.scandir(self._root / folder) as scanned:
            found = sorted(scanned, key=lambda entry: entry.name)
        for entry in found:
            name = f"{folder}{entry.name}"
            facts = entry.stat(follow_symlinks=False)
            mode = S_IMODE(facts.st_mode)
            if S_ISLNK(facts.st_mode):
                yield name, Entry("link", 0, str(Path(entry.path).readlink()))
            elif S_ISREG(facts.st_mode):
                yield name, self._file(name, facts)
            elif S_ISDIR(facts.st_mode) and entry.name != ".git":
                yield name, Entry("folder", mode)
                yield from self._entries(f"{name}/")

    def _file(self, name: str, facts: os.stat_result) -> Entry:
        known = (facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns)
        last = self._last.get(name)
        if last is not None and last.facts == known:
            return last
        data = (self._root / name).read_bytes()
        content = sha256(data).hexdigest()
        copy = self._store / content
        if not copy.exists():
            copy.write_bytes(data)
        return Entry("file", S_IMODE(facts.st_mode), content, known)

    def _make(self, name: str, entry: Entry) -> None:
        path = self._root / name
        if entry.kind == "link":
            path.unlink(missing_ok=True)
            path.symlink_to(entry.content)
            return
        if entry.kind == "folder":
            path.mkdir(exist_ok=True)
        else:
            path.unlink(missing_ok=True)  # another name of the same file keeps its bytes
            shutil.copyfile(self._store / entry.content, path)
        path.chmod(entry.mode)

    def _side(self, entry: Entry | None) -> Side | None:
        """The entry as a patch sees it; a folder is nothing to it."""
        if entry is None or entry.kind == "folder":
            return None
        if entry.kind == "link":
            return Side("120000", os.fsencode(entry.content))
        mode = "100755" if entry.mode & _EXECUTABLE else "100644"
        return Side(mode, (self._store / entry.content).read_bytes())
