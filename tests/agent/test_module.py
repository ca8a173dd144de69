"""What an agent does where its author wrote nothing."""

from dataclasses import dataclass, field

import pytest

from qitos_like import AgentModule, Decision, Engine, StateSchema, ToolRegistry


@dataclass
class Notes(StateSchema):
    notes: list[str] = field(default_factory=list)


class Base(AgentModule[Notes, dict, object]):
    """An agent with a state of its own."""


class Derived(Base):
    """The same, one class further."""


@pytest.mark.parametrize(
    ("agent", "state"),
    [(AgentModule, StateSchema), (Base, Notes), (Derived, Notes)],
    ids=["undeclared", "declared", "inherited"],
)
def test_the_state_is_of_the_declared_class(agent, state):
    assert state is type(agent().init_state("x"))


def test_fields_of_the_state_are_given_with_the_task():
    state = Base().init_state("x", max_steps=3, notes=["a"])

    assert Notes("x", max_steps=3, notes=["a"]) == state


def test_a_misspelt_field_is_an_error():
    with pytest.raises(TypeError, match="max_step"):
        Base().init_state("x", max_step=3)


class Stateless(AgentModule):
    def init_state(self, task, **_):
        return {"task": task}


class Half(AgentModule):
    def __init__(self):
        self.notes = []


@pytest.mark.parametrize(
    ("agent", "more", "said"),
    [
        (Base(llm="gpt-5"), {}, "Base needs a model, .* not 'gpt-5'"),
        (Base(), {}, "Base has no llm"),
        (Base(), {"max_steps": "3"}, "max_steps has to be a whole number, not '3'"),
        (Stateless(), {}, r"Stateless.init_state\(\) has to return the state, not dict"),
        (print, {}, r"an agent is an AgentModule, such as Agent\(model, tools\), not <built-in"),
        (Half(), {}, r"Half.__init__\(\) has to call super\(\).__init__"),
    ],
    ids=["a name", "no model", "text", "no state", "no agent", "half"],
)
def test_what_an_agent_cannot_run_with_is_an_error(agent, more, said):
    with pytest.raises(TypeError, match=said):
        Engine(agent).run("x", **more)


def test_no_registry_is_an_empty_one():
    assert 0 == len(AgentModule().tool_registry)


def test_an_empty_registry_is_kept():
    registry = ToolRegistry()

    assert registry is AgentModule(tool_registry=registry).tool_registry


def test_the_prompt_is_the_tools_and_then_the_task_once():
    def add(a: int, b: int) -> int:
        """Add."""
        return a + b

    agent = AgentModule(tool_registry=ToolRegistry().register(add))
    state = agent.init_state("sum it up")

    assert "add(a: int, b: int) - Add." == agent.build_system_prompt(state)
    assert "sum it up" == agent.prepare(state)
    state.step = 1
    assert "" == agent.prepare(state)


def test_the_final_answer_is_the_final_result():
    agent = AgentModule()
    state = agent.init_state("x")

    assert "done" == agent.reduce(state, {}, Decision.final("done")).final_result
