"""Anthropic's own tools, a text editor and a bash, over the kit's.

Their shapes are those of ``text_editor_20250728`` and ``bash_20250124`` in Anthropic's
documentation of tool use; arguments of older versions of the editor are understood too.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, TypeVar, assert_never

from kits.caps import Caps
from kits.edit.replacing import EVERYWHERE
from kits.edit.toolset import EditToolSet
from kits.errors import WorkspaceError, invalid
from kits.files.ledger import LedgerMode
from kits.files.store import Home, store_of
from kits.files.toolset import FileToolSet, Path
from kits.shell.toolset import ShellToolSet
from qitos_like.core.context import ToolContext
from qitos_like.core.function_tool import FunctionTool
from qitos_like.core.marks import CommandArg
from qitos_like.core.permission import ToolPermission
from qitos_like.core.results import Err, Ok
from qitos_like.core.spec import ToolMeta
from qitos_like.core.tool import ToolSet, tool
from qitos_like.core.traits import Alias

T = TypeVar("T")

EDITOR, BASH = "str_replace_based_edit_tool", "bash"

_EDITOR_TYPE = {"type": "text_editor_20250728", "name": EDITOR}
_BASH_TYPE = {"type": "bash_20250124", "name": BASH}
_CHANGES = ToolPermission(filesystem_read=True, filesystem_write=True)


class AnthropicToolSet(ToolSet):
    """The text editor and the bash that Anthropic's models know, as its own tool types.

    Register it with ``namespace=""``, so that the tools have their names. Other providers see
    ordinary tools of the same shape.

    Args:
        workspace_root: a folder, a ``Workspace``, or a ``FileStore`` shared with other toolsets.
        shell_timeout: seconds a command may take.
        env: variables for commands, by name.
        pass_env: patterns of secret variables of this process that commands get all the same.
        ledger: what must have been read before it is changed.
        caps: how much is shown at once.

    Raises:
        NotADirectoryError: the folder does not exist.

    >>> [each.name for each in AnthropicToolSet(".").tools()]
    ['str_replace_based_edit_tool', 'bash']
    """

    name = "anthropic"

    def __init__(
        self,
        workspace_root: Home = ".",
        *,
        shell_timeout: int = 120,
        env: Mapping[str, str] | None = None,
        pass_env: Iterable[str] = (),
        ledger: LedgerMode = "auto",
        caps: Caps = Caps(),  # noqa: B008 - frozen
    ) -> None:
        store = store_of(workspace_root, ledger)
        self._files = FileToolSet(store, caps=caps)
        self._edit = EditToolSet(store)
        self._shell = ShellToolSet(
            store.workspace, timeout=shell_timeout, env=env, pass_env=pass_env, caps=caps
        )

    def tools(self) -> list[FunctionTool]:
        """The two tools."""
        [command] = self._shell.tools()
        resources = self._files.store.resources
        return [
            FunctionTool(self.str_replace_based_edit_tool, ToolMeta(writes=resources)),
            FunctionTool(self.bash, ToolMeta(timeout_s=command.meta.timeout_s)),
        ]

    def teardown(self) -> None:
        """Kill whatever commands have left running."""
        self._shell.teardown()

    @tool(
        description="view, create and edit files.",
        permissions=_CHANGES,
        native={"anthropic": _EDITOR_TYPE},
        aliases=[
            Alias("str_replace_editor"),
            Alias(EDITOR, {"insert_text": "new_str"}),
        ],
    )
    def str_replace_based_edit_tool(
        self,
        command: Literal["view", "create", "str_replace", "insert"],
        path: Path,
        *,
        view_range: Annotated[tuple[int, int] | None, "view: first and last line"] = None,
        file_text: Annotated[str | None, "create: the whole text"] = None,
        old_str: Annotated[str | None, "str_replace: what to replace"] = None,
        new_str: Annotated[str | None, "str_replace, insert: the new text"] = None,
        insert_line: Annotated[int | None, "insert: the line it follows"] = None,
        context: ToolContext | None = None,
    ) -> Ok:
        """Do what the command says; each needs its own arguments.

        Raises:
            WorkspaceError: an argument is missing, or the command cannot be done.
        """
        match command:
            case "view":
                return self._files.view(path, view_range, context=context)
            case "create":
                text = _needed(file_text, command, "file_text")
                return self._files.create(path, text, context=context)
            case "str_replace":
                old = _needed(old_str, command, "old_str")
                return self._replace(path, old, new_str or "", context=context)
            case "insert":
                line = _needed(insert_line, command, "insert_line")
                text = _needed(new_str, command, "insert_text")
                return self._edit.insert(path, line, text, context=context)
            case _:
                assert_never(command)

    def _replace(self, path: str, old: str, new: str, *, context: ToolContext | None) -> Ok:
        try:
            return self._edit.str_replace(path, old, new, context=context)
        except WorkspaceError as error:
            hint = error.hint and error.hint.replace(EVERYWHERE, "")
            raise WorkspaceError(
                str(error), code=error.code, hint=hint, structured=error.structured
            ) from None

    @tool(
        description="bash; folder and variables persist, stdin is closed.",
        permissions=_CHANGES | ToolPermission(command=True),
        native={"anthropic": _BASH_TYPE},
    )
    def bash(
        self,
        command: Annotated[str | None, CommandArg] = None,
        *,
        restart: Annotated[bool, "a new shell instead of a command"] = False,
        context: ToolContext | None = None,
    ) -> Ok | Err:
        """Run a command, or start the shell anew.

        Raises:
            WorkspaceError: there is neither.
        """
        if restart:
            self._shell.restart(context)
            return Ok("the shell was restarted")
        return self._shell.run_command(_needed(command, BASH, "command"), context=context)


def _needed(value: T | None, command: str, name: str) -> T:
    if value is None:
        message = f"{command} needs {name}"
        raise invalid(message)
    return value
