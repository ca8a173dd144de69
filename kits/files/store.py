"""``FileStore``: a workspace's files as one agent's tools read and change them."""

import os
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import TypeVar, cast, get_args

from attrs import frozen

from kits.errors import invalid
from kits.text import diff
from kits.text.content import Content, Part, Splice
from kits.workspace import MissingPathError, Workspace, WorkspaceError
from qitos_like.core.context import ToolContext
from qitos_like.core.given import check_word
from qitos_like.core.jsontypes import Json

from . import staleness
from .changes import Change, Loaded, commit
from .history import History, Step
from .ledger import MAX_HASHED_BYTES, Ledger, LedgerMode, Record

T = TypeVar("T")

_MAX_EDITED_BYTES = 1 << 30


@frozen
class Edited:
    """An edit that was made.

    Attributes:
        shown: the path.
        parts: what was changed: the whole file, or of a very large one only lines around.
        note: a line about the file having changed since it was read; empty if it did not.
    """

    shown: str
    parts: tuple[Part, ...]
    note: str = ""

    @property
    def count(self) -> int:
        """How many places were changed."""
        return sum(len(part.splices) for part in self.parts)

    @property
    def diff(self) -> str:
        """The change as a unified diff."""
        return diff.of_parts(self.shown, self.parts)


