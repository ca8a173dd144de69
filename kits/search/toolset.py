"""``SearchToolSet``: files by name and by content."""

import os
import re
from contextlib import suppress
from time import monotonic
from typing import Annotated, Literal

from kits.caps import Caps, checked
from kits.errors import WorkspaceError, invalid
from kits.workspace import Workspace
from qitos_like.core.context import ToolContext
from qitos_like.core.function_tool import FunctionTool
from qitos_like.core.marks import Configured, PathArg
from qitos_like.core.results import Err, ErrorCode, Ok
from qitos_like.core.tool import ToolSet, tool

from . import aliases, dialect, filetypes
from .answer import MOST_SHOWN, FileList, Window
from .excerpts import Excerpter, Look
from .globs import Glob
from .grep import Grep, Request
from .ignores import OwnRules
from .listing import listed
from .matching import Matcher
from .query import TIMEOUT_S, Names, Patience, Task, TooSlowError, Wanted
from .ripgrep import Ripgrep
from .searcher import Searcher

Path = Annotated[str, PathArg]
#: Patterns of ignore files, which an operator configures.
Ignored = Annotated[tuple[str, ...], Configured]
OutputMode = Literal["content", "files", "count"]

_MAX_CONTEXT = 200
#: What of an absolute pattern is a folder by its name.
_ABSOLUTE = re.compile(r"/[^*?\[{\\]*(?=/)")
_ADVICE = "include_ignored=true searches them"

_WANTED: dict[OutputMode, Wanted] = {"content": "lines", "files": "first", "count": "count"}


