"""One call with four small arguments as JSON text, against json.loads and the call itself."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from time import perf_counter

from qitos_like import Action, ActionExecutor, ToolRegistry

from . import dispatch_peers
from .measure import Case, Row, side_by_side

CALLS = 300
ARGS = '{"path": "a/b.py", "limit": 12, "ratio": 0.5, "deep": true}'


async def look(*, path: str, limit: int, ratio: float, deep: bool) -> str:
    """Look at a file."""
    return path if deep else f"{path} {limit} {ratio}"


def look_sync(*, path: str, limit: int, ratio: float, deep: bool) -> str:
    """Look at a file."""
    return path if deep else f"{path} {limit} {ratio}"


def rows() -> list[Row]:
    """The table, in times for a batch of calls; peers that are not installed are named."""
    with open_loop() as loop:
        cases = [
            Case("limit: json.loads and await", partial(limited, loop)),
            *ours(loop),
            *peers(loop),
        ]
        print(f"  {CALLS} calls a batch")
        return side_by_side(cases)


def ours(loop: asyncio.AbstractEventLoop) -> Iterator[Case]:
    """An executor with and without a deadline, for an async and a sync tool."""
    registry = ToolRegistry().register(look).register(look_sync)
    unlimited = ActionExecutor(registry, default_timeout_s=None)
    timed = ActionExecutor(registry)
    action, sync_action = Action("look", ARGS, "1"), Action("look_sync", ARGS, "1")
    yield Case("qitos_like, async", partial(awaited, loop, partial(unlimited.run, action)))
    yield Case("qitos_like, async, deadline", partial(awaited, loop, partial(timed.run, action)))
    yield Case("qitos_like, worker", partial(awaited, loop, partial(timed.run, sync_action)))
    yield Case("qitos_like, run_sync", partial(called, partial(unlimited.run_sync, sync_action)))


def peers(loop: asyncio.AbstractEventLoop) -> Iterator[Case]:
    """The other libraries that are installed."""
    for name, prepare in dispatch_peers.PEERS.items():
        if find_spec(name):
            yield Case(name, partial(awaited, loop, prepare(look, ARGS)))
        else:
            print(f"  {name} is not installed")


async def limit() -> str:
    """What cannot be left out."""
    return await look(**json.loads(ARGS))


def limited(loop: asyncio.AbstractEventLoop) -> float:
    """The limit for a batch so long that the machine's noise falls on it as on the others."""
    return awaited(loop, limit, 10 * CALLS) / 10


def awaited(
    loop: asyncio.AbstractEventLoop, call: Callable[[], Awaitable[object]], calls: int = CALLS
) -> float:
    """Seconds for a batch of calls, one after the other, in one task."""

    async def batch() -> float:
        before = perf_counter()
        for _ in range(calls):
            await call()
        return perf_counter() - before

    return loop.run_until_complete(batch())


def called(call: Callable[[], object]) -> float:
    """The same without an event loop."""
    before = perf_counter()
    for _ in range(CALLS):
        call()
    return perf_counter() - before


@contextmanager
def open_loop() -> Iterator[asyncio.AbstractEventLoop]:
    """A loop that lives as long as the table is measured."""
    loop = asyncio.new_event_loop()
    try:
        yield loop
    finally:
        loop.close()
