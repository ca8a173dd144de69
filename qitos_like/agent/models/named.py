"""Models by name, as a configuration has them."""

from collections.abc import Callable

from qitos_like.agent.model import Model
from qitos_like.agent.protocol.text_protocol import TextProtocol
from qitos_like.agent.scripted import ScriptedModel
from qitos_like.core.names import did_you_mean

from .anthropic import AnthropicModel
from .openai import OpenAIModel
from .price import Price

_MAKERS: dict[str, Callable[[str, Price | None], Model]] = {
    "anthropic": lambda name, price: AnthropicModel(name, price=price),
    "openai": lambda name, price: OpenAIModel(name, price=price),
    "openai-responses": lambda name, price: OpenAIModel(name, api="responses", price=price),
    "script": lambda name, _price: ScriptedModel.from_file(name),
    "text": lambda name, price: TextProtocol(named(name, price)),
}


def named(name: str, price: Price | None = None) -> Model:
    """The model of ``provider:name``: ``anthropic:claude-sonnet-4-5``, ``openai:gpt-5``.

    ``openai-responses:`` is OpenAI's other API, ``script:run.jsonl`` plays a file back, and
    ``text:openai:...`` has a model call its tools in plain text. A ``script:`` costs what its lines
    say, whatever the price.

    Raises:
        ValueError: there is no such provider, or the file is no script.
        MissingExtraError: the provider's SDK is not installed.
        OSError: a script cannot be read.
    """
    provider, _, model = name.partition(":")
    if not model or provider not in _MAKERS:
        near = "" if provider in _MAKERS else did_you_mean(provider, _MAKERS, 1)
        message = (
            f"{name!r} is no model: write provider:name, the provider one of {', '.join(_MAKERS)}"
        )
        raise ValueError(message + near)
    return _MAKERS[provider](model, price)
