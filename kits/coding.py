"""``CodingToolSet``: everything an agent needs to work on code, in one folder."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, Protocol, assert_never

from kits.caps import Caps
from kits.edit.modern import ModernEditToolSet
from kits.edit.toolset import EditToolSet
from kits.files.ledger import LedgerMode
from kits.files.modern import ModernFileToolSet
from kits.files.store import FileStore
from kits.files.toolset import FileToolSet
from kits.patch.toolset import PatchToolSet
from kits.search.modern import ModernSearchToolSet
from kits.search.toolset import SearchToolSet
from kits.shell.modern import ModernShellToolSet
from kits.shell.sandbox import SandboxMode
from kits.shell.toolset import ShellToolSet
from kits.workspace import DEFAULT_PROTECTED, Workspace
from qitos_like.core.function_tool import FunctionTool
from qitos_like.core.jsontypes import Json
from qitos_like.core.tool import ToolSet

#: What to say where these tools stand beside each other.
_HINTS = (
    ({"grep", "run_command"}, "Use grep rather than shell grep, str_replace rather than sed."),
    ({"Edit", "Bash"}, "Use Edit rather than sed."),
)

Group = FileToolSet | EditToolSet | PatchToolSet | SearchToolSet | ShellToolSet

#: The options that ask for a group of tools.
_GROUPS = ("enable_patch", "enable_background")

#: The tools in the order they are shown.
_ORDER = (
    "view",
    "str_replace",
    "create",
    "write_file",
    "insert",
    "apply_patch",
    "undo_edit",
    "glob",
    "grep",
    "run_command",
    "command_output",
    "stop_command",
    "Read",
    "Edit",
    "MultiEdit",
    "Write",
    "LS",
    "Glob",
    "Grep",
    "Bash",
    "BashOutput",
    "KillShell",
)


class CodingToolSet(ToolSet):
    """View, search and change the files of a folder, and run commands in it.

    The tools are methods too: ``CodingToolSet(root).view("a.py")`` returns what the tool returns.

    Args:
        workspace_root: the folder; nothing outside it is read or written by the file tools.
        shell_timeout: seconds a command may take, unless the model says otherwise.
        read_only: offer only what reads.
        sandbox: where commands run: ``none`` gives them the host's own rights, ``bwrap`` shows them
            the workspace and programs alone, ``auto`` does where bubblewrap works.
        readable: folders outside that may be read, by absolute paths.
        protected: patterns of paths that the file tools do not write, such as ``keys/*.pem``.
        env: variables for commands, by name.
        pass_env: patterns of secret variables of this process that commands get all the same.
        ledger: what must have been read before it is changed.
        durable: whether a write waits until the disk has it.
        caps: how much is shown at once.
        enable_patch: offer ``apply_patch`` and ``undo_edit``.
        enable_background: offer commands in the background.
        expose_modern_names: list ``Read``, ``Edit``, ``Bash`` and so on instead; best with
            ``namespace=""``. The other names are understood in any case.
        include_notebook, enable_lsp, enable_tasks, enable_web: groups that this version does not
            have; ``True`` is refused.

    Raises:
        NotADirectoryError: the folder does not exist.
        NotImplementedError: an option asks for what this version does not have.
        ValueError: ``sandbox`` or ``ledger`` is another word than these, one of ``protected`` is no
            path below a folder, or ``shell_timeout`` is no time.

    >>> [tool.name for tool in CodingToolSet(".", read_only=True).tools()][:1]
    ['view']
    """

    name = "coding"

    def __init__(
        self,
        workspace_root: str | os.PathLike[str] = ".",
        *,
        shell_timeout: int = 120,
        include_notebook: bool = False,
        enable_lsp: bool = False,
        enable_tasks: bool | Literal["todo", "graph"] = False,
        enable_web: bool = False,
        enable_patch: bool = False,
        enable_background: bool = False,
        expose_modern_names: bool = False,
        read_only: bool = False,
        sandbox: SandboxMode = "none",
        readable: Iterable[str | os.PathLike[str]] = (),
        protected: Iterable[str] = DEFAULT_PROTECTED,
        env: Mapping[str, str] | None = None,
        pass_env: Sequence[str] = (),
        ledger: LedgerMode = "auto",
        durable: bool = True,
        caps: Caps = Caps(),  # noqa: B008 - frozen
    ) -> None:
        _refuse(
            include_notebook=include_notebook,
            enable_lsp=enable_lsp,
            enable_tasks=enable_tasks,
            enable_web=enable_web,
        )
        self.workspace = Workspace(
            workspace_root, readable=readable, protected=protected, durable=durable
        )
        store = FileStore(self.workspace, ledger=ledger, undo=enable_patch)
        self._groups: list[Group] = [
            FileToolSet(store, read_only=read_only, caps=caps),
            SearchToolSet(self.workspace, caps=caps),
        ]
        if not read_only:
            shell = ShellToolSet(
                self.workspace,
                timeout=shell_timeout,
                env=env,
                pass_env=pass_env,
                sandbox=sandbox,
                background=enable_background,
                caps=caps,
            )
            patch = [PatchToolSet(store)] if enable_patch else []
            self._groups += [EditToolSet(store), *patch, shell]
        shown = map(_modern, self._groups) if expose_modern_names else self._groups
        self._tools = _ordered(shown)

    @classmethod
    def full(cls, workspace_root: str | os.PathLike[str] = ".", **options: Json) -> "CodingToolSet":
        """The kit with every group that this version has; the options are the class's own.

        Raises:
            NotADirectoryError: the folder does not exist.
            TypeError: there is no such option.
        """
        return cls(workspace_root, **{**dict.fromkeys(_GROUPS, True), **options})

    def tools(self) -> list[FunctionTool]:
        """The tools of all groups that were asked for."""
        return list(self._tools)

    def instructions(self) -> str:
        """How the tools go together."""
        names = {each.name for each in self._tools}
        hints = [text for needed, text in _HINTS if needed <= names]
        return " ".join(["Paths are relative to the workspace.", *hints])

    def teardown(self) -> None:
        """Stop what the groups have left running."""
        for group in self._groups:
            if isinstance(group, ShellToolSet):
                group.teardown()

    def __getattr__(self, name: str) -> Callable[..., Json]:
        """The method behind a tool.

        Raises:
            AttributeError: no tool has this name.
        """
        for each in self.__dict__.get("_tools", ()):
            if each.name == name:
                return each.function  # type: ignore[no-any-return]  # read from the plain dict
        message = f"{type(self).__name__} has no attribute or tool {name!r}"
        raise AttributeError(message)


class _Offer(Protocol):
    def tools(self) -> list[FunctionTool]: ...


def _modern(group: Group) -> _Offer:
    """The same group by its modern names; one without such names as it is."""
    match group:
        case FileToolSet():
            return ModernFileToolSet(group)
        case EditToolSet():
            return ModernEditToolSet(group)
        case ShellToolSet():
            return ModernShellToolSet(group)
        case SearchToolSet():
            return ModernSearchToolSet(group)
        case PatchToolSet():
            return group
        case _:
            assert_never(group)


def _ordered(groups: Iterable[_Offer]) -> list[FunctionTool]:
    tools = [each for group in groups for each in group.tools()]
    return sorted(tools, key=lambda each: _ORDER.index(each.name))


def _refuse(**options: object) -> None:
    """Refuse what is asked for and does not exist; nothing is ever offered that only pretends."""
    for name, value in options.items():
        if value:
            message = f"CodingToolSet({name}={value!r}): this version does not have that group"
            raise NotImplementedError(message)
