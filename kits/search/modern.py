"""The search tools by their modern names: ``Glob``, ``Grep``."""

from typing import Annotated, Literal

from qitos_like.core.context import ToolContext
from qitos_like.core.function_tool import FunctionTool
from qitos_like.core.marks import Name
from qitos_like.core.results import Err, Ok
from qitos_like.core.tool import ToolSet, tool

from . import aliases, dialect
from .answer import MOST_SHOWN
from .excerpts import Look
from .grep import Request
from .listing import listed
from .query import Names, Wanted
from .toolset import Path, SearchToolSet, checked_context

_ADVICE = "given as path, an ignored folder is searched"
_WANTED: dict[str, Wanted] = {
    "content": "lines",
    "files_with_matches": "first",
    "count": "count",
}


class ModernSearchToolSet(ToolSet):
    """A ``SearchToolSet`` by the names and arguments that models of other agents know.

    Args:
        search: does the work; its limits hold.

    >>> [each.name for each in ModernSearchToolSet(SearchToolSet(".")).tools()]
    ['Glob', 'Grep']
    """

    name = "search"

    def __init__(self, search: SearchToolSet) -> None:
        self._search = search

    def tools(self) -> list[FunctionTool]:
        """The tools, with the other toolset's limits in their texts."""
        return listed(
            self.glob,
            self.grep,
            self._search.caps,
            about_glob=" The newest first.",
            about_grep=" glob, type, -A, -B and -C are ripgrep's.",
        )

    @tool(name="Glob", aliases=[aliases.MODERN_GLOB])
    def glob(
        self, pattern: str, path: Path = ".", *, context: ToolContext | None = None
    ) -> Ok | Err:
        """Find files by their names, the newest first.

        Raises:
            WorkspaceError: the pattern or the path is wrong.
        """
        names = Names(globs=(self._search.glob_at(path, pattern),))
        return self._search.find(path, names, context, newest_first=True, advice=_ADVICE)

    @tool(name="Grep", aliases=[aliases.MODERN_GREP, aliases.MODERN_CONTEXT])
    def grep(
        self,
        pattern: str,
        path: Path = ".",
        *,
        glob: str = "",
        type: str = "",
        output_mode: Literal["content", "files_with_matches", "count"] = "files_with_matches",
        after: Annotated[int, Name("-A")] = 0,
        before: Annotated[int, Name("-B")] = 0,
        around: Annotated[int, Name("-C")] = 0,
        ignore_case: Annotated[bool, Name("-i")] = False,
        numbered: Annotated[bool, Name("-n")] = True,  # noqa: ARG002 - lines always have numbers
        only_matching: Annotated[bool, Name("-o"), "only the text that matches"] = False,
        multiline: Annotated[bool, "matches may span lines"] = False,
        head_limit: Annotated[int | None, "0 for all"] = None,
        offset: int = 0,
        context: ToolContext | None = None,
    ) -> Ok | Err:
        """Search the contents of files.

        Raises:
            WorkspaceError: the pattern, the path or a limit is wrong.
        """
        request = Request(
            pattern=dialect.read(pattern, ignore_case=ignore_case, multiline=multiline),
            path=path,
            names=Names(globs=self._search.globs(path, glob, type)),
            wanted=_WANTED[output_mode],
            window=self._search.window(MOST_SHOWN if head_limit == 0 else head_limit, offset),
            look=Look(
                before=checked_context(max(before, around)),
                after=checked_context(max(after, around)),
                only_matching=only_matching,
            ),
            advice=_ADVICE,
        )
        return self._search.run(request, context)
