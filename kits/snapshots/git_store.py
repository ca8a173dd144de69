"""States of a folder in a private git object store; the folder's own repository is not touched.

Git's plumbing runs on a directory, an index and a configuration of ours, so that neither hooks nor
filters nor settings of the folder or of the user have a say, and bytes stay as they are.
"""

import os
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE, S_ISREG

from attrs import field, frozen

from kits import programs

_ATTRIBUTES = "* -text -eol -filter -ident -working-tree-encoding\n"
_CONFIG = f"""
[core]
    autocrlf = false
    fileMode = true
    hooksPath = {os.devnull}
    protectNTFS = false
    protectHFS = false
    compression = 1
[gc]
    auto = 0
"""


#: Files of an index that ignore rules name.
_IGNORED = ("-z", "-c", "-i", "--exclude-standard")
#: What tells git to use a repository of ours.
_OURS = frozenset(["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"])


@frozen
class State:
    """A folder as it was.

    Attributes:
        tree: git's name for its files.
        modes: their permission bits, which git does not keep all.
        empty: folders without files.
    """

    tree: str
    modes: dict[str, int] = field(repr=False)
    empty: frozenset[str] = field(repr=False)


class GitStore:
    """Takes states of a folder and brings them back.

    Files that ignore rules name are left alone, unless the folder's own repository has them.

    Args:
        root: the folder.
        store: an empty folder outside of it.

    Raises:
        OSError: git cannot be started.
        subprocess.CalledProcessError: git fails.
    """

    def __init__(self, root: Path, store: Path) -> None:
        self._root = root
        self._env = {
            "PATH": programs.folders(),
            "HOME": str(store),
            "LC_ALL": "C",
            "GIT_DIR": str(store / "git"),
            "GIT_WORK_TREE": str(root),
            "GIT_INDEX_FILE": str(store / "index"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_TERMINAL_PROMPT": "0",
        }
        self._nested: set[str] = set()
        self._git("init", "-q", "--template=")
        with (store / "git" / "config").open("a") as config:
            config.write(_CONFIG)
        attributes = store / "git" / "info" / "attributes"
        attributes.parent.mkdir(exist_ok=True)
        attributes.write_text(_ATTRIBUTES)

    def take(self) -> State:
        """The folder as it is now."""
        self._index()
        tree = self._git("write-tree").decode().strip()
        modes = {}
        for name in _names(self._git("ls-files", "-z")):
            facts = os.lstat(self._root / name)
            if S_ISREG(facts.st_mode):
                modes[name] = S_IMODE(facts.st_mode)
        return State(tree, modes, frozenset(self._hollow()))

    def restore(self, state: State) -> None:
        """Make the folder what it was."""
        held = _names(self._git("ls-tree", "-r", "-z", "--name-only", state.tree))
        self._restore_ignore_rules(state, held)
        now = self.take()
        self._leave_ignored(held)
        self._git("read-tree", "--reset", "-u", state.tree)
        for name in sorted(now.empty - state.empty, reverse=True):
            self._remove_hollow(self._root / name)
        for name in state.empty:
            (self._root / name).mkdir(parents=True, exist_ok=True)
        for name, mode in state.modes.items():
            path = self._root / name
            if S_IMODE(path.lstat().st_mode) != mode:
                path.chmod(mode)

    def diff(self, old: State, new: State) -> str:
        """What leads from one state to another, as a patch that git applies."""
        options = ("-r", "-p", "--binary", "--full-index", "--no-renames", "--no-color")
        patch = self._git("diff-tree", *options, old.tree, new.tree)
        return patch.decode("utf-8", "surrogateescape")

    def _remove_hollow(self, folder: Path) -> None:
        """Remove a folder, and those above it that hold nothing else."""
        with suppress(OSError):  # it holds what ignore rules name
            while folder != self._root:
                folder.rmdir()
                folder = folder.parent

    def _restore_ignore_rules(self, state: State, held: list[str]) -> None:
        """Ignore rules first: what they named is no part of the state, and must not be removed."""
        now = set(_ignore_files(_names(self._git("ls-files", "-z", "-c", "-o"))))
        then = list(_ignore_files(held))
        for name in now.difference(then):
            (self._root / name).unlink(missing_ok=True)
        if then:
            options = ("--pathspec-from-file=-", "--pathspec-file-nul")
            listed = _listed(then)
            self._git("--literal-pathspecs", "checkout", "-q", state.tree, *options, given=listed)

    def _leave_ignored(self, held: list[str]) -> None:
        """Forget what the rules name and only later states had, which is not to be removed."""
        ignored = set(_names(self._git("ls-files", *_IGNORED)))
        listed = _listed(ignored.difference(held))
        self._git("update-index", "--force-remove", "-z", "--stdin", given=listed)

    def _index(self) -> None:
        """Bring our index up to date with the folder."""
        others = _names(self._git("ls-files", "-z", "-o", "--exclude-standard"))
        self._nested = {name.rstrip("/") for name in others if name.endswith("/")} | {
            name for name in self._nested if (self._root / name / ".git").exists()
        }
        without = [f":(exclude,literal){name}" for name in self._nested]
        self._git("add", "-A", "--ignore-errors", "--", ".", *without, accepts=(0, 1))
        if self._nested:
            self._index_nested()
        tracked = filter(self._is_file, self._tracked_though_ignored())
        self._git("update-index", "--add", "-z", "--stdin", given=_listed(tracked))

    def _tracked_though_ignored(self) -> list[str]:
        """Files that ignore rules name and the folder's own repository has all the same."""
        env = {name: value for name, value in self._env.items() if name not in _OURS}
        command = ["git", "-c", "core.fsmonitor=false", "ls-files", *_IGNORED]
        done = subprocess.run(command, cwd=self._root, env=env, capture_output=True, check=False)
        return _names(done.stdout)  # nothing where there is no repository

    def _is_file(self, name: str) -> bool:
        """Whether a file or a link is there, and not behind a link."""
        path = self._root / name
        is_inside = path.parent.resolve() == self._root.resolve() / Path(name).parent
        return is_inside and (path.is_symlink() or path.is_file())

    def _index_nested(self) -> None:
        """Files of repositories inside the folder, which git would take for links to commits."""
        cached = _names(self._git("--literal-pathspecs", "ls-files", "-z", "--", *self._nested))
        files = {*cached, *(name for top in self._nested for name in self._below(top))}
        options = ("--add", "--remove", "--replace", "-z", "--stdin")
        self._git("update-index", *options, given=_listed(files))

    def _hollow(self) -> Iterable[str]:
        """Folders without files of the state, and those in them."""
        listed = _names(self._git("ls-files", "-z", "-o", "--directory", "--exclude-standard"))
        tops = {name.rstrip("/") for name in listed} - self._nested
        if not tops:
            return
        options = ("-z", "-o", "-i", "--directory", "--exclude-standard")
        ignored = {name.rstrip("/") for name in _names(self._git("ls-files", *options))}
        for top in tops:
            for folder, folders, _ in os.walk(self._root / top):
                path = Path(folder)
                inside = {name: str((path / name).relative_to(self._root)) for name in folders}
                folders[:] = [name for name in folders if inside[name] not in ignored]
                yield str(path.relative_to(self._root))

    def _below(self, top: str) -> Iterable[str]:
        for folder, folders, files in os.walk(self._root / top):
            folders[:] = [name for name in folders if name != ".git"]
            relative = Path(folder).relative_to(self._root)
            links = [name for name in folders if (Path(folder) / name).is_symlink()]
            yield from (str(relative / name) for name in [*files, *links] if name != ".git")

    def _git(self, *arguments: str, given: bytes = b"", accepts: tuple[int, ...] = (0,)) -> bytes:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self._root,
            env=self._env,
            input=given,
            capture_output=True,
            check=False,
        )
        if done.returncode not in accepts:
            done.check_returncode()
        return done.stdout


def _names(listed: bytes) -> list[str]:
    return [os.fsdecode(name) for name in listed.split(b"\0") if name]


def _listed(names: Iterable[str]) -> bytes:
    return b"\0".join(map(os.fsencode, sorted(names)))


def _ignore_files(names: Iterable[str]) -> Iterable[str]:
    return (name for name in names if name.rpartition("/")[2] == ".gitignore")
