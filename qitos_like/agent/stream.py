"""A run as it happens."""

from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partial
from typing import Generic, TypeAlias, TypeVar

from attrs import frozen

from qitos_like.run import hosts
from qitos_like.run.events import Event

from .result import RunResult
from .state import StateSchema
from .step import Step

StateT = TypeVar("StateT", bound=StateSchema)

#: What is told of a run: what tools do, each step as it ends, and the result as the last.
RunEvent: TypeAlias = Event | Step | RunResult[StateT]


@frozen
class Watch:
    """Who is told what happens in a run.

    Attributes:
        on_event: called with what tools do, in the thread where that happens.
        on_step: called with each step as it ends.
    """

    on_event: Callable[[Event], object]
    on_step: Callable[[Step], object]


async def stream(
    run: Callable[[Watch], Awaitable[RunResult[StateT]]],
) -> AsyncGenerator[RunEvent[StateT], None]:
    """What happens in a run; closed early, it cancels the run.

    Raises:
        Exception: what the run raised.
    """
    host = hosts.current()
    happening = _Happening[StateT](host)
    cancel = host.spawn(partial(happening.run, run))
    try:
        while not happening.is_over or happening.events:
            while happening.events:
                yield happening.events.popleft()
            await happening.more()
    finally:
        if not happening.is_over:
            cancel()
            with host.shielded():
                await happening.end()
    if happening.fault is not None:
        raise happening.fault


class _Happening(Generic[StateT]):
    """What happened in a run and was not told yet."""

    def __init__(self, host: hosts.Host) -> None:
        self.events: deque[RunEvent[StateT]] = deque()
        self.is_over = False
        self.fault: Exception | None = None
        self._host = host
        self._gate = host.gate()

    async def run(self, work: Callable[[Watch], Awaitable[RunResult[StateT]]]) -> None:
        """Do the run, in a task of its own."""
        try:
            self._add(await work(Watch(self._add, self._add)))
        except Exception as error:  # not the task's own affair: it has to reach who listens
            self.fault = error
        finally:
            self.is_over = True
            self._gate.open()

    async def more(self) -> None:
        """Wait until there is something to tell, or nothing more to come."""
        gate = self._gate = self._host.gate()
        # What came before there was this gate has opened an older one.
        if not self.events and not self.is_over:
            await gate.wait(None)

    async def end(self) -> None:
        """Wait until the run is over; what happens meanwhile is nobody's any more."""
        while not self.is_over:
            self.events.clear()
            await self.more()

    def _add(self, event: RunEvent[StateT]) -> None:
        self.events.append(event)
        self._gate.open()
