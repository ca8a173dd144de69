"""Builders of ready registries: everything for code, or one group of it.

>>> "coding.view" in coding_tools(".")
True
"""

import os
from typing import Protocol

import kits
from qitos_like import ToolRegistry
from qitos_like.core.jsontypes import Json

Folder = str | os.PathLike[str]


class Builder(Protocol):
    """Makes a registry of one toolset for a folder, as ``NAMESPACE.*``.

    The options are the toolset's. A folder that does not exist is a ``NotADirectoryError``, an
    option that there is not a ``TypeError``.
    """

    def __call__(self, workspace_root: Folder = ".", **options: Json) -> ToolRegistry:
        """The registry."""


def _builder(name: str, text: str) -> Builder:
    def build(workspace_root: Folder = ".", **options: Json) -> ToolRegistry:
        return ToolRegistry().register_toolset(getattr(kits, name)(workspace_root, **options))

    build.__doc__ = f"{text}; the options are ``{name}``'s."
    return build


coding_tools = _builder("CodingToolSet", "View, search, change and run, as ``coding.*``")
file_tools = _builder("FileToolSet", "View, create and write files, as ``files.*``")
edit_tools = _builder("EditToolSet", "Change files, as ``edit.*``")
search_tools = _builder("SearchToolSet", "Search names and texts of files, as ``search.*``")
shell_tools = _builder("ShellToolSet", "Run commands, as ``shell.*``")
