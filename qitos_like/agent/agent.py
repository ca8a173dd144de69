"""``Agent``: a model with tools, for the common case."""

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing

from qitos_like.core.action import ActionResult
from qitos_like.core.base import BaseTool
from qitos_like.core.describe import instructions_text
from qitos_like.core.jsontypes import Json
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.scan import is_toolset

from . import typed
from .decision import Decision
from .engine import Engine
from .history import History, Remembering
from .model import Model, checked
from .module import AgentModule
from .result import RunResult
from .state import StateSchema
from .step import Observation
from .stream import RunEvent


class Agent(AgentModule[StateSchema, Observation, Json]):
    """A model with tools: it calls them until it answers.

    It is an ``AgentModule``; give it to an ``Engine`` for an environment, an executor or a trace.

    Args:
        model: what decides.
        tools: a registry, or what can be put into one: toolsets, tools, functions.
        system: the system prompt; what toolsets say of themselves is added.
        output_type: of the final answer, which is then given by a tool and checked like its
            arguments; ``result.output`` is of that type. ``None`` for text.
        history: what the model is shown of the conversation; ``None`` for all of it.

    Raises:
        RegistrationError: one of the tools is none, or a name is there twice.
        TypeError: the model is none, or the tools are no list.

    >>> from qitos_like.agent.scripted import ScriptedModel
    >>> from qitos_like.core.action import Action
    >>> def add(a: int, b: int) -> int:
    ...     '''Add two integers.'''
    ...     return a + b
    >>> acts = [Decision.act([Action("add", {"a": 1, "b": 2})]), Decision.final("It is 3.")]
    >>> Agent(ScriptedModel(acts), [add]).run("What is 1 + 2?").final_answer
    'It is 3.'
    """

    def __init__(
        self,
        model: Model,
        tools: ToolRegistry | Iterable[object] = (),
        *,
        system: str = "",
        output_type: object = None,
        history: History | None = None,
    ) -> None:
        registry, model = _registry(tools), checked(model, type(self).__name__)
        if output_type is not None:
            registry.register(typed.answer_tool(output_type))
            model = typed.Insisting(model)
        if history is not None:
            model = Remembering(model, history)
        super().__init__(tool_registry=registry, llm=model)
        self._system = system
        self._is_typed = output_type is not None

    def run(
        self,
        task: str,
        *,
        max_time_s: float | None = None,
        max_cost_usd: float | None = None,
        **kwargs: Json,
    ) -> RunResult[StateSchema]:
        """``Engine(agent).run``, whose arguments it takes, such as ``max_steps``.

        Raises:
            LifecycleError: the setup of a toolset failed.
        """
        return Engine(self).run(task, max_time_s=max_time_s, max_cost_usd=max_cost_usd, **kwargs)

    async def stream(
        self, task: str, **kwargs: Json
    ) -> AsyncGenerator[RunEvent[StateSchema], None]:
        """``Engine(agent).stream``: what happens, as it happens; the last is the result.

        Raises:
            LifecycleError: the setup of a toolset failed.
        """
        async with aclosing(Engine(self).stream(task, **kwargs)) as events:
            async for event in events:
                yield event

    def build_system_prompt(self, state: StateSchema) -> str:  # noqa: ARG002
        """The system prompt, and what toolsets say; the model shows the tools its own way."""
        said = [_instructions(entry.toolset) for entry in self.tool_registry.listed()]
        return "\n\n".join(filter(None, dict.fromkeys([self._system, *said])))

    def answer(self, observation: Observation) -> str | None:
        """The text of an answer that was given by the tool."""
        given = self._given(observation)
        return None if given is None else given.text

    def reduce(
        self, state: StateSchema, observation: Observation, decision: Decision
    ) -> StateSchema:
        """The state, with the answer once there is one."""
        given = self._given(observation)
        if given is None:
            return super().reduce(state, observation, decision)
        state.final_result = given.value
        return state

    def _given(self, observation: Observation) -> ActionResult | None:
        if not self._is_typed:
            return None
        return typed.answer_in(observation["results"], self.tool_registry)


def _instructions(toolset: object) -> str:
    say: Callable[[], object] | None = getattr(toolset, "instructions", None)
    return instructions_text(say()) if callable(say) else ""


def _registry(tools: ToolRegistry | Iterable[object]) -> ToolRegistry:
    """A registry of their own for these tools.

    Raises:
        TypeError: they are no list of tools.
    """
    if isinstance(tools, str) or not isinstance(tools, Iterable):
        message = f"the tools of an agent are a list, as in [CodingToolSet()], not {tools!r}"
        raise TypeError(message)
    registry = ToolRegistry(tools if isinstance(tools, ToolRegistry) else ())
    for item in () if isinstance(tools, ToolRegistry) else tools:
        if is_toolset(item):
            registry.register_toolset(item)
        elif callable(item) or isinstance(item, BaseTool):
            registry.register(item)
        else:
            registry.include(item)
    return registry
