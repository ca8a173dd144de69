"""A run as it happens."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partial
from typing import TypeAlias, TypeVar

from attrs import frozen

from qitos_like.run import hosts
from qitos_like.run.events import Event
from qitos_like.run.happenings import Happenings

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
    happening = Happenings[RunEvent[StateT]](host)

    async def work() -> None:
        happening.add(await run(Watch(happening.add, happening.add)))

    cancel = host.spawn(partial(happening.run, work))
    try:
        while not happening.is_over or happening.events:
            while happening.events:
                yield happening.events.popleft()
            await happening.more()
    finally:
        if not happening.is_over:
            cancel()
            with host.shielded():
                await _end(happening)
    if happening.fault is not None:
        raise happening.fault


async def _end(happening: Happenings[RunEvent[StateT]]) -> None:
    """Wait until the run is over; what happens meanwhile is nobody's any more."""
    while not happening.is_over:
        happening.events.clear()
        await happening.more()
