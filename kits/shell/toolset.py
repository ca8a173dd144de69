"""``ShellToolSet``: commands in a bash that persists."""

import os
from collections.abc import Iterable, Mapping
from contextlib import closing
from time import monotonic
from typing import Annotated, cast
from weakref import WeakSet

from kits.caps import Caps, checked
from kits.errors import invalid
from kits.workspace import Workspace
from qitos_like.core.availability import Unavailable
from qitos_like.core.context import ToolContext
from qitos_like.core.function_tool import FunctionTool
from qitos_like.core.jsontypes import Schema
from qitos_like.core.marks import CommandArg
from qitos_like.core.permission import ToolPermission
from qitos_like.core.results import Err, Ok
from qitos_like.core.spec import ToolMeta
from qitos_like.core.tool import ToolSet, tool
from qitos_like.core.traits import texts

from . import aliases, supervisor
from .answer import Answerer, Asked
from .environment import Secrets, for_commands
from .listening import Listener
from .sandbox import SandboxMode, choose
from .scripts import BASH
from .shell import Shell

#: A stop has to be over before the executor's own deadline, so that what came out is kept.
_STOP_S = 2 * supervisor.GRACE_S + supervisor.KILL_LIMIT_S
_SPARE_S = 1.0

CommandId = Annotated[str, "as the command's start gave it"]

_COMMANDS = ToolPermission(command=True, filesystem_read=True, filesystem_write=True)


def _is_available() -> object:
    if os.name != "posix":
        return Unavailable("the shell needs a POSIX host; on Windows, use WSL")
    return os.access(BASH, os.X_OK) or Unavailable(f"{BASH} is not installed")


