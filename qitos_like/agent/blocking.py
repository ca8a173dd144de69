"""Running async work for a caller that does not await."""

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import anyio
from anyio.lowlevel import current_token

T = TypeVar("T")


def run_blocking(work: Callable[[], Awaitable[T]]) -> T:
    """What the work returns; where a loop runs in this thread, it gets a thread of its own."""
    if not _in_loop():
        return anyio.run(work)
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(anyio.run, work).result()


def _in_loop() -> bool:
    try:
        current_token()
    except anyio.NoEventLoopError:
        return False
    return True
