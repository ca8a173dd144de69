"""One call while its command runs: what becomes of the output as it comes, and whether to go on."""

from qitos_like import ArtifactStore
from qitos_like.core.context import ToolContext

from .capture import HEAD_BYTES, TAIL_BYTES, Capture
from .environment import Secrets
from .flow import Flow
from .live import Live
from .whole import Whole


class Listener:
    """Takes a command's output: keeps head and tail, and hands all of it on to the call's context.

    Args:
        context: shows the output while it comes, keeps it where it is long, and tells when to stop.
        secrets: what is hidden.

    Attributes:
        capture: head and tail.
        whole: keeps all of it; ``None`` where nothing does.

    >>> listener = Listener()
    >>> listener.begin("script")
    >>> listener.feed(b"text")
    >>> listener.capture.head()
    b'text'
    """

    def __init__(self, context: ToolContext | None = None, secrets: Secrets | None = None) -> None:
        self._context = context or ToolContext()
        self._secrets = secrets or Secrets()
        self.capture = Capture()
        self.whole: Whole | None = None
        self._live: Live | None = None

    def begin(self, script_name: str) -> None:
        """Make ready for a command.

        Args:
            script_name: what bash calls it in its messages.
        """
        store = _store_of(self._context)
        hide = self._secrets.redaction
        self.whole = Whole(store, Flow(hide, script_name)) if store else None
        self.capture = Capture(HEAD_BYTES, TAIL_BYTES, self.whole)
        self._live = Live(self._context, Flow(hide, script_name))

    def feed(self, data: bytes) -> None:
        """Take the next bytes, in the thread that reads them."""
        self.capture.feed(data)
        if self._live:
            self._live.feed(data)

    def look(self) -> None:
        """Show what has come; what this raises stops the command."""
        self._context.raise_if_cancelled()
        if self._live:
            self._live.show()

    def end(self) -> None:
        """Show the rest."""
        if self._live:
            self._live.show(is_last=True)

    def close(self) -> None:
        """Let go of what is not kept."""
        if self.whole:
            self.whole.close()


def _store_of(context: ToolContext) -> ArtifactStore | None:
    if ArtifactStore not in context.services:
        return None
    return context.services[ArtifactStore]
