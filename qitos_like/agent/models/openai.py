"""OpenAI's models, and those of the many servers that speak its API."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from types import ModuleType
from typing import Literal

from qitos_like.agent.model import Reply, Request
from qitos_like.core.jsontypes import Json

from .chat import Chat
from .price import Price, checked
from .responses import Responses
from .sdk import Sdk

_APIS: dict[str, type[Chat] | type[Responses]] = {"chat": Chat, "responses": Responses}


class OpenAIModel:
    """A model behind Chat Completions or the Responses API.

    Args:
        model: its id.
        api: ``chat``, which other servers speak too, or ``responses``.
        api_key: the key; by default the SDK finds it in the environment.
        base_url: another server that speaks the same API.
        max_retries: how often a request is repeated after a rate limit or a passing failure.
        timeout_s: seconds for one try.
        price: what tokens cost; without it the cost of a run is unknown.
        options: further fields of the request's body, such as ``temperature``.
        client: an ``AsyncOpenAI`` of your own, for which the four settings of a client are ignored.

    Raises:
        MissingExtraError: the SDK is not installed.
        TypeError: the price is none.
        ValueError: there is no such API, or ``max_retries`` is below 0.

    >>> OpenAIModel("qwen3", base_url="http://127.0.0.1:8000/v1", api_key="none").model
    'qwen3'
    """

    def __init__(
        self,
        model: str,
        *,
        api: Literal["chat", "responses"] = "chat",
        api_key: str | None = None,
        base_url: str | None = None,
        max_retries: int = 4,
        timeout_s: float = 600.0,
        price: Price | None = None,
        options: Mapping[str, Json] | None = None,
        client: object = None,
    ) -> None:
        if api not in _APIS:
            message = f"unknown api {api!r}; known: {', '.join(_APIS)}"
            raise ValueError(message)
        self.model = model
        settings = {
            "api_key": api_key,
            "base_url": base_url,
            "max_retries": max_retries,
            "timeout": timeout_s,
        }
        self._sdk = Sdk(
            provider="OpenAI" if base_url is None else base_url,
            extra="openai",
            load=_sdk,
            client_class="AsyncOpenAI",
            settings=settings,
            client=client,
        )
        self._api = _APIS[api](checked(price))
        self._options = {"model": model, "extra_body": dict(options or {})}

    def connected(self) -> AbstractAsyncContextManager[None]:
        """One client of the SDK for all requests meanwhile."""
        return self._sdk.connected()

    async def complete(self, request: Request) -> Reply:
        """The model's reply.

        Raises:
            ModelError: the API failed, or cannot be reached.
        """
        async with self._sdk.opened() as client:
            return await self._api.ask(client, request, self._options)


def _sdk() -> ModuleType:
    import openai  # noqa: PLC0415  # an extra, which only this model needs

    return openai
