"""Toolsets and tools that were never set up, started before their first call."""

import logging
from collections.abc import Iterator
from functools import partial
from threading import Lock

from qitos_like.core.lifecycle import Lifecycle
from qitos_like.core.results import Err, ErrorCode

from .call import Call, FunctionCall
from .hosts import Host
from .invoke import Invoker
from .nesting import Running

_log = logging.getLogger("qitos_like")


class Starts:
    """What one executor started, and has to stop.

    It holds what its tools need, also where another executor has started that before. A lifecycle
    is set up once, however many actions wait for it; where that failed, the next action tries again.
    """

    def __init__(self, invoker: Invoker) -> None:
        self._invoker = invoker
        self._lock = Lock()
        self._started: list[Lifecycle] = []

    @property
    def is_empty(self) -> bool:
        """Whether nothing has to be stopped."""
        return not self._started

    async def ensure(self, lifecycle: Lifecycle, running: Running, host: Host) -> Err | None:
        """Start it, and first what it is within, in the time of the action; the error if any."""
        for each in _outermost_first(lifecycle):
            if each.is_held_by(self):
                continue
            with self._lock:
                if each not in self._started:
                    self._started.append(each)
            failed = await self._invoker.invoke(_setup(each, running, self), host)
            if isinstance(failed, Err):
                return _not_available(each, failed)
        return None

    async def stop(self) -> None:
        """Stop what was started, the last first; what one of them raises is logged."""
        while self._started:
            lifecycle = self._started.pop()
            try:
                await lifecycle.stop(self)
            except Exception:  # user code: a teardown; the others have to be stopped all the same
                _log.warning("teardown of %s raised", lifecycle.name, exc_info=True)


def _setup(lifecycle: Lifecycle, running: Running, holder: object) -> Call:
    return FunctionCall(
        f"the setup of {lifecycle.name}",
        partial(lifecycle.start, holder),
        is_async=True,
        timeout_s=running.timeout_s,
        deadline=running.deadline,
    )


def _not_available(lifecycle: Lifecycle, failed: Err) -> Err:
    message = f"{lifecycle.name} is not available: {failed.error}"
    return Err(ErrorCode.NOT_AVAILABLE, message, hint="go on without it")


def _outermost_first(lifecycle: Lifecycle) -> Iterator[Lifecycle]:
    if lifecycle.parent is not None:
        yield from _outermost_first(lifecycle.parent)
    yield lifecycle
