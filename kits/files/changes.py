"""Changes of several files that all happen or all do not."""

import os
from collections.abc import Sequence
from contextlib import ExitStack
from stat import S_IMODE

from attrs import field, frozen

from kits.text.content import Piece
from kits.workspace import Workspace, WorkspaceError
from kits.workspace.staged import Staged
from qitos_like.core.results import ErrorCode

from .history import Step


@frozen
class Loaded:
    """A file as it is on disk now.

    Attributes:
        path: as the model wrote it.
        name: its absolute path, all links followed.
        shown: the path to show: relative to the workspace, links not followed.
        facts: what the file system says of it.
        data: all its bytes.
    """

    path: str
    name: str
    shown: str
    facts: os.stat_result = field(repr=False)
    data: bytes = field(repr=False)


@frozen
class Change:
    """What becomes of one file.

    Attributes:
        path: as the model wrote it.
        before: the file that is there; ``None`` if there is none.
        after: its new content; ``None`` to delete it.
        mode: its new permission bits, where they do not stay.
    """

    path: str
    before: Loaded | None
    after: tuple[Piece, ...] | None = field(repr=False)
    mode: int | None = None

    @property
    def undone(self) -> Step:
        """What to make of the file to take it back."""
        if self.before is None:
            return Step(None, None)
        return Step(self.before.data, S_IMODE(self.before.facts.st_mode))


def commit(workspace: Workspace, changes: Sequence[Change]) -> list[os.stat_result | None]:
    """Make all changes, or none: every content is on disk before the first takes its name.

    They take their names one right after the other. Only a process that is killed, or a machine
    that stops, in that moment leaves some files new and others old, each of them whole.

    Args:
        workspace: where the files are.
        changes: of different files.

    Returns:
        The facts of each file as it is now; ``None`` for one that was deleted.

    Raises:
        WorkspaceError: one cannot be made; the others are taken back.
    """
    made: dict[str, os.stat_result | None] = {}
    with ExitStack() as stack:
        staged = {change.path: _staged(workspace, change, stack) for change in changes}
        done: list[Change] = []
        try:
            for change in sorted(changes, key=lambda each: each.after is None):  # deletions, last
                made[change.path] = _made(workspace, change, staged[change.path])
                done.append(change)
            for content in filter(None, staged.values()):  # all names first: it takes no time
                content.settle()
        except WorkspaceError as error:
            raise _taken_back(workspace, done, error) from None
    return [made[change.path] for change in changes]


def _staged(workspace: Workspace, change: Change, stack: ExitStack) -> Staged | None:
    if change.after is None:
        return None
    is_new = change.before is None
    content = workspace.stage(change.path, change.after, exclusive=is_new, mode=change.mode)
    return stack.enter_context(content)


def _made(workspace: Workspace, change: Change, content: Staged | None) -> os.stat_result | None:
    if change.before is not None:
        check_unchanged(workspace, change.path, change.before.facts)
    if content is not None:
        return content.rename()
    workspace.remove(change.path)
    return None


def check_unchanged(workspace: Workspace, path: str, before: os.stat_result) -> None:
    """Refuse to replace what another program has written since it was read for this change.

    Raises:
        WorkspaceError: the file is another, or is gone.
    """
    now = workspace.stat(path)
    if _version(now) != _version(before):
        message = f"{path!r} changed while it was edited; nothing was written"
        raise WorkspaceError(message, code=ErrorCode.STALE_WRITE, hint="Try again.")


def _version(facts: os.stat_result) -> tuple[int, ...]:
    return facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns


def _taken_back(
    workspace: Workspace, made: Sequence[Change], error: WorkspaceError
) -> WorkspaceError:
    """The error, once what was made is as before; it says so where that failed too."""
    stuck = []
    for change in reversed(made):
        try:
            if change.before is None:
                workspace.remove(workspace.real(change.path), even_read_only=True)
            else:
                workspace.write_bytes(change.path, change.before.data)
        except WorkspaceError:
            stuck.append(change.path)
    if not stuck:
        return error
    message = f"{error}; what was done before could not be taken back in {', '.join(stuck)}"
    return WorkspaceError(message, code=error.code)
