"""What an engine asks a model and what it gets back, in no provider's terms."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Protocol, runtime_checkable

from attrs import field, frozen

from qitos_like.core.action import Action, ActionResult
from qitos_like.core.jsontypes import Json
from qitos_like.core.registry import ToolRegistry


@frozen(kw_only=True)
class Usage:
    """What a reply used, or a run in total.

    Attributes:
        input_tokens: tokens read.
        output_tokens: tokens written.
        cost_usd: the price in US dollars; ``None`` if unknown.

    >>> Usage(input_tokens=2, cost_usd=0.5) + Usage(input_tokens=1)
    Usage(input_tokens=3, output_tokens=0, cost_usd=0.5)
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None

    def __add__(self, other: "Usage") -> "Usage":
        """Both together; an unknown price adds nothing to a known one."""
        costs = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost_usd=sum(costs) if costs else None,
        )


@frozen
class Reply:
    """One message of a model.

    Attributes:
        text: its prose; the final answer where there are no actions.
        actions: the tool calls it asks for, as it spelled them.
        usage: what the reply used.
        raw: the message as a provider's API takes it back, by the name of the dialect.
        unusable: why the message counts neither as actions nor as an answer; the model is told
            so, and asked again.
        refusal: what the model or its provider said in place of a reply; it ends the run.
    """

    text: str = ""
    actions: tuple[Action, ...] = field(default=(), converter=tuple[Action, ...])
    usage: Usage = field(default=Usage(), kw_only=True)
    raw: Mapping[str, Json] = field(factory=dict, kw_only=True, repr=False)
    unusable: str | None = field(default=None, kw_only=True)
    refusal: str | None = field(default=None, kw_only=True)


@frozen
class Prompt:
    """A message to the model that is no tool's result."""

    text: str


@frozen
class Results:
    """The answers to the actions of the reply before, one each, in order."""

    results: tuple[ActionResult, ...] = field(converter=tuple[ActionResult, ...])


Message = Prompt | Reply | Results


@frozen(kw_only=True)
class Request:
    """What a model is asked.

    Attributes:
        system: the system prompt.
        messages: the conversation so far, oldest first; the last one wants a reply.
        registry: the tools that the model may call.
    """

    system: str
    messages: Sequence[Message]
    registry: ToolRegistry


@runtime_checkable
class Model(Protocol):
    """Anything that can reply; one method, so that a provider is one thin class.

    A model may also have ``connected()``, an async context manager that the engine keeps open for
    the length of a run, so that its requests share connections.
    """

    async def complete(self, request: Request) -> Reply:
        """The model's reply. An exception ends the run with ``stop_reason="model_error"``."""
        ...


def checked(model: object, owner: str) -> Model:
    """What is a model, as it is.

    Args:
        model: what may be one.
        owner: the name of the agent's class.

    Raises:
        TypeError: it is none; the text says what one is.
    """
    if isinstance(model, Model):
        return model
    wanted = "a model, with async complete(request), such as OpenAIModel(...)"
    message = f"{owner} needs {wanted}, not {model!r}"
    raise TypeError(message)


class MistakenModelError(TypeError):
    """A model whose ``complete`` is not what it has to be; its author has to mend it."""


async def complete(model: Model, request: Request) -> Reply:
    """The model's reply.

    Raises:
        MistakenModelError: ``complete`` is not async, or returns something else.
        Exception: whatever the model fails with.
    """
    name = f"{type(model).__name__}.complete()"
    answering: object = model.complete(request)
    if not isinstance(answering, Awaitable):
        message = f"{name} has to be async, as in 'async def complete(self, request)'"
        raise MistakenModelError(message)
    reply: object = await answering
    if not isinstance(reply, Reply):
        message = f"{name} has to return a Reply, not {reply!r}"
        raise MistakenModelError(message)
    return reply


def connected(model: object) -> AbstractAsyncContextManager[None]:
    """What keeps the connections of a model open; nothing, for one that has none."""
    keep: Callable[[], AbstractAsyncContextManager[None]] | None = getattr(model, "connected", None)
    return keep() if callable(keep) else nullcontext()
