"""From a patch to the changes of all its files, each verified before one is made."""

from collections.abc import Iterator, Sequence
from stat import S_IMODE
from typing import Literal, assert_never

from attrs import evolve, frozen

from kits.errors import invalid
from kits.files.changes import Change, Loaded
from kits.files.store import FileStore
from kits.text import diff
from kits.text.content import Content
from kits.text.encoding import MARK, encoding_for
from kits.workspace import MissingPathError, WorkspaceError
from qitos_like.core.context import ToolContext
from qitos_like.core.jsontypes import Json

from . import codex, unified
from .model import FilePatch
from .placing import splices


def parse(patch: str) -> list[FilePatch]:
    """The files of a patch, in the one form or the other.

    Raises:
        WorkspaceError: it is neither.
    """
    if "\n" not in patch.strip() and "\\n" in patch:
        message = "the patch is one line: its line breaks are a backslash and an n"
        raise invalid(message, hint="Send it with real line breaks.")
    return codex.parse(patch) if codex.is_such(patch) else unified.parse(patch)


_NEW, _READ, _EXECUTE = 0o644, 0o444, 0o111
_NEW_FILE = "A new file is '*** Add File: path', or '--- /dev/null' and '+++ path'."


@frozen
class Outcome:
    """What a patch does to one file.

    Attributes:
        status: ``A`` added, ``M`` modified, ``D`` deleted, ``R`` renamed.
        path: the file; the new one of a renamed file.
        old_path: the one it had before.
        diff: its change.
    """

    status: Literal["A", "M", "D", "R"]
    path: str
    old_path: str
    diff: str

    def __str__(self) -> str:
        """``M path (+n -m)``."""
        name = self.path if self.path == self.old_path else f"{self.old_path} -> {self.path}"
        added, removed = self.counts
        return f"{self.status} {name} (+{added} -{removed})"

    @property
    def counts(self) -> tuple[int, int]:
        """How many lines came, and how many went."""
        marks = [line[:1] for line in self.diff.split("\n")[2:]]
        return marks.count("+"), marks.count("-")

    def structured(self) -> Json:
        """The facts as JSON data."""
        added, removed = self.counts
        return {
            "status": self.status,
            "path": self.path,
            "old_path": self.old_path,
            "added": added,
            "removed": removed,
            "diff": self.diff,
        }


@frozen
class _State:
    """A file as the patch has left it so far; ``data`` is ``None`` where there is none."""

    path: str
    before: Loaded | None
    data: bytes | None
    mode: int | None = None

    def mode_as(self, *, is_program: bool | None) -> int | None:
        """Its mode when who may read it may execute it, or nobody; ``None`` if it stays."""
        if is_program is None:
            return self.mode
        usual = _NEW if self.before is None else S_IMODE(self.before.facts.st_mode)
        mode = usual if self.mode is None else self.mode
        return mode | (mode & _READ) >> 2 if is_program else mode & ~_EXECUTE


