"""Tools that start actions themselves."""

from collections import Counter

import anyio
import pytest

from qitos_like.core.action import Action
from qitos_like.core.context import ToolContext
from qitos_like.core.environment import Environment
from qitos_like.core.permission import ToolPermission
from qitos_like.core.tool import ToolMeta
from qitos_like.run.executor import ActionExecutor
from tests.run.stub import executor_of, registry_of

pytestmark = pytest.mark.anyio


def add(a: int) -> int:
    """Add one."""
    return a + 1


async def adds(context: ToolContext, a: int) -> str:
    return (await context.parent.run(Action("add", {"a": a}))).text


async def adds_many(context: ToolContext) -> str:
    results = await context.parent.run_turn([Action("add", {"a": a}) for a in range(3)])
    return " ".join(result.text for result in results)


async def test_a_tool_runs_an_action():
    async with executor_of(add, adds) as executor:
        result = await executor.run(Action("adds", {"a": 1}))

    assert ("2", "call_1") == (result.text, result.action.id)


async def test_a_tool_runs_a_turn():
    async with executor_of(add, adds_many) as executor:
        assert "1 2 3" == (await executor.run(Action("adds_many"))).text


def test_a_tool_runs_an_action_for_who_does_not_await():
    with executor_of(add, adds) as executor:
        assert "2" == executor("adds", a=1).text


async def test_parallel_tools_may_nest_what_is_not_parallel_safe():
    registry = registry_of(adds, parallel_safe=True).register(add)

    async with ActionExecutor(registry) as executor:
        results = await executor.run_turn([Action("adds", {"a": a}) for a in range(20)])

    assert [str(a + 1) for a in range(20)] == [result.text for result in results]


async def test_an_action_by_the_executor_itself_is_nested_too():
    registry = registry_of(add)

    async def outer() -> str:
        """Nest."""
        return (await executor.run(Action("add", {"a": 1}))).text

    def outer_sync() -> str:
        """Nest."""
        return executor("add", a=1).text

    registry.register(outer).register(outer_sync)
    async with ActionExecutor(registry, default_timeout_s=5) as executor:
        results = await executor.run_turn([Action("outer"), Action("outer_sync")])

    assert ["2", "2"] == [result.text for result in results]


async def test_nested_actions_have_the_same_permissions():
    needs = ToolMeta(permissions=ToolPermission(network=True))
    registry = registry_of(adds).register(add, meta=needs)

    async with ActionExecutor(registry, environment=Environment()) as executor:
        result = await executor.run(Action("adds", {"a": 1}))

    assert result.text.startswith("add needs network")


async def test_tools_that_call_each_other_end():
    depths = []

    async def again(context: ToolContext) -> str:
        depths.append(1)
        return (await context.parent.run(Action("again"))).text

    async with executor_of(again) as executor:
        result = await executor.run(Action("again"))

    assert (8, True) == (len(depths), "tools that call tools may be 8 deep" in result.text)


async def test_what_outlives_its_tool_is_not_nested_any_more():
    results = []

    async with anyio.create_task_group() as group:

        async def later(context: ToolContext) -> str:
            async def run() -> None:
                await anyio.sleep(0.05)
                results.append(await executor.run(Action("add", {"a": 1})))

            group.start_soon(run)
            return "started"

        async with executor_of(add, later, options={"default_timeout_s": None}) as executor:
            await executor.run(Action("later"))
            await anyio.sleep(0.2)

    assert ["2"] == [result.text for result in results]


async def test_two_executors_see_nothing_of_each_other():
    def remember(context: ToolContext, value: str) -> str:
        before = context.state.get("value", "nothing")
        context.state["value"] = value
        return str(before)

    registry = registry_of(remember)
    async with ActionExecutor(registry) as first, ActionExecutor(registry) as second:
        texts = [
            (await executor.run(Action("remember", {"value": value}))).text
            for executor, value in ((first, "a"), (second, "b"), (first, "c"))
        ]

    assert ["nothing", "nothing", "a"] == texts


async def test_a_tool_is_given_what_the_host_passed():
    seen = {}

    def look(context: ToolContext) -> None:
        seen.update(user=context.user, service=context.services[int], workspace=context.workspace)
        seen.update(budget=context.budget_chars, action=context.action)

    environment = Environment(workspace="here")
    options = {"services": [7], "user": "Ann", "environment": environment}
    async with executor_of(look, options=options, max_result_chars=99) as executor:
        await executor.run(Action("look", id="1"))

    assert seen == {
        "user": "Ann",
        "service": 7,
        "workspace": "here",
        "budget": 99,
        "action": Action("look", id="1"),
    }


async def test_actions_of_other_tools_have_ids_of_their_own_and_are_remembered():
    others = registry_of(add)

    async def asks(context: ToolContext) -> str:
        for _ in range(2):
            actions = [Action("add", {"a": 1}), Action("add", {"a": 2})]
            await context.parent.run_turn(actions, registry=others)
        return "done"

    started = []
    async with executor_of(asks) as executor:
        executor.subscribe(lambda event: started.append((type(event), event.action.id)))
        await executor.run_turn([Action("asks"), Action("asks")])

    assert len(started) == len(set(started)) == 20
    assert {"add": 8, "asks": 2} == Counter(call.name for call in executor.called)
