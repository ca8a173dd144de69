"""Checkpoints of a folder: taken, compared, brought back."""

import shutil
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from kits import programs
from kits.errors import WorkspaceError, invalid
from qitos_like.core.jsontypes import Json
from qitos_like.core.results import ErrorCode

from .copy_store import CopyStore
from .git_store import GitStore


class _Store(Protocol):
    """What keeps states; each kind has states of its own, which nobody else reads."""

    def take(self) -> Json: ...
    def restore(self, state: Json) -> None: ...
    def diff(self, old: Json, new: Json) -> str: ...


class Snapshots:
    """The checkpoints of one folder, in a private folder outside of it, made when first needed.

    Args:
        root: the folder.
        with_git: whether to use git, which leaves alone what ignore rules name, or copies of all
            files; ``None``: git where it is installed.
    """

    def __init__(self, root: Path, *, with_git: bool | None = None) -> None:
        self._root = root
        self._with_git = with_git
        self._states: dict[str, Json] = {}
        self._lock = threading.Lock()
        self._store: _Store | None = None

    def checkpoint(self) -> str:
        """Remember the folder as it is; the name to bring it back by.

        Raises:
            WorkspaceError: it cannot be read.
        """
        with self._lock, _explained():
            name = f"checkpoint-{len(self._states) + 1}"
            self._states[name] = self._opened().take()
            return name

    def restore(self, name: str) -> None:
        """Make the folder what it was at a checkpoint.

        Raises:
            WorkspaceError: there is no such checkpoint, or the folder cannot be written.
        """
        with self._lock, _explained():
            self._opened().restore(self._state(name))

    def diff(self, since: str | None = None) -> str:
        """What has changed since a checkpoint, or since the first, as a patch that git applies.

        Raises:
            WorkspaceError: there is no such checkpoint, or the folder cannot be read.
        """
        with self._lock, _explained():
            state = self._state(since or "checkpoint-1")
            store = self._opened()
            return store.diff(state, store.take())

    def _state(self, name: str) -> Json:
        if name not in self._states:
            known = ", ".join(self._states) or "none; take one at the start"
            message = f"there is no checkpoint {name!r} (there is: {known})"
            raise invalid(message)
        return self._states[name]

    def _opened(self) -> _Store:
        if self._store is None:
            folder = Path(tempfile.mkdtemp(prefix="qitos-checkpoints-"))
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            with_git = self._with_git
            if with_git is None:
                with_git = programs.find("git") is not None
            kind = GitStore if with_git else CopyStore
            self._store = kind(self._root, folder)
        return self._store


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except subprocess.CalledProcessError as error:
        message = f"git failed: {error.stderr.decode(errors='replace').strip()}"
        raise WorkspaceError(message, code=ErrorCode.EXECUTION_FAILED) from None
    except OSError as error:
        message = f"{error.filename!r}: {(error.strerror or str(error)).lower()}"
        raise WorkspaceError(message, code=ErrorCode.EXECUTION_FAILED) from None
