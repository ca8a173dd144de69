"""The step that runs a tool's code: within its deadline, whatever it raises.

This is the one module that catches everything; what it cannot tell from a cancellation that was
asked for from outside, it lets pass.
"""

import inspect
import logging
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import aclosing, closing
from functools import partial
from threading import Lock
from time import monotonic
from typing import TypeGuard

from attrs import frozen

from qitos_like.core.context import Progress
from qitos_like.core.jsontypes import Json
from qitos_like.core.results import Err, ErrorCode, Ok, ToolError, ToolResult

from .call import Call
from .carrying import carried
from .failures import Stopped, failure
from .gates import Gate
from .hosts import Cancel, Host
from .workers import Job, shared

#: How long a tool that was told to stop may take to do so, before it is left behind.
GRACE_S = 0.05

_RESULTS = (Ok, Err)

_log = logging.getLogger("qitos_like")


@frozen
class _Returned:
    value: object


@frozen(eq=False)
class _Raised:
    error: BaseException


@frozen(eq=False)
class _Late:
    """The time was over; what the code came to in the moment after, if it stopped."""

    ended: _Returned | _Raised | None


_Outcome = _Returned | _Raised | _Late


class Invoker:
    """Runs the code of one executor's tools.

    A deadline holds even if the code ignores it: what does not stop is left behind, and counted.
    """

    def __init__(self, max_concurrency: int) -> None:
        self._max_concurrency = max_concurrency
        self._lock = Lock()
        self._abandoned = 0
        self._left: set[Cancel] = set()

    @property
    def abandoned(self) -> int:
        """How many tasks and threads did not stop in time, and were left behind."""
        return self._abandoned

    async def invoke(self, call: Call, host: Host) -> ToolResult:
        """What the code comes to; an error is a value, but for cancellation from outside."""
        try:
            if call.is_async:
                outcome = await self._on_loop(call, host, call.code)
            else:
                outcome = await self._in_thread(call, host)
                if isinstance(outcome, _Returned) and _is_async(outcome.value):
                    value = outcome.value
                    outcome = await self._on_loop(call, host, lambda: value)
        except _NoThreadError:
            message = f"{call.name} was not started: no worker thread is to be had"
            return Err(ErrorCode.EXECUTION_FAILED, message)
        if _saw_its_deadline(outcome, call):
            outcome = _Late(outcome)
        return _result(outcome, call)

    async def _on_loop(self, call: Call, host: Host, code: Callable[[], object]) -> _Outcome:
        """Await the code here, or in a task of its own where it has a deadline."""
        if call.deadline is None and host.awaits:
            return _unless_cancelled(await _awaited(code, call), host)
        gate = host.gate()
        box: list[_Returned | _Raised] = []
        tasks: list[Cancel] = []

        async def work() -> None:
            box.append(await _awaited(code, call))
            gate.open()
            self._left.difference_update(tasks)

        cancel = host.spawn(work)
        tasks.append(cancel)
        give_up = partial(self._leave, cancel)
        in_time = await self._watch(call, gate, host, cancel=cancel, give_up=give_up)
        return box[0] if in_time else _Late(box[0] if box else None)

    async def _in_thread(self, call: Call, host: Host) -> _Outcome:
        """Call the code in a worker, or in the caller's thread if that could only wait for it."""
        context = carried()
        if call.deadline is None and not host.awaits:
            return _unless_cancelled(context.run(_called, call), host)
        gate = host.gate()
        box: list[_Returned | _Raised] = []

        def work() -> None:
            box.append(context.run(_called, call))
            gate.open()

        workers, job = shared(self._max_concurrency, call.depth), Job(work)
        try:
            workers.submit(job)
        except RuntimeError as error:
            raise _NoThreadError from error
        in_time = await self._watch(
            call, gate, host, cancel=_nothing, give_up=lambda: workers.give_up(job)
        )
        return box[0] if in_time else _Late(box[0] if box else None)

    async def _watch(
        self, call: Call, gate: Gate, host: Host, *, cancel: Cancel, give_up: Callable[[], bool]
    ) -> bool:
        """Wait until the code is over; past the deadline, a moment more for it to stop."""
        left_s = None if call.deadline is None else max(call.deadline - monotonic(), 0.0)
        in_time = False
        try:
            in_time = await gate.wait(left_s)
        finally:
            if not in_time:
                call.stop.asked = True
                cancel()
                with host.shielded():
                    has_stopped = await gate.wait(GRACE_S)
                if not has_stopped and give_up():
                    self._count()
        if in_time and call.deadline is not None and monotonic() > call.deadline + GRACE_S:
            _log.warning("%s was late: it blocked the event loop, or others did", call.name)
        return in_time

    def _leave(self, task: Cancel) -> bool:
        """Do without a task, which nobody else keeps alive."""
        self._left.add(task)
        return True

    def _count(self) -> None:
        with self._lock:
            self._abandoned += 1


