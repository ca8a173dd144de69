"""Hooks around a call."""

import asyncio

import anyio
import pytest

from qitos_like.core.action import Action
from qitos_like.core.results import Err, Ok, ToolError
from qitos_like.run.policy import PermissionPolicy
from tests.run.stub import executor_of

pytestmark = pytest.mark.anyio


def add(a: int, b: int = 1) -> int:
    return a + b


async def looks(call, go_on):
    looks.seen = (call.spec.name, dict(call.args), call.action.id)
    return await go_on(call)


async def changes(call, go_on):
    return await go_on(call.with_args({**call.args, "b": "10"}))


async def spoils(call, go_on):
    return await go_on(call.with_args({"a": "x"}))


async def answers(call, go_on):
    return "instead"


async def answers_result(call, go_on):
    return Err("stale_write", "later")


async def tries_again(call, go_on):
    await go_on(call)
    return await go_on(call)


async def adds_to_it(call, go_on):
    result = await go_on(call)
    return Ok(f"{result.value}!")


async def refuses(call, go_on):
    raise ToolError("not today", code="denied", hint="tomorrow")


async def breaks(call, go_on):
    raise ZeroDivisionError("oops")


async def breaks_afterwards(call, go_on):
    await go_on(call)
    raise ZeroDivisionError("oops")


async def only_looks(call, go_on):
    await go_on(call)


async def says_nothing(call, go_on):
    pass


async def writes_into_it(call, go_on):
    call.args["a"] = "7"
    return await go_on(call)


def raises(error):
    async def hook(call, go_on):
        raise error

    return hook


ROWS = {
    "looks": ([looks], None, "2", 1),
    "changes": ([changes], None, "11", 1),
    "spoils": ([spoils], "input_invalid", "$.a: expected integer", 0),
    "answers": ([answers], None, "instead", 0),
    "answers with a result": ([answers_result], "stale_write", "later", 0),
    "tries again": ([tries_again], None, "2", 2),
    "refuses": ([refuses], "denied", "not today\ntomorrow", 0),
    "breaks": ([breaks], "denied", "add was not run: a hook failed: ZeroDivisionError: oops", 0),
    "breaks afterwards": (
        [breaks_afterwards],
        "denied",
        "failed: ZeroDivisionError: oops\nit may have been done: look before you call it again",
        1,
    ),
    "only looks": ([only_looks], None, "2", 1),
    "only looks at a change": ([only_looks, changes], None, "11", 1),
    "says nothing": ([says_nothing], "denied", "add was not run: a hook failed: ValueError: it", 0),
    "writes into what it sees": ([writes_into_it], None, "8", 1),
    "wants to end the program": ([raises(SystemExit(1))], "denied", "add was not run: a hook", 0),
    "is interrupted": ([raises(KeyboardInterrupt())], "denied", "add was not run: a hook", 0),
    "is closed": ([raises(GeneratorExit())], "denied", "add was not run: a hook failed: Gen", 0),
    "cancels itself": ([raises(asyncio.CancelledError())], "cancelled", "add was not run: a ho", 0),
    "the first is outermost": ([adds_to_it, changes], None, "11!", 1),
}


@pytest.mark.parametrize(("hooks", "code", "text", "attempts"), ROWS.values(), ids=ROWS.keys())
async def test_a_hook_decides_what_comes_of_a_call(hooks, code, text, attempts):
    async with executor_of(add, options={"hooks": hooks}) as executor:
        result = await executor.run(Action("add", {"a": 1}))

    assert (code, attempts) == (result.code, result.attempts)
    assert text in result.text


@pytest.mark.parametrize(("hooks", "code", "text", "attempts"), ROWS.values(), ids=ROWS.keys())
def test_a_hook_does_so_for_who_does_not_await(hooks, code, text, attempts):
    with executor_of(add, options={"hooks": hooks}) as executor:
        result = executor("add", a=1)

    assert (code, attempts) == (result.code, result.attempts)
    assert text in result.text


async def test_a_hook_sees_checked_arguments_and_their_repairs_are_kept():
    async with executor_of(add, options={"hooks": [looks]}) as executor:
        result = await executor.run(Action("add", {"a": "1"}, id="7"))

    assert ("add", {"a": 1}, "7") == looks.seen
    assert ("$.a: text read as an integer",) == result.repairs


async def test_changed_arguments_are_judged_as_they_run():
    options = {"hooks": [changes], "policy": PermissionPolicy(["deny add(b=10)"])}

    async with executor_of(add, options=options) as executor:
        result = await executor.run(Action("add", {"a": 1}))

    assert "denied" == result.code


async def test_what_a_hook_raises_hides_no_other_answer():
    async def breaks_once(call, go_on):
        if call.args["a"] == 1:
            raise SystemExit(1)
        return await go_on(call)

    async with executor_of(add, options={"hooks": [breaks_once]}, parallel_safe=True) as executor:
        results = await executor.run_turn([Action("add", {"a": a}) for a in (0, 1, 2)])

    assert ["1", "denied", "3"] == [result.code or result.text for result in results]


async def test_what_a_hook_changes_in_place_is_judged_as_it_runs():
    options = {"hooks": [writes_into_it], "policy": PermissionPolicy(["deny add(a=7)"])}

    async with executor_of(add, options=options) as executor:
        result = await executor.run(Action("add", {"a": 1}))

    assert "denied" == result.code


async def test_a_tool_that_a_hook_gave_up_was_started():
    async def slow() -> None:
        await anyio.sleep(5)

    async def is_impatient(call, go_on):
        with anyio.fail_after(0.05):
            return await go_on(call)

    async with executor_of(slow, options={"hooks": [is_impatient]}) as executor:
        result = await executor.run(Action("slow"))

    assert ("denied", 1, True) == (result.code, result.attempts, "was started" in result.text)


async def test_a_hook_is_not_run_for_what_will_not_run():
    async with executor_of(add, options={"hooks": [answers]}) as executor:
        results = await executor.run_turn([Action("add", {}), Action("sub")])

    assert ["input_invalid", "unknown_tool"] == [result.code for result in results]


async def test_hooks_and_approvers_may_use_the_executor():
    seen = []

    async def looks_first(call, go_on):
        if call.spec.name == "change":
            seen.append((await executor.run(Action("look"))).text)
        return await go_on(call)

    def approve(request):
        seen.append(executor.run_sync(Action("look")).text)
        return True

    def look() -> str:
        return "seen"

    def change() -> str:
        return "changed"

    options = {"hooks": [looks_first], "policy": PermissionPolicy(["ask change"])}
    async with executor_of(look, change, options={**options, "approve": approve}) as executor:
        with anyio.fail_after(10):
            results = await executor.run_turn([Action("change"), Action("look")])

    assert (["changed", "seen"], ["seen", "seen"]) == ([each.text for each in results], seen)
