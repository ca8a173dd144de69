"""Starting and stopping what holds resources: toolsets, and tools with a lifecycle."""

import inspect
from collections.abc import Coroutine, Iterable
from typing import TypeVar

from qitos_like.errors import LifecycleError

T = TypeVar("T")


class Lifecycle:
    """The state of one toolset or tool in one registry: started or not.

    Attributes:
        owner: the object whose ``setup`` and ``teardown`` are called, where it has them;
            ``None`` for a plain function.
        parent: what must be started first.
    """

    def __init__(self, owner: object = None, parent: "Lifecycle | None" = None) -> None:
        self.owner = owner
        self.parent = parent
        self.started = owner is None and parent is None

    async def start(self) -> None:
        """Set the owner up, its parent first; does nothing if it is started."""
        if self.started:
            return
        if self.parent is not None:
            await self.parent.start()
        await _call(self.owner, "setup")
        self.started = True

    async def stop(self) -> None:
        """Tear the owner down, if it was started; not its parent."""
        if self.started and self.owner is not None:
            self.started = False
            await _call(self.owner, "teardown")


async def start_all(lifecycles: Iterable[Lifecycle]) -> None:
    """Start each; if one fails, stop what this call started.

    Raises:
        LifecycleError: a setup raised; the causes begin with it.
    """
    started: list[Lifecycle] = []
    for lifecycle in lifecycles:
        if lifecycle.started:
            continue
        try:
            await lifecycle.start()
        except Exception as error:  # user code: what is running has to be stopped first
            causes = [error, *await _stop_each(started)]
            message = f"setup of {_owner(lifecycle)} raised {type(error).__name__}: {error}"
            raise LifecycleError(message, causes=causes) from error
        started.append(lifecycle)


async def stop_all(lifecycles: Iterable[Lifecycle]) -> None:
    """Stop each, the last first, whatever one of them raises.

    Raises:
        LifecycleError: teardowns raised; each is among the causes.
    """
    causes = await _stop_each(list(lifecycles))
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


async def _stop_each(lifecycles: list[Lifecycle]) -> list[Exception]:
    causes: list[Exception] = []
    for lifecycle in reversed(lifecycles):
        try:
            await lifecycle.stop()
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
