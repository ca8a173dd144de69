"""What an executor starts and opens, and closes."""

import gc
import subprocess
import sys
import threading
import time

import anyio
import pytest

from qitos_like.core.action import Action
from qitos_like.core.context import ToolContext
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.tool import ToolSet, tool
from qitos_like.run.executor import ActionExecutor
from tests.run.stub import executor_of

pytestmark = pytest.mark.anyio


class Log(ToolSet):
    def __init__(self, *nested):
        self.events = []
        self.nested = nested
        self.fails = 0
        self.slow_s = 0.0

    def setup(self):
        time.sleep(self.slow_s)
        self.events.append("setup")
        if self.fails:
            self.fails -= 1
            raise OSError("no disk")

    def teardown(self):
        self.events.append("teardown")

    @tool(description="Write.", parallel_safe=True)
    def write(self) -> str:
        self.events.append("write")
        return "written"


class AsyncLog(Log):
    async def setup(self):
        await anyio.sleep(self.slow_s)
        self.events.append("setup")

    async def teardown(self):
        await anyio.lowlevel.checkpoint()
        self.events.append("teardown")

    @tool(description="Write.", parallel_safe=True)
    async def write(self) -> str:
        self.events.append("write")
        return "written"


@pytest.fixture(params=[Log, AsyncLog], ids=["sync", "async"])
def log(request):
    return request.param()


def registered(toolset):
    return ToolRegistry().register_toolset(toolset, "log")


async def test_a_toolset_is_started_by_its_first_call_and_stopped_at_the_end(log):
    async with ActionExecutor(registered(log)) as executor:
        assert [] == log.events
        await executor.run_turn([Action("log.write"), Action("log.write")])

    assert ["setup", "write", "write", "teardown"] == log.events


def test_it_is_so_for_who_does_not_await(log):
    with ActionExecutor(registered(log)) as executor:
        executor("log.write")

    assert ["setup", "write", "teardown"] == log.events


async def test_calls_at_once_start_it_once(log):
    log.slow_s = 0.05
    async with ActionExecutor(registered(log)) as executor, anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(executor.run, Action("log.write"))

    assert 1 == log.events.count("setup")


async def test_what_the_host_set_up_is_left_to_it(log):
    async with registered(log) as registry:
        async with ActionExecutor(registry) as executor:
            await executor.run(Action("log.write"))

        assert ["setup", "write"] == log.events


async def test_a_failing_setup_is_an_answer_and_tried_again():
    log = Log()
    log.fails = 1
    async with ActionExecutor(registered(log)) as executor:
        first = await executor.run(Action("log.write"))
        second = await executor.run(Action("log.write"))

    assert ("not_available", "written") == (first.code, second.text)
    assert first.error == "Log is not available: the setup of Log failed: OSError: no disk"


async def test_a_setup_has_the_time_of_its_action():
    log = AsyncLog()
    log.slow_s = 5.0
    async with ActionExecutor(registered(log), default_timeout_s=0.1) as executor:
        result = await executor.run(Action("log.write"))

    assert ("not_available", []) == (result.code, log.events)


async def test_a_toolset_within_another_is_started_after_it():
    order = []

    class Inner(Log):
        def setup(self):
            order.append("inner")

    class Outer(Log):
        def tools(self):
            return [Inner()]

        def setup(self):
            order.append("outer")

    async with ActionExecutor(registered(Outer())) as executor:
        names = [entry.name for entry in executor.registry]
        await executor.run(Action(names[0]))

    assert ["outer", "inner"] == order


@pytest.mark.parametrize("kind", [OSError, SystemExit, KeyboardInterrupt])
@pytest.mark.parametrize("is_async", [True, False])
async def test_a_teardown_that_raises_is_logged_and_stops_no_other(is_async, kind, caplog):
    class Broken(Log):
        def teardown(self):
            raise kind("stuck")

    class BrokenLater(Log):
        async def teardown(self):
            await anyio.lowlevel.checkpoint()
            raise kind("stuck")

    good, bad = Log(), BrokenLater() if is_async else Broken()
    registry = ToolRegistry().register_toolset(good, "good").register_toolset(bad, "bad")
    async with ActionExecutor(registry) as executor:
        await executor.run_turn([Action("good.write"), Action("bad.write")])

    assert ["setup", "write", "teardown"] == good.events
    assert f"teardown of {type(bad).__name__} raised" in caplog.text


