"""Waiting in a task of trio; loaded only where trio runs."""

from contextlib import AbstractContextManager, suppress
from contextvars import copy_context
from math import inf
from threading import get_ident

import trio

from qitos_like.core.raised import is_interrupt

from .alarms import Alarms
from .gates import Gate, left_s
from .hosts import Cancel, Work


def running() -> "TrioHost | None":
    """The host of the running task, if there is one."""
    return TrioHost() if trio.lowlevel.in_trio_task() else None


class TrioGate:
    """A gate for one task of trio."""

    def __init__(self) -> None:
        self._event = trio.Event()
        self._token = trio.lowlevel.current_trio_token()
        self._thread = get_ident()

    def open(self) -> None:
        """Let the task go on."""
        if get_ident() == self._thread:
            self._event.set()
            return
        with suppress(trio.RunFinishedError):  # nobody waits any more
            self._token.run_sync_soon(self._event.set)

    async def wait(self, timeout_s: float | None = None) -> bool:
        """Wait in the task."""
        with trio.move_on_after(inf if timeout_s is None else timeout_s):
            await self._event.wait()
        return self._event.is_set()

    async def wait_until(self, deadline: float | None, _alarms: Alarms) -> bool:
        """Wait in the task; trio needs no help."""
        return await self.wait(left_s(deadline))


class TrioHost:
    """A task of trio."""

    awaits = True

    def gate(self) -> Gate:
        """A gate of this run."""
        return TrioGate()

    def spawn(self, work: Work) -> Cancel:
        """A system task, the only kind that belongs to no nursery."""
        scope = trio.CancelScope()

        async def start() -> None:
            with scope:
                await work()

        trio.lowlevel.spawn_system_task(start, context=copy_context())
        return scope.cancel

    def shielded(self) -> AbstractContextManager[object]:
        """Against the scopes around."""
        return trio.CancelScope(shield=True)

    def is_cancellation(self, error: BaseException) -> bool:
        """Whether a scope around was cancelled, or the person pressed Ctrl-C."""
        if isinstance(error, BaseExceptionGroup):
            return error.subgroup(trio.Cancelled) is not None
        return isinstance(error, trio.Cancelled) or is_interrupt(error)

    def pass_cancellation(self) -> None:
        """Nothing: trio raises it again wherever the task waits next."""