class Plan:
    """The changes of a patch, none of them made yet; the caller holds the files' locks.

    Attributes:
        outcomes: what it does, file by file.
        notes: a line for each file that has changed since it was read.
    """

    def __init__(self, store: FileStore, context: ToolContext | None) -> None:
        self._store = store
        self._context = context
        self._states: dict[str, _State] = {}
        self.outcomes: list[Outcome] = []
        self.notes: list[str] = []

    def add(self, patch: FilePatch) -> None:
        """Take up one file.

        Raises:
            WorkspaceError: it does not fit what is there; the text names the file.
        """
        try:
            self.outcomes.append(self._outcome_of(patch))
        except MissingPathError as error:
            hint = " ".join(filter(None, [error.hint, _NEW_FILE]))
            raise MissingPathError(str(error), hint=hint) from None
        except WorkspaceError as error:
            message = f"{patch.path}: {error}"
            hint = " ".join(filter(None, [error.hint, "No file was changed."]))
            raise WorkspaceError(message, code=error.code, hint=hint) from None

    def changes(self) -> Iterator[Change]:
        """What has to be made, all or nothing."""
        for state in self._states.values():
            if state.data is not None or state.before is not None:
                after = None if state.data is None else (state.data,)
                yield Change(state.path, state.before, after, state.mode)

    def _outcome_of(self, patch: FilePatch) -> Outcome:
        match patch.action:
            case "add":
                return self._create(patch)
            case "delete":
                return self._delete(patch)
            case "update":
                return self._update(patch)
            case _:
                assert_never(patch.action)

    def _create(self, patch: FilePatch) -> Outcome:
        data = encoding_for(patch.text).encode(patch.text)
        mode = self._state(patch.path).mode_as(is_program=patch.is_program or None)
        self._put(patch.path, data, mode)
        return self._outcome("A", patch.path, b"", data)

    def _delete(self, patch: FilePatch) -> Outcome:
        state = self._existing(patch.path)
        if patch.hunks and _has_text(_patched(state.data or b"", patch)):
            message = "the patch deletes the file, but not all of its lines"
            raise invalid(message, hint="View the file: it has lines that the patch does not name.")
        self._states[self._store.name(patch.path)] = evolve(state, data=None)
        return self._outcome("D", patch.path, state.data or b"", b"")

    def _update(self, patch: FilePatch) -> Outcome:
        if patch.is_from_nothing and self._state(patch.path).data is None:
            return self._create(patch)
        state = self._existing(patch.path)
        old = state.data or b""
        data = _patched(old, patch)
        is_moved = patch.target is not None and not self._is_same(patch.path, patch.target)
        if data == old and patch.is_program is None and not is_moved:
            message = "nothing in it would change"
            raise invalid(message, hint="Leave out what is to stay as it is.")
        mode = state.mode_as(is_program=patch.is_program)
        if patch.target is None or not is_moved:
            self._states[self._store.name(patch.path)] = evolve(state, data=data, mode=mode)
            return self._outcome("M", patch.path, old, data)
        if mode is None and state.before is not None:
            mode = S_IMODE(state.before.facts.st_mode)
        self._put(patch.target, data, mode)
        self._states[self._store.name(patch.path)] = evolve(state, data=None)
        outcome = self._outcome("R", patch.target, old, data)
        return evolve(outcome, old_path=self._store.workspace.relative(patch.path))

    def _is_same(self, path: str, other: str) -> bool:
        return self._store.name(path) == self._store.name(other)

    def _put(self, path: str, data: bytes, mode: int | None) -> None:
        """A file where none may be."""
        state = self._state(path)
        if state.data is not None:
            message = f"{path!r} exists already"
            raise invalid(message, hint="Update it, or delete it first.")
        self._states[self._store.name(path)] = evolve(state, data=data, mode=mode)

    def _existing(self, path: str) -> _State:
        state = self._state(path)
        if state.data is None:
            self._store.load(path)  # refuses, naming near files
            message = f"{path!r} is deleted by the same patch"
            raise invalid(message)
        return state

    def _state(self, path: str) -> _State:
        name = self._store.name(path)
        if name not in self._states:
            before = self._store.load_if_any(path)
            if before is not None:
                note = self._store.check_read(before, self._context, needs_same=False)
                self.notes += [note] if note else []
            self._states[name] = _State(path, before, None if before is None else before.data)
        return self._states[name]

    def _outcome(self, status: Literal["A", "M", "D", "R"], path: str, *datas: bytes) -> Outcome:
        shown = self._store.workspace.relative(path)
        change = diff.of_files(shown, *datas)  # none of one that is binary and deleted or moved
        return Outcome(status, shown, shown, change or "")


def _patched(data: bytes, patch: FilePatch) -> bytes:
    if not patch.hunks:
        return data
    content = Content.of(data)
    if any(text.startswith(MARK) for hunk in patch.hunks for _, text in hunk.lines):
        content = content.as_is  # the patch speaks of the mark
    return b"".join(content.spliced(splices(content, patch.hunks)))


def _has_text(data: bytes) -> bool:
    """Whether there is more in it than a byte order mark."""
    content = Content.of(data)
    return len(content.utf8) > content.start


def plan(store: FileStore, patches: Sequence[FilePatch], context: ToolContext | None) -> Plan:
    """All files of a patch, verified.

    Raises:
        WorkspaceError: one does not fit.
    """
    planned = Plan(store, context)
    for patch in patches:
        planned.add(patch)
    return planned
