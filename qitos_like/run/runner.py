"""The walk of one action, step by step."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from time import monotonic

from anyio import to_thread
from attrs import field, frozen

from qitos_like.core.action import Action, ActionResult, answered
from qitos_like.core.entry import Entry
from qitos_like.core.given import check_list, instance
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.results import Err, ErrorCode, Ok, ToolResult

from . import hooks, nesting, output, resources
from .backends import Backend
from .called import Calls
from .events import Sinks, ToolEnded
from .execution import Execution, Ran
from .find import find
from .hooks import Hook
from .hosts import Host
from .keeping import Keeper
from .large import is_large
from .limits import Limits
from .nesting import RUNNING, Caller, Place, Running, held
from .output import Answer
from .permission import Permission
from .plan import Plan, Ready, Refused
from .prepared import Prepared
from .redacting import Redacting, without_secrets
from .schedule import Schedule
from .ticket import Access, Ticket


@frozen(kw_only=True, eq=False)
class Runner:
    """The steps of one executor in their order."""

    registry: ToolRegistry = field(validator=instance(ToolRegistry))
    repair: bool
    backend: Backend | None
    around: tuple[Hook, ...] = field(converter=hooks.checked)
    permission: Permission
    limits: Limits
    execution: Execution
    keeper: Keeper
    redacting: Redacting
    sinks: Sinks = field()
    calls: Calls = field(factory=Calls)
    _is_guarded: bool = field(init=False)
    _least_chars: int = field(init=False)
    _hides: bool = field(init=False)
    _ids: Iterator[int] = field(factory=partial(count, 1))
    _prepared: dict[str, Prepared] = field(factory=dict, init=False)

    @sinks.default
    def _sinks(self) -> Sinks:
        return Sinks(redaction=self.redacting.redaction)

    @_is_guarded.default
    def _has_guards(self) -> bool:
        """Whether anything stands before a tool, but for its own wish for an approval."""
        return bool(self.around) or self.permission.is_there or self.limits.are_there

    @_least_chars.default
    def _chars_of_any_result(self) -> int:
        """So many characters are surely in the budget; -1 where it counts something else."""
        budget = self.execution.budget
        return budget.least if budget.count is len else -1

    @_hides.default
    def _has_secrets(self) -> bool:
        return bool(self.redacting.redaction)

    @property
    def schedule(self) -> Schedule:
        """Decides what runs together."""
        return self.execution.schedule

    def identified(self, action: Action) -> Action:
        """The action, with an id if it has none.

        Raises:
            TypeError: it is no ``Action``.
        """
        given: object = action  # callers without types pass mappings and texts
        if not isinstance(given, Action):
            message = f"an Action is run, not {type(action).__name__}: Action(name, args)"
            raise TypeError(message)
        return action if action.id else Action(action.name, action.args, f"call_{next(self._ids)}")

    def all_identified(self, actions: Iterable[Action]) -> list[Action]:
        """The actions of a turn; an id that is filled in is none that another one has.

        Raises:
            TypeError: as ``identified``.
        """
        check_list("the actions of a turn are", actions)
        given = list(actions)
        identified = list(map(self.identified, given))
        own = {each.id for each in given if each.id and isinstance(each.id, str)}
        for index, each in enumerate(given if own else ()):
            while identified[index] is not each and identified[index].id in own:
                identified[index] = self.identified(each)
        return identified

    def plan(self, action: Action, parent: Running | None = None) -> Plan:
        """Find the tool and check the arguments."""
        name, alias = action.name, None
        prepared = self._prepared.get(name) if type(name) is str else None
        if (
            parent is not None
            or prepared is None
            or not prepared.is_plain  # something else can be in its way
            or self.registry.get(name) is not prepared.entry
        ):
            found = nesting.refusal(parent) or find(self.registry, action.name)
            if isinstance(found, Err):
                return Refused(action, found)
            prepared, alias = self._prepare(found.entry), found.alias
        arguments = prepared.checker.check(action.args, alias)
        if isinstance(arguments, Err):
            return Refused(action, arguments, prepared)
        return Ready(action, prepared, arguments)

    def access(self, plan: Plan) -> Access:
        """What the action touches; one without a tool waits, as an earlier one may bring it."""
        if isinstance(plan, Ready):
            prepared = plan.prepared
            return prepared.access or resources.access(prepared.entry, plan.arguments.given)
        return resources.ALONE if plan.prepared is None else resources.FREE

    async def answer(self, plan: Plan, ticket: Ticket, place: Place) -> Answer:
        """Run the action, whose turn it is."""
        began = monotonic()
        if plan.prepared is None:
            plan = self.plan(plan.action, place.caller.parent)
        if isinstance(plan, Ready):
            if self._is_guarded or plan.prepared.requires_approval:
                ran = await self._pass(plan, ticket, place)
            else:
                ran = await self.execution.run(plan, ticket, place)
            result, attempts, repairs = ran
            self.calls.note(plan, result, attempts)
        else:
            result, attempts, repairs = plan.error, 0, ()
        prepared = plan.prepared
        is_text = prepared is not None and prepared.is_text and not self._hides
        text = output.short_text(result) if is_text else None
        if text is None:
            result, text = await self._shown(plan, result, place.host)
        answer = answered(
            plan.action,
            result,
            text,
            attempts=attempts,
            duration_s=monotonic() - began,
            repairs=repairs,
        )
        if place.caller.sinks.are_there:
            place.caller.sinks.tell(_ended(answer))
        return answer, None if prepared is None else prepared.spec

    async def _shown(self, plan: Plan, result: ToolResult, host: Host) -> tuple[ToolResult, str]:
        """The result and its whole text; a large one keeps no event loop waiting."""
        if isinstance(result, Ok) and host.awaits and is_large(result.value):
            work = partial(self._rendered, plan, result, in_steps=True)
            return await to_thread.run_sync(work)
        return self._rendered(plan, result)

    def _rendered(
        self, plan: Plan, result: ToolResult, *, in_steps: bool = False
    ) -> tuple[ToolResult, str]:
        """The result and its whole text."""
        prepared = plan.prepared
        if prepared is None:
            return self.redacting.render(result, None)
        if prepared.promise is not None and isinstance(plan, Ready):
            result = prepared.promise.kept(result)
        return self.redacting.render(result, prepared.spec, in_steps=in_steps)

    async def _pass(self, plan: Ready, ticket: Ticket, place: Place) -> Ran:
        """Past hooks, permission and limits to the tool."""
        name = plan.prepared.name
        token = RUNNING.set(held(name, schedule=self.schedule, ticket=ticket, place=place))
        try:
            if not self.around:
                return await self._go(ticket, place, plan)
            run = partial(self._go_unseen, ticket, place)
            invoker = self.execution.invoker
            return await hooks.around(self.around, plan, run, invoker=invoker, host=place.host)
        finally:
            RUNNING.reset(token)

    async def _go_unseen(self, ticket: Ticket, place: Place, plan: Ready) -> Ran:
        """Go on, and show hooks no secret."""
        result, attempts, repairs = await self._go(ticket, place, plan)
        return without_secrets(result, self.redacting.redaction), attempts, repairs

    async def _go(self, ticket: Ticket, place: Place, plan: Ready) -> Ran:
        if self.permission.is_there or plan.prepared.requires_approval:
            allowed = await self.permission.check(plan, place)
            if isinstance(allowed, Err):
                return allowed, 0, plan.arguments.repairs
            plan = allowed
        if not self.limits.are_there:
            return await self.execution.run(plan, ticket, place)
        entry = plan.prepared.entry
        refused = self.limits.take(entry)
        if refused is not None:
            return refused, 0, plan.arguments.repairs
        began, cost_usd = monotonic(), None
        try:
            ran = await self.execution.run(plan, ticket, place)
            cost_usd = ran[0].cost_usd if isinstance(ran[0], Ok) else None
        finally:  # what is cancelled has taken its time too
            self.limits.spend(entry, monotonic() - began, cost_usd)
        return ran

    def cancelled(self, action: Action, caller: Caller) -> Answer:
        """The answer to an action that did not come to its end."""
        error = Err(ErrorCode.CANCELLED, f"{action.name} was cancelled before it ended")
        result, text = self.redacting.render(error, None)
        answer = ActionResult(action=action, result=result, text=text)
        if caller.sinks.are_there:
            caller.sinks.tell(_ended(answer))
        return answer, None

    def is_within_budget(self, plan: Plan, answer: ActionResult) -> bool:
        """Whether a result that is alone in its turn is surely shown as it is."""
        prepared = plan.prepared
        is_usual = prepared is not None and prepared.is_usual
        return is_usual and len(answer.text) <= self._least_chars

    def finish(self, answers: Sequence[Answer]) -> list[ActionResult]:
        """The results of a turn, their texts in its budget."""
        return output.fit(answers, self.execution.budget, self.keeper)

    def _prepare(self, entry: Entry) -> Prepared:
        prepared = self._prepared.get(entry.name)
        if prepared is None or prepared.entry is not entry:
            prepared = self._prepared[entry.name] = Prepared(
                entry, mends=self.repair, backend=self.backend
            )
        return prepared


def _ended(answer: ActionResult) -> ToolEnded:
    return ToolEnded(
        action=answer.action, ok=answer.ok, code=answer.code, duration_s=answer.duration_s
    )
