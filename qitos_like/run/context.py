"""What a running tool is given by the executor."""

from collections.abc import Callable
from time import monotonic

from attrs import field, frozen

from qitos_like.core.context import Audience, Progress, ToolContext

from .failures import Stopped


class Stop:
    """Tells a running tool that nobody waits for it any more.

    Attributes:
        asked: whether it should end.
    """

    def __init__(self) -> None:
        self.asked = False


@frozen(kw_only=True)
class RunContext(ToolContext):
    """The context of one running call."""

    _report: Callable[[Progress], None] = field(repr=False)
    _stop: Stop = field(repr=False)

    def emit(
        self, message: str, percent: float | None = None, audience: Audience = "internal"
    ) -> None:
        """Report progress to who listens to the executor."""
        self._report(Progress(message, percent, audience))

    def raise_if_cancelled(self) -> None:
        """Return unless the call was cancelled or its time is over.

        Raises:
            Stopped: the tool should end; nobody waits for its result.
        """
        if self._stop.asked or (self.deadline is not None and monotonic() >= self.deadline):
            raise Stopped
