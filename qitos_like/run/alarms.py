"""Deadlines of many waits in one event loop, which needs a single timer for them."""

import asyncio
from contextvars import Context
from math import inf
from time import monotonic
from typing import Protocol


class Sleeper(Protocol):
    """Who waits."""

    def wake(self) -> None:
        """Go on."""
        ...


class Alarm:
    """Wakes each of those who wait in a loop of asyncio at its deadline.

    A timer of the loop costs as much as a whole call of a tool does otherwise. Most deadlines are
    as far off as those before them, and are never reached, so that one timer goes on for all.

    Attributes:
        loop: where they wait.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._deadlines: dict[Sleeper, float] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._rings_at = inf

    def add(self, sleeper: Sleeper, deadline: float) -> None:
        """Wake it then, on the ``time.monotonic`` clock."""
        self._deadlines[sleeper] = deadline
        if deadline < self._rings_at:
            self._set(deadline)

    def discard(self, sleeper: Sleeper) -> None:
        """Let it sleep."""
        self._deadlines.pop(sleeper, None)

    def _set(self, deadline: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._rings_at = deadline
        delay = max(deadline - monotonic(), 0.0)
        # The context of whoever comes first is not kept alive for the others.
        self._timer = self.loop.call_later(delay, self._ring, context=Context())

    def _ring(self) -> None:
        self._timer, self._rings_at = None, inf
        now = monotonic()
        for sleeper in [each for each, deadline in self._deadlines.items() if deadline <= now]:
            self.discard(sleeper)
            sleeper.wake()
        if self._deadlines:
            self._set(min(self._deadlines.values()))


class Alarms:
    """The alarm of the loop that is used now; who waits in another loop keeps the other's."""

    def __init__(self) -> None:
        self._alarm: Alarm | None = None

    def of(self, loop: asyncio.AbstractEventLoop) -> Alarm:
        """The alarm of a loop."""
        alarm = self._alarm
        if alarm is None or alarm.loop is not loop:
            alarm = self._alarm = Alarm(loop)
        return alarm
