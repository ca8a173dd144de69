"""Tools for models that know of none: shown in the prompt, called in plain text."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager

from attrs import evolve

from qitos_like.agent.model import (
    Message,
    Model,
    Prompt,
    Reply,
    Request,
    Results,
    complete,
    connected,
)
from qitos_like.core.action import Action, ActionResult
from qitos_like.core.registry import ToolRegistry
from qitos_like.render.dialects.media import text_with
from qitos_like.render.dialects.messages import arguments_text

from .reading import read

_RULES = """\
To call a tool, write a block like this, one for each call, and end your message after the last:

```json
{"tool": "NAME", "args": {"PARAMETER": "VALUE"}}
```

The results come in the next message. A message without such a block is your final answer."""
_FORM = 'write ```json, then {"tool": "NAME", "args": {...}}, then ```'
_RAW = "text"


class TextProtocol:
    """A model with tools, made of one that only completes text.

    Descriptions and rules go into the system prompt, results come back as messages, and calls are
    read from the text in many forms: JSON in fences or without, XML, and what is nearly one of
    them. What was meant as a call and cannot be read is told to the model, and nothing of that
    message is run.

    Args:
        model: completes the text.

    >>> from qitos_like.agent.scripted import ScriptedModel
    >>> TextProtocol(ScriptedModel([])).model.left
    0
    """

    def __init__(self, model: Model) -> None:
        self.model = model

    def connected(self) -> AbstractAsyncContextManager[None]:
        """The connections of the model itself."""
        return connected(self.model)

    async def complete(self, request: Request) -> Reply:
        """The model's reply, with the calls that are in its text.

        Raises:
            Exception: whatever the model fails with.
        """
        asked = Request(
            system=_system(request),
            messages=[_told(message) for message in request.messages],
            registry=ToolRegistry(),
        )
        reply = await complete(self.model, asked)
        if reply.unusable is not None or reply.refusal is not None:
            return reply
        reading = read(reply.text, request.registry)
        if reading.problem is not None:
            unusable = f"Nothing was run, as a call cannot be read: {reading.problem}. {_FORM}."
            return evolve(reply, actions=(), unusable=unusable[:1].upper() + unusable[1:])
        if not reading.actions:
            return evolve(reply, text=reading.spoken)
        # What follows the last call is what the model thinks that the tools will say.
        raw = {_RAW: reply.text[: reading.end]}
        return evolve(reply, text=reading.spoken.strip(), actions=reading.actions, raw=raw)


def _system(request: Request) -> str:
    """The system prompt with the tools, unless it has them already, and the rules."""
    if not len(request.registry):
        return request.system
    tools = request.registry.get_tool_descriptions()
    parts = [request.system, "" if tools in request.system else tools, _RULES]
    return "\n\n".join(part for part in parts if part)


def _told(message: Message) -> Message:
    if isinstance(message, Results):
        return Prompt("\n\n".join(map(_result, message.results)))
    if isinstance(message, Reply):
        said = message.raw.get(_RAW) or _spelled(message.text, message.actions)
        return Reply(said)
    return message


def _spelled(text: str, actions: Sequence[Action]) -> str:
    """Calls as the rules want them; for those of the agent itself."""
    blocks = [
        f'```json\n{{"tool": "{action.name}", "args": {arguments_text(action.args)}}}\n```'
        for action in actions
    ]
    return "\n\n".join(filter(None, [text, *blocks]))


def _result(result: ActionResult) -> str:
    outcome = "ok" if result.ok else f"error {result.code}"
    return f"Result of {result.action.name}: {outcome}\n{text_with(result, list(result.parts))}"
