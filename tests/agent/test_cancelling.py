"""A run that is stopped: by its time limit, by who started it, by another thread."""

import json
import threading
from functools import partial

import anyio
import anyio.lowlevel
import pytest

from qitos_like import (
    Action,
    ActionExecutor,
    AgentModule,
    Decision,
    Engine,
    ScriptedModel,
    ToolRegistry,
    ToolSet,
    ok,
    tool,
)

pytestmark = pytest.mark.anyio


class Slow(ToolSet):
    """Waits until it is cancelled, and says so."""

    def __init__(self):
        self.waiting = threading.Event()
        self.torn_down = False

    @tool
    async def wait(self) -> None:
        """Wait."""
        self.waiting.set()
        await anyio.sleep_forever()

    async def teardown(self):
        await anyio.lowlevel.checkpoint()
        self.torn_down = True


@pytest.fixture
def slow():
    return Slow()


@pytest.fixture
def agent(slow):
    script = [Decision.act([Action("slow.wait")], "zzz"), Decision.final("never")]
    registry = ToolRegistry().register_toolset(slow)
    return AgentModule(tool_registry=registry, llm=ScriptedModel(script))


async def test_the_time_limit_cuts_the_step_at_work(agent, slow):
    result = await Engine(agent).arun("x", max_time_s=0.2)

    assert ("time_limit", None, True) == (
        result.stop_reason,
        result.final_answer,
        slow.torn_down,
    )
    (step,) = result.steps
    assert ("zzz", ["cancelled"]) == (
        step.decision.rationale,
        [answer.code for answer in step.results],
    )


async def test_a_run_that_never_waits_is_stopped_between_steps():
    class Busy(AgentModule):
        def decide(self, state, observation):
            return Decision.wait()

    result = await Engine(Busy()).arun("x", max_steps=10**9, max_time_s=0.05)

    assert "time_limit" == result.stop_reason


async def test_cancel_stops_a_run_that_returns_what_it_has(agent, slow):
    engine = Engine(agent)
    results = []

    async def run():
        results.append(await engine.arun("x"))

    async with anyio.create_task_group() as group:
        group.start_soon(run)
        await anyio.to_thread.run_sync(slow.waiting.wait, 5)
        engine.cancel()

    assert ["cancelled"] == [result.stop_reason for result in results]


async def test_cancel_works_from_another_thread(agent, slow):
    engine = Engine(agent)

    def cancel():
        slow.waiting.wait(5)
        engine.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    result = await engine.arun("x")
    thread.join()

    assert ("cancelled", True) == (result.stop_reason, slow.torn_down)


async def test_a_run_cancelled_from_outside_leaves_a_whole_trace(agent, slow, tmp_path):
    path = tmp_path / "trace.jsonl"

    async with anyio.create_task_group() as group:
        group.start_soon(Engine(agent, trace_path=path).arun, "x")
        await anyio.to_thread.run_sync(slow.waiting.wait, 5)
        group.cancel_scope.cancel()

    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert ["run", "step", "end"] == [line["type"] for line in lines]
    assert ("zzz", "cancelled") == (lines[1]["decision"]["rationale"], lines[2]["stop_reason"])
    assert slow.torn_down


def test_cancelling_what_is_over_does_nothing(agent):
    agent.llm = ScriptedModel([Decision.final("x")])
    engine = Engine(agent)
    engine.run("x")

    engine.cancel()


async def test_what_was_ready_when_a_turn_was_cut_short_has_its_cost():
    @tool(parallel_safe=True)
    async def pay():
        """Pay."""
        return ok("paid", cost_usd=0.5)

    @tool(parallel_safe=True)
    async def wait():
        """Wait."""
        await anyio.sleep_forever()

    script = [Decision.act([Action("pay"), Action("wait")])]
    registry = ToolRegistry().register(pay).register(wait)
    agent = AgentModule(tool_registry=registry, llm=ScriptedModel(script))
    result = await Engine(agent).arun("x", max_time_s=0.2)

    assert [None, "cancelled"] == [answer.code for answer in result.steps[0].results]
    assert ("time_limit", 0.5) == (result.stop_reason, result.cost_usd)


async def test_a_run_that_is_cut_short_keeps_its_own_results_where_others_share_the_executor():
    @tool(parallel_safe=True)
    async def wait(number: int) -> int:
        """Wait."""
        await anyio.sleep(number / 100)
        return number

    registry = ToolRegistry().register(wait)
    results = {}

    async def run(executor, numbers, **limits):
        acts = Decision.act(Action("wait", {"number": number}) for number in numbers)
        agent = AgentModule(tool_registry=registry, llm=ScriptedModel([acts]))
        result = await Engine(agent, executor=executor).arun("x", **limits)
        results[numbers] = [answer.value for answer in result.steps[0].results]

    async with ActionExecutor(registry) as executor, anyio.create_task_group() as group:
        group.start_soon(partial(run, executor, (1, 9000), max_time_s=0.3))
        await anyio.sleep(0.1)
        group.start_soon(run, executor, (2,))

    assert {(1, 9000): [1, None], (2,): [2]} == results
