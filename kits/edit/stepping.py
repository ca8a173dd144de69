"""Several replacements in one file, each in what the one before left; all or none."""

from collections.abc import Sequence

from attrs import field, frozen

from kits.errors import WorkspaceError, invalid
from kits.files.changes import Change
from kits.files.store import FileStore
from kits.text import diff
from kits.text.content import Content
from qitos_like.core.context import ToolContext

from .replacing import Replacement


@frozen
class Steps:
    """Replacements that were made.

    Attributes:
        shown: the file's path.
        count: how many there were.
        before, after: the file as UTF-8.
        note: a line about the file having changed since it was read; empty if it did not.
    """

    shown: str
    count: int
    before: bytes = field(repr=False)
    after: bytes = field(repr=False)
    note: str

    @property
    def diff(self) -> str:
        """All of the change as a unified diff."""
        return diff.between(self.shown, self.before, self.after)


def replace_all_or_none(
    store: FileStore, path: str, context: ToolContext | None, *, wanted: Sequence[Replacement]
) -> Steps:
    """Make the replacements in order.

    Raises:
        WorkspaceError: no such file, or one of them cannot be made; the text says which.
    """
    with store.workspace.locked(path):
        loaded = store.load(path)
        note = store.check_read(loaded, context, needs_same=False)
        first = content = Content.of(loaded.data)
        for number, replacement in enumerate(wanted, 1):
            content = _replaced(content, replacement, f"edit {number} of {len(wanted)}")
        if content.data == loaded.data:
            message = "all edits together change nothing"
            raise invalid(message)
        store.apply([Change(path, loaded, (content.data,))], context)
    return Steps(loaded.shown, len(wanted), first.utf8, content.utf8, note)


def _replaced(content: Content, replacement: Replacement, name: str) -> Content:
    try:
        return Content.of(b"".join(content.spliced(replacement.splices(content))))
    except WorkspaceError as error:
        hint = " ".join(filter(None, [error.hint, "No edit was made."]))
        message = f"{name}: {error}"
        raise WorkspaceError(message, code=error.code, hint=hint) from None
