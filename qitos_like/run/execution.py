"""From an action that may run to its result: toolsets started, the context made, the code run."""

from collections.abc import MutableMapping
from functools import partial
from math import inf
from time import monotonic

from attrs import field, frozen

from qitos_like.core.action import Action
from qitos_like.core.context import Progress, Services
from qitos_like.core.environment import Environment
from qitos_like.core.results import ToolResult

from . import output, processes, retries
from .budget import Budget
from .call import Call
from .context import RunContext, Stop
from .events import Sinks, ToolProgress, ToolStarted
from .invoke import Invoker
from .nesting import RUNNING, Nested, Place, Running
from .plan import Ready
from .prepared import Prepared
from .schedule import Schedule
from .starts import Starts
from .ticket import Ticket


@frozen
class Ran:
    """What came of an action.

    Attributes:
        result: the tool's, or why it has none.
        attempts: how often the tool's code was started.
        repairs: what was mended in its arguments.
    """

    result: ToolResult
    attempts: int = 0
    repairs: tuple[str, ...] = ()


@frozen(kw_only=True, eq=False)
class Execution:
    """Runs the code of one executor's tools; most attributes are the executor's."""

    environment: Environment | None
    budget: Budget
    state: MutableMapping[object, object]
    services: Services
    user: object
    default_timeout_s: float | None
    schedule: Schedule
    invoker: Invoker
    starts: Starts = field(init=False)

    @starts.default
    def _starts(self) -> Starts:
        return Starts(self.invoker)

    async def run(self, plan: Ready, ticket: Ticket, place: Place) -> Ran:
        """Run the action, again where that may help."""
        entry = plan.prepared.entry
        running = self._running(plan.prepared, ticket, place)
        repairs = plan.arguments.repairs
        if not entry.lifecycle.started:
            failed = await self.starts.ensure(entry.lifecycle, running, place.host)
            if failed is not None:
                return Ran(failed, 0, repairs)
        if place.sinks.are_there:
            place.sinks.tell(ToolStarted(action=plan.action))
        token = RUNNING.set(running)
        try:
            result = await self.invoker.invoke(self._call(plan, running), place.host)
            if plan.prepared.spec.max_retries:
                return await self._again(plan, running, result)
        finally:
            RUNNING.reset(token)
        return Ran(result, 1, repairs)

    async def _again(self, plan: Ready, running: Running, result: ToolResult) -> Ran:
        """Run the code again as long as that may help."""
        attempts, host = 1, running.place.host
        spec, deadline = plan.prepared.spec, running.deadline
        while pause := retries.pause_s(result, spec, attempts=attempts, deadline=deadline):
            await host.gate().wait(pause)
            result = await self.invoker.invoke(self._call(plan, running), host)
            attempts += 1
        return Ran(result, attempts, plan.arguments.repairs)

    def _running(self, prepared: Prepared, ticket: Ticket, place: Place) -> Running:
        timeout_s = prepared.spec.timeout_s
        if timeout_s is None:
            timeout_s = self.default_timeout_s
        deadline = None if timeout_s in {None, inf} else monotonic() + timeout_s
        parent = place.parent
        if parent is not None and parent.deadline is not None:
            deadline = min(deadline or inf, parent.deadline)
        return Running(
            schedule=self.schedule,
            ticket=ticket,
            timeout_s=timeout_s,
            deadline=deadline,
            place=place,
        )

    def _call(self, plan: Ready, running: Running) -> Call:
        prepared, tool = plan.prepared, plan.prepared.entry.tool
        stop = Stop()
        report = partial(_report, running.place.sinks, plan.action)
        context = None
        if prepared.takes_context:
            context = RunContext(
                action=plan.action,
                workspace=None if self.environment is None else self.environment.workspace,
                deadline=running.deadline,
                budget_chars=output.limit(prepared.spec, self.budget),
                parent=Nested(running),
                state=self.state,
                services=self.services,
                user=self.user,
                report=report,
                stop=stop,
            )

        def code() -> object:
            positional, named = tool.signature.bind(plan.arguments.values, context=context)
            if prepared.spec.isolation == "process":
                name = prepared.entry.name
                return processes.run(processes.Code(name, tool, positional, named), stop)
            return tool.run(*positional, **named)

        return Call(
            name=prepared.entry.name,
            code=code,
            is_async=prepared.is_async,
            timeout_s=running.timeout_s,
            deadline=running.deadline,
            depth=running.ticket.depth,
            stop=stop,
            report=report,
        )


def _report(sinks: Sinks, action: Action, progress: Progress) -> None:
    sinks.tell(
        ToolProgress(
            action=action,
            message=progress.message,
            percent=progress.percent,
            audience=progress.audience,
        )
    )
