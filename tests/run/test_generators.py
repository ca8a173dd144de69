"""Tools that yield: progress is told, the last other value is the result."""

import anyio
import pytest

from qitos_like.core.action import Action
from qitos_like.core.context import Progress, ToolContext
from qitos_like.run.events import ToolProgress
from tests.run.stub import answer, executor_of

pytestmark = pytest.mark.anyio


def counts():
    yield Progress("one", 50)
    yield "first"
    yield "second"
    yield Progress("two", 100, "user")


async def counts_async():
    yield Progress("one", 50)
    await anyio.lowlevel.checkpoint()
    yield "first"
    yield "second"
    yield Progress("two", 100, "user")


def returns():
    yield Progress("one", 50)
    yield "yielded"
    yield Progress("two", 100, "user")
    return "second"


def emits(context: ToolContext):
    context.emit("one", 50)
    context.emit("two", 100, "user")
    return "second"


async def emits_async(context: ToolContext):
    context.emit("one", 50)
    context.emit("two", 100, "user")
    return "second"


@pytest.mark.parametrize(
    "function",
    [counts, counts_async, returns, emits, emits_async],
    ids=lambda function: function.__name__,
)
@pytest.mark.parametrize("timeout_s", [None, 5], ids=["no deadline", "deadline"])
async def test_progress_is_told_and_the_last_value_is_the_result(function, timeout_s):
    heard = []

    async with executor_of(function, options={"default_timeout_s": timeout_s}) as executor:
        executor.subscribe(heard.append)
        action = Action(function.__name__, id="7")
        result = await executor.run(action)

    assert "second" == result.text
    progress = [event for event in heard if isinstance(event, ToolProgress)]
    assert progress == [
        ToolProgress(action=action, message="one", percent=50),
        ToolProgress(action=action, message="two", percent=100, audience="user"),
    ]


@pytest.mark.parametrize("is_async", [False, True])
async def test_a_generator_of_nothing_has_no_result(is_async):
    def nothing():
        return
        yield

    async def nothing_async():
        return
        yield

    assert "null" == (await answer(nothing_async if is_async else nothing)).text


async def test_a_sink_that_raises_breaks_nothing(caplog):
    heard = []

    async with executor_of(counts) as executor:
        executor.subscribe(lambda event: 1 / 0)
        forget = executor.subscribe(heard.append)
        first = await executor.run(Action("counts"))
        forget()
        await executor.run(Action("counts"))

    assert ("second", 2) == (first.text, sum(isinstance(e, ToolProgress) for e in heard))
    assert "a sink raised" in caplog.text
