"""Running actions for callers that do not await."""

import asyncio
import contextvars
import os
import signal
import threading
import time
from contextlib import closing

import pytest
import trio

from qitos_like.core.action import Action
from qitos_like.core.context import ToolContext
from qitos_like.core.results import ToolError
from qitos_like.run.artifacts import ArtifactStore
from qitos_like.run.budget import Budget
from qitos_like.run.executor import ActionExecutor
from tests.run.stub import executor_of, registry_of

NAME = contextvars.ContextVar("NAME", default="unset")
UNLIMITED = {"default_timeout_s": None}


def press_ctrl_c(after_s):
    main = threading.main_thread().ident
    threading.Timer(after_s, signal.pthread_kill, [main, signal.SIGINT]).start()


def thread_of() -> str:
    return threading.current_thread().name


async def async_thread_of() -> str:
    return threading.current_thread().name


def carried() -> str:
    return NAME.get()


def big() -> str:
    return "x" * 99


async def async_carried() -> str:
    return NAME.get()


def test_a_sync_tool_without_a_deadline_runs_in_the_callers_thread():
    with executor_of(thread_of, options=UNLIMITED) as executor:
        assert threading.current_thread().name == executor("thread_of").text


@pytest.mark.parametrize(
    ("function", "prefix"),
    [(thread_of, "qitos-like-worker"), (async_thread_of, "qitos-like-loop")],
    ids=["sync", "async"],
)
def test_other_tools_run_elsewhere(function, prefix):
    with executor_of(function) as executor:
        assert executor(function.__name__).text.startswith(prefix)


def test_an_executor_has_no_thread_until_it_needs_one():
    before = threading.active_count()
    executor = executor_of(thread_of, options=UNLIMITED)
    executor("thread_of")

    assert before == threading.active_count()
    executor.close()


@pytest.mark.parametrize("function", [carried, async_carried], ids=["sync", "async"])
@pytest.mark.parametrize("timeout_s", [None, 5])
def test_context_variables_are_carried(function, timeout_s):
    token = NAME.set("mine")
    try:
        with executor_of(function, options={"default_timeout_s": timeout_s}) as executor:
            assert "mine" == executor(function.__name__).text
            [result] = executor.run_turn_sync([Action(function.__name__)])
            assert "mine" == result.text
    finally:
        NAME.reset(token)


def both_forms():
    with executor_of(thread_of, async_thread_of) as executor:
        return [
            executor("thread_of").ok,
            executor("async_thread_of").ok,
            *[result.ok for result in executor.run_turn_sync([Action("async_thread_of")] * 3)],
        ]


@pytest.mark.parametrize(
    "run", [lambda main: asyncio.run(main()), trio.run], ids=["asyncio", "trio"]
)
def test_the_sync_forms_work_where_a_loop_runs(run):
    async def main():
        return both_forms()

    assert [True] * 5 == run(main)


def test_the_sync_forms_work_inside_a_tool_of_the_private_loop():
    registry = registry_of(thread_of, async_thread_of)

    async def outer() -> bool:
        """Nest."""
        nested = [executor("async_thread_of"), *executor.run_turn_sync([Action("thread_of")] * 2)]
        return all(result.ok for result in nested)

    registry.register(outer)
    with ActionExecutor(registry) as executor:
        assert "true" == executor("outer").text


def test_a_tool_named_name_may_have_an_argument_of_any_name():
    def tool(self: int, name: str, action: str) -> str:
        return f"{self} {name} {action}"

    with executor_of(tool) as executor:
        assert "1 a b" == executor("tool", self=1, name="a", action="b").text


def test_unwrap_gives_the_value_or_raises():
    def add(a: int) -> int:
        return a + 1

    with executor_of(add) as executor:
        assert 2 == executor("add", a=1).unwrap()
        with pytest.raises(ToolError, match="the arguments of add are wrong"):
            executor("add").unwrap()


def test_many_threads_share_an_executor():
    def add(a: int) -> int:
        return a + 1

    results = []
    with executor_of(add, parallel_safe=True) as executor:
        threads = [
            threading.Thread(
                target=lambda: results.extend(executor("add", a=n).value for n in range(50))
            )
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert sorted(list(range(1, 51)) * 8) == sorted(results)


@pytest.mark.parametrize("timeout_s", [None, 30], ids=["in the caller's thread", "in a worker"])
def test_ctrl_c_reaches_the_caller(timeout_s):
    def waits(context: ToolContext):
        signal.raise_signal(signal.SIGINT) if timeout_s is None else None
        end = time.monotonic() + 20
        while time.monotonic() < end:
            context.raise_if_cancelled()
            time.sleep(0.01)

    with executor_of(waits, options={"default_timeout_s": timeout_s}) as executor:
        if timeout_s is not None:
            press_ctrl_c(0.2)
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            executor("waits")

    assert time.monotonic() - began < 10


def test_ctrl_c_stops_a_turn():
    stopped = threading.Event()

    async def waits():
        try:
            await asyncio.sleep(20)
        finally:
            stopped.set()

    with executor_of(waits) as executor:
        press_ctrl_c(0.2)
        with pytest.raises(KeyboardInterrupt):
            executor.run_turn_sync([Action("waits"), Action("waits")])

    assert stopped.is_set()


def test_an_interrupt_that_a_tool_raises_itself_is_an_answer():
    def raises():
        raise KeyboardInterrupt

    with executor_of(raises, options=UNLIMITED) as executor:
        assert "execution_failed" == executor("raises").code


def test_awaiting_without_a_loop_says_what_to_do():
    with executor_of(thread_of) as executor:
        work = executor.run(Action("thread_of"))
        with pytest.raises(RuntimeError, match="use run_sync"):
            work.send(None)


def test_at_least_one_action_has_to_run():
    with pytest.raises(ValueError, match="max_concurrency is 0"):
        ActionExecutor(registry_of(), max_concurrency=0)


def test_what_ends_the_program_in_the_executors_loop_reaches_the_caller_and_the_loop_lives():
    def leave(event):
        raise SystemExit(3)

    with executor_of(async_carried) as executor:
        forget = executor.subscribe(leave)
        with pytest.raises(SystemExit):
            executor.run_turn_sync([Action("async_carried")])
        forget()

        assert ["unset"] == [r.text for r in executor.run_turn_sync([Action("async_carried")])]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_process_goes_on_with_an_executor_and_leaves_what_its_parent_opened():
    def note(context: ToolContext) -> str:
        return context.state.setdefault("note", Closable()).text

    class Closable:
        text = "open"

        def close(self):
            Closable.text = "closed"

    store = ArtifactStore()
    options = {"budget": Budget(40, 40), "artifacts": store}
    with closing(store), executor_of(note, async_carried, big, options=options) as executor:
        kept = executor("big").artifact
        assert "unset" == executor("async_carried").text
        executor("note")
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            answers = [executor("async_carried").text, executor("note").text]
            executor.close()
            store.close()
            os.write(writer, " ".join([*answers, Closable.text]).encode())
            os._exit(0)
        os.waitpid(child, 0)

        assert b"unset open open" == os.read(reader, 100)
        assert "x" * 99 == store.path(kept).read_text()
