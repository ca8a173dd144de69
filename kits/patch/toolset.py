"""``PatchToolSet``: patches over many files, and the way back."""

from collections.abc import Mapping

from kits.files.ledger import LedgerMode
from kits.files.store import Home, store_of
from kits.files.toolset import Path
from kits.text import diff
from kits.workspace import WorkspaceError
from qitos_like.core.context import ToolContext
from qitos_like.core.function_tool import FunctionTool
from qitos_like.core.jsontypes import Json
from qitos_like.core.permission import ToolPermission
from qitos_like.core.results import Ok
from qitos_like.core.spec import ToolMeta
from qitos_like.core.tool import ToolSet, tool

from . import planning

_CHANGES = ToolPermission(filesystem_read=True, filesystem_write=True)


class PatchToolSet(ToolSet):
    """Apply patches to the files of a workspace, all of a patch or nothing, and undo edits.

    Args:
        workspace_root: a folder, a ``Workspace``, or a ``FileStore`` shared with other toolsets,
            which then has to keep what is to be undone (``undo=True``).
        ledger: what must have been read before it is changed.

    Raises:
        NotADirectoryError: the folder does not exist.

    >>> [each.name for each in PatchToolSet(".").tools()]
    ['apply_patch', 'undo_edit']
    """

    name = "patch"

    def __init__(self, workspace_root: Home = ".", *, ledger: LedgerMode = "auto") -> None:
        self._store = store_of(workspace_root, ledger, undo=True)

    def tools(self) -> list[FunctionTool]:
        """The tools."""
        return [
            FunctionTool(self.apply_patch, ToolMeta(writes=self._resources)),
            FunctionTool(self.undo_edit, ToolMeta(writes=self._store.resources)),
        ]

    @tool(
        description=(
            "change several files at once, or none: *** Begin Patch with Add, Delete, Update and "
            "Move sections, or a unified diff."
        ),
        permissions=_CHANGES,
    )
    def apply_patch(self, patch: str, *, context: ToolContext | None = None) -> Ok:
        """Apply a patch.

        Raises:
            WorkspaceError: it is none, or a file does not fit it; nothing was changed then.
        """
        patches = planning.parse(patch)
        paths = [path for each in patches for path in each.paths]
        with self._store.workspace.locked(*paths):
            plan = planning.plan(self._store, patches, context)
            self._store.apply(list(plan.changes()), context)
        text = "\n".join([*map(str, plan.outcomes), *plan.notes])
        return Ok(text, structured={"files": [each.structured() for each in plan.outcomes]})

    @tool(
        description="take back the last edit of a file; 20 steps are kept. A new file is deleted.",
        permissions=_CHANGES,
    )
    def undo_edit(self, path: Path, *, context: ToolContext | None = None) -> Ok:
        """Make a file what it was before the last edit by a tool: its bytes and its mode.

        Raises:
            WorkspaceError: there is no such edit, or the file has changed since.
        """
        loaded, step = self._store.undo(path, context)
        shown = self._store.workspace.relative(path)
        old = b"" if loaded is None else loaded.data
        change = diff.of_files(shown, old, step.data or b"")
        done = "deleted: it was new" if step.data is None else "as before its last edit"
        return Ok(f"{shown} is {done}", structured={"path": shown, "diff": change})

    def _resources(self, args: Mapping[str, Json]) -> list[str]:
        try:
            patches = planning.parse(str(args.get("patch", "")))
        except WorkspaceError:  # the call will be refused
            return []
        paths = [path for each in patches for path in each.paths]
        return [name for path in paths for name in self._store.resources({"path": path})]
