"""Anthropic's models."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from types import ModuleType

from qitos_like.agent.model import Reply, Request
from qitos_like.core.action import Action
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.render.dialects.anthropic import AnthropicDialect

from .conversation import Conversation
from .ending import broken, check_whole, is_filtered, without_call
from .price import Price, Tokens, checked, count
from .sdk import Sdk, message_in, understood

_CACHED = {"cache_control": {"type": "ephemeral"}}
_GO_ON = "Go on."


class AnthropicModel:
    """A model behind the Messages API.

    The conversation so far is cached by the provider, as each request repeats it.

    Args:
        model: its id.
        api_key: the key; by default the SDK finds it in the environment.
        base_url: another server that speaks the same API.
        max_output_tokens: the longest reply.
        max_retries: how often a request is repeated after a rate limit or a passing failure.
        timeout_s: seconds for one try.
        price: what tokens cost; without it the cost of a run is unknown.
        options: further fields of the request's body, such as ``thinking``.
        client: an ``AsyncAnthropic`` of your own, for which the four settings of a client are
            ignored.

    Raises:
        MissingExtraError: the SDK is not installed.
        TypeError: the price is none.
        ValueError: ``max_retries`` is below 0.

    >>> AnthropicModel("claude-sonnet-4-5", api_key="...").model
    'claude-sonnet-4-5'
    """

    def __init__(
        self,
        model: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        max_output_tokens: int = 16_000,
        max_retries: int = 4,
        timeout_s: float = 600.0,
        price: Price | None = None,
        options: Mapping[str, Json] | None = None,
        client: object = None,
    ) -> None:
        self.model = model
        settings = {
            "api_key": api_key,
            "base_url": base_url,
            "max_retries": max_retries,
            "timeout": timeout_s,
        }
        self._sdk = Sdk(
            provider="Anthropic",
            extra="anthropic",
            load=_sdk,
            client_class="AsyncAnthropic",
            settings=settings,
            client=client,
        )
        self._price = checked(price)
        self._max_output_tokens = max_output_tokens
        self._options = {**_CACHED, **(options or {})}
        self._conversation = Conversation(AnthropicDialect(), _message)

    def connected(self) -> AbstractAsyncContextManager[None]:
        """One client of the SDK for all requests meanwhile."""
        return self._sdk.connected()

    async def complete(self, request: Request) -> Reply:
        """The model's reply.

        Raises:
            ModelError: the API failed, or cannot be reached.
        """
        tools = self._conversation.dialect.tools(request.registry)
        async with self._sdk.opened() as client:
            answer = await client.messages.create(
                model=self.model,
                max_tokens=self._max_output_tokens,
                messages=self._conversation.messages(request),
                **({"system": request.system} if request.system else {}),
                **({"tools": tools} if tools else {}),
                extra_body=self._options,
            )
        with understood(message_in(answer, "role")):
            return self._reply(answer, request)

    def _reply(self, answer: Json, request: Request) -> Reply:
        text = _text(answer.content)
        usage = _tokens(answer.usage).usage(self._price)
        stopped = answer.stop_reason
        if is_filtered(stopped):
            return Reply(text, usage=usage, refusal=text or "without a word")
        check_whole(stopped)
        if (unusable := broken(stopped)) is not None:
            return Reply(text, usage=usage, unusable=unusable)
        actions = self._conversation.dialect.actions(answer, request.registry)
        unusable = _GO_ON if stopped == "pause_turn" else None
        if not actions:
            unusable = unusable or without_call(stopped)
        raw = self._conversation.raw(answer)
        return Reply(text, actions, usage=usage, raw=raw, unusable=unusable)


def _sdk() -> ModuleType:
    import anthropic  # noqa: PLC0415  # an extra, which only this model needs

    return anthropic


def _text(content: Json) -> str:
    if isinstance(content, str):  # as a server that is not Anthropic's may have it
        return content
    return "".join(block.text or "" for block in content or () if block.type == "text")


def _tokens(used: Json) -> Tokens:
    return Tokens(
        fresh=count(used, "input_tokens"),
        cached=count(used, "cache_read_input_tokens"),
        cache_write=count(used, "cache_creation_input_tokens"),
        output=count(used, "output_tokens"),
    )


def _message(text: str, actions: Sequence[Action]) -> Schema:
    said = [{"type": "text", "text": text}] if text.strip() else []
    calls = [
        {"type": "tool_use", "id": action.id, "name": action.name, "input": action.args}
        for action in actions
    ]
    return {"content": [*said, *calls]}
