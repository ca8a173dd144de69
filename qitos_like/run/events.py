"""What happens to actions while they run, told to who listens."""

import logging
from collections.abc import Callable

from attrs import frozen

from qitos_like.core.action import Action
from qitos_like.core.context import Audience

_log = logging.getLogger("qitos_like")


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


Event = ToolProgress
#: Is called with each event, in the thread where it happens.
Sink = Callable[[Event], object]


class Sinks:
    """Who listens.

    >>> heard = []
    >>> sinks = Sinks()
    >>> forget = sinks.add(heard.append)
    >>> sinks.tell(ToolProgress(action=Action("add"), message="half", percent=50))
    >>> forget()
    >>> [event.message for event in heard]
    ['half']
    """

    def __init__(self) -> None:
        self._sinks: tuple[Sink, ...] = ()

    def add(self, sink: Sink) -> Callable[[], None]:
        """Tell it every event from now on; what is returned ends that."""
        self._sinks = (*self._sinks, sink)

        def forget() -> None:
            self._sinks = tuple(each for each in self._sinks if each is not sink)

        return forget

    def tell(self, event: Event) -> None:
        """Tell everybody; what one raises is logged."""
        for sink in self._sinks:
            try:
                sink(event)
            except Exception:  # user code: who listens cannot break a run
                _log.warning("a sink raised", exc_info=True)
