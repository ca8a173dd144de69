"""Providers' wire formats: tool lists out, calls in, results out."""

from .anthropic import AnthropicDialect
from .base import Dialect
from .gemini import GeminiDialect
from .mcp import McpDialect
from .openai import OpenAIDialect
from .openai_responses import OpenAIResponsesDialect

#: The classes, by the providers' names.
DIALECTS: dict[str, type[Dialect]] = {
    each.name: each
    for each in (
        OpenAIDialect,
        OpenAIResponsesDialect,
        AnthropicDialect,
        GeminiDialect,
        McpDialect,
    )
}


def dialect(name: str) -> Dialect:
    """The wire format of a provider: ``openai``, ``openai-responses``, ``anthropic``, ``gemini``, ``mcp``.

    Raises:
        ValueError: there is none of this name.

    >>> from qitos_like.core.registry import ToolRegistry
    >>> dialect("anthropic").tools(ToolRegistry())
    []
    """
    try:
        return DIALECTS[name]()
    except KeyError:
        message = f"unknown dialect {name!r}; known: {', '.join(DIALECTS)}"
        raise ValueError(message) from None
