"""A folder as a list of names, two levels deep."""

import os
import unicodedata

from attrs import frozen

from kits.caps import Caps
from kits.workspace import FolderEntry, Workspace, WorkspaceError
from qitos_like.core.jsontypes import Json

#: So that one crowded folder does not hide its neighbours.
_MAX_IN_SUBFOLDER = 100
_CLOSED = {".git"}
_MARKS = {"folder": "/", "link": " (link)", "file": "", "other": " (no file)"}


@frozen
class Listing:
    """What is shown of a folder.

    Attributes:
        shown: the folder's path.
        lines: one per name, the second level indented.
        entries: the names with their kinds.
        left_out: how many names are not shown.
    """

    shown: str
    lines: tuple[str, ...]
    entries: tuple[Json, ...]
    left_out: int

    def __str__(self) -> str:
        """The names and a footer, for a model."""
        count = len(self.entries)
        footer = f"{self.shown}: {count} {'entry' if count == 1 else 'entries'}, two levels deep"
        if self.left_out:
            footer += f"; {self.left_out:,} more left out: view a subfolder"
        return "\n".join([*self.lines, footer])

    def structured(self) -> Json:
        """The facts as JSON data."""
        return {"path": self.shown, "entries": list(self.entries), "left_out": self.left_out}


def listing(workspace: Workspace, path: str, caps: Caps) -> Listing:
    """The names in a folder and in its subfolders, sorted.

    Raises:
        WorkspaceError: it is no folder, or cannot be read.
    """
    rows: list[tuple[int, str, str]] = []
    left_out = 0
    for entry in workspace.scandir(path):
        rows.append((0, entry.name, entry.kind))
        below = _below(workspace, path, entry)
        rows += [(1, f"{entry.name}/{each.name}", each.kind) for each in below[:_MAX_IN_SUBFOLDER]]
        left_out += max(len(below) - _MAX_IN_SUBFOLDER, 0)
    kept = rows[: caps.folder_entries]
    return Listing(
        workspace.relative(path),
        tuple(f"{'  ' * depth}{_name(text)}{_MARKS[kind]}" for depth, text, kind in kept),
        tuple({"path": printable(text), "kind": kind} for _, text, kind in kept),
        left_out + len(rows) - len(kept),
    )


def printable(name: str) -> str:
    r"""A file's name on one line: bytes that are no UTF-8 as ``\xNN``, control characters too."""
    if name.isprintable():
        return name
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(f"\\x{ord(c):02x}" if unicodedata.category(c) == "Cc" else c for c in text)


def _name(path: str) -> str:
    return printable(path.rpartition("/")[2])


def _below(workspace: Workspace, path: str, entry: FolderEntry) -> list[FolderEntry]:
    if entry.kind != "folder" or entry.name in _CLOSED:
        return []
    try:
        return workspace.scandir(f"{path}/{entry.name}")
    except WorkspaceError:  # a folder that cannot be read is listed all the same
        return []
