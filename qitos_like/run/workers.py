"""Worker threads for sync tools: bounded, shared between executors, replaced when lost."""

import os
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto
from functools import cache
from itertools import count
from threading import Condition, Thread

WORKERS = 32
MOST_WORKERS = 256

_IDLE_S = 10.0


class _Stage(Enum):
    WAITING = auto()
    RUNNING = auto()
    OVER = auto()


class Job:
    """Work for a thread; it must not raise."""

    def __init__(self, work: Callable[[], None]) -> None:
        self.work = work
        self.stage = _Stage.WAITING


class Workers:
    """At most ``size`` threads that run jobs in the order they came.

    Threads are made when needed, are daemons, and end when idle for a while. A job that is given
    up while it runs leaves its thread behind: another may then take that place.

    >>> from threading import Event
    >>> done = Event()
    >>> Workers(1).submit(Job(done.set))
    >>> done.wait(5)
    True
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._threads = 0
        self._idle = 0
        self._jobs: deque[Job] = deque()
        self._changed = Condition()
        self._numbers = count(1)

    def submit(self, job: Job) -> None:
        """Run the job as soon as a thread is free.

        Raises:
            RuntimeError: there is no thread, and none can be started.
        """
        with self._changed:
            self._jobs.append(job)
            if self._idle >= len(self._jobs):
                self._changed.notify()
            elif self._threads < self._size:
                self._grow()
            if self._threads == 0:
                self._jobs.remove(job)
                message = "no worker thread can be started"
                raise RuntimeError(message)

    def give_up(self, job: Job) -> bool:
        """Do without the job; whether it runs on, in a thread that is lost to us."""
        with self._changed:
            stage, job.stage = job.stage, _Stage.OVER
            if stage is _Stage.WAITING:
                self._jobs.remove(job)
            elif stage is _Stage.RUNNING:
                self._threads -= 1
                if self._jobs:
                    self._grow()
            return stage is _Stage.RUNNING

    def _grow(self) -> None:
        name = f"qitos-like-worker-{next(self._numbers)}"
        # The host's limit on threads; those that there are will come to the job.
        with suppress(RuntimeError):
            Thread(target=self._serve, name=name, daemon=True).start()
            self._threads += 1

    def _serve(self) -> None:
        """What a thread does: one job after the other, until it is idle or lost."""
        while (job := self._next()) is not None:
            job.work()
            with self._changed:
                if job.stage is _Stage.OVER:
                    return
                job.stage = _Stage.OVER

    def _next(self) -> Job | None:
        with self._changed:
            while not self._jobs:
                self._idle += 1
                woken = self._changed.wait(_IDLE_S)
                self._idle -= 1
                if not woken and not self._jobs:
                    self._threads -= 1
                    return None
            job = self._jobs.popleft()
            job.stage = _Stage.RUNNING
            return job


def shared(size: int, depth: int) -> Workers:
    """The workers of this process for actions that are nested so deep.

    A tool waits for the actions that it starts, so these have workers of their own; a forked
    process has not the threads of its parent.
    """
    return _shared(min(max(size, WORKERS), MOST_WORKERS), depth, os.getpid())


@cache
def _shared(size: int, _depth: int, _process: int) -> Workers:
    return Workers(size)
