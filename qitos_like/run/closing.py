"""Closing what an executor opened, whoever closes it and wherever."""

import asyncio
import inspect
import logging
import os
from collections.abc import Callable, Iterable, MutableMapping
from typing import Protocol

import anyio
from attrs import define, field

from qitos_like.core.raised import contained, contained_await

from .hosts import is_in_loop
from .loop_thread import LoopThread
from .starts import Starts

_log = logging.getLogger("qitos_like")


class Closable(Protocol):
    """What can be closed."""

    def close(self) -> None:
        """Close it."""
        ...


@define(eq=False)
class Opened:
    """What one executor opened, and has to close.

    Attributes:
        state: values that tools put there and that have a ``close`` or an ``aclose``.
        starts: toolsets that were set up for their first call.
        loop_thread: the loop of callers that do not await.
        used: what else it uses, such as the store of artifacts.
        lent: what of that is the host's, and stays open.
        is_closed: whether it is, or is about to be.
    """

    state: MutableMapping[object, object]
    starts: Starts
    used: Iterable[Closable | None]
    lent: Iterable[object]
    loop_thread: LoopThread = field(factory=LoopThread, init=False)
    is_closed: bool = field(default=False, init=False)
    _lent: tuple[object, ...] = field(init=False)
    _process: int = field(factory=os.getpid, init=False)

    @_lent.default
    def _values_of_state(self) -> tuple[object, ...]:
        """What the host brought itself stays open."""
        return tuple(self.state.values())

    def check_open(self) -> None:
        """Return if it is open.

        Raises:
            RuntimeError: it is closed.
        """
        if self.is_closed:
            message = "the executor is closed"
            raise RuntimeError(message)

    async def aclose(self) -> None:
        """Close everything, the last opened first; what one of it raises is logged.

        It is not cut short by the cancellation that it may follow.
        """
        self.is_closed = True
        with anyio.CancelScope(shield=True):
            for key, close in self._closers():
                await _call(close, key)
                self.state.pop(key, None)
            await self.starts.stop()
        self._close_used()

    def close(self) -> None:
        """``aclose`` for callers that do not await, and the end of their loop."""
        self.is_closed = True
        if self._process != os.getpid():  # a fork leaves alone what its parent opened
            return
        if self._closers() or not self.starts.is_empty:
            if self.loop_thread.is_started or is_in_loop():
                self.loop_thread.run(self.aclose)
            else:
                asyncio.run(self.aclose())
        self._close_used()
        self.loop_thread.close()

    def _closers(self) -> list[tuple[object, Callable[[], object]]]:
        """How to close what tools left in the state, by its key, the last first."""
        found = []
        for key, value in reversed(list(self.state.items())):
            close = getattr(value, "aclose", None) or getattr(value, "close", None)
            if callable(close) and not any(value is lent for lent in self._lent):
                found.append((key, close))
        return found

    def _close_used(self) -> None:
        for each in self.used:
            if each is not None and not any(each is host_s for host_s in self.lent):
                each.close()


async def _call(close: Callable[[], object], key: object) -> None:
    try:
        outcome = contained(close)
        if inspect.isawaitable(outcome):
            await contained_await(outcome)
    except Exception:  # user code: what a tool left in the state; the rest is closed all the same
        _log.warning("closing %r of the state raised", key, exc_info=True)
