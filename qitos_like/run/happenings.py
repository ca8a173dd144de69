"""What happens in a task of its own, for who listens to it."""

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from .hosts import Host

T = TypeVar("T")


class Happenings(Generic[T]):
    """What happened in a task and was not told yet.

    Attributes:
        events: the oldest first; who tells one takes it out.
        is_over: whether the task has ended.
        fault: what the task raised.
    """

    def __init__(self, host: Host) -> None:
        self.events: deque[T] = deque()
        self.is_over = False
        self.fault: Exception | None = None
        self._host = host
        self._gate = host.gate()

    async def run(self, work: Callable[[], Awaitable[object]]) -> None:
        """Do the work; this is what the task runs."""
        try:
            await work()
        except Exception as error:  # not the task's own affair: it has to reach who listens
            self.fault = error
        finally:
            self.is_over = True
            self._gate.open()

    def add(self, event: T) -> None:
        """Something happened, perhaps in another thread."""
        self.events.append(event)
        self._gate.open()

    async def more(self, timeout_s: float | None = None) -> None:
        """Wait until there is something to tell, or nothing more to come."""
        gate = self._gate = self._host.gate()
        # What came before there was this gate has opened an older one.
        if not self.events and not self.is_over:
            await gate.wait(timeout_s)
