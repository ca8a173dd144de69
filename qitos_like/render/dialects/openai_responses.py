"""OpenAI's Responses API: a history of items, of which calls and their outputs are some."""

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from qitos_like.core.action import Action, ActionResult
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.results import Part
from qitos_like.core.spec import ToolSpec

from .base import Dialect, Export
from .media import PDF, data_url, parted
from .messages import (
    arguments_text,
    as_dict,
    entry_named,
    read,
    sendable,
    sendable_name,
    with_own_ids,
)
from .natives import native_action, native_of
from .openai_tools import SHOWN, function, sent_arguments

#: The keys under which the items of calls keep their arguments.
_ARGUMENTS = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "apply_patch_call": "operation",
}
_ANSWER_ONLY = frozenset({"parsed", "parsed_arguments", "created_by"})
_PROVIDER = "openai"


class PatchCallId(str):
    """The id of an ``apply_patch`` call, whose answer has a form of its own."""

    __slots__ = ()


class CustomCallId(str):
    """The id of a custom tool's call, whose answer has a form of its own."""

    __slots__ = ()


_IDS: dict[str, type[str]] = {
    "function_call": str,
    "custom_tool_call": CustomCallId,
    "apply_patch_call": PatchCallId,
}


class OpenAIResponsesDialect(Dialect):
    """``tools`` and ``input`` items of the Responses API.

    What a model says are several items here, so ``assistant`` gives a list:
    ``history += [*d.assistant(response), *d.results(...)]``.

    >>> item = {"type": "function_call", "name": "add", "arguments": "{}", "call_id": "c1"}
    >>> OpenAIResponsesDialect().actions({"output": [item]}, ToolRegistry())
    [Action(name='add', args='{}', id='c1')]
    """

    name: ClassVar[str] = "openai-responses"

    def actions(self, message: object, registry: ToolRegistry) -> list[Action]:
        """The calls in a response or in a list of items."""
        calls = [item for item in _items(message) if item.get("type") in _ARGUMENTS]
        return [self._action(call, registry) for call in calls]

    def assistant(self, message: object) -> list[Schema]:
        """The items to keep, reasoning included; each call with an id."""
        return [sendable(_kept(item)) for item in _items(message)]

    def results(self, action_results: Iterable[ActionResult]) -> list[Schema]:
        """An output item for each; images stand in it."""
        return [_output(result) for result in action_results]

    def _export(self, spec: ToolSpec, *, strict: bool | None) -> Export:
        native = native_of(spec, _PROVIDER)
        if native:
            return Export(native.tool, is_native=True)
        made, notes = function(spec, self.name, strict=strict)
        return Export({"type": "function", **made}, notes)

    def _action(self, call: Schema, registry: ToolRegistry) -> Action:
        kind = call["type"]
        args, call_id = call.get(_ARGUMENTS[kind]), _IDS[kind](call["call_id"])
        if kind == "apply_patch_call":
            native = native_action(
                registry.listed(), {"type": "apply_patch"}, args, provider=_PROVIDER
            )
            return (native or Action("apply_patch", args or {})).with_id(call_id)
        wire = str(call.get("name"))
        if kind == "custom_tool_call":
            return Action(wire, {"input": args}, call_id)
        entry = entry_named(registry, wire, self.name)
        return Action(entry.name if entry else wire, sent_arguments(args, entry), call["call_id"])


def _items(message: object) -> list[Schema]:
    """The items of a response as plain data, each call with an id."""
    items = read(message, "output")
    if items is None:
        many = isinstance(message, Sequence) and not isinstance(message, Mapping | str)
        items = message if many else [message]
    kept = [as_dict(item) for item in items]
    with_own_ids([item for item in kept if item.get("type") in _ARGUMENTS], "call_id")
    return kept


def _kept(item: Schema) -> Schema:
    """The item as the API takes it back."""
    kept = {key: value for key, value in item.items() if key not in _ANSWER_ONLY}
    if kept.get("type") == "function_call":
        kept["name"] = sendable_name(str(kept.get("name")), "openai-responses")
        kept["arguments"] = arguments_text(kept.get("arguments"))
    return kept


def _output(result: ActionResult) -> Schema:
    call_id = result.action.id or ""
    text, shown = parted(result, SHOWN)
    if isinstance(call_id, PatchCallId):
        status = "completed" if result.ok else "failed"
        kind = "apply_patch_call_output"
        return {"type": kind, "call_id": call_id, "status": status, "output": text}
    custom = isinstance(call_id, CustomCallId)
    kind = "custom_tool_call_output" if custom else "function_call_output"
    if not shown:
        return {"type": kind, "call_id": call_id, "output": text}
    said = [{"type": "input_text", "text": text}] if text else []
    return {"type": kind, "call_id": call_id, "output": [*said, *map(_content, shown)]}


def _content(part: Part) -> Json:
    if part.media_type != PDF:
        return {"type": "input_image", "image_url": data_url(part), "detail": "auto"}
    return {"type": "input_file", "filename": "result.pdf", "file_data": data_url(part)}
