"""``DiscoveryToolSet``: for registries too large to show, three tools that find the others."""

from collections.abc import Mapping
from typing import Annotated

from qitos_like.core.action import Action
from qitos_like.core.context import ToolContext
from qitos_like.core.describe import tool_lines
from qitos_like.core.entry import Entry
from qitos_like.core.jsontypes import Json
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.results import Err, ErrorCode, Ok, ToolResult
from qitos_like.core.safe_text import clean
from qitos_like.core.tool import ToolSet, tool

from .ranking import ranked

_MAX_FOUND = 20
_MAX_NAMESPACES_CHARS = 500


class DiscoveryToolSet(ToolSet):
    """Searches, describes and calls the tools of the registry that it is registered in.

    Show the model ``shown()``, which stays the same whatever is found, and run its actions with
    the whole registry. Tools that say ``always_include`` are shown too.

    >>> registry = ToolRegistry()
    >>> @registry.tool
    ... def send_mail(to: str) -> None:
    ...     '''Send a message.'''
    >>> discovery = DiscoveryToolSet(registry)
    >>> _ = registry.register_toolset(discovery)
    >>> [entry.name for entry in discovery.shown()], discovery.search("mail")
    (['tools.search', 'tools.describe', 'tools.call'], 'send_mail(to: str) - Send a message.')
    """

    name = "tools"

    def __init__(self, registry: ToolRegistry) -> None:
        """Take the registry that has the tools, and will have this."""
        self._registry = registry

    def instructions(self) -> str:
        """How the three go together, and what there is to find."""
        spaces = dict.fromkeys(entry.namespace for entry in self._entries() if entry.namespace)
        named = ", ".join(spaces)
        there_are = (
            f" There are tools of: {named}." if 0 < len(named) <= _MAX_NAMESPACES_CHARS else ""
        )
        return f"More tools can be found with search and run with call.{there_are}"

    def shown(self) -> ToolRegistry:
        """The registry narrowed to what a model is shown."""
        names = [
            entry.name
            for entry in self._registry
            if entry.toolset is self or entry.traits.always_include
        ]
        return self._registry.select(*names) if names else ToolRegistry()

    @tool(parallel_safe=True)
    def search(
        self,
        query: Annotated[str, "words of what the tool should do"],
        limit: Annotated[int, f"at most {_MAX_FOUND}"] = 5,
    ) -> str:
        """Find tools; gives their signatures, the best first."""
        found = ranked(self._entries(), query)[: max(1, min(limit, _MAX_FOUND))]
        if not found:
            return f"No tool has to do with {clean(query)!r}; try other words."
        return "\n".join(tool_lines(entry.spec)[0] for entry in found)

    @tool(parallel_safe=True)
    def describe(self, name: Annotated[str, "as search gave it"]) -> ToolResult:
        """All there is to know about a tool's arguments."""
        entry = next((each for each in self._entries() if each.name == name), None)
        if entry is None:
            return Err(ErrorCode.UNKNOWN_TOOL, f"there is no tool {name!r}", hint="search for it")
        return Ok("\n".join(tool_lines(entry.spec)))

    @tool
    async def call(
        self, context: ToolContext, name: str, arguments: Mapping[str, Json] | None = None
    ) -> ToolResult:
        """Run a tool that search found."""
        if context.parent is None:
            return Err(ErrorCode.NOT_AVAILABLE, "tools can be called while an executor runs only")
        answer = await context.parent.run(Action(name, arguments or {}))
        if isinstance(answer.result, Err):
            return answer.result
        return Ok(answer.text, structured=answer.structured, parts=answer.parts)

    def _entries(self) -> list[Entry]:
        return [entry for entry in self._registry.listed() if entry.toolset is not self]
