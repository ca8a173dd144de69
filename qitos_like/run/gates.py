"""Waiting for something that another thread or task does."""

import asyncio
import threading
from contextlib import suppress
from time import monotonic
from typing import Protocol

from .alarms import Alarms


class Gate(Protocol):
    """Something that one side waits for and another opens once, from any thread."""

    def open(self) -> None:
        """Let the one who waits go on, now or later."""
        ...

    async def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until it is open; ``False`` if it is not in time."""
        ...

    async def wait_until(self, deadline: float | None, alarms: Alarms) -> bool:
        """The same until a time on the ``time.monotonic`` clock; the alarms may be of use."""
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
            self.wake()
            return
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self.wake)

    async def wait(self, timeout_s: float | None = None) -> bool:
        """Wait in the task."""
        if self._is_open:
            return True
        waiter: asyncio.Future[bool] = self._loop.create_future()
        self._waiter = waiter
        if timeout_s is None:
            return await waiter
        timer = self._loop.call_later(timeout_s, self.wake)
        try:
            return await waiter
        finally:
            timer.cancel()

    async def wait_until(self, deadline: float | None, alarms: Alarms) -> bool:
        """Wait in the task; the alarm of the loop rings."""
        if self._is_open:
            return True
        waiter: asyncio.Future[bool] = self._loop.create_future()
        self._waiter = waiter
        if deadline is None:
            return await waiter
        alarm = alarms.of(self._loop)
        alarm.add(self, deadline)
        try:
            return await waiter
        finally:
            alarm.discard(self)

    def wake(self) -> None:
        """Let the task go on, whether it is open or not."""
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

    async def wait_until(self, deadline: float | None, _alarms: Alarms) -> bool:
        """Wait in the thread."""
        return self._event.wait(left_s(deadline))


def left_s(deadline: float | None) -> float | None:
    """How much time is left until a deadline, if there is one."""
    return None if deadline is None else max(deadline - monotonic(), 0.0)
