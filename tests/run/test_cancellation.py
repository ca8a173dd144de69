"""Cancellation from outside passes, and what was ready by then is kept."""

import asyncio
import threading
import time

import anyio
import pytest

from qitos_like.core.action import Action
from qitos_like.core.context import ToolContext
from tests.run.stub import executor_of

pytestmark = pytest.mark.anyio


def quick():
    return "ready"


@pytest.mark.parametrize("timeout_s", [None, 10.0], ids=["no deadline", "deadline"])
async def test_an_async_tool_sees_the_cancellation(timeout_s):
    seen = []

    async def waits():
        try:
            await anyio.sleep(10)
        except anyio.get_cancelled_exc_class():
            seen.append("cancelled")
            raise

    async with executor_of(waits, options={"default_timeout_s": timeout_s}) as executor:
        with anyio.move_on_after(0.05) as scope:
            await executor.run(Action("waits"))

        assert scope.cancelled_caught
    assert ["cancelled"] == seen


async def test_a_sync_tool_is_told_to_stop():
    stopped = threading.Event()

    def works(context: ToolContext):
        try:
            while True:
                context.raise_if_cancelled()
                time.sleep(0.005)
        finally:
            stopped.set()

    async with executor_of(works) as executor:
        with anyio.move_on_after(0.05) as scope:
            await executor.run(Action("works"))

        assert (True, 0) == (scope.cancelled_caught, executor.abandoned)
    assert stopped.is_set()


async def test_what_was_ready_is_kept_and_the_rest_is_cancelled():
    async def waits():
        await anyio.sleep(10)

    async with executor_of(quick, waits, parallel_safe=True) as executor:
        with anyio.move_on_after(0.1) as scope:
            await executor.run_turn([Action("quick"), Action("waits"), Action("quick")])

        assert scope.cancelled_caught
        assert [None, "cancelled", None] == [result.code for result in executor.last_turn]
        assert "ready" == (await executor.run(Action("quick"))).text


async def test_what_never_began_is_cancelled_too():
    async def waits():
        await anyio.sleep(10)

    async with executor_of(quick, waits) as executor:
        with anyio.move_on_after(0.1):
            await executor.run_turn([Action("quick"), Action("waits"), Action("quick")])

        assert [None, "cancelled", "cancelled"] == [each.code for each in executor.last_turn]
        assert "ready" == (await executor.run(Action("quick"))).text


async def test_waiting_for_another_action_can_be_cancelled():
    release = anyio.Event()

    async def holds():
        await release.wait()

    async with executor_of(holds, quick) as executor, anyio.create_task_group() as group:
        group.start_soon(executor.run, Action("holds"))
        await anyio.wait_all_tasks_blocked()
        with anyio.move_on_after(0.05) as scope:
            await executor.run(Action("quick"))
        release.set()

        assert scope.cancelled_caught
    assert "ready" == quick()


async def test_a_storm_of_cancellations_leaves_an_executor_that_works():
    async def waits():
        await anyio.sleep(10)

    def sleeps():
        time.sleep(0.02)

    async with executor_of(waits, sleeps, quick, parallel_safe=True) as executor:
        for number in range(30):
            with anyio.move_on_after(0.001 * (number % 5)):
                await executor.run_turn([Action("waits"), Action("sleeps"), Action("quick")] * 3)

        results = await executor.run_turn([Action("quick")] * 20)

    assert ["ready"] * 20 == [result.text for result in results]


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_native_cancellation_passes():
    async def waits():
        await asyncio.sleep(10)

    async with executor_of(waits) as executor:
        task = asyncio.ensure_future(executor.run_turn([Action("waits"), Action("waits")]))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_cancellation_that_a_tool_keeps_to_itself_passes_all_the_same():
    async def swallows():
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            return "swallowed"

    async with executor_of(swallows, options={"default_timeout_s": None}) as executor:
        task = asyncio.ensure_future(executor.run_turn([Action("swallows")]))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

        assert ["swallowed"] == [result.text for result in executor.last_turn]


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_loop_that_ends_takes_its_tools_along():
    ended = []

    async def waits():
        try:
            await asyncio.sleep(10)
        finally:
            ended.append(True)

    def another_loop():
        async def main():
            executor = executor_of(waits)
            task = asyncio.ensure_future(executor.run(Action("waits")))
            await asyncio.sleep(0.05)
            assert not task.done()

        asyncio.run(main())

    await anyio.to_thread.run_sync(another_loop)

    assert [True] == ended


@pytest.mark.parametrize("order", [[True, False, False], [False, True, False]], ids=str)
def test_a_task_that_a_tool_cancels_itself_has_an_answer_and_hides_no_other(order):
    async def call(stops: bool) -> str:
        if stops:
            asyncio.current_task().cancel()
        await asyncio.sleep(0.01)
        return "done"

    async def main():
        async with executor_of(
            call, parallel_safe=True, options={"default_timeout_s": None}
        ) as executor:
            return await executor.run_turn([Action("call", {"stops": stops}) for stops in order])

    results = asyncio.run(main())

    expected = ["cancelled" if stops else None for stops in order]
    assert expected == [result.code for result in results]
