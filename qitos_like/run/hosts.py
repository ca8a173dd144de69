"""Where an answer is waited for: in a task of asyncio, in one of trio, or in a plain thread."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager, nullcontext, suppress
from importlib import import_module
from typing import Protocol

import anyio

from qitos_like.core.jsontypes import Json
from qitos_like.core.raised import is_interrupt

from .gates import AsyncioGate, Gate, ThreadGate
from .loop_thread import LoopThread

#: A task that ends without waiting costs no turn of the loop, where Python can do that.
_EAGER: Json = {"eager_start": True} if sys.version_info >= (3, 12) else {}

#: A coroutine function.
Work = Callable[[], Coroutine[object, None, None]]
#: Cancels what was spawned, and keeps it alive.
Cancel = Callable[[], object]


class Host(Protocol):
    """What the steps need from where they run.

    Attributes:
        awaits: whether a tool's coroutine can be awaited right here.
    """

    awaits: bool

    def gate(self) -> Gate:
        """A closed gate that is waited for here."""
        ...

    def spawn(self, work: Work) -> Cancel:
        """Start a task beside this one; the work must not raise. Keep what is returned."""
        ...

    def shielded(self) -> AbstractContextManager[object]:
        """Within it a wait is not cut short by the cancellation that it follows."""
        ...

    def is_cancellation(self, error: BaseException) -> bool:
        """Whether this came to a tool's code from outside: it has to pass."""
        ...

    def pass_cancellation(self) -> None:
        """Raise the cancellation that was asked for, if a tool kept it to itself."""
        ...


def current() -> Host:
    """The host of the running task.

    Raises:
        RuntimeError: neither asyncio nor trio runs here.
    """
    try:
        task = asyncio.current_task()
    except RuntimeError:
        task = None
    if task is not None:
        return AsyncioHost(task)
    host = _trio_host()
    if host is None:
        message = "no event loop runs here: use run_sync() or run_turn_sync()"
        raise RuntimeError(message)
    return host


def is_in_loop() -> bool:
    """Whether the caller is a task of asyncio or trio, and must not block."""
    with suppress(RuntimeError):
        if asyncio.current_task() is not None:
            return True
    return _trio_host() is not None


def _trio_host() -> Host | None:
    """The host of the running task of trio, if there is one."""
    if "trio" not in sys.modules:
        return None
    # Imported late, since trio is not installed everywhere.
    host: Host | None = import_module(".trio_host", __package__).running()
    return host


class AsyncioHost:
    """A task of asyncio."""

    __slots__ = ("_cancels", "_task")

    awaits = True

    def __init__(self, task: "asyncio.Task[object]") -> None:
        self._task = task
        self._cancels = task.cancelling()

    def gate(self) -> Gate:
        """A gate of this loop."""
        return AsyncioGate(self._task.get_loop())

    def spawn(self, work: Work) -> Cancel:
        """A task of this loop."""
        return asyncio.Task(work(), loop=self._task.get_loop(), **_EAGER).cancel

    def shielded(self) -> AbstractContextManager[object]:
        """Against anyio, which cancels again and again."""
        return anyio.CancelScope(shield=True)

    def is_cancellation(self, error: BaseException) -> bool:
        """Whether the task was asked to stop, or the person pressed Ctrl-C."""
        if isinstance(error, asyncio.CancelledError):
            return self._task.cancelling() > self._cancels
        return is_interrupt(error)

    def pass_cancellation(self) -> None:
        """Raise what the task was asked for."""
        if self._task.cancelling() > self._cancels:
            raise asyncio.CancelledError


class ThreadHost:
    """A thread that waits by doing nothing; what has to be awaited runs in another thread's loop."""

    awaits = False

    def __init__(self, loop_thread: LoopThread) -> None:
        self._loop_thread = loop_thread

    def gate(self) -> Gate:
        """A gate that blocks this thread."""
        return ThreadGate()

    def spawn(self, work: Work) -> Cancel:
        """A task of the other thread's loop."""
        return self._loop_thread.spawn(work)

    def shielded(self) -> AbstractContextManager[object]:
        """Nothing cancels a thread."""
        return nullcontext()

    def is_cancellation(self, error: BaseException) -> bool:
        """Whether the person pressed Ctrl-C."""
        return is_interrupt(error)

    def pass_cancellation(self) -> None:
        """Nothing cancels a thread."""
