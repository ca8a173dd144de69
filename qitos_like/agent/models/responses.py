"""OpenAI's Responses API."""

from collections.abc import Iterator, Mapping, Sequence

from attrs import field, frozen

from qitos_like.agent.model import Reply, Request
from qitos_like.core.action import Action
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.errors import ModelError
from qitos_like.render.dialects.openai_responses import OpenAIResponsesDialect

from .conversation import Conversation
from .ending import CUT_OFF
from .price import Price, Tokens, count
from .sdk import message_in, understood

_INCOMPLETE = "incomplete"
#: The status of a response that is over; some servers tell none.
_ENDED = frozenset({"completed", _INCOMPLETE, None})


@frozen
class Responses:
    """Asks by the Responses API; the whole conversation goes with each request."""

    price: Price | None
    _conversation: Conversation = field(
        factory=lambda: Conversation(OpenAIResponsesDialect(), _items), init=False
    )

    async def ask(self, client: Json, request: Request, options: Mapping[str, Json]) -> Reply:
        """The reply to a request.

        Raises:
            ModelError: the response failed.
        """
        tools = self._conversation.dialect.tools(request.registry)
        answer = await client.responses.create(
            input=self._conversation.messages(request),
            **({"instructions": request.system} if request.system else {}),
            **({"tools": tools} if tools else {}),
            **options,
        )
        with understood(message_in(answer, "object")):
            _check(answer)
            return self._reply(answer, request)

    def _reply(self, answer: Json, request: Request) -> Reply:
        text, usage = answer.output_text, _tokens(answer.usage).usage(self.price)
        ended = getattr(answer.incomplete_details, "reason", None) or answer.status == _INCOMPLETE
        refusal = "\n".join(_refusals(answer))
        if refusal or ended == "content_filter":
            return Reply(text, usage=usage, refusal=refusal or "the provider's filter stopped it")
        if ended:
            return Reply(text, usage=usage, unusable=CUT_OFF)  # its last call is not whole
        actions = self._conversation.dialect.actions(answer, request.registry)
        return Reply(text, actions, usage=usage, raw=self._conversation.raw(answer))


def _check(answer: Json) -> None:
    """Refuse an answer that is none, or none yet.

    Raises:
        ModelError: the response failed, or has not ended.
    """
    if answer.error is not None:
        message = f"the response failed: {answer.error.code}: {answer.error.message}"
        raise ModelError(message)
    if answer.status not in _ENDED:
        message = f"the response has no answer: its status is {answer.status!r}"
        raise ModelError(message)


def _refusals(answer: Json) -> Iterator[str]:
    for item in answer.output:
        for part in getattr(item, "content", None) or ():
            if part.type == "refusal":
                yield part.refusal


def _tokens(used: Json) -> Tokens:
    cached = count(used, "input_tokens_details", "cached_tokens")
    fresh = max(count(used, "input_tokens") - cached, 0)
    return Tokens(fresh=fresh, cached=cached, output=count(used, "output_tokens"))


def _items(text: str, actions: Sequence[Action]) -> list[Schema]:
    said: list[Schema] = [{"role": "assistant", "content": text}] if text else []
    calls = [
        {
            "type": "function_call",
            "call_id": action.id,
            "name": action.name,
            "arguments": action.args,
        }
        for action in actions
    ]
    return [*said, *calls]
