"""The code of tools runs where the executor's backend says."""

import asyncio
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextvars import ContextVar
from multiprocessing import get_context

import pytest

from qitos_like import (
    Action,
    ActionExecutor,
    Backend,
    Progress,
    ToolContext,
    ToolError,
    ToolMeta,
    ToolPermission,
)
from tests.run.stub import executor_of, registry_of

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

VARIABLE = ContextVar("variable", default="unset")


def pid() -> int:
    return os.getpid()


def thread() -> str:
    return threading.current_thread().name


async def awaits(number: int) -> int:
    await asyncio.sleep(0)
    return number


def fails() -> None:
    raise ToolError("not today", hint="try tomorrow", code="not_available")


def raises() -> None:
    raise ValueError("oops")


def leaves() -> None:
    raise SystemExit(3)


def dies() -> None:
    os._exit(7)


def spins() -> None:
    time.sleep(1.0)


def with_context(context: ToolContext) -> str:
    return "it stays at home"


def gives_a_lock() -> object:
    return threading.Lock()


class Unreadable:
    def __reduce__(self):
        return (int, ("no number",))


def gives_what_cannot_be_read() -> object:
    return Unreadable()


def processes_of(size=2):
    return ProcessPoolExecutor(size, mp_context=get_context("spawn"))


@pytest.fixture(scope="module")
def processes():
    with processes_of() as pool:
        yield pool


@pytest.fixture(scope="module")
def threads():
    with ThreadPoolExecutor(2, "theirs") as pool:
        yield pool


async def answer(function, args=None, **options):
    meta = options.pop("meta", {})
    async with executor_of(function, options=options, **meta) as executor:
        return await executor.run(Action(function.__name__, args or {}))


async def test_code_runs_in_another_process(processes):
    assert os.getpid() != (await answer(pid, backend=processes)).value


async def test_code_runs_in_another_thread(threads):
    assert (await answer(thread, backend=threads)).value.startswith("theirs")


def test_it_does_so_for_who_does_not_await(processes):
    with executor_of(pid, options={"backend": processes, "default_timeout_s": None}) as executor:
        assert os.getpid() != executor("pid").value


@pytest.mark.parametrize("pool", ["threads", "processes"])
@pytest.mark.parametrize(
    ("function", "code", "text"),
    [
        (fails, "not_available", "not today\ntry tomorrow"),
        (raises, "execution_failed", "raises failed: ValueError: oops"),
        (leaves, "execution_failed", "leaves tried to end the program (SystemExit: 3)"),
    ],
    ids=["fails", "raises", "leaves"],
)
async def test_what_it_raises_is_an_answer_as_it_is_here(pool, function, code, text, request):
    result = await answer(function, backend=request.getfixturevalue(pool))

    assert (code, text) == (result.code, result.text)


@pytest.mark.parametrize("pool", ["threads", "processes"])
async def test_async_tools_are_awaited_there(pool, request):
    backend = request.getfixturevalue(pool)

    assert 7 == (await answer(awaits, {"number": 7}, backend=backend)).value


async def test_in_a_thread_a_tool_has_its_context_and_reports(threads):
    def works(context: ToolContext):
        context.emit("begun")
        yield Progress("half", percent=50)
        yield VARIABLE.get()

    heard = []
    VARIABLE.set("of the caller")
    async with executor_of(works, options={"backend": threads}) as executor:
        executor.subscribe(heard.append)
        result = await executor.run(Action("works"))

    assert "of the caller" == result.value
    assert ["begun", "half"] == [getattr(each, "message", "") for each in heard[1:3]]


async def test_in_a_thread_async_generators_report_too(threads):
    async def works():
        yield Progress("half")
        await asyncio.sleep(0)
        yield "done"

    assert "done" == (await answer(works, backend=threads)).value


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (with_context, "with_context cannot run on its backend: it takes a ToolContext"),
        (gives_a_lock, "gives_a_lock ran, but its result cannot leave its process"),
        (gives_what_cannot_be_read, "the result cannot be read: ValueError"),
    ],
)
async def test_what_cannot_be_sent_is_an_error_that_says_so(processes, function, text):
    result = await answer(function, backend=processes)

    assert ("execution_failed", True) == (result.code, text in result.text)


async def test_code_that_cannot_be_sent_is_an_error_that_says_so(processes):
    def local() -> None: ...

    assert "local cannot run on its backend: " in (await answer(local, backend=processes)).text


