"""Long runs over many cases; ``make stress`` selects them."""

import asyncio
import random
import sys
import threading
import time

import anyio
import pytest

from qitos_like.core.action import Action
from qitos_like.run.executor import ActionExecutor
from tests.run.stub import executor_of, registry_of

pytestmark = [pytest.mark.stress, pytest.mark.timeout(1800)]

LIMIT_S = 0.2
LATEST_S = 0.5


async def cleans_up() -> None:
    try:
        await asyncio.sleep(5)
    finally:
        await asyncio.sleep(1.5)


def sleeps() -> None:
    time.sleep(1.5)


def spins() -> None:
    end = time.monotonic() + 1.5
    while time.monotonic() < end:
        pass


def spins_in_process() -> None:
    while True:
        pass


def yields() -> None:
    while True:
        time.sleep(0.01)
        yield "more"


ROWS = [
    (cleans_up, {}),
    (sleeps, {}),
    (spins, {}),
    (yields, {}),
    (spins_in_process, {"isolation": "process"}),
]


@pytest.mark.parametrize(("function", "meta"), ROWS, ids=[row[0].__name__ for row in ROWS])
def test_deadlines_hold(function, meta, capsys):
    times = []
    with executor_of(function, timeout_s=LIMIT_S, **meta) as executor:
        for _ in range(5):
            began = time.monotonic()
            code = executor(function.__name__).code
            times.append(time.monotonic() - began)
            assert "timeout" == code
            time.sleep(1.5)  # what was left behind ends by itself

    with capsys.disabled():
        sys.stdout.write(f"\n  {function.__name__}: {LIMIT_S} s, answered in {max(times):.3f} s\n")
    assert max(times) <= LATEST_S


@pytest.mark.parametrize("run", ["asyncio", "trio"])
def test_a_storm_of_turns_and_cancellations_leaves_no_thread_behind(run):
    async def works(seconds: float) -> str:
        await anyio.sleep(seconds)
        return "done"

    def blocks(seconds: float) -> str:
        time.sleep(seconds)
        return "done"

    async def main():
        source = random.Random(7)
        registry = registry_of(works, blocks, parallel_safe=True)
        async with ActionExecutor(registry) as executor:
            for _ in range(300):
                actions = [
                    Action(source.choice(["works", "blocks"]), {"seconds": source.random() / 100})
                    for _ in range(source.randrange(20))
                ]
                with anyio.move_on_after(source.random() / 50):
                    await executor.run_turn(actions)
            results = await executor.run_turn([Action("works", {"seconds": 0})] * 50)
            assert all(result.ok for result in results)

    before = threading.active_count()
    anyio.run(main, backend=run)
    time.sleep(0.1)
    assert threading.active_count() <= before + 32