class SearchToolSet(ToolSet):
    """Search the files of a workspace by name and by content, and never outside it.

    Ripgrep is used where it is on PATH; without it the answers are the same, only later. Links
    are not followed, and ignore files above the workspace are not read.

    Args:
        workspace_root: a folder, or a ``Workspace``.
        use_ripgrep: ``False`` to do without it, a ``Ripgrep`` to say how.
        caps: how much is shown at once.

    Raises:
        NotADirectoryError: the folder does not exist.

    >>> SearchToolSet(".").grep("no such text, surely", "README.md").value
    'no match in 1 file searched'
    """

    name = "search"

    def __init__(
        self,
        workspace_root: str | os.PathLike[str] | Workspace = ".",
        *,
        use_ripgrep: bool | Ripgrep = True,
        caps: Caps = Caps(),  # noqa: B008 - frozen
    ) -> None:
        if not isinstance(workspace_root, Workspace):
            workspace_root = Workspace(workspace_root)
        self._workspace = workspace_root
        self.use_ripgrep = use_ripgrep
        self.caps = checked(caps)

    def tools(self) -> list[FunctionTool]:
        """The tools, with this toolset's limits in their texts."""
        return listed(self.glob, self.grep, self.caps)

    @tool(aliases=[aliases.GLOB])
    def glob(
        self,
        pattern: Annotated[str, "*.py at any depth; src/**/*.{ts,tsx} below path"],
        path: Path = ".",
        *,
        include_ignored: bool = False,
        extend_ignore: Ignored = (),
        remove_ignore: Ignored = (),
        replace_ignore: Annotated[tuple[str, ...] | None, Configured] = None,
        call: ToolContext | None = None,
    ) -> Ok | Err:
        """Find files by their names.

        Raises:
            WorkspaceError: the pattern or the path is wrong.
        """
        rules = OwnRules.of(extend_ignore, remove_ignore, replace_ignore)
        names = Names(
            globs=(self.glob_at(path, pattern, hidden=include_ignored),),
            include_ignored=include_ignored,
            rules=rules,
        )
        return self.find(path, names, call, advice=_ADVICE)

    def find(
        self,
        path: str,
        names: Names,
        call: ToolContext | None = None,
        *,
        newest_first: bool = False,
        advice: str = "",
    ) -> Ok | Err:
        """Find files by their names.

        Args:
            path: the folder.
            names: which files.
            call: the call.
            newest_first: by their times, not by their names.
            advice: how to find ignored files too; empty for nothing.

        Raises:
            WorkspaceError: the path is wrong.
        """
        searcher = self._searcher(call)
        place = searcher.place(path)
        if not place.is_folder:
            message = f"{path!r} is a file; glob searches folders"
            raise invalid(message)
        try:
            listed = searcher.files(place, names, _patience(call))
        except TooSlowError:
            return _too_slow()
        paths = searcher.newest_first(place, listed.paths) if newest_first else listed.paths
        shown = [place.below(each) for each in paths[: self.caps.glob_paths]]
        return FileList(shown, len(listed.paths), listed.skipped, advice, names.hint).result()

    @tool(aliases=[aliases.GREP])
    def grep(
        self,
        pattern: str,
        path: Path = ".",
        *,
        glob: Annotated[str, "as for glob"] = "",
        type: Annotated[str, "of files: py, js, ..."] = "",
        output_mode: OutputMode = "content",
        ignore_case: bool = False,
        literal: bool = False,
        multiline: Annotated[bool, "matches may span lines"] = False,
        context: Annotated[int, "lines around each match"] = 0,
        head_limit: int | None = None,
        offset: int = 0,
        include_ignored: bool = False,
        extend_ignore: Ignored = (),
        remove_ignore: Ignored = (),
        replace_ignore: Annotated[tuple[str, ...] | None, Configured] = None,
        call: ToolContext | None = None,
    ) -> Ok | Err:
        """Search the contents of files.

        Raises:
            WorkspaceError: the pattern, the path or a limit is wrong.
        """
        request = Request(
            pattern=dialect.read(
                pattern, literal=literal, ignore_case=ignore_case, multiline=multiline
            ),
            path=path,
            names=Names(
                globs=self.globs(path, glob, type, hidden=include_ignored),
                include_ignored=include_ignored,
                rules=OwnRules.of(extend_ignore, remove_ignore, replace_ignore),
            ),
            wanted=_WANTED[output_mode],
            window=self.window(head_limit, offset),
            look=Look(before=checked_context(context), after=context),
            advice=_ADVICE,
        )
        return self.run(request, call)

    def run(self, request: Request, call: ToolContext | None = None) -> Ok | Err:
        """Search the contents of files, as a request says.

        Raises:
            WorkspaceError: the path is wrong.
        """
        task = Task(
            pattern=request.pattern,
            names=request.names,
            patience=_patience(call),
            wanted=request.wanted,
            enough=request.window.end + 1,
        )
        searcher = self._searcher(call)
        place = searcher.place(request.path)
        matcher = Matcher(request.pattern, task.patience)
        excerpter = Excerpter(matcher, request.look, self.caps.grep_line_chars)
        try:
            return Grep(searcher, place, task, request, excerpter).outcome().result()
        except TooSlowError:
            return _too_slow()

    def window(self, head_limit: int | None, offset: int) -> Window:
        """Which part of what is found is shown; ``None`` is as much as the caps say.

        Raises:
            WorkspaceError: it is nothing.
        """
        limit = self.caps.grep_lines if head_limit is None else head_limit
        if limit < 1 or offset < 0:
            message = f"head_limit {limit} and offset {offset} show nothing"
            raise invalid(message, hint="head_limit is 1 or more, offset 0 or more.")
        return Window(offset, min(limit, MOST_SHOWN))

    def globs(self, path: str, glob: str, kind: str, *, hidden: bool = False) -> tuple[Glob, ...]:
        """A glob and a file type, each where it is not empty, as globs that have to match.

        Raises:
            WorkspaceError: the glob is wrong, or there is no such type.
        """
        by_name = (self.glob_at(path, glob, hidden=hidden),) if glob else ()
        by_type = (filetypes.glob_of(kind, hidden=hidden),) if kind else ()
        return (*by_name, *by_type)

    def glob_at(self, path: str, pattern: str, *, hidden: bool = False) -> Glob:
        """A glob for a folder; a pattern that begins with its absolute path is one below it.

        Raises:
            WorkspaceError: the pattern is wrong.
        """
        mark = "!" if pattern.startswith("!") else ""
        with suppress(WorkspaceError):  # the path is wrong, or the pattern begins with no path
            pattern = mark + self._below(path, pattern.removeprefix("!"))
        return Glob(pattern, hidden)

    def _below(self, path: str, pattern: str) -> str:
        """A pattern that begins with an absolute path in a folder, however spelled, as one below it.

        Raises:
            WorkspaceError: the path or the pattern's begin is outside.
        """
        folder = self._absolute(path or ".")
        if pattern.startswith(f"{folder}/"):
            return pattern.removeprefix(folder)
        begin = _ABSOLUTE.match(pattern)
        if begin is None:
            return pattern
        inside = os.path.relpath(self._absolute(begin[0]), folder)
        is_outside = inside.split("/")[0] == ".."
        return pattern if is_outside else f"./{inside}{pattern[begin.end() :]}"

    def _absolute(self, path: str) -> str:
        """A path in the one spelling that all of the workspace have.

        Raises:
            WorkspaceError: it is outside.
        """
        return str(self._workspace.root / self._workspace.relative(path))

    def _searcher(self, call: ToolContext | None) -> Searcher:
        ripgrep = Ripgrep.find() if self.use_ripgrep is True else self.use_ripgrep
        return Searcher(self._workspace, ripgrep or None, call)


def checked_context(lines: int) -> int:
    """How many lines are shown around a match.

    Raises:
        WorkspaceError: it is less than none, or too many.
    """
    if not 0 <= lines <= _MAX_CONTEXT:
        message = f"context {lines}: from 0 to {_MAX_CONTEXT} lines can be shown around a match"
        raise invalid(message)
    return lines


def _patience(call: ToolContext | None) -> Patience:
    deadline = monotonic() + TIMEOUT_S
    if call is None:
        return Patience(deadline, _never)
    if call.deadline is not None:
        deadline = min(deadline, call.deadline)
    return Patience(deadline, call.raise_if_cancelled)


def _too_slow() -> Err:
    message = f"the search took more than {TIMEOUT_S:g} s and was given up"
    hint = "Search a smaller folder, fewer files (glob, type), or a simpler pattern."
    return Err(ErrorCode.TIMEOUT, message, hint=hint, retryable=False)


def _never() -> None:
    """Nothing cancels a call without a context."""
