"""Toolsets that several executors start and stop at once."""

import threading

import anyio
import pytest

from qitos_like.core.action import Action
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.tool import ToolSet, tool
from qitos_like.run.executor import ActionExecutor

pytestmark = pytest.mark.anyio


class Log(ToolSet):
    """Slow to set up and to tear down."""

    def __init__(self):
        self.events = []

    async def setup(self):
        await self._note("setup")

    async def teardown(self):
        await self._note("teardown")

    async def _note(self, what):
        self.events.append(f"{what} begins")
        await anyio.sleep(0.05)
        self.events.append(f"{what} ends")

    @tool
    async def write(self) -> str:
        """Write."""
        self.events.append("write")
        return "written"


SET_UP = ["setup begins", "setup ends"]
TORN_DOWN = ["teardown begins", "teardown ends"]


async def test_two_executors_at_once_set_it_up_once():
    log = Log()
    registry = ToolRegistry().register_toolset(log)

    async with (
        ActionExecutor(registry) as one,
        ActionExecutor(registry) as other,
        anyio.create_task_group() as group,
    ):
        group.start_soon(one.run, Action("log.write"))
        group.start_soon(other.run, Action("log.write"))

    assert [*SET_UP, "write", "write", *TORN_DOWN] == log.events


async def test_it_stays_up_for_who_came_later():
    log = Log()
    registry = ToolRegistry().register_toolset(log)

    async with ActionExecutor(registry) as late:
        async with ActionExecutor(registry) as early:
            await early.run(Action("log.write"))
            await late.run(Action("log.write"))
        await late.run(Action("log.write"))

    assert [*SET_UP, "write", "write", "write", *TORN_DOWN] == log.events


async def test_who_comes_while_it_is_torn_down_waits_and_sets_it_up_again():
    log = Log()
    registry = ToolRegistry().register_toolset(log)
    first = ActionExecutor(registry)
    await first.run(Action("log.write"))

    async with ActionExecutor(registry) as second, anyio.create_task_group() as group:
        group.start_soon(first.aclose)
        await anyio.sleep(0.02)
        group.start_soon(second.run, Action("log.write"))

    once = [*SET_UP, "write", *TORN_DOWN]
    assert [*once, *once] == log.events


def test_executors_of_several_threads_set_it_up_once():
    log = Log()
    registry = ToolRegistry().register_toolset(log)
    executors = [ActionExecutor(registry) for _ in range(4)]
    threads = [threading.Thread(target=executor, args=["log.write"]) for executor in executors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for executor in executors:
        executor.close()

    assert [*SET_UP, *["write"] * 4, *TORN_DOWN] == log.events


async def test_a_setup_that_is_cancelled_can_be_tried_again():
    log = Log()
    registry = ToolRegistry().register_toolset(log)

    async with ActionExecutor(registry, default_timeout_s=0.02) as hasty:
        assert "not_available" == (await hasty.run(Action("log.write"))).code
    async with ActionExecutor(registry) as patient:
        assert "written" == (await patient.run(Action("log.write"))).text

    assert ["setup begins", *SET_UP, "write", *TORN_DOWN] == log.events
