"""OpenAI's Chat Completions."""

from collections.abc import Mapping, Sequence

from attrs import field, frozen

from qitos_like.agent.model import Reply, Request
from qitos_like.core.action import Action
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.render.dialects.messages import read
from qitos_like.render.dialects.openai import OpenAIDialect

from .conversation import Conversation
from .ending import broken, check_whole, is_filtered, without_call
from .price import Price, Tokens, count
from .sdk import message_in, understood


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
        refusal = _refusal(choice.message)
        if refusal or is_filtered(stopped):
            return Reply(text, usage=usage, refusal=refusal or "the provider's filter stopped it")
        check_whole(stopped, getattr(choice, "error", None))
        if (unusable := broken(stopped)) is not None:
            return Reply(text, usage=usage, unusable=unusable)
        actions = self._conversation.dialect.actions(answer, request.registry)
        unusable = without_call(stopped) if len(request.registry) and not actions else None
        raw = self._conversation.raw(answer)
        return Reply(text, actions, usage=usage, raw=raw, unusable=unusable)


def _refusal(message: Json) -> str | None:
    """What a message refuses with; some servers have it as a part of the content."""
    refusal: str | None = getattr(message, "refusal", None)
    parts = message.content if isinstance(message.content, list) else ()
    return refusal or next(filter(None, (read(part, "refusal") for part in parts)), None)


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
