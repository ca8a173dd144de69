"""Starting and stopping what holds resources: toolsets, and tools with a lifecycle."""

import inspect
import sys
from collections.abc import Coroutine, Iterable
from contextlib import nullcontext
from threading import Lock
from typing import TypeVar

from qitos_like.errors import LifecycleError

from . import _lazy
from .raised import contained, contained_await, describe

T = TypeVar("T")

#: How often one looks whether another is done; it happens where two begin or end at once.
_PAUSE_S = 0.01


class Lifecycle:
    """The state of one toolset or tool in one registry: started for whoever holds it, or not.

    The first holder's start sets up, the last one's stop tears down. Whoever comes while it is set
    up or torn down, from any loop or thread, waits for that.

    Attributes:
        owner: the object whose ``setup`` and ``teardown`` are called, where it has them;
            ``None`` for a plain function.
        parent: what must be started first.
        is_plain: whether there is nothing to start.
    """

    def __init__(self, owner: object = None, parent: "Lifecycle | None" = None) -> None:
        self.owner = owner
        self.parent = parent
        self.is_plain = owner is None and parent is None
        if not self.is_plain:
            self._lock = Lock()
            self._is_changing = False
            #: By identity; what holds is kept alive, so that no other takes its place.
            self._holders: dict[int, object] = {}

    @property
    def name(self) -> str:
        """The name of the owner's class."""
        return type(self.owner).__name__

    def is_held_by(self, holder: object) -> bool:
        """Whether this holder has started it and not stopped it; a plain function needs no start."""
        return self.is_plain or id(holder) in self._holders

    async def start(self, holder: object = None) -> None:
        """Hold it, its parent first; set the owner up if nobody held it before."""
        if self.is_held_by(holder):
            return
        if self.parent is not None:
            await self.parent.start(holder)
        while (is_first := self._take(holder)) is None:
            await _lazy.sleep()(_PAUSE_S)
        if is_first:
            try:
                await _call(self.owner, "setup")
                self._holders[id(holder)] = holder
            finally:
                self._is_changing = False

    async def stop(self, holder: object = None) -> None:
        """Let go of it, not of its parent; tear the owner down if nobody holds it any more.

        Without a holder it is stopped whoever holds it.
        """
        if not self.is_plain and self._leave(holder):
            try:
                await _call(self.owner, "teardown")
            finally:
                self._is_changing = False

    def _take(self, holder: object) -> bool | None:
        """Whether this is the first holder, who has to set up; ``None`` while another changes it."""
        with self._lock:
            if self._is_changing:
                return None
            if self._holders:
                self._holders[id(holder)] = holder
                return False
            self._is_changing = True
            return True

    def _leave(self, holder: object) -> bool:
        """Whether this was the last holder, who has to tear down."""
        with self._lock:
            held = bool(self._holders)
            if holder is None:
                self._holders.clear()
            else:
                self._holders.pop(id(holder), None)
            was_last = held and not self._holders
            self._is_changing = self._is_changing or was_last
            return was_last


def one_for_each_owner(lifecycle: Lifecycle, known: dict[int, Lifecycle]) -> Lifecycle:
    """The lifecycle of the same owner that is known already, or this one, which is known then."""
    if lifecycle.is_plain:
        return lifecycle
    found = known.setdefault(id(lifecycle.owner), lifecycle)
    if found is lifecycle and lifecycle.parent is not None:
        lifecycle.parent = one_for_each_owner(lifecycle.parent, known)
    return found


def with_parents(lifecycles: Iterable[Lifecycle]) -> list[Lifecycle]:
    """Each once, parents before what they hold."""
    found: dict[int, Lifecycle] = {}
    for lifecycle in lifecycles:
        chain: list[Lifecycle] = []
        each: Lifecycle | None = lifecycle
        while each is not None:
            chain.append(each)
            each = each.parent
        found |= {id(each): each for each in reversed(chain) if id(each) not in found}
    return list(found.values())


async def start_all(lifecycles: Iterable[Lifecycle], holder: object = None) -> None:
    """Start each for a holder; if one fails, or this is cancelled, stop what this call started.

    Raises:
        LifecycleError: a setup raised; the causes begin with it.
    """
    started: list[Lifecycle] = []
    causes: list[Exception] = []
    is_whole = False
    try:
        for lifecycle in lifecycles:
            if not lifecycle.is_held_by(holder):
                await lifecycle.start(holder)
                started.append(lifecycle)
        is_whole = True
    except Exception as error:  # user code: what is running has to be stopped first
        message = f"setup of {lifecycle.name} raised {describe(error)}"
        causes.append(error)
    finally:
        # A coroutine that is closed, for want of a loop, must not wait any more.
        if not is_whole and not isinstance(sys.exception(), GeneratorExit):
            with nullcontext() if causes else _lazy.shielded()():
                causes += await _stop_each(started, holder)
    if causes:
        raise LifecycleError(message, causes=causes) from causes[0]


async def stop_all(lifecycles: Iterable[Lifecycle], holder: object = None) -> None:
    """Stop each for a holder, the last first, whatever one of them raises.

    Raises:
        LifecycleError: teardowns raised; each is among the causes.
    """
    causes = await _stop_each(list(lifecycles), holder)
    if causes:
        message = f"teardown raised: {'; '.join(map(describe, causes))}"
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
        outcome = contained(function)
        if inspect.isawaitable(outcome):
            await contained_await(outcome)
