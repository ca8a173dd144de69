"""How much of its tools an agent may use."""

import time

import anyio
import pytest

from qitos_like.core.action import Action
from qitos_like.core.results import Ok
from qitos_like.run.budget import Budget
from qitos_like.run.executor import ActionExecutor
from qitos_like.run.limits import Limit
from tests.run.stub import executor_of, registry_of


def works() -> str:
    return "done"


def codes(executor, name, count):
    return [executor(name).code for _ in range(count)]


def test_calls_are_limited_and_the_model_is_told():
    with executor_of(works, options={"limits": [Limit("works", calls=2)]}) as executor:
        assert [None, None, "over_budget"] == codes(executor, "works", 3)
        last = executor("works")

    assert (
        "works was not run: 2 of 2 calls of works are used, 0 left\ngo on without it" == last.text
    )
    assert 0 == last.attempts


def test_seconds_are_limited():
    def sleeps() -> None:
        time.sleep(0.05)

    with executor_of(sleeps, options={"limits": [Limit("*", seconds=0.04)]}) as executor:
        assert [None, "over_budget"] == codes(executor, "sleeps", 2)


def test_cost_is_limited():
    def costs() -> Ok:
        return Ok("x", cost_usd=0.6)

    with executor_of(costs, options={"limits": [Limit("*", cost_usd=1)]}) as executor:
        assert [None, None, "over_budget"] == codes(executor, "costs", 3)


def test_a_limit_is_shared_by_the_tools_it_is_about():
    def other() -> str:
        """Another."""
        return "other"

    registry = registry_of(works, tags=["paid"])
    registry.register(other)
    with ActionExecutor(
        registry, limits=[Limit("tag:paid", calls=1), Limit("*", calls=3)]
    ) as executor:
        assert [None, "over_budget"] == codes(executor, "works", 2)
        assert [None, None, "over_budget"] == codes(executor, "other", 3)


def test_what_is_refused_counts_for_no_limit():
    with executor_of(works, options={"limits": [Limit("works", calls=1)]}) as executor:
        executor("works", wrong=1)

        assert executor("works").ok


def test_parallel_calls_do_not_slip_through():
    options = {"limits": [Limit("*", calls=5)]}
    with executor_of(works, parallel_safe=True, options=options) as executor:
        results = executor.run_turn_sync([Action("works")] * 20)

    assert 5 == sum(result.ok for result in results)


def test_a_limit_limits_something():
    with pytest.raises(ValueError, match="the limit for web limits nothing"):
        Limit("web")


@pytest.mark.anyio
async def test_what_was_cancelled_has_taken_its_time_too():
    async def waits() -> None:
        await anyio.sleep(5)

    async with executor_of(waits, options={"limits": [Limit("*", seconds=0.01)]}) as executor:
        with anyio.move_on_after(0.05):
            await executor.run(Action("waits"))

        assert "over_budget" == (await executor.run(Action("waits"))).code


@pytest.mark.parametrize(
    "amounts",
    [{"calls": -1}, {"calls": "5"}, {"calls": True}, {"seconds": float("nan")}, {"cost_usd": -0.1}],
    ids=str,
)
def test_a_limit_by_what_is_no_amount_is_refused(amounts):
    with pytest.raises(ValueError, match="is no amount"):
        Limit("*", **amounts)


WRONG = {
    "limit": {"limits": ["web.*"]},
    "policy": {"policy": ["deny *"]},
    "approver": {"approve": True},
    "environment": {"environment": {}},
    "budget": {"budget": 80_000},
    "hook": {"hooks": ["log"]},
    "artifacts": {"artifacts": "kept"},
    "time as text": {"default_timeout_s": "5"},
}


@pytest.mark.parametrize("options", WRONG.values(), ids=WRONG.keys())
def test_what_a_host_gives_by_mistake_is_refused_at_once(options):
    with pytest.raises(TypeError):
        executor_of(works, options=options)


@pytest.mark.parametrize("timeout_s", [0, -1, float("nan")])
def test_no_time_at_all_is_refused_at_once(timeout_s):
    with pytest.raises(ValueError, match="default_timeout_s"):
        executor_of(works, options={"default_timeout_s": timeout_s})


@pytest.mark.parametrize("sizes", [{"per_turn": -1}, {"per_result": -1}], ids=str)
def test_a_budget_below_nothing_is_refused(sizes):
    with pytest.raises(ValueError, match=r"per_"):
        Budget(**sizes)
