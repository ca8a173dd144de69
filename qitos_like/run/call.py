"""A tool's code with its arguments, ready to run."""

from collections.abc import Callable

from qitos_like.core.context import Progress


class Call:
    """Code that an executor is about to run; of one call there is one start.

    Attributes:
        name: the tool's, for texts.
        is_async: whether the code belongs on an event loop.
        may_wait: whether it may wait there; what never does needs no task that could be stopped.
        timeout_s: its time, for texts; ``None`` for no limit.
        deadline: when its answer is due, on the ``time.monotonic`` clock.
        is_stopped: whether the code should end, since nobody waits for it any more.
    """

    __slots__ = ("deadline", "is_async", "is_stopped", "may_wait", "name", "timeout_s")

    def __init__(
        self,
        name: str,
        *,
        is_async: bool,
        timeout_s: float | None = None,
        deadline: float | None = None,
    ) -> None:
        self.name = name
        self.is_async = is_async
        self.may_wait = True
        self.timeout_s = timeout_s
        self.deadline = deadline
        self.is_stopped = False

    @property
    def depth(self) -> int:
        """How deep the action is nested."""
        return 0

    def code(self) -> object:
        """Start the code."""
        raise NotImplementedError

    @property
    def is_watched(self) -> bool:
        """Whether anybody listens; nobody does."""
        return False

    def report(self, progress: Progress) -> None:
        """Take the ``Progress`` that the code yields; nobody listens."""

    def leave(self) -> None:
        """Take it that code which was told to stop runs on; nobody counts."""

    def show(self, text: str) -> None:
        """Take text that the code shows as it comes; nobody listens."""


class FunctionCall(Call):
    """A call of a function that takes nothing.

    >>> FunctionCall("the time", lambda: 12, is_async=False).code()
    12
    """

    __slots__ = ("_function",)

    def __init__(
        self,
        name: str,
        function: Callable[[], object],
        *,
        is_async: bool,
        timeout_s: float | None = None,
        deadline: float | None = None,
    ) -> None:
        super().__init__(name, is_async=is_async, timeout_s=timeout_s, deadline=deadline)
        self._function = function

    def code(self) -> object:
        """Call the function."""
        return self._function()
