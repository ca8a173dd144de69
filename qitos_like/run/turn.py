"""The actions of one turn: each runs when it may, and each has an answer."""

from collections import deque
from collections.abc import Iterable, Sequence
from functools import partial

from anyio import to_thread
from anyio.lowlevel import checkpoint
from attrs import evolve

from qitos_like.core.action import Action, ActionResult
from qitos_like.core.registry import ToolRegistry

from . import hosts
from .hosts import Cancel, Host
from .large import MOST_CHARS
from .nesting import Place, Running
from .outcomes import GRACE_S
from .output import Answer
from .plan import Plan
from .runner import Runner
from .ticket import Ticket

#: So many actions are planned before those that may run get a chance to.
_BATCH = 64


async def run_one(runner: Runner, action: Action, place: Place) -> ActionResult:
    """The answer to a single action, in the caller's own task."""
    parent = place.caller.parent
    plan = runner.plan(action, parent)
    schedule = runner.execution.schedule
    ticket = schedule.enter(runner.access(plan), parent=None if parent is None else parent.ticket)
    answer: Answer | None = None
    try:
        if not ticket.is_started:
            gate = place.host.gate()
            schedule.when_started(ticket, gate.open)
            await gate.wait()
        answer = await runner.answer(plan, ticket, place)
    finally:
        schedule.leave(ticket)
        if answer is None:  # who listens is told all the same
            runner.cancelled(action, place.caller)
    place.host.pass_cancellation()
    if runner.is_within_budget(plan, answer[0]):
        return answer[0]
    return (await _finished(runner, [answer], place.host))[0]


def run_one_here(runner: Runner, action: Action, place: Place) -> ActionResult:
    """The same, in a thread that blocks instead of awaiting.

    Raises:
        RuntimeError: a step awaited all the same.
    """
    work = run_one(runner, action, place)
    try:
        work.send(None)
    except StopIteration as finished:
        answer: ActionResult = finished.value
        return answer
    work.close()
    message = "a step of the executor awaited where it has to block"
    raise RuntimeError(message)


async def _finished(runner: Runner, answers: Sequence[Answer], host: Host) -> list[ActionResult]:
    """The results; a long text, which is cut and kept in a file, keeps no event loop waiting."""
    if not host.awaits or all(len(answer.text) <= MOST_CHARS for answer, _ in answers):
        return runner.finish(answers)
    with host.shielded():
        return await to_thread.run_sync(runner.finish, answers)


async def run_nested(
    runner: Runner, actions: Iterable[Action], parent: Running, *, registry: ToolRegistry | None
) -> list[ActionResult]:
    """The answers to actions that a running tool asks for, of tools of its own if it has some."""
    if registry is not None:
        runner = evolve(runner, registry=registry)
    caller = evolve(parent.place.caller, parent=parent, approval=None)
    place = Place(hosts.current(), caller)
    return await Turn(runner, runner.all_identified(actions), place).run()


class Turn:
    """Several actions, run together as far as they may.

    What can run beside nothing else runs in the caller's own task; the rest has tasks.

    Attributes:
        results: one answer per action once the turn is over; actions that were cut short are
            ``cancelled``.
    """

    def __init__(
        self,
        runner: Runner,
        actions: Sequence[Action],
        place: Place,
        *,
        into: list[ActionResult] | None = None,
    ) -> None:
        self._runner = runner
        self._schedule = runner.schedule
        self._actions = actions
        self._caller = place.caller
        self._host = place.host
        self._plans: list[Plan] = []
        self._tickets: list[Ticket] = []
        self._answers: list[Answer | None] = [None] * len(actions)
        self._ready: deque[int] = deque()
        self._gate = place.host.gate()
        self._unstarted = self._left = len(actions)
        self._tasks: set[int] = set()
        self._cancels: dict[int, Cancel] = {}
        self._fault: Exception | None = None
        self.results: list[ActionResult] = [] if into is None else into

    async def run(self) -> list[ActionResult]:
        """One answer per action, in order."""
        try:
            await self._enter_all()
            while self._left:
                await self._advance()
        finally:
            if self._left:
                await self._cut_short()
            self.results[:] = await _finished(
                self._runner,
                [
                    answer or self._runner.cancelled(action, self._caller)
                    for action, answer in zip(self._actions, self._answers, strict=True)
                ],
                self._host,
            )
        self._host.pass_cancellation()
        return self.results

    async def _enter_all(self) -> None:
        for index, action in enumerate(self._actions):
            plan = self._runner.plan(action, self._caller.parent)
            may_start = partial(self._may_start, index)
            ticket = self._schedule.enter(self._runner.access(plan), may_start, self._caller.ticket)
            self._plans.append(plan)
            self._tickets.append(ticket)
            if ticket.is_started:
                self._ready.append(index)
            if index % _BATCH == _BATCH - 1:
                await self._start_all()

    async def _start_all(self) -> None:
        while self._ready:
            self._unstarted -= 1
            self._start_task(self._ready.popleft())
        await checkpoint()

    def _may_start(self, index: int) -> None:
        """Called where another action ended, perhaps in another thread."""
        self._ready.append(index)
        self._gate.open()

    async def _advance(self) -> None:
        """Start what may run, or wait for that."""
        if self._fault is not None:
            raise self._fault
        if not self._ready:
            gate = self._gate = self._host.gate()
            # What became ready before there was this gate has opened an older one.
            if not self._ready:
                await gate.wait()
            return
        index = self._ready.popleft()
        self._unstarted -= 1
        if not self._ready and not (self._tasks and self._unstarted):
            await self._answer(index, self._host)  # nothing could be started beside it
        else:
            self._start_task(index)

    def _start_task(self, index: int) -> None:
        self._tasks.add(index)
        cancel = self._host.spawn(partial(self._work, index))
        if index in self._tasks:  # it may have ended already
            self._cancels[index] = cancel

    async def _work(self, index: int) -> None:
        """What a task does."""
        try:
            await self._answer(index, hosts.current())
        except Exception as error:  # no tool's: it has to reach who waits for the turn
            self._fault = error
        finally:
            self._end_task(index)

    def _end_task(self, index: int) -> None:
        """Go on without a task; one that somebody else has cancelled has an answer too."""
        if self._answers[index] is None and self._fault is None:
            self._answers[index] = self._runner.cancelled(self._actions[index], self._caller)
            self._left -= 1
        self._tasks.discard(index)
        self._cancels.pop(index, None)
        if not self._tasks or self._fault is not None:
            self._gate.open()

    async def _answer(self, index: int, host: Host) -> None:
        ticket = self._tickets[index]
        try:
            self._answers[index] = await self._runner.answer(
                self._plans[index], ticket, Place(host, self._caller)
            )
            self._left -= 1
        finally:
            self._schedule.leave(ticket)

    async def _cut_short(self) -> None:
        """Cancel what runs, and give it a moment to end."""
        for cancel in tuple(self._cancels.values()):
            cancel()
        gate = self._gate = self._host.gate()
        with self._host.shielded():
            if self._tasks:
                await gate.wait(2 * GRACE_S)
        for ticket in self._tickets:
            self._schedule.leave(ticket)
