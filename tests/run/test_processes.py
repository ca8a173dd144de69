"""Tools that run in a process of their own."""

import os
import re
import time

import anyio
import pytest

from qitos_like.core.action import Action
from qitos_like.core.context import ToolContext
from qitos_like.run import remote
from tests.run.stub import executor_of, registry_of

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]


def pid_of(number: int) -> dict[str, int]:
    return {"pid": os.getpid(), "number": number}


async def waits(seconds: float) -> str:
    await anyio.sleep(seconds)
    return "waited"


def spins() -> None:
    # Such a pattern holds the interpreter's lock for longer than anybody waits.
    re.match(r"(a+)+$", "a" * 40 + "b")


def dies() -> None:
    os._exit(7)


def exits() -> None:
    raise SystemExit(3)


def unpicklable() -> object:
    return lambda: None


def with_context(context: ToolContext) -> str:
    return "no context can be sent"


async def test_the_code_runs_in_another_process():
    async with executor_of(pid_of, isolation="process") as executor:
        result = await executor.run(Action("pid_of", {"number": 7}))

    assert (7, True) == (result.value["number"], result.value["pid"] != os.getpid())


def test_it_does_so_for_who_does_not_await():
    with executor_of(waits, isolation="process") as executor:
        assert "waited" == executor("waits", seconds=0).text


async def test_what_holds_the_interpreter_is_killed_at_its_deadline():
    async with executor_of(spins, isolation="process", timeout_s=0.2) as executor:
        began = time.monotonic()
        result = await executor.run(Action("spins"))

        assert time.monotonic() - began < 30  # the process has to begin, too
        assert ("timeout", 0) == (result.code, executor.abandoned)


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (dies, "the process of dies died with exit code 7"),
        (exits, "exits tried to end the program (SystemExit: 3)"),
        (unpicklable, "unpicklable ran, but its result cannot leave its process"),
        (with_context, "with_context cannot run in a process of its own"),
        (lambda: 1, "<lambda>"),
    ],
    ids=["dies", "exits", "result", "context", "a lambda"],
)
async def test_what_goes_wrong_there_is_an_answer(function, text):
    if function.__name__ == "<lambda>":
        function.__name__, text = "local", "local cannot run in a process of its own"

    async with executor_of(function, isolation="process") as executor:
        result = await executor.run(Action(function.__name__))

    assert ("execution_failed", True) == (result.code, text in result.text)


@pytest.mark.parametrize(
    ("function", "code", "text"),
    [(waits, None, "waited"), (unpicklable, "execution_failed", "cannot leave its process")],
    ids=["a result", "no result"],
)
def test_the_process_sends_what_came_of_the_code(function, code, text):
    entry = next(iter(registry_of(function)))
    args = {"seconds": 0} if function is waits else {}
    given = remote.Code(entry.name, entry.tool, [], args)

    result = remote.received(remote.answer_of(given))

    assert code == getattr(result, "code", None)
    assert text in str(result)
