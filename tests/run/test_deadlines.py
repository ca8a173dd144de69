"""The answer comes within a moment of the deadline, whatever the tool does."""

import sys
import threading
import time

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest

from qitos_like.core.action import Action
from qitos_like.core.context import Progress, ToolContext
from qitos_like.core.results import Err, ToolError
from qitos_like.run.executor import ActionExecutor
from tests.run.stub import executor_of

pytestmark = pytest.mark.anyio

LIMIT_S = 0.2
#: Far from each other, for a busy machine: an answer in time, and one that waits for its tool.
LATE_S, HANG_S = 2.0, 5.0


class Hanging:
    """Tools that take no end until they are let go, or the hang is long enough."""

    def __init__(self):
        self._let_go = threading.Event()

    def let_go(self):
        self._let_go.set()

    def sleeps(self):
        self._let_go.wait(HANG_S)

    def spins(self):
        end = time.monotonic() + HANG_S
        while time.monotonic() < end and not self._let_go.is_set():
            pass

    def yields_for_ever(self, context: ToolContext):
        while True:
            time.sleep(0.02)
            yield Progress("still")

    async def cleans_up_slowly(self):
        try:
            await anyio.sleep(HANG_S)
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(self.sleeps)

    async def yields_async_for_ever(self):
        while True:
            await anyio.sleep(0.02)
            yield Progress("still")

    def returns_a_slow_coroutine(self):
        return anyio.sleep(HANG_S)


@pytest.fixture
def hanging():
    tools = Hanging()
    yield tools
    tools.let_go()


SLOW = [
    "sleeps",
    "spins",
    "yields_for_ever",
    "cleans_up_slowly",
    "yields_async_for_ever",
    "returns_a_slow_coroutine",
]


def took_s(began):
    return time.monotonic() - began


@pytest.mark.parametrize("name", SLOW)
async def test_a_deadline_holds(name, hanging):
    async with executor_of(getattr(hanging, name), timeout_s=LIMIT_S) as executor:
        began = time.monotonic()
        result = await executor.run(Action(name))
        took = took_s(began)
        hanging.let_go()

    assert took < LATE_S
    assert ("timeout", f"{name} did not finish within 0.2 s") == (result.code, result.error)


@pytest.mark.parametrize("name", SLOW)
def test_a_deadline_holds_for_who_does_not_await(name, hanging):
    with executor_of(getattr(hanging, name), timeout_s=LIMIT_S) as executor:
        began = time.monotonic()
        result = executor.run_sync(Action(name))
        took = took_s(began)
        hanging.let_go()

    assert took < LATE_S
    assert "timeout" == result.code


@pytest.mark.parametrize(
    ("name", "abandoned"),
    [
        ("sleeps", 1),
        ("cleans_up_slowly", 1),
        ("yields_for_ever", 0),
        ("yields_async_for_ever", 0),
    ],
)
async def test_what_does_not_stop_is_counted(name, abandoned, hanging):
    async with executor_of(getattr(hanging, name), timeout_s=LIMIT_S) as executor:
        await executor.run(Action(name))

        assert abandoned == executor.abandoned
        hanging.let_go()


async def test_the_executors_time_is_for_tools_without_one(hanging):
    options = {"default_timeout_s": LIMIT_S}
    async with executor_of(hanging.sleeps, options=options) as executor:
        result = await executor.run(Action("sleeps"))
        hanging.let_go()

    assert "timeout" == result.code


@pytest.mark.parametrize("limit", [None, float("inf"), sys.maxsize, 10**400])
async def test_without_a_limit_a_tool_has_its_time(limit):
    def slow():
        time.sleep(0.05)
        return "done"

    async with executor_of(slow, options={"default_timeout_s": limit}) as executor:
        assert "done" == (await executor.run(Action("slow"))).text


async def test_a_tool_learns_its_deadline_and_that_it_is_over():
    seen = {}
    over = threading.Event()

    def works(context: ToolContext):
        seen["left_s"] = context.deadline - time.monotonic()
        try:
            while True:
                context.raise_if_cancelled()
                time.sleep(0.01)
        finally:
            over.set()

    async with executor_of(works, timeout_s=LIMIT_S) as executor:
        result = await executor.run(Action("works"))

        assert "timeout" == result.code
    assert seen["left_s"] <= LIMIT_S
    assert over.wait(5)


@pytest.mark.parametrize("raises", [True, False], ids=["raised", "returned"])
async def test_what_a_tool_says_of_its_own_timeout_is_its_answer(raises):
    async def works():
        try:
            await anyio.sleep(5)
        except BaseException:
            if raises:
                raise ToolError("stopped after 3 of 9 lines", code="timeout") from None
            return Err("timeout", "stopped after 3 of 9 lines")

    async with executor_of(works, timeout_s=LIMIT_S) as executor:
        result = await executor.run(Action("works"))

    assert ("timeout", "stopped after 3 of 9 lines") == (result.code, result.error)


async def test_a_tool_that_blocks_the_loop_answers_late_and_is_reported(caplog):
    async def blocks():
        time.sleep(0.4)
        return "done"

    async with executor_of(blocks, timeout_s=0.1) as executor:
        result = await executor.run(Action("blocks"))

    assert "done" == result.text
    assert "blocks was late" in caplog.text


async def at_once():
    return anyio.get_current_task().id


async def after_a_wait():
    await anyio.lowlevel.checkpoint()
    return anyio.get_current_task().id


class Tools:
    async def of_an_object(self):
        return anyio.get_current_task().id


@pytest.mark.parametrize(
    ("function", "has_its_own"),
    [(at_once, False), (Tools().of_an_object, False), (after_a_wait, True)],
    ids=["without await", "a method without await", "with await"],
)
async def test_a_task_is_made_for_what_could_be_stopped_in_it(function, has_its_own):
    async with executor_of(function) as executor:
        task = (await executor.run(Action(function.__name__))).value

    assert has_its_own == (task != anyio.get_current_task().id)


async def test_lost_threads_are_replaced():
    def hangs():
        time.sleep(1.0)

    def answers():
        return "here"

    async with executor_of(
        hangs, answers, parallel_safe=True, timeout_s=0.1, options={"max_concurrency": 40}
    ) as executor:
        await executor.run_turn([Action("hangs")] * 40)
        result = await executor.run(Action("answers"))

    assert ("here", 40) == (result.text, executor.abandoned)


async def test_a_nested_action_has_no_more_time_than_what_it_is_in():
    async def outer(context: ToolContext):
        return (await context.parent.run(Action("inner"))).code

    async def inner():
        await anyio.sleep(5)

    async with executor_of(outer, inner, options={"default_timeout_s": LIMIT_S}) as executor:
        began = time.monotonic()
        await executor.run(Action("outer"))

    assert took_s(began) < LATE_S


def test_no_thread_to_be_had_is_an_answer(monkeypatch):
    def refuse(self):
        raise RuntimeError("can't start new thread")

    def tool():
        return 1

    # The host's limit on threads cannot be reached without disturbing the whole machine.
    monkeypatch.setattr(threading.Thread, "start", refuse)
    with ActionExecutor(executor_of(tool).registry, max_concurrency=97) as executor:
        result = executor.run_sync(Action("tool"))

    assert "tool was not started: no worker thread is to be had" == result.error
