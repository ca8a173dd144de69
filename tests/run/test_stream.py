"""A turn as its events happen."""

import anyio
import pytest

from qitos_like.core.action import Action
from qitos_like.core.context import ToolContext
from qitos_like.run.events import ToolEnded, ToolOutput, ToolProgress, ToolStarted, TurnEnded
from tests.run.stub import executor_of

pytestmark = pytest.mark.anyio


def works(context: ToolContext, name: str = "x") -> str:
    context.emit(f"half of {name}")
    return name


async def nests(context: ToolContext) -> str:
    return (await context.parent.run(Action("works", {"name": "inner"}))).text


def brief(event):
    if isinstance(event, TurnEnded):
        return [result.text for result in event.results]
    return type(event).__name__, event.action.name


async def test_events_come_in_order_and_the_results_at_the_end():
    async with executor_of(works) as executor:
        events = [event async for event in executor.stream([Action("works"), Action("nope")])]

    assert [
        ("ToolStarted", "works"),
        ("ToolProgress", "works"),
        ("ToolEnded", "works"),
        ("ToolEnded", "nope"),
        ["x", "there is no tool 'nope'\nthe tools are: works"],
    ] == [brief(event) for event in events]
    assert ("unknown_tool", False) == (events[3].code, events[3].ok)


async def test_events_of_nested_actions_come_too_and_of_other_turns_do_not():
    heard = []

    async with executor_of(works, nests, parallel_safe=True) as executor:
        executor.subscribe(heard.append)
        async with anyio.create_task_group() as group:
            group.start_soon(executor.run, Action("works", {"name": "other"}))
            events = [event async for event in executor.stream([Action("nests")])]

    names = [event.message for event in events if isinstance(event, ToolProgress)]
    assert ["half of inner"] == names
    assert 2 == sum(isinstance(event, ToolProgress) for event in heard)


async def test_text_comes_as_a_tool_shows_it_and_only_where_somebody_listens():
    watched = []

    def shows(context: ToolContext) -> str:
        watched.append(context.is_watched)
        context.output("one\n")
        context.output("two\n")
        return "done"

    async with executor_of(shows) as executor:
        await executor.run(Action("shows"))
        events = [event async for event in executor.stream([Action("shows")])]

    assert [False, True] == watched
    assert [ToolStarted, ToolOutput, ToolOutput, ToolEnded, TurnEnded] == list(map(type, events))
    assert ["one\n", "two\n"] == [event.text for event in events[1:3]]


async def test_events_come_while_the_turn_runs():
    release = anyio.Event()

    async def waits() -> str:
        await release.wait()
        return "done"

    async with executor_of(waits) as executor:
        events = []
        async for event in executor.stream([Action("waits")]):
            events.append(event)
            if isinstance(event, ToolStarted):
                release.set()

    assert [ToolStarted, ToolEnded, TurnEnded] == [type(event) for event in events]


async def test_who_stops_listening_cancels_the_turn():
    seen = []

    async def waits() -> None:
        try:
            await anyio.sleep(10)
        except anyio.get_cancelled_exc_class():
            seen.append("cancelled")
            raise

    async with executor_of(waits) as executor:
        stream = executor.stream([Action("waits"), Action("waits")])
        async for _ in stream:
            break
        await stream.aclose()

    assert ["cancelled"] == seen


async def test_a_fault_of_the_executor_itself_reaches_who_listens():
    async with executor_of(works) as executor:
        executor._runner.execution.invoker.invoke = None
        with pytest.raises(TypeError):
            [event async for event in executor.stream([Action("works")])]


@pytest.mark.parametrize("count", [1, 3])
async def test_what_is_cancelled_has_its_end_too(count):
    async def waits() -> None:
        await anyio.sleep(5)

    heard = []
    async with executor_of(waits, parallel_safe=count == 3) as executor:
        executor.subscribe(heard.append)
        actions = [Action("waits", id=str(number)) for number in range(count)]
        with anyio.move_on_after(0.05):
            await (executor.run(actions[0]) if count == 1 else executor.run_turn(actions))

    started = {event.action.id for event in heard if isinstance(event, ToolStarted)}
    ended = [(event.action.id, event.code) for event in heard if isinstance(event, ToolEnded)]
    assert started == {str(number) for number in range(count)}
    assert sorted(ended) == [(each, "cancelled") for each in sorted(started)]


async def test_who_listens_twice_is_told_twice_until_each_ends():
    heard = []
    async with executor_of(works) as executor:
        first, _ = (executor.subscribe(heard.append) for _ in range(2))
        first()
        await executor.run(Action("works"))

    assert [ToolStarted, ToolProgress, ToolEnded] == list(map(type, heard))
