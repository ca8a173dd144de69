"""A turn as its events happen."""

from collections import deque
from collections.abc import AsyncGenerator, Sequence

from attrs import evolve

from qitos_like.core.action import Action, ActionResult

from . import hosts
from .events import Event, Sinks, TurnEnded
from .nesting import Place
from .outcomes import GRACE_S
from .runner import Runner
from .turn import Turn


async def stream(
    runner: Runner, actions: Sequence[Action], place: Place
) -> AsyncGenerator[Event, None]:
    """The events of a turn; the last is ``TurnEnded``. Closed early, it cancels the turn."""
    happened = _Happened(place)
    cancel = place.host.spawn(lambda: happened.run(runner, actions))
    try:
        while True:
            while happened.events:
                yield happened.events.popleft()
            if happened.is_over:
                break
            await happened.more()
    finally:
        if not happened.is_over:
            cancel()
            with place.host.shielded():
                await happened.more(2 * GRACE_S)
    yield TurnEnded(results=tuple(happened.results()))


class _Happened:
    """What happened in a turn and was not told yet."""

    def __init__(self, place: Place) -> None:
        self.events: deque[Event] = deque()
        self.is_over = False
        self._place = place
        self._sinks = Sinks(place.caller.sinks)
        self._sinks.add(self._add)
        self._gate = place.host.gate()
        self._results: list[ActionResult] = []
        self._fault: Exception | None = None

    async def run(self, runner: Runner, actions: Sequence[Action]) -> None:
        """Run the turn, in a task of its own."""
        try:
            caller = evolve(self._place.caller, sinks=self._sinks)
            place = Place(hosts.current(), caller)
            await Turn(runner, actions, place, into=self._results).run()
        except Exception as error:  # no tool's: it has to reach who listens
            self._fault = error
        finally:
            self.is_over = True
            self._gate.open()

    async def more(self, timeout_s: float | None = None) -> None:
        """Wait until there is something to tell, or nothing more to come."""
        gate = self._gate = self._place.host.gate()
        # What came before there was this gate has opened an older one.
        if not self.events and not self.is_over:
            await gate.wait(timeout_s)

    def results(self) -> list[ActionResult]:
        """The answers, at the end.

        Raises:
            Exception: what was wrong with the executor itself.
        """
        if self._fault is not None:
            raise self._fault
        return self._results

    def _add(self, event: Event) -> None:
        self.events.append(event)
        self._gate.open()
