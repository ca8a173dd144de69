"""Results that a tool made itself, with more or less in them than an answer can hold."""

import json
from datetime import date

import anyio
import pytest

from qitos_like.core.action import Action
from qitos_like.core.results import Err, Ok
from qitos_like.run.executor import ActionExecutor
from qitos_like.run.limits import Limit
from tests.run.stub import registry_of


def answered(result, **options):
    def tool():
        return result() if callable(result) else result

    with ActionExecutor(registry_of(tool), **options) as executor:
        return executor.run_sync(Action("tool"))


async def late(seconds=0.0):
    await anyio.sleep(seconds)
    return "late"


def steps():
    yield "first"
    yield "last"


async def async_steps():
    yield "first"
    yield "last"


async def forgets_await():
    return late()


async def forgets_await_twice():
    return forgets_await()


async def hands_steps_on():
    return steps()


async def hands_async_steps_on():
    return async_steps()


def ends_in_steps():
    yield "first"
    return steps()


async def ends_in_a_coroutine():
    yield late()


@pytest.mark.anyio
@pytest.mark.parametrize("timeout_s", [None, 5.0], ids=["no deadline", "deadline"])
@pytest.mark.parametrize(
    ("tool", "text"),
    [
        (forgets_await, "late"),
        (forgets_await_twice, "late"),
        (hands_steps_on, "last"),
        (hands_async_steps_on, "last"),
        (ends_in_steps, "last"),
        (ends_in_a_coroutine, "late"),
    ],
)
async def test_what_has_to_be_awaited_still_is_awaited(tool, text, timeout_s):
    async with ActionExecutor(registry_of(tool), default_timeout_s=timeout_s) as executor:
        result = await executor.run(Action(tool.__name__))

    assert (True, text) == (result.ok, result.text)
    assert text == answered_sync(tool, default_timeout_s=timeout_s).text


def answered_sync(tool, **options):
    with ActionExecutor(registry_of(tool), **options) as executor:
        return executor.run_sync(Action(tool.__name__))


@pytest.mark.anyio
async def test_what_has_to_be_awaited_still_has_the_same_deadline():
    async def forgets() -> str:
        return late(5)

    async with ActionExecutor(registry_of(forgets, timeout_s=0.1)) as executor:
        result = await executor.run(Action("forgets"))

    assert "timeout" == result.code


def cycle():
    facts = []
    facts.append(facts)
    return facts


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"at": date(2024, 5, 31)}, {"at": "2024-05-31"}),
        ({1: {"b", "a"}}, {"1": ["a", "b"]}),
        (float("nan"), None),
        (cycle(), None),
        (None, None),
    ],
    ids=["dates", "sets", "NaN", "a cycle", "none"],
)
def test_the_facts_of_an_error_are_json_or_left_out(facts, told):
    result = answered(Err("denied", "not on a Sunday", structured=facts))

    assert ("denied", "not on a Sunday", told) == (result.code, result.text, result.structured)
    json.dumps(result.structured, allow_nan=False)


def test_the_hint_of_an_error_is_text():
    result = answered(Err("denied", 3, hint=4))

    assert ("3", "4", "3\n4") == (result.error, result.hint, result.text)


@pytest.mark.parametrize("cost", ["1", float("nan"), 10**400], ids=["text", "NaN", "huge"])
def test_a_cost_that_is_no_amount_breaks_no_limit(cost):
    result = answered(lambda: Ok(1, cost_usd=cost), limits=[Limit("tool", cost_usd=1)])

    assert "execution_failed" == result.code