class _NoThreadError(Exception):
    """No thread can be started."""


def _saw_its_deadline(outcome: _Outcome, call: Call) -> TypeGuard[_Raised]:
    """Whether the code stopped itself at its deadline, before who waits for it woke."""
    return (
        isinstance(outcome, _Raised)
        and isinstance(outcome.error, Stopped)
        and call.deadline is not None
        and monotonic() >= call.deadline
    )


def _unless_cancelled(outcome: _Returned | _Raised, host: Host) -> _Outcome:
    """The outcome.

    Raises:
        BaseException: a cancellation that came from outside.
    """
    if isinstance(outcome, _Raised) and host.is_cancellation(outcome.error):
        raise outcome.error
    return outcome


def _result(outcome: _Outcome, call: Call) -> ToolResult:
    if isinstance(outcome, _Returned):
        value = outcome.value
        return value if isinstance(value, _RESULTS) else Ok(value)
    if isinstance(outcome, _Raised):
        _log.debug("%s raised", call.name, exc_info=outcome.error)
        return failure(outcome.error, call.name)
    return _own_error(outcome.ended, call) or Err(
        ErrorCode.TIMEOUT,
        f"{call.name} did not finish within {call.timeout_s:g} s",
        hint="ask for less at a time"
        if outcome.ended
        else "it may still be at work; ask for less at a time",
        structured={"timeout_s": call.timeout_s},
    )


def _own_error(ended: _Returned | _Raised | None, call: Call) -> Err | None:
    """What a tool that was told to stop has to say itself, such as its output so far."""
    if isinstance(ended, _Returned) and isinstance(ended.value, Err):
        return ended.value
    if isinstance(ended, _Raised) and isinstance(ended.error, ToolError):
        return failure(ended.error, call.name)
    return None


def _is_async(value: object) -> bool:
    return inspect.isawaitable(value) or inspect.isasyncgen(value)


def _nothing() -> None:
    """A thread cannot be cancelled: it is told to stop, and left behind if it does not."""


async def _awaited(code: Callable[[], object], call: Call) -> _Returned | _Raised:
    try:
        value = code()
        if inspect.isasyncgen(value):
            return _Returned(await _last_of_async(value, call))
        if inspect.isawaitable(value):
            return _Returned(await value)
        return _Returned(value)
    except BaseException as error:  # a tool's code: whatever it raises is its answer
        return _Raised(error)


def _called(call: Call) -> _Returned | _Raised:
    try:
        value = call.code()
        if inspect.isgenerator(value):
            return _Returned(_last(value, call))
        return _Returned(value)
    except BaseException as error:  # a tool's code: whatever it raises is its answer
        return _Raised(error)


def _last(values: Generator[object, Json, object], call: Call) -> object:
    """The last value that is no progress; what the generator returns counts as its last."""
    last: object = None
    with closing(values):
        while not call.stop.asked:
            try:
                value = next(values)
            except StopIteration as end:
                return last if end.value is None else end.value
            if isinstance(value, Progress):
                call.report(value)
            else:
                last = value
    raise Stopped


async def _last_of_async(values: AsyncGenerator[object, Json], call: Call) -> object:
    last: object = None
    async with aclosing(values):
        async for value in values:
            if isinstance(value, Progress):
                call.report(value)
            else:
                last = value
    return last
