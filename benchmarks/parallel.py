"""A thousand calls of 50 ms in one turn, against asyncio.gather and against busy threads."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import perf_counter, sleep

from qitos_like import Action, ActionExecutor, ToolMeta, ToolRegistry

from .measure import Case, Row, side_by_side

CALLS = 1_000
WORK_S = 0.05
THREADS = 128


async def wait() -> str:
    """Wait on the loop."""
    await asyncio.sleep(WORK_S)
    return "done"


def block() -> str:
    """Wait in a thread."""
    sleep(WORK_S)
    return "done"


def rows() -> list[Row]:
    """The table; the rows of threads are to be held against the threads' own."""
    print(f"  {CALLS} calls a turn; limits: gather, and {THREADS} threads")
    return side_by_side(list(cases()), rounds=5)


def cases() -> Iterator[Case]:
    """What is measured."""
    registry = ToolRegistry()
    for function in (wait, block):
        registry.register(function, meta=ToolMeta(parallel_safe=True))
    many = ActionExecutor(registry, max_concurrency=CALLS)
    threads = ActionExecutor(registry, max_concurrency=THREADS)
    yield Case("limit: gather", gathered)
    yield Case("qitos_like, async", partial(turn, many, "wait"))
    yield Case("limit: threads", threaded)
    yield Case("qitos_like, workers", partial(turn, threads, "block"))


def gathered() -> float:
    """Seconds for all calls as tasks."""

    async def main() -> None:
        await asyncio.gather(*(wait() for _ in range(CALLS)))

    return seconds(main)


def threaded() -> float:
    """Seconds for all calls on a pool of threads."""
    before = perf_counter()
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda _: block(), range(CALLS)))
    return perf_counter() - before


def turn(executor: ActionExecutor, name: str) -> float:
    """Seconds for all calls as one turn."""

    async def main() -> None:
        await executor.run_turn([Action(name)] * CALLS)

    return seconds(main)


def seconds(main: Callable[[], Coroutine[object, None, None]]) -> float:
    """How long it takes in a loop of its own."""
    before = perf_counter()
    asyncio.run(main())
    return perf_counter() - before
