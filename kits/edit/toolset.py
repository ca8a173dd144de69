"""``EditToolSet``: change files by exact text or by line."""

from typing import Annotated

from kits.files.ledger import LedgerMode
from kits.files.store import Home, store_of
from qitos_like.core.context import ToolContext
from qitos_like.core.function_tool import FunctionTool
from qitos_like.core.marks import PathArg
from qitos_like.core.permission import ToolPermission
from qitos_like.core.results import Ok
from qitos_like.core.spec import ToolMeta
from qitos_like.core.tool import ToolSet, tool

from . import aliases, inserting, large
from .replacing import Replacement
from .report import report

Path = Annotated[str, PathArg]

_CHANGES = ToolPermission(filesystem_read=True, filesystem_write=True)


class EditToolSet(ToolSet):
    """Change the files of a workspace: exact replacements and insertions.

    Every byte outside the edit stays; a file is written whole or not at all; edits of one file
    from many threads come one after the other.

    Attributes:
        store: its files.

    Args:
        workspace_root: a folder, a ``Workspace``, or a ``FileStore`` shared with other toolsets.
        ledger: what must have been read before it is changed.

    Raises:
        NotADirectoryError: the folder does not exist.

    >>> [each.name for each in EditToolSet(".").tools()]
    ['str_replace', 'insert']
    """

    name = "edit"

    def __init__(self, workspace_root: Home = ".", *, ledger: LedgerMode = "auto") -> None:
        self.store = store_of(workspace_root, ledger)

    def tools(self) -> list[FunctionTool]:
        """The tools."""
        changes = ToolMeta(writes=self.store.resources)
        return [FunctionTool(method, changes) for method in (self.str_replace, self.insert)]

    @tool(
        description="replace old_str, which must be in the file exactly once, by new_str.",
        aliases=[aliases.MIXED_STR_REPLACE, aliases.EDIT, aliases.ONE_EDIT],
        permissions=_CHANGES,
    )
    def str_replace(
        self,
        path: Path,
        old_str: str,
        new_str: str,
        *,
        replace_all: Annotated[bool, "replace every place"] = False,
        context: ToolContext | None = None,
    ) -> Ok:
        """Replace a text that is in the file once, or every place of it.

        Raises:
            WorkspaceError: no such file, no such text, more than one place, or nothing to change.
        """
        wanted = Replacement(old_str, new_str, replace_all)
        wanted.check()
        edited = large.replace(self.store, path, context, wanted=wanted)
        if edited is None:
            edited = self.store.edit(path, context, wanted.splices)
        count = edited.count
        return report(edited, f"Replaced {count} {'place' if count == 1 else 'places'}")

    @tool(
        description="insert new_str as lines of its own.",
        aliases=[aliases.INSERT],
        permissions=_CHANGES,
    )
    def insert(
        self,
        path: Path,
        insert_line: Annotated[int, "the line it follows; 0 is the top"],
        new_str: str,
        *,
        context: ToolContext | None = None,
    ) -> Ok:
        """Insert text as lines of its own.

        Raises:
            WorkspaceError: no such file or line, or the file has changed since it was viewed.
        """
        edited = self.store.edit(
            path,
            context,
            lambda content: [inserting.splice(content, insert_line, new_str)],
            by_line=True,
        )
        return report(edited, "Inserted")
