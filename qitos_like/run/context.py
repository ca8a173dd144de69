"""What a running tool is given by the executor."""

from time import monotonic

from attrs import field, frozen

from qitos_like.core.context import Audience, Progress, ToolContext

from .call import Call
from .failures import Stopped


@frozen(kw_only=True)
class RunContext(ToolContext):
    """The context of one running call."""

    _call: Call = field(repr=False)

    def emit(
        self, message: str, percent: float | None = None, audience: Audience = "internal"
    ) -> None:
        """Report progress to who listens to the executor."""
        self._call.report(Progress(message, percent, audience))

    @property
    def is_watched(self) -> bool:
        """Whether anybody listens to the executor, now."""
        return self._call.is_watched

    def output(self, text: str) -> None:
        """Show text to who listens to the executor."""
        self._call.show(text)

    def raise_if_cancelled(self) -> None:
        """Return unless the call was cancelled or its time is over.

        Raises:
            Stopped: the tool should end; nobody waits for its result.
        """
        if self._call.is_stopped or (self.deadline is not None and monotonic() >= self.deadline):
            raise Stopped
