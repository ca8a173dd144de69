"""From an action that may run to its result: toolsets started, the context made, the code run."""

from collections.abc import MutableMapping
from math import inf
from threading import TIMEOUT_MAX
from time import monotonic

from attrs import field, frozen
from attrs.validators import gt, optional

from qitos_like.core.context import Progress, Services
from qitos_like.core.environment import Environment
from qitos_like.core.given import instance
from qitos_like.core.redaction_stream import RedactionStream
from qitos_like.core.results import ToolResult

from . import output, retries
from .budget import Budget
from .context import RunContext
from .events import ToolOutput, ToolProgress, ToolStarted
from .invoke import Invoker
from .nesting import RUNNING, Nested, Place, Running
from .plan import Ready
from .schedule import Schedule
from .starts import Starts
from .ticket import Ticket

#: What came of an action: its result, how often the tool's code was started, and what was mended in
#: its arguments.
Ran = tuple[ToolResult, int, tuple[str, ...]]


@frozen(kw_only=True, eq=False)
class Execution:
    """Runs the code of one executor's tools; most attributes are the executor's."""

    environment: Environment | None = field(validator=instance(Environment, or_none=True))
    budget: Budget = field(validator=instance(Budget))
    state: MutableMapping[object, object]
    services: Services
    user: object
    default_timeout_s: float | None = field(validator=optional(gt(0)))
    max_concurrency: int
    schedule: Schedule = field(init=False)
    invoker: Invoker = field(init=False)
    starts: Starts = field(init=False)

    @schedule.default
    def _schedule(self) -> Schedule:
        return Schedule(self.max_concurrency)

    @invoker.default
    def _invoker(self) -> Invoker:
        return Invoker(self.max_concurrency)

    @starts.default
    def _starts(self) -> Starts:
        return Starts(self.invoker)

    async def run(self, plan: Ready, ticket: Ticket, place: Place) -> Ran:
        """Run the action, again where that may help."""
        attempt = Attempt(self, plan, place)
        attempt.ticket = ticket
        prepared, repairs = plan.prepared, plan.arguments.repairs
        lifecycle = prepared.lifecycle
        token = RUNNING.set(attempt)
        try:
            if lifecycle is not None and not lifecycle.is_held_by(self.starts):
                failed = await self.starts.ensure(lifecycle, attempt, place.host)
                if failed is not None:
                    return failed, 0, repairs
            if place.caller.sinks.are_there:
                place.caller.sinks.tell(ToolStarted(action=plan.action))
            result = await self.invoker.invoke(attempt, place.host)
            if attempt.hiding is not None:
                attempt.end_showing()
            if prepared.max_retries:
                return await self._again(attempt, result)
        finally:
            RUNNING.reset(token)
        return result, 1, repairs

    async def _again(self, attempt: "Attempt", result: ToolResult) -> Ran:
        """Run the code again as long as that may help."""
        attempts, plan, host = 1, attempt.plan, attempt.place.host
        spec, deadline = plan.prepared.spec, attempt.deadline
        while pause := retries.pause_s(result, spec, attempts=attempts, deadline=deadline):
            await host.gate().wait(pause)
            attempt = attempt.again()
            result = await self.invoker.invoke(attempt, host)
            attempt.end_showing()
            attempts += 1
        return result, attempts, plan.arguments.repairs


class Attempt(Running):
    """One start of an action's code."""

    __slots__ = ("_execution", "_is_again", "hiding", "plan")

    def __init__(self, execution: Execution, plan: Ready, place: Place) -> None:
        prepared = plan.prepared
        self._execution = execution
        self.plan = plan
        self.place = place
        self.schedule = execution.schedule
        self.name = prepared.name
        self.is_async = prepared.is_async
        self.may_wait = prepared.may_wait
        self.is_stopped = False
        self._is_again = False
        self.hiding: RedactionStream | None = None
        timeout_s = prepared.spec.timeout_s
        if timeout_s is None:
            timeout_s = execution.default_timeout_s
        self.timeout_s = timeout_s
        self.deadline = None
        if timeout_s is not None and timeout_s < TIMEOUT_MAX:  # no thread waits longer
            self.deadline = monotonic() + timeout_s
        parent = place.caller.parent
        if parent is not None and parent.deadline is not None:
            self.deadline = min(self.deadline or inf, parent.deadline)

    def again(self) -> "Attempt":
        """Another start, in what is left of the time."""
        attempt = Attempt(self._execution, self.plan, self.place)
        attempt.ticket, attempt.deadline = self.ticket, self.deadline
        attempt._is_again = True
        return attempt

    def code(self) -> object:
        """Call the tool with its arguments."""
        prepared, values = self.plan.prepared, self.plan.arguments.values
        if self._is_again:  # the code may have changed what it was given
            values = prepared.checker.values(self.plan.arguments.given)
        if prepared.takes_values:
            return prepared.function(**values)
        tool = prepared.entry.tool
        context = self._context() if prepared.takes_context else None
        positional, named = tool.signature.bind(values, context=context)
        if prepared.away is not None:
            return prepared.away(prepared.sent(positional, named), self)
        return prepared.function(*positional, **named)

    def report(self, progress: Progress) -> None:
        """Tell who listens."""
        self.place.caller.sinks.tell(
            ToolProgress(
                action=self.plan.action,
                message=progress.message,
                percent=progress.percent,
                audience=progress.audience,
            )
        )

    @property
    def is_watched(self) -> bool:
        """Whether anybody listens."""
        return self.place.caller.sinks.are_there

    def show(self, text: str) -> None:
        """Tell who listens what the tool shows; secrets that come in pieces are no secrets less."""
        redaction = self.place.caller.sinks.redaction
        if redaction:
            self.hiding = self.hiding or RedactionStream(redaction)
            text = self.hiding.feed(text.encode("utf-8", "replace")).decode()
        self._tell(text)

    def end_showing(self) -> None:
        """Tell the rest of what the tool has shown."""
        if self.hiding is not None:
            self._tell(self.hiding.rest().decode())

    def leave(self) -> None:
        """Count it."""
        self._execution.invoker.count_abandoned()

    def _tell(self, text: str) -> None:
        if text:
            self.place.caller.sinks.tell(ToolOutput(action=self.plan.action, text=text))

    def _context(self) -> RunContext:
        execution = self._execution
        environment = execution.environment
        return RunContext(
            action=self.plan.action,
            workspace=None if environment is None else environment.workspace,
            deadline=self.deadline,
            budget_chars=output.limit(self.plan.prepared.spec, execution.budget),
            parent=Nested(self),
            state=execution.state,
            services=execution.services,
            user=execution.user,
            call=self,
        )
