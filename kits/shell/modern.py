"""The shell by its modern name: ``Bash``, whose timeout is in milliseconds."""

from typing import Annotated

from qitos_like.core.context import ToolContext
from qitos_like.core.function_tool import FunctionTool
from qitos_like.core.marks import CommandArg
from qitos_like.core.results import Err, Ok
from qitos_like.core.spec import ToolMeta
from qitos_like.core.tool import ToolSet

from .aliases import MS, RUN_COMMAND
from .toolset import ShellToolSet


class ModernShellToolSet(ToolSet):
    """A ``ShellToolSet`` by the name and arguments that models of other agents know.

    Args:
        shell: does the work; its limits hold.

    >>> [each.name for each in ModernShellToolSet(ShellToolSet(".")).tools()]
    ['Bash']
    """

    name = "shell"

    def __init__(self, shell: ShellToolSet) -> None:
        self._shell = shell

    def tools(self) -> list[FunctionTool]:
        """The tool, with the shell's limits in its schema."""
        [classic] = self._shell.tools()
        properties = classic.spec.input_schema["properties"]
        timeout = {
            "type": "integer",
            "default": properties["timeout"]["default"] * MS,
            "description": "milliseconds; then all it started is stopped and its output returned",
        }
        said = {"type": "string", "description": "what it does, in a few words, for who watches"}
        meta = ToolMeta(
            name="Bash",
            parameters={"command": {"type": "string"}, "timeout": timeout, "description": said},
            required=("command",),
            aliases=(RUN_COMMAND,),
        )
        return [FunctionTool(self.bash, classic.meta.merged(meta))]

    def bash(
        self,
        command: Annotated[str, CommandArg],
        timeout: float | None = None,
        description: str = "",  # noqa: ARG002 - read by people, in the call itself
        *,
        context: ToolContext | None = None,
    ) -> Ok | Err:
        """Run a command in the shell.

        Args:
            command: of bash.
            timeout: in milliseconds.
            description: for who watches.
            context: of the call.

        Raises:
            WorkspaceError: the command or the timeout is none.
        """
        timeout_s = None if timeout is None else timeout / MS
        return self._shell.run_command(command, timeout_s, context=context)
