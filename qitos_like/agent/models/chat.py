"""OpenAI's Chat Completions."""

from collections.abc import Mapping, Sequence

from attrs import field, frozen

from qitos_like.agent.model import Reply, Request
from qitos_like.core.action import Action
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.render.dialects.openai import OpenAIDialect

from .conversation import CUT_OFF, Conversation
from .price import Price, Tokens
from .sdk import message_in


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
        return self._reply(message_in(answer, "choices"), request)

    def _reply(self, answer: Json, request: Request) -> Reply:
        choice = answer.choices[0]
        text, stopped = choice.message.content or "", choice.finish_reason
        usage = _tokens(answer.usage).usage(self.price)
        refusal = getattr(choice.message, "refusal", None)
        if refusal or stopped == "content_filter":
            return Reply(text, usage=usage, refusal=refusal or "the provider's filter stopped it")
        if stopped == "length":
            return Reply(text, usage=usage, unusable=CUT_OFF)  # its last call is not whole
        actions = self._conversation.dialect.actions(answer, request.registry)
        return Reply(text, actions, usage=usage, raw=self._conversation.raw(answer))


def _tokens(used: Json) -> Tokens:
    """What was used; other servers may leave it out, or a part of it."""
    if used is None:
        return Tokens(fresh=0, output=0)
    details = getattr(used, "prompt_tokens_details", None)
    cached = getattr(details, "cached_tokens", None) or 0
    read = used.prompt_tokens or 0
    return Tokens(fresh=read - cached, cached=cached, output=used.completion_tokens or 0)


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
