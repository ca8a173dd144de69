"""The file tools by their modern names: ``Read``, ``Write``, ``LS``."""

from typing import Annotated

from attrs import evolve

from kits.errors import invalid
from qitos_like.core.context import ToolContext
from qitos_like.core.function_tool import FunctionTool
from qitos_like.core.permission import ToolPermission
from qitos_like.core.results import Ok
from qitos_like.core.spec import ToolMeta
from qitos_like.core.tool import ToolSet, tool

from . import aliases, viewing
from .toolset import FileToolSet, Path


class ModernFileToolSet(ToolSet):
    """A ``FileToolSet`` by the names and arguments that models of other agents know.

    Args:
        files: does the work; its limits hold.

    >>> [each.name for each in ModernFileToolSet(FileToolSet(".")).tools()]
    ['Read', 'LS', 'Write']
    """

    name = "files"

    def __init__(self, files: FileToolSet) -> None:
        self._files = files

    def tools(self) -> list[FunctionTool]:
        """The tools that the other toolset offers too."""
        reads = ToolMeta(reads=self._files.store.resources)
        writes = ToolMeta(writes=self._files.store.resources)
        shown = (
            "numbered lines of a file. Without limit: "
            f"{self._files.caps.view_lines:,} lines or {self._files.caps.view_chars:,} characters."
        )
        tools = [
            FunctionTool(self.read, reads.merged(ToolMeta(description=shown))),
            FunctionTool(self.ls, reads),
        ]
        return tools if self._files.read_only else [*tools, FunctionTool(self.write, writes)]

    @tool(
        name="Read",
        aliases=[aliases.MIXED_READ, aliases.VIEW],
        permissions=ToolPermission(filesystem_read=True),
    )
    def read(
        self,
        file_path: Path,
        offset: Annotated[int | None, "the first line, from 1"] = None,
        limit: Annotated[int | None, "how many lines"] = None,
        *,
        context: ToolContext | None = None,
    ) -> Ok:
        """View a file.

        Raises:
            WorkspaceError: there is no such file, or its kind or the range is wrong.
        """
        if offset is None and limit is None:
            return _in_these_words(self._files.view(file_path, context=context))
        if offset is not None and offset < 0:
            message = f"offset is {offset}: it is no line"
            raise invalid(message, hint="offset is the number of the first line, from 1.")
        if limit is not None and limit < 1:
            message = f"limit is {limit}: there is nothing to read"
            raise invalid(message, hint="limit is a number of lines, at least 1.")
        first = max(offset or 1, 1)
        last = first + (self._files.caps.view_lines if limit is None else limit) - 1
        return _in_these_words(self._files.view(file_path, (first, last), context=context))

    @tool(
        name="LS",
        description="what is in a folder, two levels deep.",
        permissions=ToolPermission(filesystem_read=True),
    )
    def ls(self, path: Path = ".", *, context: ToolContext | None = None) -> Ok:
        """List a folder.

        Raises:
            WorkspaceError: there is no such folder.
        """
        return self._files.view(path, context=context)

    @tool(
        name="Write",
        description="make content the whole file; one that exists must have been read, and not changed.",
        aliases=[aliases.MIXED_WRITE, aliases.WRITE_FILE, aliases.CREATE],
        permissions=ToolPermission(filesystem_read=True, filesystem_write=True),
    )
    def write(self, file_path: Path, content: str, *, context: ToolContext | None = None) -> Ok:
        """Write a file.

        Raises:
            WorkspaceError: it has not been read or has changed, or cannot be written.
        """
        return self._files.write_file(file_path, content, context=context)


def _in_these_words(shown: Ok) -> Ok:
    """The footer with the arguments that ``Read`` has."""
    following = shown.structured.get("next_range")
    if following is None:
        return shown
    first, last = following
    text, _, more = str(shown.value).rpartition(viewing.as_view_range(first, last))
    return evolve(shown, value=f"{text}offset={first}, limit={last - first + 1}{more}")
