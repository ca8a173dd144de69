"""OpenAI's Chat Completions."""

from collections.abc import Mapping, Sequence

from attrs import field, frozen

from qitos_like.agent.model import Reply, Request
from qitos_like.core.action import Action
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.errors import ModelError
from qitos_like.render.dialects.messages import read
from qitos_like.render.dialects.openai import OpenAIDialect

from .conversation import CUT_OFF, Conversation
from .price import Price, Tokens, count
from .sdk import message_in, understood

#: Why a message stopped: OpenAI's word, and those of other servers.
_FILTERED = frozenset({"content_filter", "guardrail_intervened", "sensitive"})
_CUT_OFF = frozenset({"length", "model_length"})
_FAILED = frozenset({"error", "network_error"})


@frozen
class Chat:
    """Asks by Chat Completions."""

    price: Price | None
    _conversation: Conversation = field(
        factory=lambda: Conversation(OpenAIDialect(), _message), init=False
    )

    async def ask(self, client: Json, request: Request, options: Mapping[str, Json]) -> Reply:
        """The reply to a request.

        Raises:
            ModelError: the answer has no message.
        """
        system = [{"role": "system", "content": request.system}] if request.system else []
        tools = self._conversation.dialect.tools(request.registry)
        answer = await client.chat.completions.create(
            messages=[*system, *self._conversation.messages(request)],
            **({"tools": tools} if tools else {}),
            **options,
        )
        with understood(message_in(answer, "choices")):
            return self._reply(answer, request)

    def _reply(self, answer: Json, request: Request) -> Reply:
        choice = answer.choices[0]
        text, stopped = _text(choice.message.content), choice.finish_reason
        usage = _tokens(answer.usage).usage(self.price)
        refusal = getattr(choice.message, "refusal", None)
        if refusal or stopped in _FILTERED:
            return Reply(text, usage=usage, refusal=refusal or "the provider's filter stopped it")
        if stopped in _FAILED:
            error = getattr(choice, "error", None)
            message = f"the completion ended with {stopped!r}{f': {error}' if error else ''}"
            raise ModelError(message)
        if stopped in _CUT_OFF:
            return Reply(text, usage=usage, unusable=CUT_OFF)  # its last call is not whole
        actions = self._conversation.dialect.actions(answer, request.registry)
        return Reply(text, actions, usage=usage, raw=self._conversation.raw(answer))


def _text(content: Json) -> str:
    """The text of a message; some servers send it in parts, thoughts among them."""
    if isinstance(content, list):
        return "".join(str(read(part, "text") or "") for part in content)
    return str(content or "")


def _tokens(used: Json) -> Tokens:
    cached = count(used, "prompt_tokens_details", "cached_tokens")
    fresh = max(count(used, "prompt_tokens") - cached, 0)
    return Tokens(fresh=fresh, cached=cached, output=count(used, "completion_tokens"))


def _message(text: str, actions: Sequence[Action]) -> Schema:
    calls = [
        {
            "id": action.id,
            "type": "function",
            "function": {"name": action.name, "arguments": action.args},
        }
        for action in actions
    ]
    return {"role": "assistant", "content": text or None, "tool_calls": calls}