class ShellToolSet(ToolSet):
    r"""Run commands in a bash that keeps its folder, variables and functions.

    Each executor has a shell of its own; a method called without a context uses the toolset's.
    Without a sandbox a command may do what its user may do, outside the workspace too.

    Attributes:
        sandbox: where commands run; ``None`` without one.
        caps: as given.

    Args:
        workspace_root: a folder, or a ``Workspace``; where the shell starts.
        timeout: seconds, where a call does not say.
        env: variables for commands, secrets too.
        pass_env: patterns of the host's variables to pass although they look like secrets.
        sandbox: ``bwrap`` runs commands in a sandbox of bubblewrap, ``auto`` where that works.
        network: whether commands in a sandbox reach the network.
        background: offer commands in the background, and the tools that ask for them.
        caps: how much is shown, and the longest timeout.

    Raises:
        NotADirectoryError: the folder does not exist.
        SandboxError: the sandbox that is asked for does not work here.
        ValueError: ``timeout`` is no time to run in.

    >>> shell = ShellToolSet(".")
    >>> shell.run_command("echo hello; exit 7").value
    'hello\n[exit code 7; the shell was restarted, its folder and environment are as before]'
    >>> shell.teardown()
    """

    name = "shell"

    def __init__(
        self,
        workspace_root: str | os.PathLike[str] | Workspace = ".",
        *,
        timeout: int = 120,
        env: Mapping[str, str] | None = None,
        pass_env: Iterable[str] = (),
        sandbox: SandboxMode = "none",
        network: bool = False,
        background: bool = False,
        caps: Caps = Caps(),  # noqa: B008 - frozen
    ) -> None:
        if not timeout > 0:
            message = f"a timeout is a number of seconds, more than 0, not {timeout!r}"
            raise ValueError(message)
        if not isinstance(workspace_root, Workspace):
            workspace_root = Workspace(workspace_root)
        self._workspace = workspace_root
        self._timeout = timeout
        self._env = dict(env or {})
        self._pass_env = texts(pass_env)
        self._secrets = Secrets(env)
        self.caps = checked(caps)
        self.sandbox = choose(
            sandbox,
            self._workspace.root,
            protected=self._workspace.protected,
            network=network,
            readable=self._workspace.readable,
        )
        self._background = background
        self._own_state: dict[object, object] = {}
        self._shells: WeakSet[Shell] = WeakSet()

    def tools(self) -> list[FunctionTool]:
        """The tools, with this toolset's limits in their schemas."""
        longest = self.caps.command_timeout_s
        said = f"seconds, at most {longest}; then all it started is stopped and its output returned"
        timeout = {"type": "number", "default": self._timeout, "description": said}
        properties: Schema = {"command": {"type": "string"}, "timeout": timeout}
        if self._background:
            properties["background"] = {
                "type": "boolean",
                "default": False,
                "description": "start it and return its id; it runs until it ends or is stopped",
            }
        meta = ToolMeta(
            parameters=properties, required=("command",), timeout_s=longest + _STOP_S + _SPARE_S
        )
        more = [self.command_output, self.stop_command] if self._background else []
        return [FunctionTool(self.run_command, meta), *map(FunctionTool, more)]

    def teardown(self) -> None:
        """Kill whatever commands have left running."""
        for shell in list(self._shells):
            shell.close()

    def restart(self, context: ToolContext | None = None) -> None:
        """Give this executor a new shell: what runs in the old one is stopped, its state is gone."""
        state = self._own_state if context is None else context.state
        shell = cast(Shell | None, state.pop(self, None))  # under a toolset stands its shell
        if shell is not None:
            shell.close()

    @tool(
        description="bash; folder and variables persist, stdin is closed.",
        aliases=[aliases.BASH],
        permissions=_COMMANDS,
        available=_is_available,
    )
    def run_command(
        self,
        command: Annotated[str, CommandArg],
        timeout: float | None = None,
        *,
        background: bool = False,
        context: ToolContext | None = None,
    ) -> Ok | Err:
        """Run a command in the shell, or start one in the background.

        Raises:
            WorkspaceError: the command or the timeout is none, or too many run already.
        """
        wanted = self._timeout if timeout is None else timeout
        _check(command, wanted)
        shell = self._shell(context)
        if background:
            name = shell.jobs.start(command, shell.state)
            return Ok(f"[{name} runs in the background]", structured={"id": name})
        allowed = min(wanted, self._longest(context))
        asked = Asked(allowed, wanted > allowed, shell.cwd)
        with closing(Listener(context, self._secrets)) as listener:
            outcome = shell.run(command, allowed, listener)
            return self._answerer().result(outcome, asked, listener.whole)

    @tool(
        description="what a background command has written.",
        aliases=[aliases.BASH_OUTPUT],
        permissions=_COMMANDS,
    )
    def command_output(
        self,
        id: CommandId,
        since: Annotated[int | None, "the mark of an answer; without it, what is new"] = None,
        *,
        context: ToolContext | None = None,
    ) -> Ok:
        """What a background command has written, and whether it has ended.

        Raises:
            WorkspaceError: there is no such command.
        """
        answerer = self._answerer()
        news = self._shell(context).jobs.news(id, answerer.certain, since)
        return answerer.news(id, news)

    @tool(
        description="stop a background command, with all it started.",
        aliases=[aliases.KILL_SHELL],
        permissions=_COMMANDS,
    )
    def stop_command(self, id: CommandId, *, context: ToolContext | None = None) -> Ok:
        """Stop a background command, and give what it has written since.

        Raises:
            WorkspaceError: there is no such command.
        """
        return self._answerer().news(id, self._shell(context).jobs.stop(id))

    def _answerer(self) -> Answerer:
        return Answerer(self._workspace.root, self._secrets, self.caps)

    def _longest(self, context: ToolContext | None) -> float:
        """How long a command may take, in seconds."""
        longest = float(self.caps.command_timeout_s)
        if context is None or context.deadline is None:
            return longest
        return max(min(longest, context.deadline - monotonic() - _STOP_S), 0)

    def _shell(self, context: ToolContext | None) -> Shell:
        """This executor's shell, made when first asked for."""
        state = self._own_state if context is None else context.state
        if self not in state:
            env = for_commands(env=self._env, pass_env=self._pass_env)
            # setdefault, since two calls may come at once; a shell that was not run is nothing.
            shell = cast(
                Shell, state.setdefault(self, Shell(self._workspace.root, env, self.sandbox))
            )
            self._shells.add(shell)
        return cast(Shell, state[self])  # under a toolset stands its shell


def _check(command: str, timeout: float) -> None:
    if "\0" in command:
        message = "the command holds a NUL character, which bash cannot read"
        raise invalid(message)
    try:
        command.encode()
    except UnicodeEncodeError:
        message = "the command holds a lone surrogate, which is no character"
        raise invalid(message) from None
    if not timeout > 0:  # nor is what is no number
        message = f"timeout {timeout:g} is no time to run in"
        raise invalid(message, hint="It is more than 0.")
