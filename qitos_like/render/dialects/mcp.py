"""The Model Context Protocol: ``tools/list`` and ``tools/call`` (revision 2025-06-18)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from qitos_like.core.action import Action, ActionResult
from qitos_like.core.jsontypes import Schema
from qitos_like.core.names import wire_name
from qitos_like.core.permission import ToolPermission
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.results import Part
from qitos_like.core.spec import ToolSpec
from qitos_like.render.schemas.texts import cleaned, description

from .base import Dialect, Export
from .media import base64
from .messages import as_dict, entry_named, made_up_id, read


class McpDialect(Dialect):
    """Tools, calls and results as MCP's messages have them.

    A message is a ``tools/call`` request or its ``params``, or a list of them.

    >>> McpDialect().actions({"name": "add", "arguments": {"a": 1}}, ToolRegistry())[0].args
    {'a': 1}
    """

    name: ClassVar[str] = "mcp"

    def actions(self, message: object, registry: ToolRegistry) -> list[Action]:
        """The calls, each under its request's id, as text."""
        calls = enumerate(_requests(message))
        return [self._action(request, position, registry) for position, request in calls]

    def assistant(self, message: object) -> list[Schema]:
        """The ``params`` of the calls."""
        return [as_dict(_params(request)) for request in _requests(message)]

    def results(self, action_results: Iterable[ActionResult]) -> list[Schema]:
        """A ``CallToolResult`` for each."""
        return [_result(result) for result in action_results]

    def _export(self, spec: ToolSpec, *, strict: bool | None) -> Export:  # noqa: ARG002
        tool = {
            "name": wire_name(spec.name, self.name),
            "description": description(spec),
            "inputSchema": cleaned(spec.input_schema),
            "annotations": _annotations(spec.permissions),
        }
        if spec.output_schema and spec.output_schema.get("type") == "object":
            tool["outputSchema"] = cleaned(spec.output_schema)
        return Export(tool)

    def _action(self, request: object, position: int, registry: ToolRegistry) -> Action:
        params = _params(request)
        wire, args = str(read(params, "name")), read(params, "arguments")
        entry = entry_named(registry, wire, self.name)
        sent = None if request is params else read(request, "id")
        call_id = made_up_id(position, as_dict(params)) if sent is None or sent == "" else str(sent)
        return Action(entry.name if entry else wire, {} if args is None else args, call_id)


def _annotations(needs: ToolPermission) -> Schema:
    """What a tool may do, from what it needs; hints that a client must not trust."""
    changes = needs.filesystem_write or needs.command
    return {
        "readOnlyHint": not (changes or needs.network),
        "destructiveHint": changes,
        "openWorldHint": needs.network or needs.command,
    }


def _requests(message: object) -> list[object]:
    is_many = isinstance(message, Sequence) and not isinstance(message, Mapping | str)
    return list(message) if is_many else [message]  # type: ignore[call-overload]  # checked


def _params(request: object) -> object:
    params = read(request, "params")
    return request if params is None else params


def _result(result: ActionResult) -> Schema:
    said = [{"type": "text", "text": result.text}] if result.text or not result.parts else []
    content = [*said, *map(_content, result.parts, range(len(result.parts)))]
    answer: Schema = {"content": content, "isError": not result.ok}
    if result.ok and isinstance(result.structured, Mapping):
        answer["structuredContent"] = dict(result.structured)
    return answer


def _content(part: Part, number: int) -> Schema:
    kind = part.media_type.partition("/")[0]
    if kind in {"image", "audio"}:
        return {"type": kind, "data": base64(part), "mimeType": part.media_type}
    blob = {"uri": f"part:///{number}", "mimeType": part.media_type, "blob": base64(part)}
    return {"type": "resource", "resource": blob}
