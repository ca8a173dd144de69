"""Refusals to change what an agent has not seen as it is."""

from kits.text import diff
from kits.text.encoding import BinaryFileError, detect
from kits.workspace import WorkspaceError
from qitos_like.core.results import ErrorCode

from .changes import Loaded
from .ledger import Record

_MAX_DIFF_CHARS = 3_000


def unread(loaded: Loaded) -> WorkspaceError:
    """An existing file that was never read."""
    message = f"{loaded.shown!r} exists and has not been read"
    hint = "View it first, so that nothing unseen is lost; or edit only a part of it."
    if _is_binary(loaded.data):
        hint = "It is binary and cannot be viewed: write another path, or delete it by a command."
    return WorkspaceError(message, code=ErrorCode.STALE_WRITE, hint=hint)


def stale(loaded: Loaded, record: Record) -> WorkspaceError:
    """A file that has changed since it was read, and how, as far as that is known."""
    message = f"{loaded.shown!r} has changed since it was read; nothing was written"
    before = record.data
    change = None
    if before is not None:
        change = diff.of_files(loaded.shown, before, loaded.data)
        message += f". What changed:\n{_shortened(change)}" if change else ""
    hint = "Take this into account and try again." if change else "View it again, then try again."
    structured = {"path": loaded.shown, "diff": change}
    return WorkspaceError(message, code=ErrorCode.STALE_WRITE, hint=hint, structured=structured)


def _is_binary(data: bytes) -> bool:
    try:
        detect(data)
    except BinaryFileError:
        return True
    return False


def _shortened(text: str) -> str:
    if len(text) <= _MAX_DIFF_CHARS:
        return text
    head = text[:_MAX_DIFF_CHARS].rpartition("\n")[0]
    return f"{head}\n[… {len(text) - len(head):,} more characters; view the file]"
