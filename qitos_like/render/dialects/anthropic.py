"""Anthropic's Messages API."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from qitos_like.core.action import Action, ActionResult
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.names import wire_name
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.results import Part
from qitos_like.core.spec import ToolSpec
from qitos_like.render.schemas.keys import legal_keys, own_keys
from qitos_like.render.schemas.strictness import ANTHROPIC, obstacles, optional_count
from qitos_like.render.schemas.texts import cleaned, description
from qitos_like.render.schemas.top_level import plain_top
from qitos_like.render.schemas.used import with_used

from .base import Dialect, Export, notes_of
from .media import IMAGES, PDF, base64, parted
from .messages import (
    arguments_mapping,
    as_dict,
    entry_named,
    read,
    sendable,
    sendable_name,
    with_own_ids,
)
from .natives import native_action, native_of

_SHOWN = IMAGES | {PDF}
#: A message has to have something in it.
_NOTHING = {"type": "text", "text": "(nothing)"}
_ANSWER_ONLY = frozenset({"parsed_output"})
#: Per request: platform.claude.com/docs/en/build-with-claude/structured-outputs.
_MAX_STRICT, _MAX_OPTIONAL = 20, 24
#: The names that the API demands for its own tool types.
_NATIVE_NAMES = {
    "text_editor_20250728": "str_replace_based_edit_tool",
    "text_editor_20250429": "str_replace_based_edit_tool",
    "text_editor_20250124": "str_replace_editor",
    "bash_20250124": "bash",
}


class AnthropicDialect(Dialect):
    """``tools`` and ``messages`` of the Messages API.

    It is strict only where that is asked for: the API compiles all strict tools of a request into
    one grammar and refuses the request when that grows too large.

    >>> block = {"type": "tool_use", "id": "t1", "name": "add", "input": {"a": 1}}
    >>> AnthropicDialect().actions({"content": [block]}, ToolRegistry())
    [Action(name='add', args={'a': 1}, id='t1')]
    """

    name: ClassVar[str] = "anthropic"

    def actions(self, message: object, registry: ToolRegistry) -> list[Action]:
        """The ``tool_use`` blocks of a message; the API's own server tools are none of ours."""
        blocks = [block for block in _blocks(message) if block.get("type") == "tool_use"]
        return [self._action(block, registry) for block in blocks]

    def assistant(self, message: object) -> Schema:
        """The message to keep, thinking and its signatures included; no blank text, which is refused."""
        content = []
        for block in _blocks(message):
            if block.get("type") == "text" and not str(block.get("text") or "").strip():
                continue
            kept = {key: value for key, value in block.items() if key not in _ANSWER_ONLY}
            if kept.get("type") == "tool_use":
                kept["name"] = sendable_name(str(kept.get("name")), self.name)
                kept["input"] = arguments_mapping(kept.get("input"))
            content.append(sendable(kept))
        return {"role": "assistant", "content": content or [_NOTHING]}

    def results(self, action_results: Iterable[ActionResult]) -> list[Schema]:
        """One ``user`` message with a ``tool_result`` for each."""
        blocks = [_tool_result(result) for result in action_results]
        return [{"role": "user", "content": blocks}] if blocks else []

    def _export(self, spec: ToolSpec, *, strict: bool | None) -> Export:
        native = native_of(spec, self.name)
        if native:
            return Export(_named(native.tool), is_native=True)
        whole = with_used(spec.input_schema)
        schema, dropped = plain_top(whole)
        findings = obstacles(whole, ANTHROPIC) if strict else []
        tool: Schema = {
            "name": wire_name(spec.name, self.name),
            "description": description(spec),
            "input_schema": legal_keys(cleaned(schema)),
        }
        if strict and not findings:
            tool["strict"] = True
        return Export(tool, notes_of(spec, dropped, not_strict=findings))

    def _exports(self, specs: Sequence[ToolSpec], *, strict: bool | None) -> list[Export]:
        """The tools; strict ones only as far as one request takes them, the first ones first."""
        exports = super()._exports(specs, strict=strict)
        tools, optional = 0, 0
        for at, export in enumerate(exports):
            if export.tool.get("strict"):
                more = optional_count(specs[at].input_schema)
                if tools == _MAX_STRICT or optional + more > _MAX_OPTIONAL:
                    exports[at] = _loosened(export, specs[at])
                else:
                    tools, optional = tools + 1, optional + more
        return exports

    def _listed(self, tools: list[Schema], *, cache: bool) -> list[Schema]:
        """With ``cache``, all tools up to the marked last one are cached."""
        if cache and tools:
            tools[-1] = {**tools[-1], "cache_control": {"type": "ephemeral"}}
        return tools

    def _action(self, block: Schema, registry: ToolRegistry) -> Action:
        wire, args = str(block.get("name")), block.get("input")
        entry = entry_named(registry, wire, self.name)
        if entry is None or native_of(entry.traits, self.name):
            native = _native_action(registry, wire, args)
            if native:
                return native.with_id(block["id"])
        if entry is None:
            return Action(wire, {} if args is None else args, block["id"])
        schema, _ = plain_top(entry.spec.input_schema)
        return Action(entry.name, {} if args is None else own_keys(args, schema), block["id"])


def _loosened(export: Export, spec: ToolSpec) -> Export:
    tool = {key: value for key, value in export.tool.items() if key != "strict"}
    full = f"a request takes {_MAX_STRICT} strict tools with {_MAX_OPTIONAL} optional parameters"
    return Export(tool, (*export.notes, *notes_of(spec, [], not_strict=[("$", full)])))


def _native_action(registry: ToolRegistry, wire: str, args: Json) -> Action | None:
    types = [kind for kind, name in _NATIVE_NAMES.items() if name == wire]
    called: list[Schema] = [{"name": wire}, *({"type": kind} for kind in types)]
    found = (native_action(registry.listed(), each, args, provider="anthropic") for each in called)
    return next((action for action in found if action), None)


def _named(tool: Schema) -> Schema:
    name = _NATIVE_NAMES.get(tool.get("type", ""))
    return {"name": name, **tool} if name else tool


def _blocks(message: object) -> list[Schema]:
    """The content blocks as plain data, each call with an id."""
    content = read(message, "content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    blocks = [as_dict(block) for block in content or ()]
    with_own_ids([block for block in blocks if block.get("type") == "tool_use"], "id")
    return blocks


def _tool_result(result: ActionResult) -> Schema:
    text, shown = parted(result, _SHOWN)
    content: Json = text
    if shown:
        said = [{"type": "text", "text": text}] if text.strip() else []  # an empty one is refused
        content = [*said, *map(_content, shown)]
    block = {"type": "tool_result", "tool_use_id": result.action.id or "", "content": content}
    return block if result.ok else {**block, "is_error": True}


def _content(part: Part) -> Schema:
    kind = "document" if part.media_type == PDF else "image"
    source = {"type": "base64", "media_type": part.media_type, "data": base64(part)}
    return {"type": kind, "source": source}
