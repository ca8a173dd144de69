"""The step that runs a tool's code: within its deadline, whatever it raises.

It catches everything; what it cannot tell from a cancellation that was asked for from outside, it
lets pass.
"""

import asyncio
import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import aclosing, closing
from functools import partial
from threading import Lock
from types import AsyncGeneratorType, CoroutineType, GeneratorType, NoneType

from qitos_like.core.context import Progress
from qitos_like.core.jsontypes import Json
from qitos_like.core.results import Err, ErrorCode, Ok, ToolResult

from .alarms import Alarms
from .call import Call
from .carrying import carried
from .failures import Stopped
from .gates import Gate
from .hosts import Cancel, Host
from .outcomes import GRACE_S, Late, Raised, result_of
from .workers import Job, shared

#: Kinds of values that are surely not to be awaited.
_PLAIN = frozenset({str, dict, list, NoneType, bool, int, float, tuple, Ok, Err})
#: So often what was awaited may have to be awaited again; some values never come to an end.
_FORGOTTEN = 8
_InTask = Callable[[Call, Callable[[], object], Host], Awaitable[ToolResult]]


class Invoker:
    """Runs the code of one executor's tools.

    A deadline holds even if the code ignores it: what does not stop is left behind, and counted.
    """

    def __init__(self, max_concurrency: int) -> None:
        self._max_concurrency = max_concurrency
        self._lock = Lock()
        self._abandoned = 0
        self._left: set[Cancel] = set()
        self._alarms = Alarms()

    @property
    def abandoned(self) -> int:
        """How many tasks and threads did not stop in time, and were left behind."""
        return self._abandoned

    def invoke(self, call: Call, host: Host) -> Awaitable[ToolResult]:
        """What the code comes to; an error is a value, but for cancellation from outside."""
        if not call.is_async:
            return self._from_thread(call, host)
        if host.awaits and call.deadline is None:
            return _here(call, call.code, host)
        if host.awaits and not call.may_wait:
            return _here(call, call.code, host, rest=self._in_task)
        return self._in_task(call, call.code, host)

    async def _from_thread(self, call: Call, host: Host) -> ToolResult:
        """The same for code that blocks, and may return what has to be awaited."""
        if call.deadline is None and not host.awaits:
            outcome = carried().run(_called, call, host)
        else:
            outcome = await self._in_worker(call, host)
        if type(outcome) in _PLAIN or not _is_async(outcome):
            return result_of(outcome, call)
        if call.deadline is None and host.awaits:
            return await _here(call, lambda: outcome, host)
        return await self._in_task(call, lambda: outcome, host)

    async def _in_task(self, call: Call, code: Callable[[], object], host: Host) -> ToolResult:
        """Await the code in a task of its own, as long as its deadline allows."""
        task = _OwnTask(call, host.gate(), self._left)
        task.cancel = host.spawn(partial(_awaited, code, call, task.end))
        in_time = False
        try:
            in_time = await task.gate.wait_until(call.deadline, self._alarms)
        finally:
            if not in_time:
                give_up = partial(self._leave, task.cancel)
                await self._stop(call, task.gate, host, cancel=task.cancel, give_up=give_up)
        return result_of(task.ended[0] if in_time else Late(task.ended), call)

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
            in_time = await gate.wait_until(call.deadline, self._alarms)
        finally:
            if not in_time:
                give_up = partial(workers.give_up, job)
                await self._stop(call, gate, host, cancel=_nothing, give_up=give_up)
        return box[0] if in_time else Late(box)

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


class _OwnTask:
    """A task that awaits code, and is there for nothing else.

    Attributes:
        gate: opens when the code has ended.
        ended: what the code came to, once it has.
        cancel: cancels the task.
    """

    __slots__ = ("_call", "_left", "cancel", "ended", "gate")

    def __init__(self, call: Call, gate: Gate, left: set[Cancel]) -> None:
        self._call = call
        self._left = left
        self.gate = gate
        self.ended: list[object] = []
        self.cancel: Cancel = _nothing

    def end(self, outcome: object) -> None:
        """The code has ended."""
        self.ended.append(outcome)
        self.gate.open()
        if self._call.is_stopped:
            self._left.discard(self.cancel)


def settled(call: Call) -> object:
    """Run the code to its end in this thread, in a loop of its own where it has to be awaited.

    Raises:
        BaseException: what the code raises.
    """
    outcome = _called(call)
    if type(outcome) not in _PLAIN and _is_async(outcome):
        value, ended = outcome, list[object]()
        asyncio.run(_awaited(lambda: value, call, ended.append))
        (outcome,) = ended
    if isinstance(outcome, Raised):
        raise outcome.error
    return outcome


def _is_unfinished(value: object) -> bool:
    return isinstance(value, GeneratorType) or _is_async(value)


def _is_async(value: object) -> bool:
    return inspect.isawaitable(value) or inspect.isasyncgen(value)


def _nothing() -> None:
    """A thread cannot be cancelled: it is told to stop, and left behind if it does not."""


async def _here(
    call: Call, code: Callable[[], object], host: Host, *, rest: _InTask | None = None
) -> ToolResult:
    """Await the code in the caller's own task; a cancellation of that passes.

    Args:
        call: what is run.
        code: its code.
        host: the caller's.
        rest: awaits what has to be awaited still, if that has a deadline.
    """
    try:
        value = code()
        value = await (value if type(value) is CoroutineType else _come_to(value, call))
        if type(value) in _PLAIN:
            rest = None
        elif rest is None:
            value = await _come_to_the_end(value, call)
        elif not _is_unfinished(value):
            rest = None
    except BaseException as error:  # a tool's code: whatever it raises is its answer
        if host.is_cancellation(error):
            raise
        value, rest = Raised(error), None
    if rest is not None:
        return await rest(call, lambda: value, host)
    return result_of(value, call)


async def _awaited(code: Callable[[], object], call: Call, end: Callable[[object], None]) -> None:
    """Await the code in a task that is there for nothing else; in the end tell what it came to."""
    try:
        value = code()
        value = await (value if type(value) is CoroutineType else _come_to(value, call))
        if type(value) not in _PLAIN:
            value = await _come_to_the_end(value, call)
    except BaseException as error:  # a tool's code: whatever it raises is its answer
        value = Raised(error)
    end(value)


async def _come_to(value: object, call: Call) -> object:
    """What a value comes to that may have to be awaited."""
    if isinstance(value, AsyncGeneratorType):
        return await _last_of_async(value, call)
    return await value if inspect.isawaitable(value) else value


async def _come_to_the_end(value: object, call: Call) -> object:
    """What has to be awaited still, such as the coroutine of an ``await`` that was forgotten."""
    for _ in range(_FORGOTTEN):
        if isinstance(value, GeneratorType):
            value = _last(value, call)
        elif _is_async(value):
            value = await _come_to(value, call)
        else:
            break
    return value


def _called(call: Call, host: Host | None = None) -> object:
    """What the code comes to; Ctrl-C passes, if this is the host's thread."""
    try:
        value = call.code()
        if type(value) not in _PLAIN:
            while isinstance(value, GeneratorType):
                value = _last(value, call)
    except BaseException as error:  # a tool's code: whatever it raises is its answer
        if host is not None and host.is_cancellation(error):
            raise
        value = Raised(error)
    return value


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
