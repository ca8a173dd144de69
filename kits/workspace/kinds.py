"""What a name in a folder stands for."""

import os
import stat
from typing import Literal

from attrs import frozen

_KINDS = {
    stat.S_IFREG: "file",
    stat.S_IFDIR: "folder",
    stat.S_IFIFO: "named pipe",
    stat.S_IFSOCK: "socket",
}


@frozen
class FolderEntry:
    """A name in a folder.

    Attributes:
        kind: ``link`` for a symbolic link wherever it leads; ``other`` for pipes and the like.
    """

    name: str
    kind: Literal["file", "folder", "link", "other"]


def kind_of(facts: os.stat_result) -> str:
    """``file``, ``folder`` and so on, in words."""
    return _KINDS.get(stat.S_IFMT(facts.st_mode), "device")


def entry_kind(entry: os.DirEntry[str]) -> Literal["file", "folder", "link", "other"]:
    """What a folder's listing calls it; links are not followed."""
    if entry.is_symlink():
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if entry.is_file(follow_symlinks=False) else "other"
