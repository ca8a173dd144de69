"""The step that runs a tool's code: within its deadline, whatever it raises.

This is the one module that catches everything; what it cannot tell from a cancellation that was
asked for from outside, it lets pass.
"""

import asyncio
import inspect
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import aclosing, closing
from functools import partial
from threading import Lock
from time import monotonic
from types import AsyncGeneratorType, CoroutineType, GeneratorType, NoneType

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
#: Kinds of values that are surely not to be awaited.
_PLAIN = frozenset({str, dict, list, NoneType, bool, int, float, tuple, Ok, Err})

_log = logging.getLogger("qitos_like")


@frozen(eq=False)
class _Raised:
    error: BaseException


@frozen(eq=False)
class _Late:
    """The time was over; what the code came to in the moment after, if it stopped."""

    ended: Sequence[object] = ()


#: What code comes to is one of these, or what it returned.
_UNRETURNED = (_Raised, _Late)


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

    def invoke(self, call: Call, host: Host) -> Awaitable[ToolResult]:
        """What the code comes to; an error is a value, but for cancellation from outside."""
        if not call.is_async:
            return self._from_thread(call, host)
        if call.deadline is None and host.awaits:
            return _here(call, call.code, host)
        return self._in_task(call, call.code, host)

    async def _from_thread(self, call: Call, host: Host) -> ToolResult:
        """The same for code that blocks, and may return what has to be awaited."""
        if call.deadline is None and not host.awaits:
            outcome = carried().run(_called, call, host)
        else:
            outcome = await self._in_worker(call, host)
        if type(outcome) in _PLAIN or not _is_async(outcome):
            return _result(outcome, call)
        if call.deadline is None and host.awaits:
            return await _here(call, lambda: outcome, host)
        return await self._in_task(call, lambda: outcome, host)

    async def _in_task(self, call: Call, code: Callable[[], object], host: Host) -> ToolResult:
        """Await the code in a task of its own, as long as its deadline allows."""
        gate = host.gate()
        box: list[object] = []
        cancel: Cancel = _nothing

        async def work() -> None:
            box.append(await _awaited(code, call))
            gate.open()
            if call.is_stopped:
                self._left.discard(cancel)

        cancel = host.spawn(work)
        in_time = False
        try:
            in_time = await gate.wait(_left_s(call))
        finally:
            if not in_time:
                give_up = partial(self._leave, cancel)
                await self._stop(call, gate, host, cancel=cancel, give_up=give_up)
        return _result(box[0] if in_time else _Late(box), call)

    async def _in_worker(self, call: Call, host: Host) -> object:
        gate, context = host.gate(), carried()
        box: list[object] = []

        def work() -> None:
            box.append(context.run(_called, call))
            gate.open()

        workers, job = shared(self._max_concurrency, call.depth), Job(work)
        try:
            workers.submit(job)
        except RuntimeError:
            message = f"{call.name} was not started: no worker thread is to be had"
            return Err(ErrorCode.EXECUTION_FAILED, message)
        in_time = False
        try:
            in_time = await gate.wait(_left_s(call))
        finally:
            if not in_time:
                give_up = partial(workers.give_up, job)
                await self._stop(call, gate, host, cancel=_nothing, give_up=give_up)
        return box[0] if in_time else _Late(box)

    async def _stop(
        self, call: Call, gate: Gate, host: Host, *, cancel: Cancel, give_up: Callable[[], bool]
    ) -> None:
        """Tell the code to stop, and do without it if it does not in a moment."""
        call.is_stopped = True
        cancel()
        with host.shielded():
            has_stopped = await gate.wait(GRACE_S)
        if not has_stopped and give_up():
            self.count_abandoned()

    def _leave(self, task: Cancel) -> bool:
        """Do without a task, which nobody else keeps alive."""
        self._left.add(task)
        return True

    def count_abandoned(self) -> None:
        """Count code that was left behind."""
        with self._lock:
            self._abandoned += 1


