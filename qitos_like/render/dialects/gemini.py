"""Google's Gemini API, ``generateContent``."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from qitos_like.core.action import Action, ActionResult
from qitos_like.core.jsontypes import Schema
from qitos_like.core.names import check_name, wire_name
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.spec import ToolSpec
from qitos_like.errors import ToolNameError
from qitos_like.render.schemas.gemini_form import gemini_form
from qitos_like.render.schemas.texts import cleaned, description
from qitos_like.render.schemas.top_level import plain_top

from .base import Dialect, Export, notes_of
from .media import base64, parted
from .messages import (
    MadeUpId,
    arguments_mapping,
    as_dict,
    entry_named,
    read,
    sendable,
    sendable_name,
    with_own_ids,
)

#: What a function's response may hold beside its text.
#: What stands in a part beside its data, without which the part is refused.
_BESIDE = frozenset({"thought", "thoughtSignature", "videoMetadata", "partMetadata"})
#: A content has to have something in it.
_NOTHING = {"text": "(nothing)"}
_MEDIA = ("image/png", "image/jpeg", "image/webp", "application/pdf", "text/plain")


class GeminiDialect(Dialect):
    """``tools`` and ``contents`` of the Gemini API; also a list of the responses of a stream.

    It has no strict mode for functions; what its schemas cannot say is in the ``report``.

    >>> part = {"functionCall": {"name": "coding.view", "args": {"path": "a.py"}, "id": "f1"}}
    >>> GeminiDialect().actions({"role": "model", "parts": [part]}, ToolRegistry())
    [Action(name='coding.view', args={'path': 'a.py'}, id='f1')]
    """

    name: ClassVar[str] = "gemini"

    def actions(self, message: object, registry: ToolRegistry) -> list[Action]:
        """The function calls in a content or in the first candidate of a response."""
        calls = [dict(part["functionCall"]) for part in _parts(message) if "functionCall" in part]
        with_own_ids(calls, "id")
        return [self._action(call, registry) for call in calls]

    def assistant(self, message: object) -> Schema:
        """The content to keep, thought signatures included."""
        kept = (sendable(_kept(part)) for part in _parts(message))
        parts = [part for part in kept if not _BESIDE.issuperset(part)]
        return {"role": "model", "parts": parts or [_NOTHING]}

    def results(self, action_results: Iterable[ActionResult]) -> list[Schema]:
        """One content with a function response for each."""
        parts = [{"functionResponse": _response(result)} for result in action_results]
        return [{"role": "user", "parts": parts}] if parts else []

    def _export(self, spec: ToolSpec, *, strict: bool | None) -> Export:  # noqa: ARG002
        schema, dropped = plain_top(cleaned(spec.input_schema))
        form, findings = gemini_form(schema)
        tool: Schema = {"name": wire_name(spec.name, self.name), "description": description(spec)}
        if form.get("properties"):  # an object without properties is refused
            tool["parameters"] = form
        return Export(tool, notes_of(spec, [*dropped, *findings]))

    def _action(self, call: Schema, registry: ToolRegistry) -> Action:
        wire, args = str(call.get("name")), call.get("args")
        entry = entry_named(registry, wire, self.name)
        return Action(entry.name if entry else wire, {} if args is None else args, call["id"])

    def _listed(self, tools: list[Schema], *, cache: bool) -> list[Schema]:  # noqa: ARG002
        """All functions are one tool here."""
        return [{"functionDeclarations": tools}] if tools else []


def _parts(message: object) -> list[Schema]:
    """The parts as plain data in the API's own spelling."""
    if isinstance(message, Sequence) and not isinstance(message, str):
        return [part for each in message for part in _parts(each)]
    candidates = read(message, "candidates")
    content = read(candidates[0], "content") if candidates else message
    return [_part(part) for part in read(content, "parts") or ()]


def _part(part: object) -> Schema:
    kept = as_dict(part)
    for own, written in (
        ("functionCall", "function_call"),
        ("thoughtSignature", "thought_signature"),
    ):
        if written in kept:
            kept[own] = kept.pop(written)
    if "functionCall" in kept:
        kept["functionCall"] = as_dict(kept["functionCall"])
    return kept


def _kept(part: Schema) -> Schema:
    """The part as the API takes it back."""
    if "functionCall" not in part:
        is_signed = "thoughtSignature" in part and _BESIDE.issuperset(part)
        return {"text": "", **part} if is_signed else part
    call = part["functionCall"]
    name = sendable_name(str(call.get("name")), "gemini")
    args = arguments_mapping(call.get("args"))
    return {**part, "functionCall": {**call, "name": name, "args": args}}


def _response(result: ActionResult) -> Schema:
    action = result.action
    text, shown = parted(result, _MEDIA)
    response: Schema = {
        "name": _wire(action.name),
        "response": {"output" if result.ok else "error": text},
    }
    if action.id and not isinstance(action.id, MadeUpId):
        response["id"] = action.id
    if shown:
        blobs = [{"mimeType": part.media_type, "data": base64(part)} for part in shown]
        response["parts"] = [{"inlineData": blob} for blob in blobs]
    return response


def _wire(name: str) -> str:
    """The name as it was sent; what was no tool's name as the API takes it back."""
    try:
        return wire_name(check_name(name), "gemini")
    except ToolNameError:
        return sendable_name(name, "gemini")