@pytest.mark.parametrize("pool", ["threads", "processes"])
async def test_a_deadline_holds_there(pool, request):
    options = {"backend": request.getfixturevalue(pool)}
    async with executor_of(spins, options=options, timeout_s=0.2) as executor:
        began = time.monotonic()
        result = await executor.run(Action("spins"))

        assert ("timeout", 1) == (result.code, executor.abandoned)
        assert time.monotonic() - began < 1.0


async def test_a_tool_in_a_thread_that_sees_its_deadline_is_late(threads):
    def looks(context: ToolContext) -> None:
        while True:
            context.raise_if_cancelled()
            time.sleep(0.01)

    result = await answer(looks, backend=threads, meta={"timeout_s": 0.2})

    assert "timeout" == result.code


async def test_what_waits_for_a_worker_is_taken_back_at_its_deadline():
    with ThreadPoolExecutor(1) as pool:
        blocker = pool.submit(time.sleep, 0.6)
        async with executor_of(pid, options={"backend": pool}, timeout_s=0.2) as executor:
            assert "timeout" == (await executor.run(Action("pid"))).code
            assert 0 == executor.abandoned
        blocker.result()


async def test_order_and_checks_stay_with_the_caller(processes):
    actions = [Action("awaits", {"number": number}) for number in (3, "x", 1, 2)]
    async with executor_of(awaits, options={"backend": processes}, parallel_safe=True) as executor:
        results = await executor.run_turn(actions)

    assert [3, None, 1, 2] == [result.value for result in results]
    assert "input_invalid" == results[1].code


@pytest.mark.parametrize(
    ("permissions", "attempts"),
    [(ToolPermission(), 2), (ToolPermission(filesystem_write=True), 1)],
    ids=["reads", "writes"],
)
async def test_a_worker_that_dies_is_an_error_and_only_what_writes_nothing_is_tried_again(
    permissions, attempts
):
    meta = {"max_retries": 1, "permissions": permissions}
    result = await answer(dies, backend=processes_of, meta=meta)

    assert ("execution_failed", attempts) == (result.code, result.attempts)
    assert "the worker that ran dies died" == result.error
    assert (attempts == 1) == ("it may have been done in part" in result.text)


async def test_a_pool_that_was_made_for_it_is_made_again():
    async with ActionExecutor(registry_of(dies, pid), backend=processes_of) as executor:
        assert "execution_failed" == (await executor.run(Action("dies"))).code
        assert os.getpid() != (await executor.run(Action("pid"))).value


async def test_a_pool_that_was_given_and_broke_takes_no_work():
    with processes_of(1) as pool:
        async with executor_of(dies, options={"backend": pool}) as executor:
            await executor.run(Action("dies"))
            result = await executor.run(Action("dies"))

    assert ("execution_failed", True) == (result.code, "its backend takes no work" in result.text)


async def test_a_pool_that_is_closed_takes_no_work():
    with ThreadPoolExecutor(1) as pool:
        pass

    assert "its backend takes no work" in (await answer(pid, backend=pool)).text


async def test_only_the_tools_that_are_named_run_there(processes):
    backend = Backend(processes, tools=["tag:heavy"])
    registry = registry_of(with_context)
    registry.register(pid, meta=ToolMeta(description="A stub.", tags=["heavy"]))
    async with ActionExecutor(registry, backend=backend) as executor:
        assert os.getpid() != (await executor.run(Action("pid"))).value
        assert "it stays at home" == (await executor.run(Action("with_context"))).value


def test_what_is_made_for_an_executor_is_closed_with_it_and_what_is_given_is_not(threads):
    made = []

    def make():
        made.append(ThreadPoolExecutor(1))
        return made[0]

    for backend in (make, threads):
        with executor_of(thread, options={"backend": backend}) as executor:
            executor("thread")

    with pytest.raises(RuntimeError):
        made[0].submit(pid)
    assert os.getpid() == threads.submit(pid).result()


def test_what_is_no_backend_is_refused():
    with pytest.raises(TypeError, match="a backend is an executor of concurrent.futures"):
        executor_of(pid, options={"backend": 7})


class Foreign(Executor):
    """An executor of another library, whose worker loses what it was given."""

    def submit(self, function, /, *args, **kwargs):
        future = Future()
        future.cancel()
        future.set_running_or_notify_cancel()
        return future


async def test_work_that_is_lost_is_an_error():
    result = await answer(pid, backend=Foreign())

    assert "the worker that ran pid died" == result.error


def test_without_the_extra_an_address_says_how_to_install_it():
    program = """
import sys
sys.modules["distributed"] = None
from qitos_like import Backend, MissingExtraError
try:
    Backend("tcp://127.0.0.1:1")
except MissingExtraError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert "a cluster of Dask needs an extra: pip install 'qitos-like[dask]'" == done.stdout.strip()
