"""The edit tools by their modern names: ``Edit`` and ``MultiEdit``."""

from collections.abc import Sequence
from typing import Annotated, NotRequired, TypedDict

from kits.errors import invalid
from kits.text import lines
from qitos_like.core.context import ToolContext
from qitos_like.core.function_tool import FunctionTool
from qitos_like.core.permission import ToolPermission
from qitos_like.core.results import Ok
from qitos_like.core.spec import ToolMeta
from qitos_like.core.tool import ToolSet, tool

from . import aliases
from .replacing import Replacement
from .stepping import replace_all_or_none
from .toolset import EditToolSet, Path

_MAX_SHOWN_CHARS = 4_000
_CHANGES = ToolPermission(filesystem_read=True, filesystem_write=True)


class TextEdit(TypedDict):
    """One of the edits of ``MultiEdit``."""

    old_string: str
    new_string: str
    replace_all: NotRequired[bool]


class ModernEditToolSet(ToolSet):
    """An ``EditToolSet`` by the names and arguments that models of other agents know.

    Args:
        edit: does the work.

    >>> [each.name for each in ModernEditToolSet(EditToolSet(".")).tools()]
    ['Edit', 'MultiEdit']
    """

    name = "edit"

    def __init__(self, edit: EditToolSet) -> None:
        self._edit = edit

    def tools(self) -> list[FunctionTool]:
        """The tools."""
        changes = ToolMeta(writes=self._edit.store.resources)
        return [FunctionTool(self.edit, changes), FunctionTool(self.multi_edit, changes)]

    @tool(
        name="Edit",
        description="replace old_string, which must be in the file exactly once, by new_string.",
        aliases=[aliases.MIXED_EDIT, aliases.STR_REPLACE],
        permissions=_CHANGES,
    )
    def edit(
        self,
        file_path: Path,
        old_string: str,
        new_string: str,
        *,
        replace_all: Annotated[bool, "replace every place"] = False,
        context: ToolContext | None = None,
    ) -> Ok:
        """Replace a text that is in the file once, or every place of it.

        Raises:
            WorkspaceError: no such file, no such text, more than one place, or nothing to change.
        """
        return self._edit.str_replace(
            file_path, old_string, new_string, replace_all=replace_all, context=context
        )

    @tool(
        name="MultiEdit",
        description="several edits of one file, each in what the one before left; all or none.",
        aliases=[aliases.MIXED_MULTI_EDIT],
        permissions=_CHANGES,
    )
    def multi_edit(
        self,
        file_path: Path,
        edits: Sequence[TextEdit],
        *,
        context: ToolContext | None = None,
    ) -> Ok:
        """Make edits one after the other, or none of them.

        Raises:
            WorkspaceError: no such file, or an edit that cannot be made; the text names it.
        """
        if not edits:
            message = "there are no edits"
            raise invalid(message)
        wanted = [
            Replacement(each["old_string"], each["new_string"], each.get("replace_all", False))
            for each in edits
        ]
        steps = replace_all_or_none(self._edit.store, file_path, context, wanted=wanted)
        made = f"Made {steps.count} {'edit' if steps.count == 1 else 'edits'} in {steps.shown}:"
        shown = lines.cut(steps.diff.split("\n", 2)[2], _MAX_SHOWN_CHARS).rstrip("\n")
        text = "\n".join(filter(None, [made, shown, steps.note]))
        structured = {"path": steps.shown, "edits": steps.count, "diff": steps.diff}
        return Ok(text, structured=structured)
