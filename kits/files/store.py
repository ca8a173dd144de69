"""``FileStore``: a workspace's files as one agent's tools read and change them."""

import os
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import TypeVar, cast

from attrs import field, frozen

from kits.text import diff
from kits.text.content import Content, Piece, Splice
from kits.workspace import MissingPathError, Workspace, WorkspaceError
from kits.workspace.errors import invalid
from qitos_like.core.context import ToolContext
from qitos_like.core.jsontypes import Json
from qitos_like.core.results import ErrorCode

from .ledger import MAX_HASHED_BYTES, Ledger, LedgerMode, Record

T = TypeVar("T")

_MAX_DIFF_CHARS = 3_000
_MAX_EDITED_BYTES = 1 << 30


@frozen
class Loaded:
    """A file as it is on disk now.

    Attributes:
        path: as the model wrote it.
        name: its absolute path, all links followed.
        shown: the path to show: relative to the workspace, links not followed.
        facts: what the file system says of it.
        data: all its bytes.
    """

    path: str
    name: str
    shown: str
    facts: os.stat_result = field(repr=False)
    data: bytes = field(repr=False)


@frozen
class Edited:
    """An edit that was made.

    Attributes:
        shown: the path.
        content: the file before.
        splices: what was changed in it.
        note: a line about the file having changed since it was read; empty if it did not.
    """

    shown: str
    content: Content
    splices: tuple[Splice, ...]
    note: str = ""

    @property
    def diff(self) -> str:
        """The change as a unified diff."""
        return diff.of_splices(self.shown, self.content, self.splices)


class FileStore:
    """Reads, edits and writes; every change is atomic, serialised by file, and remembered.

    Args:
        workspace: decides the paths.
        ledger: what must have been read before it is changed.
    """

    def __init__(self, workspace: Workspace, *, ledger: LedgerMode = "auto") -> None:
        self.workspace = workspace
        self._mode = ledger
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

    def name(self, path: str) -> str:
        """The absolute path, all links followed: one name per file.

        Raises:
            WorkspaceError: it leads outside.
        """
        return os.path.normpath(self.workspace.root / self.workspace.real(path))

    def resources(self, args: Mapping[str, Json]) -> list[str]:
        """The resource that a call with these arguments reads or changes: its file."""
        path = str(args.get("path", ""))
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
            note = self._check_read(loaded, context, needs_same=by_line)
            content = Content.of(loaded.data)
            splices = tuple(change(content))
            self._write(loaded, context, content.spliced(splices))
        return Edited(loaded.shown, content, splices, note)

    def create(self, path: str, context: ToolContext | None, data: bytes) -> None:
        """Write a file that must not exist.

        Raises:
            WorkspaceError: it exists, or cannot be written.
        """
        with self.workspace.locked(path):
            facts = self.workspace.write_bytes(path, data, exclusive=True)
            self.remember(path, context, facts=facts, data=data)

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
            try:
                loaded = self.load(path)
            except MissingPathError:
                self.create(path, context, encode(None))
                return None
            self._check_read(loaded, context, needs_same=True, needs_read=True)
            self._write(loaded, context, [encode(loaded.data)])
            return loaded.data

    def _write(self, loaded: Loaded, context: ToolContext | None, pieces: list[Piece]) -> None:
        facts = self.workspace.write_bytes(loaded.path, *pieces)
        is_small = facts.st_size <= MAX_HASHED_BYTES
        data = b"".join(pieces) if is_small else None
        self.remember(loaded.path, context, facts=facts, data=data)

    def _check_read(
        self,
        loaded: Loaded,
        context: ToolContext | None,
        *,
        needs_same: bool,
        needs_read: bool = False,
    ) -> str:
        """What to say of a change since the file was read; refuse where that matters."""
        if self._mode == "off":
            return ""
        ledger = self.kept(context, Ledger)
        record = ledger.get(loaded.name)
        if record is None:
            if needs_read or self._mode == "strict":
                raise _unread(loaded)
            return ""
        if record.is_same(loaded.facts, loaded.data):
            return ""
        if needs_same:
            self.remember(loaded.path, context, facts=loaded.facts, data=loaded.data)
            raise _stale(loaded, record)
        return (
            f"{loaded.shown} has changed since it was read; the edit is made in what is there now."
        )


#: Where a toolset's files are: a folder, a workspace, or a store shared with other toolsets.
Home = FileStore | Workspace | str | os.PathLike[str]


def store_of(home: Home, ledger: LedgerMode = "auto") -> FileStore:
    """The store of a toolset's files; one that is shared stays as it is."""
    if isinstance(home, FileStore):
        return home
    workspace = home if isinstance(home, Workspace) else Workspace(home)
    return FileStore(workspace, ledger=ledger)


def _unread(loaded: Loaded) -> WorkspaceError:
    message = f"{loaded.shown!r} exists and has not been read"
    hint = "View it first, so that nothing unseen is lost; or edit a part of it with str_replace."
    return WorkspaceError(message, code=ErrorCode.STALE_WRITE, hint=hint)


def _stale(loaded: Loaded, record: Record) -> WorkspaceError:
    message = f"{loaded.shown!r} has changed since it was read; nothing was written"
    before = record.data
    change = None
    if before is not None:
        change = diff.between(loaded.shown, before, loaded.data)
        message += f". What changed:\n{_shortened(change)}"
    hint = "Take this into account and try again." if change else "View it again, then try again."
    structured = {"path": loaded.shown, "diff": change}
    return WorkspaceError(message, code=ErrorCode.STALE_WRITE, hint=hint, structured=structured)


def _shortened(text: str) -> str:
    if len(text) <= _MAX_DIFF_CHARS:
        return text
    head = text[:_MAX_DIFF_CHARS].rpartition("\n")[0]
    return f"{head}\n[… {len(text) - len(head):,} more characters; view the file]"
