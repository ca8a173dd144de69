"""``Workspace``: the one object that decides every path of every tool."""

import os
from pathlib import Path

from kits.snapshots.forking import copy_tree
from kits.snapshots.snapshots import Snapshots

from .folder import ConfinedFolder

Folder = str | os.PathLike[str]


class Workspace(ConfinedFolder):
    """A folder that tools may use, and nothing outside it; what changed in it can be taken back.

    Paths are relative to it, or absolute below it; links may lead anywhere inside. Its methods
    raise ``WorkspaceError``, whose text is for the model. Checkpoints live outside of the folder,
    and as long as the workspace; with git, what ignore rules name is no part of them.

    Args:
        root: the folder.
        readable: more folders, whose files absolute paths may read but not write.
        protected: patterns of paths that are not written, at any depth, such as ``keys/*.pem``.
        durable: whether a write waits until the disk has it.
        confinement: ``openat2`` (Linux), ``walk`` (portable), or ``auto``.

    Raises:
        NotADirectoryError: ``root`` or one of ``readable`` is no folder.
        NotImplementedError: the host is no POSIX system.
        ValueError: one of ``protected`` is no path below a folder.

    >>> Workspace(".").relative("./src/../README.md")
    'README.md'
    """

    def _opened(self) -> None:
        self._snapshots = Snapshots(self.root)

    def checkpoint(self) -> str:
        """Remember all files as they are now.

        Returns:
            The name to bring them back by.

        Raises:
            WorkspaceError: they cannot be read.
        """
        return self._snapshots.checkpoint()

    def restore(self, checkpoint: str) -> None:
        """Make all files what they were, whoever changed them: tools, commands, people.

        Raises:
            WorkspaceError: there is no such checkpoint, or they cannot be written.
        """
        self._snapshots.restore(checkpoint)

    def diff(self, since: str | None = None) -> str:
        """What has changed since a checkpoint, or since the first, as a patch that git applies.

        Raises:
            WorkspaceError: there is no such checkpoint, or the files cannot be read.
        """
        return self._snapshots.diff(since)

    def fork(self, folder: Folder) -> "Workspace":
        """A copy of everything in a folder of its own, as another workspace.

        Args:
            folder: it does not exist, or is empty, and is not inside this one.

        Raises:
            FileExistsError: it has files.
            ValueError: it is inside this workspace.
        """
        copy_tree(self.root, Path(folder))
        return Workspace(
            folder,
            readable=self.readable,
            protected=self.protected,
            durable=self._durable,
            confinement=self._places.root.confinement,
        )
