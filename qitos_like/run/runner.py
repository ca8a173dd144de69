"""The walk of one action, step by step, and what the steps share."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping, Sequence
from functools import partial
from itertools import count
from math import inf
from time import monotonic
from typing import cast

from attrs import field, frozen

from qitos_like.core.action import Action, ActionResult
from qitos_like.core.context import Progress, Services
from qitos_like.core.entry import Entry
from qitos_like.core.environment import Environment
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.results import Err, ToolResult

from . import capabilities, nesting, output, resources
from .budget import Budget
from .call import Call
from .context import RunContext, Stop
from .events import Sinks, ToolProgress
from .find import find
from .hosts import Host
from .invoke import Invoker
from .nesting import RUNNING, Nested, Place, Running
from .plan import Plan, Ready, Refused
from .prepared import Prepared
from .schedule import Schedule
from .starts import Starts
from .ticket import Access, Ticket

#: Runs actions as a turn within a running one.
RunNested = Callable[["Runner", Iterable[Action], Running], Awaitable[list[ActionResult]]]


@frozen(kw_only=True, eq=False)
class Answer:
    """An action's result with all of its text, before the turn's budget is shared.

    Attributes:
        action: what was asked, with its id.
        rendered: the result and its text.
        limit: what the text may measure.
        attempts: how often the tool's code was started.
        duration_s: how long it took.
        repairs: what was mended in its arguments.
    """

    action: Action
    rendered: output.Rendered
    limit: int
    attempts: int
    duration_s: float
    repairs: tuple[str, ...] = ()


@frozen(kw_only=True, eq=False)
class Runner:
    """The steps of one executor, and what they share: most attributes are the executor's."""

    registry: ToolRegistry
    environment: Environment | None
    budget: Budget
    state: MutableMapping[object, object]
    services: Services
    user: object
    default_timeout_s: float | None
    repair: bool
    schedule: Schedule
    invoker: Invoker
    run_nested: RunNested
    starts: Starts
    sinks: Sinks = field(factory=Sinks, init=False)
    tasks: set[object] = field(factory=set, init=False)
    _ids: Iterator[int] = field(factory=partial(count, 1), init=False)
    _prepared: dict[str, Prepared] = field(factory=dict, init=False)

    def identified(self, action: Action) -> Action:
        """The action, with an id if it has none.

        Raises:
            TypeError: it is no ``Action``.
        """
        # Callers without types pass mappings and texts.
        if not isinstance(cast("object", action), Action):
            message = f"an Action is run, not {type(action).__name__}: Action(name, args)"
            raise TypeError(message)
        return action if action.id else action.with_id(f"call_{next(self._ids)}")

    def plan(self, action: Action, place: Place) -> Plan:
        """Find the tool and check the arguments."""
        found = nesting.refusal(place) or find(self.registry, action.name)
        if isinstance(found, Err):
            return Refused(action, found)
        prepared = self._prepare(found.entry)
        arguments = prepared.checker.check(action.args, found.alias)
        if isinstance(arguments, Err):
            return Refused(action, arguments, prepared)
        return Ready(action, prepared, arguments)

    def access(self, plan: Plan) -> Access:
        """What the action touches; one without a tool waits, as an earlier one may bring it."""
        if isinstance(plan, Ready):
            return resources.access(plan.prepared.entry, plan.arguments.given)
        return resources.ALONE if plan.prepared is None else resources.FREE

    async def answer(self, plan: Plan, ticket: Ticket, place: Place) -> Answer:
        """Run the action, whose turn it is."""
        began = monotonic()
        if plan.prepared is None:
            plan = self.plan(plan.action, place)
        if isinstance(plan, Ready):
            running = self._running(plan.prepared, ticket, place.parent)
            result, attempts = await self._run(plan, running, place.host)
        else:
            result, attempts = plan.error, 0
        prepared = plan.prepared
        return Answer(
            action=plan.action,
            rendered=output.render(result, None if prepared is None else prepared.spec),
            limit=output.limit(None if prepared is None else prepared.spec, self.budget),
            attempts=attempts,
            duration_s=monotonic() - began,
            repairs=plan.arguments.repairs if isinstance(plan, Ready) else (),
        )

    def finish(self, answers: Sequence[Answer]) -> list[ActionResult]:
        """The results of a turn, their texts in its budget."""
        texts = output.fit(
            [answer.rendered for answer in answers],
            [answer.limit for answer in answers],
            self.budget,
        )
        return [
            ActionResult(
                action=answer.action,
                result=answer.rendered.result,
                text=text,
                attempts=answer.attempts,
                duration_s=answer.duration_s,
                repairs=answer.repairs,
            )
            for answer, text in zip(answers, texts, strict=True)
        ]

    def _prepare(self, entry: Entry) -> Prepared:
        prepared = self._prepared.get(entry.name)
        if prepared is None or prepared.entry is not entry:
            prepared = self._prepared[entry.name] = Prepared(entry, mends=self.repair)
        return prepared

    def _running(self, prepared: Prepared, ticket: Ticket, parent: Running | None) -> Running:
        timeout_s = prepared.spec.timeout_s
        if timeout_s is None:
            timeout_s = self.default_timeout_s
        deadline = None if timeout_s in {None, inf} else monotonic() + timeout_s
        if parent is not None and parent.deadline is not None:
            deadline = min(deadline or inf, parent.deadline)
        return Running(self.schedule, ticket, timeout_s, deadline)

    async def _run(self, plan: Ready, running: Running, host: Host) -> tuple[ToolResult, int]:
        """The result, and how often the code was started."""
        entry = plan.prepared.entry
        refused = capabilities.check(entry, self.environment)
        if refused is not None:
            return refused, 0
        if not entry.lifecycle.started:
            failed = await self.starts.ensure(entry.lifecycle, running, host)
            if failed is not None:
                return failed, 0
        token = RUNNING.set(running)
        try:
            return await self.invoker.invoke(self._call(plan, running), host), 1
        finally:
            RUNNING.reset(token)

    def _call(self, plan: Ready, running: Running) -> Call:
        prepared, tool = plan.prepared, plan.prepared.entry.tool
        stop = Stop()
        report = partial(self._report, plan.action)
        context = None
        if prepared.takes_context:
            context = RunContext(
                action=plan.action,
                workspace=None if self.environment is None else self.environment.workspace,
                deadline=running.deadline,
                budget_chars=output.limit(prepared.spec, self.budget),
                parent=Nested(running, partial(self.run_nested, self)),
                state=self.state,
                services=self.services,
                user=self.user,
                report=report,
                stop=stop,
            )

        def code() -> object:
            positional, named = tool.signature.bind(plan.arguments.values, context=context)
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

    def _report(self, action: Action, progress: Progress) -> None:
        self.sinks.tell(
            ToolProgress(
                action=action,
                message=progress.message,
                percent=progress.percent,
                audience=progress.audience,
            )
        )
