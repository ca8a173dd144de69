"""A tool's code with its arguments, ready to run."""

from collections.abc import Callable

from attrs import field, frozen

from qitos_like.core.context import Progress

from .context import Stop


def _unheard(_progress: Progress) -> None:
    """Nobody listens."""


@frozen(kw_only=True, eq=False)
class Call:
    """A tool's code with its arguments, ready to run.

    Attributes:
        name: the tool's, for texts.
        code: calls it.
        is_async: whether the code belongs on an event loop.
        timeout_s: its time, for texts; ``None`` for no limit.
        deadline: when its answer is due, on the ``time.monotonic`` clock.
        depth: how deep the action is nested.
        stop: tells the code to end.
        report: takes the ``Progress`` that it yields.
    """

    name: str
    code: Callable[[], object]
    is_async: bool
    timeout_s: float | None = None
    deadline: float | None = None
    depth: int = 0
    stop: Stop = field(factory=Stop)
    report: Callable[[Progress], None] = _unheard
