"""The shell by its modern names: ``Bash``, whose timeout is in milliseconds, and its company."""

from typing import Annotated

from attrs import evolve

from qitos_like.core.context import ToolContext
from qitos_like.core.function_tool import FunctionTool
from qitos_like.core.marks import CommandArg
from qitos_like.core.results import Err, Ok
from qitos_like.core.spec import ToolMeta
from qitos_like.core.tool import ToolSet

from .aliases import COMMAND_OUTPUT, MS, RUN_COMMAND, STOP_COMMAND
from .toolset import CommandId, ShellToolSet


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
        """The tools that the other toolset offers too, with its limits in their schemas."""
        classic, *more = self._shell.tools()
        properties = classic.spec.input_schema["properties"]
        timeout = {
            "type": "number",
            "default": properties["timeout"]["default"] * MS,
            "description": "milliseconds; then all it started is stopped and its output returned",
        }
        said = {"type": "string", "description": "what it does, in a few words, for who watches"}
        background = {"run_in_background": properties["background"]} if more else {}
        meta = ToolMeta(
            name="Bash",
            parameters={
                "command": {"type": "string"},
                "timeout": timeout,
                "description": said,
                **background,
            },
            required=("command",),
            aliases=(RUN_COMMAND,),
        )
        bash = FunctionTool(self.bash, classic.meta.merged(meta))
        if not more:
            return [bash]
        output, stop = more
        return [
            bash,
            FunctionTool(
                self.bash_output,
                output.meta.merged(ToolMeta(name="BashOutput", aliases=(COMMAND_OUTPUT,))),
            ),
            FunctionTool(
                self.kill_shell,
                stop.meta.merged(ToolMeta(name="KillShell", aliases=(STOP_COMMAND,))),
            ),
        ]

    def bash(
        self,
        command: Annotated[str, CommandArg],
        timeout: float | None = None,
        description: str = "",  # noqa: ARG002 - read by people, in the call itself
        *,
        run_in_background: bool = False,
        context: ToolContext | None = None,
    ) -> Ok | Err:
        """Run a command in the shell.

        Args:
            command: of bash.
            timeout: in milliseconds.
            description: for who watches.
            run_in_background: start it, and go on.
            context: of the call.

        Raises:
            WorkspaceError: the command or the timeout is none.
        """
        timeout_s = None if timeout is None else timeout / MS
        result = self._shell.run_command(
            command, timeout_s, background=run_in_background, context=context
        )
        if isinstance(result, Ok):
            return result
        longest_ms = self._shell.caps.command_timeout_s * MS
        hint = f"Give it more time (timeout, at most {longest_ms} ms), or less to do."
        return evolve(result, hint=hint)

    def bash_output(self, bash_id: CommandId, *, context: ToolContext | None = None) -> Ok:
        """What a background command has written that is new, and whether it has ended.

        Raises:
            WorkspaceError: there is no such command.
        """
        news = self._shell.command_output(bash_id, context=context)
        going_on = f"; go on with since={news.structured['since']}]"
        if not str(news.value).endswith(going_on):
            return news
        return evolve(news, value=str(news.value).removesuffix(going_on) + "]")

    def kill_shell(self, shell_id: CommandId, *, context: ToolContext | None = None) -> Ok:
        """Stop a background command, and give what it has written since.

        Raises:
            WorkspaceError: there is no such command.
        """
        return self._shell.stop_command(shell_id, context=context)