class Closable:
    def __init__(self, closed, name):
        self.closed = closed
        self.name = name

    def close(self):
        self.closed.append(self.name)


class AsyncClosable(Closable):
    async def aclose(self):
        await anyio.lowlevel.checkpoint()
        self.closed.append(self.name)

    close = None


class Stuck(Closable):
    def close(self):
        raise OSError("stuck")


class Leaving(Closable):
    def close(self):
        raise SystemExit("stuck")


class LeavingLater(AsyncClosable):
    async def aclose(self):
        raise SystemExit("stuck")


@pytest.mark.parametrize("is_async", [True, False])
async def test_what_tools_left_in_the_state_is_closed_last_first(is_async, caplog):
    closed = []

    def opens(context: ToolContext) -> None:
        context.state["number"] = 7
        for kind in (Closable, AsyncClosable, Stuck, Leaving, LeavingLater):
            context.state[kind.__name__] = kind(closed, kind.__name__)

    executor = executor_of(opens)
    await executor.run(Action("opens"))
    if is_async:
        await executor.aclose()
    else:
        executor.close()

    assert (["AsyncClosable", "Closable"], {"number": 7}) == (closed, executor.state)
    for name in ("Stuck", "Leaving", "LeavingLater"):
        assert f"closing {name!r} of the state raised" in caplog.text


def test_what_is_async_is_closed_in_the_loop_it_was_opened_in():
    threads = []

    class Opened:
        def __init__(self):
            threads.append(threading.current_thread())

        async def aclose(self):
            threads.append(threading.current_thread())

    async def opens(context: ToolContext) -> None:
        context.state["opened"] = Opened()

    with executor_of(opens) as executor:
        executor("opens")

    assert (2, 1) == (len(threads), len(set(threads)))


async def test_what_the_host_brought_stays_open():
    closed = []
    mine = Closable(closed, "mine")

    async with executor_of(
        test_what_the_host_brought_stays_open, options={"state": {"mine": mine}}
    ):
        pass

    assert [] == closed


@pytest.mark.parametrize("ways", [("close", "close"), ("aclose", "close"), ("close", "aclose")])
async def test_closing_twice_is_closing_once(ways):
    executor = executor_of(print)
    for way in ways:
        outcome = getattr(executor, way)()
        if outcome is not None:
            await outcome


@pytest.mark.parametrize("form", ["run", "run_turn"])
async def test_a_closed_executor_says_so(form):
    executor = executor_of(print)
    executor.close()

    with pytest.raises(RuntimeError, match="the executor is closed"):
        await getattr(executor, form)(Action("print"))


def test_a_closed_executor_says_so_to_who_does_not_await():
    executor = executor_of(print)
    executor.close()

    for run in (lambda: executor("print"), lambda: executor.run_turn_sync([])):
        with pytest.raises(RuntimeError, match="the executor is closed"):
            run()


def test_a_loop_of_its_own_ends_with_it():
    async def tool() -> str:
        return threading.current_thread().name

    with executor_of(tool) as executor:
        executor("tool")
        assert any(thread.name == "qitos-like-loop" for thread in threading.enumerate())

    assert not any(thread.name == "qitos-like-loop" for thread in threading.enumerate())


def test_an_executor_that_is_dropped_is_closed():
    log = Log()
    executor = ActionExecutor(registered(log))
    executor("log.write")
    del executor
    gc.collect()

    assert ["setup", "write", "teardown"] == log.events


def test_an_executor_that_is_left_open_is_closed_at_exit():
    code = (
        "from tests.run.test_lifecycles import *\n"
        "class Says(AsyncLog):\n"
        "    async def teardown(self):\n"
        "        print('torn down')\n"
        "executor = ActionExecutor(registered(Says()))\n"
        "print(executor('log.write').text)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=20, check=True
    )

    assert ["written", "torn down"] == run.stdout.split("\n")[:2]


class Slow:
    def __init__(self, closed):
        self.closed = closed

    async def aclose(self):
        await anyio.sleep(0.01)
        self.closed.append("closed")


async def test_a_cancelled_block_is_closed_to_the_end():
    log, closed = AsyncLog(), []
    with anyio.move_on_after(0.1):
        async with ActionExecutor(registered(log)) as executor:
            executor.state["slow"] = Slow(closed)
            await executor.run(Action("log.write"))
            await anyio.sleep_forever()

    assert (["closed"], ["setup", "write", "teardown"]) == (closed, log.events)
