"""A turn as its events happen."""

from collections.abc import AsyncGenerator, Sequence
from functools import partial

from attrs import evolve

from qitos_like.core.action import Action, ActionResult

from . import hosts
from .events import Event, Sinks, TurnEnded
from .happenings import Happenings
from .nesting import Place
from .outcomes import GRACE_S
from .runner import Runner
from .turn import Turn


async def stream(
    runner: Runner, actions: Sequence[Action], place: Place
) -> AsyncGenerator[Event, None]:
    """The events of a turn; the last is ``TurnEnded``. Closed early, it cancels the turn.

    Raises:
        Exception: what was wrong with the executor itself.
    """
    happened = Happenings[Event](place.host)
    results: list[ActionResult] = []

    async def turn() -> None:
        sinks = Sinks(place.caller.sinks)
        sinks.add(happened.add)
        here = Place(hosts.current(), evolve(place.caller, sinks=sinks))
        await Turn(runner, actions, here, into=results).run()

    cancel = place.host.spawn(partial(happened.run, turn))
    try:
        while happened.events or not happened.is_over:
            while happened.events:
                yield happened.events.popleft()
            await happened.more()
    finally:
        if not happened.is_over:
            cancel()
            with place.host.shielded():
                await happened.more(2 * GRACE_S)
    if happened.fault is not None:
        raise happened.fault
    yield TurnEnded(results=tuple(results))
