"""Where answers are waited for, and actions that a running tool starts itself."""

from collections.abc import Iterable
from contextvars import ContextVar
from typing import Protocol

from attrs import define, evolve, frozen

from qitos_like.core.action import Action, ActionResult
from qitos_like.core.redaction import Redaction
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.results import Err, ErrorCode

from .approvals import Approval, ApprovalRequest, Consent
from .call import Call
from .events import Sinks
from .hosts import Host
from .schedule import Schedule
from .ticket import Ticket

MAX_DEPTH = 8


class RunNested(Protocol):
    """Runs the actions that a running tool asks for, of its executor's tools or of others."""

    async def __call__(
        self, actions: Iterable[Action], parent: "Running", /, *, registry: ToolRegistry | None
    ) -> list[ActionResult]:
        """One answer each, in order."""
        ...


@frozen(eq=False)
class Caller:
    """Who asks for answers, and what that brings.

    Attributes:
        sinks: who listens to the turn.
        run_nested: runs what its tools ask for.
        parent: the action that the caller works for.
        approval: what a person says to the action: the digest of a request that is allowed, or an
            answer to the one that there will be.
    """

    sinks: Sinks
    run_nested: RunNested
    parent: "Running | None" = None
    approval: str | Approval | None = None

    @property
    def ticket(self) -> Ticket | None:
        """The place in the schedule of the action that the caller works for."""
        return None if self.parent is None else self.parent.ticket

    def place(self, host: Host, schedule: Schedule, approval: Consent | None = None) -> "Place":
        """Where the caller waits, for an action of this schedule if one runs there already."""
        if approval is None and RUNNING.get() is None:
            return Place(host, self)
        said = approval.digest if isinstance(approval, ApprovalRequest) else approval
        return Place(host, evolve(self, parent=parent_in(schedule), approval=said))


@define(eq=False)  # what is frozen takes three times as long to make
class Place:
    """Where an answer is waited for; it is never changed.

    Attributes:
        host: waits.
        caller: asks.
    """

    host: Host
    caller: Caller


class Running(Call):
    """An action whose code runs now.

    Attributes:
        schedule: of the executor it runs in.
        ticket: its place there.
        place: where its answer is waited for.
    """

    __slots__ = ("place", "schedule", "ticket")

    schedule: Schedule
    ticket: Ticket
    place: Place

    @property
    def depth(self) -> int:
        """How deep the action is nested."""
        return self.ticket.depth


def held(name: str, *, schedule: Schedule, ticket: Ticket, place: Place) -> Running:
    """An action whose hooks run, or who approves it; what they ask for is nested in it too."""
    running = Running(name, is_async=True)
    running.schedule, running.ticket, running.place = schedule, ticket, place
    return running


#: The action that the current task or thread works for.
RUNNING: ContextVar[Running | None] = ContextVar("qitos_like_running", default=None)


def parent_in(schedule: Schedule) -> Running | None:
    """The action of this schedule that the caller works for, if it still runs."""
    running = RUNNING.get()
    if running is None or running.schedule is not schedule or running.ticket.is_over:
        return None
    return running


def refusal(parent: Running | None) -> Err | None:
    """Why an action must not be nested here: tools that call each other end somewhere."""
    if parent is None or parent.ticket.depth + 1 < MAX_DEPTH:
        return None
    message = f"not run: tools that call tools may be {MAX_DEPTH} deep"
    return Err(ErrorCode.OVER_BUDGET, message, retryable=False)


@frozen(eq=False)
class Nested:
    """The turn of a running tool, as ``context.parent``."""

    _parent: Running

    @property
    def redaction(self) -> Redaction:
        """What the executor hides."""
        return self._parent.place.caller.sinks.redaction

    async def run(self, action: Action) -> ActionResult:
        """Run one nested action."""
        return (await self.run_turn([action]))[0]

    async def run_turn(
        self, actions: Iterable[Action], *, registry: ToolRegistry | None = None
    ) -> list[ActionResult]:
        """Run nested actions as a turn; one answer each, in order.

        Args:
            actions: what is asked.
            registry: the tools, of a nested agent; those of the executor if not given. What they
                may do, the executor decides.
        """
        return await self._parent.place.caller.run_nested(actions, self._parent, registry=registry)
