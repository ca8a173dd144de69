"""Prebuilt toolsets for agents; a group is loaded when it is first used.

>>> from kits import CodingToolSet
>>> CodingToolSet(workspace_root=".").name
'coding'
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .artifacts import ArtifactToolSet
    from .caps import Caps
    from .coding import CodingToolSet
    from .edit.toolset import EditToolSet
    from .files.store import FileStore
    from .files.toolset import FileToolSet
    from .patch.toolset import PatchToolSet
    from .providers.anthropic import AnthropicToolSet
    from .search.toolset import SearchToolSet
    from .shell.capabilities import Capability, capabilities
    from .shell.sandbox import SandboxError, SandboxWarning
    from .shell.toolset import ShellToolSet
    from .workspace import Workspace, WorkspaceError

__all__ = [
    "AnthropicToolSet",
    "ArtifactToolSet",
    "Capability",
    "Caps",
    "CodingToolSet",
    "EditToolSet",
    "FileStore",
    "FileToolSet",
    "PatchToolSet",
    "SandboxError",
    "SandboxWarning",
    "SearchToolSet",
    "ShellToolSet",
    "Workspace",
    "WorkspaceError",
    "capabilities",
]

_LAZY = {
    "AnthropicToolSet": "providers.anthropic",
    "ArtifactToolSet": "artifacts",
    "Capability": "shell.capabilities",
    "Caps": "caps",
    "CodingToolSet": "coding",
    "EditToolSet": "edit.toolset",
    "FileStore": "files.store",
    "FileToolSet": "files.toolset",
    "PatchToolSet": "patch.toolset",
    "SandboxError": "shell.sandbox",
    "SandboxWarning": "shell.sandbox",
    "SearchToolSet": "search.toolset",
    "ShellToolSet": "shell.toolset",
    "Workspace": "workspace",
    "WorkspaceError": "workspace",
    "capabilities": "shell.capabilities",
}


def __getattr__(name: str) -> object:
    """Load a name when it is first used (PEP 562)."""
    module = _LAZY.get(name)
    if module is None:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)
