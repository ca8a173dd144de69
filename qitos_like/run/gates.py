"""Waiting for something that another thread or task does."""

import asyncio
import threading
from contextlib import suppress
from typing import Protocol


class Gate(Protocol):
    """Something that one side waits for and another opens once, from any thread."""

    def open(self) -> None:
        """Let the one who waits go on, now or later."""
        ...

    async def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until it is open; ``False`` if it is not in time."""
        ...


class AsyncioGate:
    """A gate for one task of an asyncio loop."""

    __slots__ = ("_is_open", "_loop", "_thread", "_waiter")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._is_open = False
        self._waiter: asyncio.Future[bool] | None = None
        self._thread = threading.get_ident()

    def open(self) -> None:
        """Let the task go on."""
        self._is_open = True
        if threading.get_ident() == self._thread:
            self._wake()
            return
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._wake)

    async def wait(self, timeout_s: float | None = None) -> bool:
        """Wait in the task."""
        if self._is_open:
            return True
        waiter: asyncio.Future[bool] = self._loop.create_future()
        self._waiter = waiter
        if timeout_s is None:
            return await waiter
        timer = self._loop.call_later(timeout_s, self._wake)
        try:
            return await waiter
        finally:
            timer.cancel()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(self._is_open)


class ThreadGate:
    """A gate for a thread, which does nothing else while it waits."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def open(self) -> None:
        """Let the thread go on."""
        self._event.set()

    async def wait(self, timeout_s: float | None = None) -> bool:
        """Wait in the thread."""
        return self._event.wait(timeout_s)
