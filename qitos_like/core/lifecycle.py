"""Starting and stopping what holds resources: toolsets, and tools with a lifecycle."""

import inspect
from collections.abc import Coroutine, Iterable
from typing import TypeVar

from qitos_like.errors import LifecycleError

T = TypeVar("T")


class Lifecycle:
    """The state of one toolset or tool in one registry: started for whoever holds it, or not.

    The first holder's start sets up, the last one's stop tears down.

    Attributes:
        owner: the object whose ``setup`` and ``teardown`` are called, where it has them;
            ``None`` for a plain function.
        parent: what must be started first.
    """

    def __init__(self, owner: object = None, parent: "Lifecycle | None" = None) -> None:
        self.owner = owner
        self.parent = parent
        self._is_plain = owner is None and parent is None
        self._holders: list[object] = []

    @property
    def started(self) -> bool:
        """Whether its tools can be called as they are."""
        return self._is_plain or bool(self._holders)

    def is_held_by(self, holder: object) -> bool:
        """Whether this holder has started it and not stopped it."""
        return any(each is holder for each in self._holders)

    async def start(self, holder: object = None) -> None:
        """Hold it, its parent first; set the owner up if nobody held it before."""
        if self._is_plain or self.is_held_by(holder):
            return
        if self.parent is not None:
            await self.parent.start(holder)
        if not self._holders:
            await _call(self.owner, "setup")
        self._holders.append(holder)

    async def stop(self, holder: object = None) -> None:
        """Let go of it, not of its parent; tear the owner down if nobody holds it any more.

        Without a holder it is stopped whoever holds it.
        """
        left = [each for each in self._holders if holder is not None and each is not holder]
        was_last = bool(self._holders) and not left
        self._holders = left
        if was_last:
            await _call(self.owner, "teardown")


async def start_all(lifecycles: Iterable[Lifecycle], holder: object = None) -> None:
    """Start each for a holder; if one fails, stop what this call started.

    Raises:
        LifecycleError: a setup raised; the causes begin with it.
    """
    started: list[Lifecycle] = []
    for lifecycle in lifecycles:
        if lifecycle.is_held_by(holder):
            continue
        try:
            await lifecycle.start(holder)
        except Exception as error:  # user code: what is running has to be stopped first
            causes = [error, *await _stop_each(started, holder)]
            message = f"setup of {_owner(lifecycle)} raised {type(error).__name__}: {error}"
            raise LifecycleError(message, causes=causes) from error
        started.append(lifecycle)


async def stop_all(lifecycles: Iterable[Lifecycle], holder: object = None) -> None:
    """Stop each for a holder, the last first, whatever one of them raises.

    Raises:
        LifecycleError: teardowns raised; each is among the causes.
    """
    causes = await _stop_each(list(lifecycles), holder)
    if causes:
        kinds = "; ".join(f"{type(cause).__name__}: {cause}" for cause in causes)
        message = f"teardown raised: {kinds}"
        raise LifecycleError(message, causes=causes)


def run_now(work: Coroutine[object, None, T], advice: str) -> T:
    """Run a coroutine that never waits, without an event loop.

    Raises:
        LifecycleError: it does wait; the text ends in ``advice``.
    """
    try:
        work.send(None)
    except StopIteration as finished:
        value: T = finished.value
        return value
    work.close()
    message = f"an async setup or teardown needs an event loop: {advice}"
    raise LifecycleError(message)


async def _stop_each(lifecycles: list[Lifecycle], holder: object) -> list[Exception]:
    causes: list[Exception] = []
    for lifecycle in reversed(lifecycles):
        try:
            await lifecycle.stop(holder)
        except Exception as error:  # user code: the others must be stopped all the same
            causes.append(error)
    return causes


async def _call(owner: object, method: str) -> None:
    function = getattr(owner, method, None)
    if callable(function):
        outcome = function()
        if inspect.isawaitable(outcome):
            await outcome


def _owner(lifecycle: Lifecycle) -> str:
    return type(lifecycle.owner).__name__
