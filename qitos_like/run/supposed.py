"""A call as rules see it, of a tool that is known by its name, or by its name alone."""

from collections.abc import Mapping

from qitos_like.core.base import BaseTool
from qitos_like.core.entry import Entry, Origin
from qitos_like.core.environment import Environment
from qitos_like.core.jsontypes import Json
from qitos_like.core.marks import CommandArg, PathArg
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.results import Err
from qitos_like.core.spec import ToolSpec

from .find import find
from .prepared import Prepared
from .subject import Subject

#: What arguments of these names mostly are, where nothing is known of the tool.
_USUAL: Mapping[type, frozenset[str]] = {
    CommandArg: frozenset({"command", "cmd", "script"}),
    PathArg: frozenset({"path", "file", "file_path", "filename", "directory", "folder"}),
}


def supposed(
    tool: Entry | str,
    args: Mapping[str, Json],
    *,
    registry: ToolRegistry | None,
    environment: Environment | None,
) -> Subject | Err:
    """The call, or why there is no such tool.

    Args:
        tool: the tool, or a name that a model may use.
        args: what the model would send.
        registry: knows the name; without it paths and commands are told by their arguments' names.
        environment: has the workspace.
    """
    if isinstance(tool, Entry):
        return Subject(entry=tool, args=args, environment=environment)
    if registry is None:
        return _Unknown(entry=_entry(tool, args), args=args, environment=environment)
    found = find(registry, tool)
    if isinstance(found, Err):
        return found
    arguments = Prepared(found.entry).checker.check(args, found.alias)
    given = args if isinstance(arguments, Err) else arguments.given
    return Subject(entry=found.entry, args=given, environment=environment)


def _entry(name: str, args: Mapping[str, Json]) -> Entry:
    schema: Json = {"type": "object", "properties": {key: {} for key in args}}
    spec = ToolSpec.inferred(name, "", schema)
    return Entry(name=name, tool=BaseTool(spec), origin=Origin("function", name))


class _Unknown(Subject):
    """A call of a tool of which nothing but the name is known."""

    def _marked(self, mark: type) -> list[str]:
        return [key for key in self.args if key in _USUAL[mark]]
