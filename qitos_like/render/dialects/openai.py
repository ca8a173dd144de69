"""OpenAI's Chat Completions, and the many servers that speak it."""

import json
from collections.abc import Iterable, Iterator, Sequence
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
from .openai_tools import SHOWN, sent_arguments
from .openai_tools import function as function_of

#: The texts of a stream's message.
_TEXTS = ("content", "refusal", "reasoning_content", "reasoning")
#: What a response has that a request does not take.
_ANSWER_ONLY = frozenset({"annotations", "parsed", "function_call", "audio", "tool_calls"})


class OpenAIDialect(Dialect):
    """``tools`` and ``messages`` of Chat Completions; also a list of the chunks of a stream.

    >>> call = {"function": {"name": "coding__view", "arguments": '{"path": "a.py"}'}, "id": "1"}
    >>> OpenAIDialect().actions({"tool_calls": [call]}, ToolRegistry())
    [Action(name='coding__view', args='{"path": "a.py"}', id='1')]
    """

    name: ClassVar[str] = "openai"

    def actions(self, message: object, registry: ToolRegistry) -> list[Action]:
        """The calls in a message, a completion or its chunks."""
        return [self._action(call, registry) for call in _calls(_message(message))]

    def assistant(self, message: object) -> Schema:
        """The message to keep; its calls have ids and arguments as text."""
        whole = _message(message)
        kept = {key: value for key, value in as_dict(whole).items() if key not in _ANSWER_ONLY}
        audio = read(read(whole, "audio"), "id")
        calls = _calls(whole)
        answer: Schema = {
            "role": "assistant",
            **({} if calls or "content" in kept else {"content": ""}),
            **kept,
            **({"audio": {"id": audio}} if audio else {}),
            **({"tool_calls": [self._textual(call) for call in calls]} if calls else {}),
        }
        return sendable(answer)

    def results(self, action_results: Iterable[ActionResult]) -> list[Schema]:
        """A ``tool`` message for each, then one ``user`` message with their images, if any."""
        messages: list[Schema] = []
        shown: list[Schema] = []
        for result in action_results:
            text, parts = parted(result, SHOWN)
            messages.append(
                {"role": "tool", "tool_call_id": result.action.id or "", "content": text}
            )
            if parts:
                shown.append({"type": "text", "text": f"From {result.action.id}:"})
                shown += map(_content, parts)
        return [*messages, {"role": "user", "content": shown}] if shown else messages

    def _export(self, spec: ToolSpec, *, strict: bool | None) -> Export:
        function, notes = function_of(spec, self.name, strict=strict)
        return Export({"type": "function", "function": function}, notes)

    def _action(self, call: Schema, registry: ToolRegistry) -> Action:
        if "function" not in call:
            custom = call.get("custom", {})
            return Action(str(custom.get("name")), {"input": custom.get("input")}, call["id"])
        wire, args = call["function"]["name"], call["function"]["arguments"]
        entry = entry_named(registry, wire, self.name)
        return Action(entry.name if entry else wire, sent_arguments(args, entry), call["id"])

    def _textual(self, call: Schema) -> Schema:
        """The call as the API takes it back."""
        if "function" not in call:
            return call
        function = call["function"]
        name = sendable_name(function["name"], self.name)
        arguments = arguments_text(function["arguments"])
        return {**call, "function": {"name": name, "arguments": arguments}}


def _message(message: object) -> object:
    """The message itself, from the response or the chunks that hold it."""
    if isinstance(message, Sequence) and not isinstance(message, str):
        return _joined(message)
    choices = read(message, "choices")
    return read(choices[0], "message") if choices else message


def _calls(message: object) -> list[Schema]:
    """The calls as plain data, each with an id."""
    calls = []
    for call in read(message, "tool_calls") or _legacy(message):
        kept = as_dict(call)
        kept.pop("index", None)
        named = as_dict(kept["function"]) if "function" in kept else None
        if named is not None:
            name, arguments = str(named.get("name")), named.get("arguments")
            kept["function"] = {"name": name, "arguments": arguments}
        kept["type"] = kept.get("type") or "function"
        calls.append(kept)
    with_own_ids(calls, "id")
    return calls


def _legacy(message: object) -> list[Schema]:
    """The one call of a message in the form before there could be several."""
    function = read(message, "function_call")
    return [{"function": as_dict(function)}] if read(function, "name") else []


def _joined(chunks: Sequence[object]) -> Schema:
    """One message from the chunks of a stream; of several choices, the first."""
    texts: dict[str, list[str]] = {name: [] for name in _TEXTS}
    calls: list[Schema] = []
    latest: dict[int, Schema] = {}
    legacy: Schema = {"name": "", "arguments": ""}
    for chunk in chunks:
        choices = read(chunk, "choices") or ()
        delta = next((read(each, "delta") for each in choices if not read(each, "index")), None)
        for name, pieces in texts.items():
            pieces.extend(_texts(read(delta, name)))
        _join(legacy, read(delta, "function_call"))
        for piece in read(delta, "tool_calls") or ():
            at = read(piece, "index") or 0
            if _begins(piece, latest.get(at)):
                latest[at] = {"id": None, "function": {"name": "", "arguments": ""}}
                calls.append(latest[at])
            latest[at]["id"] = latest[at]["id"] or read(piece, "id")
            _join(latest[at]["function"], read(piece, "function"))
    told = {name: "".join(pieces) for name, pieces in texts.items()}
    said = {name: text for name, text in told.items() if text or name == "content"}
    return {**said, "tool_calls": calls, "function_call": legacy}


def _texts(said: Json) -> Iterator[str]:
    """The texts of a chunk; some servers have a list of parts in the place of one."""
    parts = said if isinstance(said, list) else [said]
    for part in parts:
        text = part if isinstance(part, str) else read(part, "text")
        if isinstance(text, str):
            yield text


def _begins(piece: object, call: Schema | None) -> bool:
    """Whether a piece begins a call.

    Some servers number all calls 0: there an id of its own begins one, and where they give no ids
    either, a name after arguments that are whole.
    """
    sent = read(piece, "id")
    if call is None or (sent and call["id"]):
        return call is None or sent != call["id"]
    name, arguments = (read(read(piece, "function"), key) for key in ("name", "arguments"))
    begun = call["function"]
    if sent or not name or not _is_whole(begun["arguments"]):
        return False
    other = arguments_text(arguments)
    return bool(name != begun["name"] or (other.startswith("{") and other != begun["arguments"]))


def _is_whole(text: str) -> bool:
    """Whether a text is a JSON object to its end."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _join(function: Schema, piece: object) -> None:
    """Add what a chunk brings; some servers send a name, or all arguments, again and again."""
    name, arguments = str(read(piece, "name") or ""), read(piece, "arguments")
    function["name"] += "" if name == function["name"] else name
    is_text = isinstance(arguments, str | None)
    text = (arguments or "") if is_text else arguments_text(arguments)
    is_again = text == function["arguments"] and text.startswith("{") and text.endswith("}")
    function["arguments"] += "" if is_again else text


def _content(part: Part) -> Json:
    if part.media_type != PDF:
        return {"type": "image_url", "image_url": {"url": data_url(part)}}
    return {"type": "file", "file": {"filename": "result.pdf", "file_data": data_url(part)}}
