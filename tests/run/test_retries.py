"""When a tool's code is run again."""

import time
from copy import deepcopy
from typing import Any

import anyio
import pytest

from qitos_like.core.action import Action
from qitos_like.core.permission import ToolPermission
from qitos_like.core.results import Err, ToolError
from qitos_like.run import retries
from tests.run.stub import executor_of, registry_of

pytestmark = pytest.mark.anyio


class Flaky:
    def __init__(self, *outcomes):
        self.outcomes = list(outcomes)

    def tool(self) -> object:
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome


ROWS = {
    "exception": (OSError("down"), 2),
    "error as value": (Err("execution_failed", "down"), 2),
    "tool error": (ToolError("down"), 2),
    "not available": (Err("not_available", "down"), 2),
    "own timeout": (Err("timeout", "slow"), 2),
    "final": (Err("execution_failed", "gone", retryable=False), 1),
    "input": (Err("input_invalid", "no"), 1),
    "denied": (Err("denied", "no"), 1),
    "approval": (Err("needs_approval", "no"), 1),
    "over budget": (Err("over_budget", "no"), 1),
    "stale": (Err("stale_write", "no"), 1),
    "success": ("done", 1),
}


@pytest.mark.parametrize(("outcome", "attempts"), ROWS.values(), ids=ROWS.keys())
async def test_what_may_end_otherwise_is_tried_again(outcome, attempts):
    flaky = Flaky(outcome, "fine")

    async with executor_of(flaky.tool, max_retries=1) as executor:
        result = await executor.run(Action("tool"))

    assert (attempts, attempts == 2) == (result.attempts, result.text == "fine")


async def test_no_more_often_than_the_tool_says():
    flaky = Flaky(*[OSError(str(number)) for number in range(5)])

    async with executor_of(flaky.tool, max_retries=2) as executor:
        result = await executor.run(Action("tool"))

    assert (3, "tool failed: OSError: 2") == (result.attempts, result.error)


def test_it_is_so_for_who_does_not_await():
    flaky = Flaky(OSError("down"), "fine")

    with executor_of(flaky.tool, max_retries=1, timeout_s=None) as executor:
        assert ("fine", 2) == ((result := executor("tool")).text, result.attempts)


@pytest.mark.parametrize(
    "meta",
    [
        {"writes": ["a"]},
        {"permissions": ToolPermission(filesystem_write=True)},
        {"permissions": ToolPermission(command=True)},
    ],
    ids=["writes", "files", "commands"],
)
async def test_a_timeout_of_what_writes_is_not_tried_again(meta):
    flaky = Flaky(Err("timeout", "slow"), "fine")

    async with executor_of(flaky.tool, max_retries=1, **meta) as executor:
        result = await executor.run(Action("tool"))

    assert ("timeout", 1) == (result.code, result.attempts)


async def test_all_attempts_are_within_the_deadline():
    async def fails() -> None:
        await anyio.sleep(0.01)
        raise OSError("down")

    began = time.monotonic()
    async with executor_of(fails, max_retries=100, timeout_s=0.3) as executor:
        result = await executor.run(Action("fails"))

    assert time.monotonic() - began < 1
    assert 1 <= result.attempts < 20


def test_pauses_grow_and_stay_bounded():
    spec = next(iter(registry_of(Flaky().tool, max_retries=1000))).spec
    failed = Err("execution_failed", "x")

    pauses = [
        retries.pause_s(failed, spec, attempts=attempts, deadline=None) for attempts in (1, 3, 900)
    ]

    bounds = [(0.05, 0.1), (0.2, 0.4), (2.5, 5)]
    assert all(low <= pause <= high for pause, (low, high) in zip(pauses, bounds, strict=True))


async def test_each_attempt_has_the_arguments_as_they_were_sent():
    seen = []

    def tool(numbers: list[int], options: dict[str, Any], rest: Any, bare: dict) -> str:
        seen.append((list(numbers), deepcopy(options), list(rest), deepcopy(bare)))
        numbers.clear()
        options["deep"]["key"] = 1
        rest.append(2)
        bare.pop("a")
        if len(seen) < 3:
            raise OSError("down")
        return "done"

    args = {"numbers": [1], "options": {"deep": {}}, "rest": [1], "bare": {"a": [1]}}
    async with executor_of(tool, max_retries=2) as executor:
        assert "done" == (await executor.run(Action("tool", args))).text
        [call] = executor.called

    assert [([1], {"deep": {}}, [1], {"a": [1]})] * 3 == seen
    assert args == call.args
