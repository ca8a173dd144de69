"""Models by name, as a configuration has them."""

from collections.abc import Callable

from qitos_like.agent.model import Model
from qitos_like.agent.protocol.text_protocol import TextProtocol
from qitos_like.agent.scripted import ScriptedModel
from qitos_like.core.names import did_you_mean

from .anthropic import AnthropicModel
from .openai import OpenAIModel

_MAKERS: dict[str, Callable[[str], Model]] = {
    "anthropic": AnthropicModel,
    "openai": OpenAIModel,
    "openai-responses": lambda name: OpenAIModel(name, api="responses"),
    "script": ScriptedModel.from_file,
    "text": lambda name: TextProtocol(named(name)),
}


def named(name: str) -> Model:
    """The model of ``provider:name``: ``anthropic:claude-sonnet-4-5``, ``openai:gpt-5``.

    ``openai-responses:`` is OpenAI's other API, ``script:run.jsonl`` plays a file back, and
    ``text:openai:...`` has a model call its tools in plain text.

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
    return _MAKERS[provider](model)