class FileStore:
    """Reads, edits and writes; every change is atomic, serialised by file, and remembered.

    Args:
        workspace: decides the paths.
        ledger: what must have been read before it is changed.
        undo: whether to keep what files were before their last edits.

    Raises:
        ValueError: there is no such mode of a ledger.
    """

    def __init__(
        self, workspace: Workspace, *, ledger: LedgerMode = "auto", undo: bool = False
    ) -> None:
        check_word("ledger", ledger, get_args(LedgerMode))
        self.workspace = workspace
        self._mode = ledger
        self._undo = undo
        self._own_state: dict[object, object] = {}

    def kept(self, context: ToolContext | None, kind: Callable[[], T]) -> T:
        """This agent's object of a kind, made when first asked for.

        It lives in the executor's state; without an executor, in the store itself.
        """
        state: MutableMapping[object, object]
        state = self._own_state if context is None else context.state
        return cast(T, state.setdefault(kind, kind()))  # under a class stands an object of it

    def load(self, path: str) -> Loaded:
        """A file's bytes and facts.

        Raises:
            WorkspaceError: there is no such file.
        """
        with self.workspace.open_read(path) as file:
            facts = os.fstat(file.fileno())
            if facts.st_size > _MAX_EDITED_BYTES:
                message = f"{path!r} is too large to edit: {facts.st_size:,} bytes, at most 1 GiB"
                raise invalid(message, hint="Change it with a command.")
            data = file.readall()
        shown = self.workspace.relative(path)
        return Loaded(path, self.name(path), shown, facts, data)

    def load_if_any(self, path: str) -> Loaded | None:
        """A file's bytes and facts; ``None`` if nothing is there.

        Raises:
            WorkspaceError: something else than a file is there, or outside.
        """
        try:
            return self.load(path)
        except MissingPathError:
            return None

    def name(self, path: str) -> str:
        """The absolute path, all links followed: one name per file.

        Raises:
            WorkspaceError: it leads outside.
        """
        return os.path.normpath(self.workspace.root / self.workspace.real(path))

    def resources(self, args: Mapping[str, Json]) -> list[str]:
        """The resource that a call with these arguments reads or changes: its file."""
        path = str(args.get("path", args.get("file_path", "")))
        try:
            return [f"file:{self.name(path)}"]
        except WorkspaceError:  # the call will be refused; till then the text names it
            return [f"file:{path}"]

    def remember(
        self,
        path: str,
        context: ToolContext | None,
        *,
        facts: os.stat_result,
        data: bytes | None,
    ) -> None:
        """The agent has read the file; ``data`` is all of it, unless it was too large."""
        whole = None if data is None or len(data) > MAX_HASHED_BYTES else data
        self.kept(context, Ledger).put(self.name(path), Record.of(facts, whole))

    def edit(
        self,
        path: str,
        context: ToolContext | None,
        change: Callable[[Content], Sequence[Splice]],
        *,
        by_line: bool = False,
    ) -> Edited:
        """Change a file, or leave it as it was.

        Args:
            path: the file.
            context: of the call.
            change: what to change in the content that is there now; raises to refuse.
            by_line: whether the change relies on line numbers, and so on what was read.

        Raises:
            WorkspaceError: no such file, it changed since it was read, or ``change`` refused.
        """
        with self.workspace.locked(path):
            loaded = self.load(path)
            note = self.check_read(loaded, context, needs_same=by_line)
            content = Content.of(loaded.data)
            splices = tuple(change(content))
            self.apply([Change(path, loaded, tuple(content.spliced(splices)))], context)
        return Edited(loaded.shown, (Part(content, splices),), note)

    def create(self, path: str, context: ToolContext | None, data: bytes) -> None:
        """Write a file that must not exist.

        Raises:
            WorkspaceError: it exists, or cannot be written.
        """
        with self.workspace.locked(path):
            self.apply([Change(path, None, (data,))], context)

    def overwrite(
        self, path: str, context: ToolContext | None, encode: Callable[[bytes | None], bytes]
    ) -> bytes | None:
        """Write a file as a whole; one that exists must have been read.

        Args:
            path: the file.
            context: of the call.
            encode: the new bytes, given the old ones; ``None`` for a new file.

        Returns:
            The bytes that were there; ``None`` for a new file.

        Raises:
            WorkspaceError: it was not read, changed since, or cannot be written.
        """
        with self.workspace.locked(path):
            loaded = self.load_if_any(path)
            if loaded is not None:
                self.check_read(loaded, context, needs_same=True, needs_read=True)
            before = None if loaded is None else loaded.data
            self.apply([Change(path, loaded, (encode(before),))], context)
            return before

    def undo(self, path: str, context: ToolContext | None) -> tuple[Loaded | None, Step]:
        """Make a file what it was before the last edit: bytes, mode, or not there at all.

        Returns:
            The file as it was till now, and what it is again.

        Raises:
            WorkspaceError: there is no edit to undo, or the file has changed since.
        """
        history = self.kept(context, History)
        with self.workspace.locked(path):
            step = history.last(self.name(path))
            if step is None:
                message = f"there is no edit of {path!r} to undo"
                raise invalid(message)
            loaded = self.load_if_any(path)
            if loaded is not None:
                self.check_read(loaded, context, needs_same=True)
            after = None if step.data is None else (step.data,)
            if loaded is not None or after is not None:
                change = Change(self.workspace.real(path), loaded, after, step.mode)
                self.apply([change], context, remembers=False)
            history.pop(self.name(path))
        return loaded, step

    def apply(
        self,
        changes: Sequence[Change],
        context: ToolContext | None,
        *,
        remembers: bool = True,
    ) -> None:
        """Make all changes or none, and remember what was and what is; the caller has the locks.

        Raises:
            WorkspaceError: one of them cannot be made.
        """
        all_facts = commit(self.workspace, changes)
        ledger = self.kept(context, Ledger)
        for change, facts in zip(changes, all_facts, strict=True):
            name = self.name(change.path)
            if facts is None or change.after is None:
                ledger.forget(name)
            else:
                is_small = facts.st_size <= MAX_HASHED_BYTES
                ledger.put(name, Record.of(facts, b"".join(change.after) if is_small else None))
            if self._undo and remembers:
                self.kept(context, History).push(name, change.undone)

    def check_read(
        self,
        loaded: Loaded,
        context: ToolContext | None,
        *,
        needs_same: bool,
        needs_read: bool = False,
    ) -> str:
        """What to say of a change since the file was read; empty if there was none.

        Args:
            loaded: the file as it is.
            context: of the call.
            needs_same: refuse a file that has changed; the next try then finds it unchanged.
            needs_read: refuse a file that was not read.

        Raises:
            WorkspaceError: it is refused.
        """
        if self._mode == "off":
            return ""
        ledger = self.kept(context, Ledger)
        record = ledger.get(loaded.name)
        if record is None:
            if needs_read or self._mode == "strict":
                raise staleness.unread(loaded)
            return ""
        if record.is_same(loaded.facts, loaded.data):
            return ""
        if needs_same:
            self.remember(loaded.path, context, facts=loaded.facts, data=loaded.data)
            raise staleness.stale(loaded, record)
        return (
            f"{loaded.shown} has changed since it was read; the edit is made in what is there now."
        )


#: Where a toolset's files are: a folder, a workspace, or a store shared with other toolsets.
Home = FileStore | Workspace | str | os.PathLike[str]


def store_of(home: Home, ledger: LedgerMode = "auto", *, undo: bool = False) -> FileStore:
    """The store of a toolset's files; one that is shared stays as it is."""
    if isinstance(home, FileStore):
        return home
    workspace = home if isinstance(home, Workspace) else Workspace(home)
    return FileStore(workspace, ledger=ledger, undo=undo)
