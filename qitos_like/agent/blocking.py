"""Running async work for a caller that does not await."""

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import anyio
from anyio.lowlevel import current_token

from qitos_like.run.carrying import carried

from .cancelling import Cancellable

T = TypeVar("T")


def run_blocking(work: Callable[[], Awaitable[T]]) -> T:
    """What the work returns; where a loop runs in this thread, it gets a thread of its own."""
    if not _in_loop():
        return anyio.run(work)
    answers: list[T] = []
    running = Cancellable()

    async def run() -> None:
        with running.scope():
            answers.append(await work())

    def in_thread() -> None:
        anyio.run(run)

    with ThreadPoolExecutor(max_workers=1) as pool:
        ran = pool.submit(carried().run, in_thread)
        try:
            ran.result()
        finally:
            running.cancel()  # after Ctrl-C the thread would go on, and be waited for
    return answers[0]


def _in_loop() -> bool:
    try:
        current_token()
    except anyio.NoEventLoopError:
        return False
    return True
