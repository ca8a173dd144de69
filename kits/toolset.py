"""Builders of ready registries: everything for code, or one group of it.

>>> "coding.view" in coding_tools(".")
True
"""

import os

import kits
from qitos_like import ToolRegistry
from qitos_like.core.jsontypes import Json

Folder = str | os.PathLike[str]


def coding_tools(workspace_root: Folder = ".", **options: Json) -> ToolRegistry:
    """View, search, change and run, as ``coding.*``; the options are ``CodingToolSet``'s.

    Raises:
        NotADirectoryError: the folder does not exist.
        TypeError: there is no such option.
    """
    return ToolRegistry().register_toolset(kits.CodingToolSet(workspace_root, **options))


def file_tools(workspace_root: Folder = ".", **options: Json) -> ToolRegistry:
    """View, create and write files, as ``files.*``; the options are ``FileToolSet``'s.

    Raises:
        NotADirectoryError: the folder does not exist.
        TypeError: there is no such option.
    """
    return ToolRegistry().register_toolset(kits.FileToolSet(workspace_root, **options))


def edit_tools(workspace_root: Folder = ".", **options: Json) -> ToolRegistry:
    """Change files, as ``edit.*``; the options are ``EditToolSet``'s.

    Raises:
        NotADirectoryError: the folder does not exist.
        TypeError: there is no such option.
    """
    return ToolRegistry().register_toolset(kits.EditToolSet(workspace_root, **options))


def shell_tools(workspace_root: Folder = ".", **options: Json) -> ToolRegistry:
    """Run commands, as ``shell.*``; the options are ``ShellToolSet``'s.

    Raises:
        NotADirectoryError: the folder does not exist.
        TypeError: there is no such option.
    """
    return ToolRegistry().register_toolset(kits.ShellToolSet(workspace_root, **options))


def search_tools(workspace_root: Folder = ".", **options: Json) -> ToolRegistry:
    """Search the contents of files, as ``search.*``; the options are ``SearchToolSet``'s.

    Raises:
        NotADirectoryError: the folder does not exist.
        TypeError: there is no such option.
    """
    return ToolRegistry().register_toolset(kits.SearchToolSet(workspace_root, **options))