def settled(call: Call) -> object:
    """Run the code to its end in this thread, in a loop of its own where it has to be awaited.

    Raises:
        BaseException: what the code raises.
    """
    outcome = _called(call)
    if type(outcome) not in _PLAIN and _is_async(outcome):
        value = outcome
        outcome = asyncio.run(_awaited(lambda: value, call))
    if isinstance(outcome, _Raised):
        raise outcome.error
    return outcome


def _result(outcome: object, call: Call) -> ToolResult:
    if call.deadline is not None:
        _warn_if_late(outcome, call.deadline, call.name)
    if not isinstance(outcome, _UNRETURNED):
        return outcome if isinstance(outcome, _RESULTS) else Ok(outcome)
    if isinstance(outcome, _Late):
        return _own_error(outcome, call) or _timeout(outcome, call)
    if _saw_its_deadline(outcome, call):
        return _timeout(_Late([outcome]), call)
    _log.debug("%s raised", call.name, exc_info=outcome.error)
    return failure(outcome.error, call.name)


def _warn_if_late(outcome: object, deadline: float, name: str) -> None:
    """Tell of code that kept the one who waits for it from waking at the deadline."""
    if monotonic() > deadline + GRACE_S and not isinstance(outcome, _Late):
        _log.warning("%s was late: it blocked the event loop, or others did", name)


def _left_s(call: Call) -> float | None:
    return None if call.deadline is None else max(call.deadline - monotonic(), 0.0)


def _saw_its_deadline(outcome: _Raised, call: Call) -> bool:
    """Whether the code stopped itself at its deadline, before who waits for it woke."""
    return (
        isinstance(outcome.error, Stopped)
        and call.deadline is not None
        and monotonic() >= call.deadline
    )


def _timeout(late: _Late, call: Call) -> Err:
    return Err(
        ErrorCode.TIMEOUT,
        f"{call.name} did not finish within {call.timeout_s:g} s",
        hint="ask for less at a time"
        if late.ended
        else "it may still be at work; ask for less at a time",
        structured={"timeout_s": call.timeout_s},
    )


def _own_error(late: _Late, call: Call) -> Err | None:
    """What a tool that was told to stop has to say itself, such as its output so far."""
    for outcome in late.ended:
        if isinstance(outcome, Err):
            return outcome
        if isinstance(outcome, _Raised) and isinstance(outcome.error, ToolError):
            return failure(outcome.error, call.name)
    return None


def _is_async(value: object) -> bool:
    return inspect.isawaitable(value) or inspect.isasyncgen(value)


def _nothing() -> None:
    """A thread cannot be cancelled: it is told to stop, and left behind if it does not."""


async def _here(call: Call, code: Callable[[], object], host: Host) -> ToolResult:
    """Await the code in the caller's own task; a cancellation of that passes."""
    try:
        value = code()
        value = await (value if type(value) is CoroutineType else _come_to(value, call))
    except BaseException as error:  # a tool's code: whatever it raises is its answer
        if host.is_cancellation(error):
            raise
        return _result(_Raised(error), call)
    return value if isinstance(value, _RESULTS) else Ok(value)


async def _awaited(code: Callable[[], object], call: Call) -> object:
    """Await the code in a task that is there for nothing else."""
    try:
        value = code()
        return await (value if type(value) is CoroutineType else _come_to(value, call))
    except BaseException as error:  # a tool's code: whatever it raises is its answer
        return _Raised(error)


async def _come_to(value: object, call: Call) -> object:
    """What a value comes to that may have to be awaited."""
    if isinstance(value, AsyncGeneratorType):
        return await _last_of_async(value, call)
    return await value if inspect.isawaitable(value) else value


def _called(call: Call, host: Host | None = None) -> object:
    """What the code comes to; Ctrl-C passes, if this is the host's thread."""
    try:
        value = call.code()
        return _last(value, call) if isinstance(value, GeneratorType) else value
    except BaseException as error:  # a tool's code: whatever it raises is its answer
        if host is not None and host.is_cancellation(error):
            raise
        return _Raised(error)


def _last(values: Generator[object, Json, object], call: Call) -> object:
    """The last value that is no progress; what the generator returns counts as its last."""
    last: object = None
    with closing(values):
        while not call.is_stopped:
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
