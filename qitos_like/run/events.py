"""What happens to actions while they run, told to who listens."""

import logging
from collections.abc import Callable
from typing import Literal

from attrs import evolve, frozen

from qitos_like.core.action import Action, ActionResult
from qitos_like.core.context import Audience
from qitos_like.core.redaction import Redaction
from qitos_like.core.results import ErrorCode

from .rules import Effect, Rule

_log = logging.getLogger("qitos_like")


@frozen(kw_only=True)
class CallDecided:
    """Rules or a person decided over a call.

    Attributes:
        action: the call, with its id.
        effect: what was decided.
        rule: the rule that did; ``None`` for the tool's own wish, a doubt or a default.
        by: who.
    """

    action: Action
    effect: Effect
    rule: Rule | None
    by: Literal["policy", "approver"] = "policy"


@frozen(kw_only=True)
class ToolStarted:
    """A tool's code is about to run.

    Attributes:
        action: the call, with its id.
    """

    action: Action


@frozen(kw_only=True)
class ToolEnded:
    """An action has its answer.

    Attributes:
        action: the call, with its id.
        ok: whether it succeeded.
        code: why not.
        duration_s: how long it took.
    """

    action: Action
    ok: bool
    code: ErrorCode | None
    duration_s: float


@frozen(kw_only=True)
class ToolProgress:
    """A running tool told how far it is.

    Attributes:
        action: the call, with its id.
        message: what is being done.
        percent: 0 to 100, or ``None`` if unknown.
        audience: who should see it.
    """

    action: Action
    message: str
    percent: float | None = None
    audience: Audience = "internal"


@frozen(kw_only=True)
class ToolOutput:
    """Text of a running tool as it comes, such as a command's; no part of its result.

    Attributes:
        action: the call, with its id.
        text: what came since the last one.
    """

    action: Action
    text: str


@frozen(kw_only=True)
class TurnEnded:
    """A turn is over; the last event of ``executor.stream``.

    Attributes:
        results: one per action, in order.
    """

    results: tuple[ActionResult, ...]


Event = CallDecided | ToolStarted | ToolProgress | ToolOutput | ToolEnded | TurnEnded
#: Is called with each event, in the thread where it happens.
Sink = Callable[[Event], object]


class Sinks:
    """Who listens; to one turn alone, or to all of an executor.

    >>> heard = []
    >>> sinks = Sinks()
    >>> forget = sinks.add(heard.append)
    >>> sinks.tell(ToolProgress(action=Action("add"), message="half", percent=50))
    >>> forget()
    >>> [event.message for event in heard]
    ['half']

    Args:
        outer: is told all of it too.
        redaction: hides secrets; the outer's if not given.

    Attributes:
        are_there: whether anybody may listen; else no event needs to be made.
    """

    def __init__(self, outer: "Sinks | None" = None, redaction: Redaction | None = None) -> None:
        self._outer = outer
        inherited = Redaction() if outer is None else outer.redaction
        self.redaction: Redaction = redaction or inherited
        self._sinks: dict[object, Sink] = {}  # never changed, but replaced
        self.are_there = outer is not None

    def add(self, sink: Sink) -> Callable[[], None]:
        """Tell it every event from now on; what is returned ends that."""
        key = object()
        self._sinks = {**self._sinks, key: sink}
        self.are_there = True

        def forget() -> None:
            self._sinks = {each: sink for each, sink in self._sinks.items() if each is not key}
            self.are_there = bool(self._sinks) or self._outer is not None

        return forget

    def tell(self, event: Event) -> None:
        """Tell everybody; what one raises is logged."""
        self._tell(_without_secrets(event, self.redaction) if self.redaction else event)

    def _tell(self, event: Event) -> None:
        for sink in self._sinks.values():
            try:
                sink(event)
            except Exception:  # user code: who listens cannot break a run
                _log.warning("a sink raised", exc_info=True)
        if self._outer is not None:
            self._outer._tell(event)  # noqa: SLF001 (another one of this class)


def _without_secrets(event: Event, redaction: Redaction) -> Event:
    if isinstance(event, TurnEnded):
        return event  # its results are without them
    if isinstance(event, ToolProgress):
        event = evolve(event, message=redaction.data(event.message))
    if isinstance(event, ToolOutput):
        event = evolve(event, text=redaction.text(event.text))
    action = event.action
    return evolve(event, action=action.with_args(redaction.data(action.args)))
