"""Preflight before, setup before and teardown after a run, whatever happens."""

import pytest

from qitos_like import (
    Action,
    ActionExecutor,
    AgentModule,
    Decision,
    Engine,
    Environment,
    LifecycleError,
    PreflightError,
    ScriptedModel,
    ToolPermission,
    ToolRegistry,
    ToolSet,
    tool,
)

pytestmark = pytest.mark.anyio


class Recording(ToolSet):
    """Writes down what becomes of it."""

    def __init__(self, *, setup=None, teardown=None):
        self.events = []
        self.errors = {"setup": setup, "teardown": teardown}

    def setup(self):
        self._note("setup")

    async def teardown(self):
        self._note("teardown")

    @tool(permissions=ToolPermission(network=True), required_ops=["fetch"])
    def ping(self) -> str:
        """Answer."""
        self.events.append("ping")
        return "pong"

    def _note(self, event):
        self.events.append(event)
        if self.errors[event]:
            raise self.errors[event]


PING = Decision.act([Action("recording.ping")])


def agent_with(toolset, *decisions, kind=AgentModule):
    registry = ToolRegistry().register_toolset(toolset)
    return kind(tool_registry=registry, llm=ScriptedModel(decisions))


async def test_a_toolset_is_set_up_before_and_torn_down_after():
    toolset = Recording()

    await Engine(agent_with(toolset, PING, Decision.final("x"))).arun("x")

    assert ["setup", "ping", "teardown"] == toolset.events


async def test_every_problem_is_told_before_anything_starts():
    toolset = Recording()
    agent = agent_with(toolset, Decision.final("x"))

    with pytest.raises(PreflightError) as caught:
        await Engine(agent, Environment()).arun("x")

    assert ["network", "fetch"] == [
        problem.split(" needs ")[1].split(",")[0] for problem in caught.value.problems
    ]
    assert ([], []) == (toolset.events, agent.llm.requests)


async def test_a_granted_environment_passes():
    granted = Environment(permissions=ToolPermission(network=True), ops={"fetch"})
    agent = agent_with(Recording(), PING, Decision.final("x"))

    result = await Engine(agent, granted).arun("x")

    assert ["pong"] == [answer.text for answer in result.steps[0].results]


async def test_a_failing_setup_fails_the_run():
    toolset = Recording(setup=OSError("no disk"))

    with pytest.raises(LifecycleError, match="no disk"):
        await Engine(agent_with(toolset, Decision.final("x"))).arun("x")


async def test_a_failing_teardown_does_not_lose_the_result(caplog):
    toolset = Recording(teardown=OSError("no disk"))

    result = await Engine(agent_with(toolset, Decision.final("done"))).arun("x")

    assert "done" == result.final_answer
    assert "not all torn down" in caplog.text


async def test_an_agent_that_raises_is_torn_down_too():
    class Raising(AgentModule):
        def reduce(self, state, observation, decision):
            raise KeyError("mine")

    toolset = Recording()

    with pytest.raises(KeyError, match="mine"):
        await Engine(agent_with(toolset, Decision.final("x"), kind=Raising)).arun("x")
    assert ["setup", "teardown"] == toolset.events


async def test_a_wrong_option_is_told_before_anything_starts():
    toolset = Recording()

    with pytest.raises(TypeError, match="max_step"):
        await Engine(agent_with(toolset, Decision.final("x"))).arun("x", max_step=3)
    assert [] == toolset.events


async def test_an_executor_of_ones_own_decides_and_stays_open():
    toolset = Recording()
    agent = agent_with(toolset, PING, Decision.final("x"))

    async with ActionExecutor(agent.tool_registry) as executor:
        for _ in range(2):
            agent.llm = ScriptedModel([PING, Decision.final("x")])
            result = await Engine(agent, executor=executor).arun("x")
            assert "pong" == result.steps[0].results[0].text


async def test_preflight_asks_the_environment_of_the_executor():
    agent = agent_with(Recording(), Decision.final("x"))

    async with ActionExecutor(agent.tool_registry, environment=Environment()) as executor:
        with pytest.raises(PreflightError):
            await Engine(agent, executor=executor).arun("x")


async def test_an_environment_and_an_executor_are_one_too_many():
    agent = agent_with(Recording())

    async with ActionExecutor(agent.tool_registry) as executor:
        with pytest.raises(TypeError, match="one or the other"):
            Engine(agent, Environment(), executor)


async def test_who_watches_cannot_break_a_run(caplog):
    seen = []

    def watch(step):
        seen.append(step.index)
        raise RuntimeError("mine")

    agent = agent_with(Recording(), PING, Decision.final("x"))
    result = await Engine(agent, on_step=watch).arun("x")

    assert ([0, 1], "final") == (seen, result.stop_reason)
    assert "on_step raised" in caplog.text
