"""What an author writes: how an agent starts, what it is told, how its state follows."""

from typing import Generic, TypeVar, cast, get_args, get_origin

from qitos_like.core.jsontypes import Json
from qitos_like.core.registry import ToolRegistry

from .decision import Decision
from .model import Model
from .state import DEFAULT_MAX_STEPS, StateSchema

StateT = TypeVar("StateT", bound=StateSchema)
ObsT = TypeVar("ObsT")
ActT = TypeVar("ActT")


class AgentModule(Generic[StateT, ObsT, ActT]):
    """An agent: a registry of tools, a model, and the methods that the engine calls each step.

    Every method has a default, so that a registry and a model make an agent; override what the
    agent does its own way. An observation is a dict: ``results``, the answers of the step, and
    ``text``, the same as the model reads them.

    Attributes:
        tool_registry: the tools the agent may use; empty if none are given.
        llm: the model that decides where ``decide`` does not.

    >>> AgentModule().init_state("mend it").task
    'mend it'
    """

    def __init__(
        self, *, tool_registry: ToolRegistry | None = None, llm: Model | None = None
    ) -> None:
        self.tool_registry = ToolRegistry() if tool_registry is None else tool_registry
        self.llm = llm

    def init_state(
        self, task: str, *, max_steps: int = DEFAULT_MAX_STEPS, **kwargs: Json
    ) -> StateT:
        """The state a run begins with, of the class that the agent is declared with.

        Args:
            task: what the agent is asked.
            max_steps: how many steps it may take.
            **kwargs: further fields of the state.

        Raises:
            TypeError: the state has no such field.
        """
        return cast(StateT, _state_class(type(self))(task=task, max_steps=max_steps, **kwargs))

    def build_system_prompt(self, state: StateT) -> str | None:  # noqa: ARG002
        """The system prompt of the next request: the descriptions of the tools."""
        return self.tool_registry.get_tool_descriptions()

    def prepare(self, state: StateT) -> str:
        """What the model is told next, beside the results: the task, once."""
        return "" if state.step else state.task

    def decide(self, state: StateT, observation: ObsT) -> Decision | None:  # noqa: ARG002
        """The next decision, given what the step before gave; ``None`` lets the model decide."""
        return None

    def answer(self, observation: ObsT) -> str | None:  # noqa: ARG002
        """The final answer, if a step's results hold it; that ends the run."""
        return None

    def reduce(self, state: StateT, observation: ObsT, decision: Decision) -> StateT:  # noqa: ARG002
        """The state after a step, the one with the final decision too; it may be the same one."""
        if decision.is_final:
            state.final_result = decision.final_answer
        return state


def check_agent(agent: object) -> None:
    """Refuse what is no agent.

    Raises:
        TypeError: it is none, or has not been made whole.
    """
    if not isinstance(agent, AgentModule):
        message = f"an agent is an AgentModule, such as Agent(model, tools), not {agent!r}"
        raise TypeError(message)
    if not hasattr(agent, "tool_registry"):
        message = f"{type(agent).__name__}.__init__() has to call super().__init__(...)"
        raise TypeError(message)
    given: object = agent.tool_registry
    if not isinstance(given, ToolRegistry):
        message = f"tool_registry takes an object of ToolRegistry, not {given!r}"
        raise TypeError(message)


def _state_class(agent: type) -> type[StateSchema]:
    """The state class in ``class MyAgent(AgentModule[MyState, ...])``."""
    for cls in agent.__mro__:
        for base in vars(cls).get("__orig_bases__", ()):
            state = get_args(base)[0] if get_origin(base) is AgentModule else None
            if isinstance(state, type) and issubclass(state, StateSchema):
                return state
    return StateSchema
