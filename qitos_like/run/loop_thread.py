"""An event loop in a thread of its own, for callers that do not await."""

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine
from contextlib import closing
from typing import TypeVar

from .carrying import carried

T = TypeVar("T")

_PATIENCE_S = 2.0


class LoopThread:
    """A loop of asyncio in a daemon thread that is started when first needed.

    >>> loop_thread = LoopThread()
    >>> loop_thread.close()
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._process = os.getpid()

    @property
    def is_current(self) -> bool:
        """Whether the caller runs in this loop, which must then not be waited for."""
        return self._thread is not None and threading.current_thread() is self._thread

    @property
    def is_started(self) -> bool:
        """Whether there is a loop."""
        return self._loop is not None

    def spawn(self, work: Callable[[], Coroutine[object, None, None]]) -> Callable[[], object]:
        """Start a task in the loop; what it returns cancels it. The work must not raise."""
        loop = self._started()
        return carried().run(asyncio.run_coroutine_threadsafe, work(), loop).cancel

    def run(self, work: Callable[[], Coroutine[object, None, T]]) -> T:
        """What the work returns, in this loop, or in another if the caller runs in this.

        Raises:
            BaseException: what the work raised, or what interrupted the wait, which cancels it.
        """
        if self.is_current:
            with closing(LoopThread()) as another:
                return another.run(work)
        future = carried().run(asyncio.run_coroutine_threadsafe, work(), self._started())
        try:
            return future.result()
        finally:
            future.cancel()

    def close(self) -> None:
        """End the loop and its thread; tasks that still run are cancelled first."""
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is None or thread is None:
            return
        loop.call_soon_threadsafe(loop.stop)
        if threading.current_thread() is not thread:
            thread.join()

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._process != os.getpid():  # a fork has no other threads
                self._process = os.getpid()
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=_serve, args=(self._loop,), name="qitos-like-loop", daemon=True
                )
                self._thread.start()
            return self._loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        while not _has_stopped(loop):
            pass
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        if tasks:
            loop.run_until_complete(asyncio.wait(tasks, timeout=_PATIENCE_S))
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()


def _has_stopped(loop: asyncio.AbstractEventLoop) -> bool:
    """Run the loop until it is told to stop; what ends the program elsewhere leaves it alone."""
    try:
        loop.run_forever()
    except (SystemExit, KeyboardInterrupt):  # it is in the task that raised it too
        return False
    return True
