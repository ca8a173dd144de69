"""``ActionExecutor``: the door to running what a model asks for."""

import weakref
from collections.abc import (
    AsyncGenerator,
    Callable,
    Coroutine,
    Iterable,
    Mapping,
    MutableMapping,
)
from contextlib import aclosing, closing
from functools import partial
from typing import Self, TypeVar

from qitos_like.core.action import Action, ActionResult
from qitos_like.core.context import Services
from qitos_like.core.environment import Environment
from qitos_like.core.jsontypes import Json
from qitos_like.core.redaction import Redaction, checked
from qitos_like.core.registry import ToolRegistry

from . import hosts
from .approvals import ApprovalRequest, Approver, Consent
from .artifacts import ArtifactStore
from .backends import Backend, Pool, backend_of
from .budget import Budget
from .called import Called
from .closing import Opened
from .configured import Configuration, registry_with
from .events import Event, Sink
from .execution import Execution
from .hooks import Hook
from .hosts import Host, ThreadHost
from .keeping import Keeper
from .limits import Limit, Limits
from .loop_thread import LoopThread
from .nesting import Caller, Place
from .permission import Permission
from .policy import PermissionPolicy
from .preview import Preview, preview
from .redacting import Redacting
from .runner import Runner
from .stream import stream
from .turn import Turn, run_nested, run_one, run_one_here

T = TypeVar("T")

_BUDGET = Budget()


class ActionExecutor:
    r"""Runs the actions of one agent: one answer to each, in order, whatever happens.

    It is cheap to make: threads, a loop and toolsets are started when they are needed. Close it,
    best with ``with`` or ``async with``; what is left open is closed at exit.

    Args:
        registry: the tools; what is not in it cannot be run.
        environment: what the host grants; ``None`` grants everything.
        policy: rules over what is granted; ``None`` allows it all.
        approve: asked where a person has to allow a call; without it such calls wait in
            ``pending``.
        budget: how much of its results the model is shown.
        secrets: values by name; ``[secret NAME]`` takes their place in whatever is told, shown or
            kept.
        config: options of tools by their qualified names, merged into their defaults; the tools
            with them are in ``executor.registry``, to be shown to the model.
        hooks: ``async def around(call, next)``, the first outermost.
        state: where tools keep what lives as long as the executor; a new dict if not given.
        services: objects of the host, which tools find by type in ``context.services``.
        user: whatever tools should find as ``context.user``.
        artifacts: keeps the whole of results that are cut; one of its own if not given.
        backend: where the code of tools runs, if not here: a pool, a cluster or a ``Backend``.
        limits: how much of its tools may be used as long as the executor lives.
        max_concurrency: how many actions run at once.
        default_timeout_s: seconds for tools that name no time of their own; ``None`` for no limit.
        repair: whether wrong arguments that can only mean one thing are mended, and recorded.

    >>> registry = ToolRegistry()
    >>> @registry.tool
    ... def add(a: int, b: int) -> int:
    ...     '''Add two integers.'''
    ...     return a + b
    >>> with ActionExecutor(registry) as executor:
    ...     executor.run_sync(Action("add", {"a": 1, "b": 2}))
    ...     executor("add", a=1, b="two").error
    ActionResult(add ok: '3')
    'the arguments of add are wrong:\n$.b: expected integer, got string "two"'
    """

    _turn: Turn | None = None

    def __init__(
        self,
        registry: ToolRegistry,
        *,
        environment: Environment | None = None,
        policy: PermissionPolicy | None = None,
        approve: Approver | None = None,
        budget: Budget = _BUDGET,
        secrets: Mapping[str, str] | None = None,
        config: Configuration | None = None,
        hooks: Iterable[Hook] = (),
        state: MutableMapping[object, object] | None = None,
        services: Iterable[object] = (),
        user: object = None,
        artifacts: ArtifactStore | None = None,
        backend: Backend | Pool | None = None,
        limits: Iterable[Limit] = (),
        max_concurrency: int = 16,
        default_timeout_s: float | None = 300.0,
        repair: bool = True,
    ) -> None:
        self.registry = registry = registry_with(registry, config) if config else registry
        self.state = {} if state is None else state
        elsewhere = backend_of(backend)
        store = artifacts or ArtifactStore()
        redacting = Redacting(checked(secrets or {}))
        execution = Execution(
            environment=environment,
            budget=budget,
            state=self.state,
            services=Services([*services, redacting.store(store)]),
            user=user,
            default_timeout_s=default_timeout_s,
            max_concurrency=max_concurrency,
        )
        self._runner = Runner(
            registry=registry,
            repair=repair,
            backend=elsewhere,
            around=hooks,
            permission=Permission(policy, approve, execution, redacting.redaction),
            limits=Limits(limits),
            execution=execution,
            keeper=Keeper(store, registry),
            redacting=redacting,
        )
        self._caller = Caller(self._runner.sinks, partial(run_nested, self._runner))
        used, lent = (store, elsewhere), (artifacts, backend)
        self._opened = Opened(self.state, execution.starts, used, lent)
        self._closing = weakref.finalize(self, self._opened.close)

    @property
    def environment(self) -> Environment | None:
        """What the host grants."""
        return self._runner.execution.environment

    @property
    def redaction(self) -> Redaction:
        """Hides the secrets."""
        return self._runner.redacting.redaction

    @property
    def abandoned(self) -> int:
        """How many tasks and threads did not stop at their deadline, and were left behind."""
        return self._runner.execution.invoker.abandoned

    @property
    def called(self) -> tuple[Called, ...]:
        """The last 1,000 calls of tools that were not refused, the latest last."""
        return self._runner.calls.latest()

    @property
    def last_turn(self) -> list[ActionResult]:
        """The answers of the turn that began last, once it is over or was cancelled half-way."""
        return [] if self._turn is None else self._turn.results

    @property
    def pending(self) -> tuple[ApprovalRequest, ...]:
        """Calls that wait for a person; ``run(action, approval=request)`` runs one, once."""
        return self._runner.permission.approvals.pending

    async def run(self, action: Action, *, approval: Consent | None = None) -> ActionResult:
        """The answer to one action.

        Args:
            action: what is asked.
            approval: one of ``pending`` that a person has allowed, which holds for exactly its tool
                and arguments, and once; or what a person says to this action, if one is asked.
        """
        place = self._place(hosts.current(), approval)
        return await run_one(self._runner, self._runner.identified(action), place)

    async def run_turn(
        self, actions: Iterable[Action], *, into: list[ActionResult] | None = None
    ) -> list[ActionResult]:
        """The answers to the actions of a message, in their order; what may runs together.

        Cancelled from outside, it raises; what was ready by then is in ``into`` and ``last_turn``.
        """
        place = self._place(hosts.current())
        identified = self._runner.all_identified(actions)
        turn = self._turn = Turn(self._runner, identified, place, into=into)
        return await turn.run()

    def run_sync(self, action: Action, *, approval: Consent | None = None) -> ActionResult:
        """``run`` for callers that do not await, also where an event loop runs in this thread.

        A sync tool without a deadline runs in the caller's thread.
        """
        if self._runner.around:  # hooks have to be awaited
            return self._run_in_loop(partial(self.run, action, approval=approval))
        if not self._opened.loop_thread.is_current:
            return self._run_here(action, approval, self._opened.loop_thread)
        with closing(LoopThread()) as another:
            return self._run_here(action, approval, another)

    def run_turn_sync(self, actions: Iterable[Action]) -> list[ActionResult]:
        """``run_turn`` for callers that do not await; it runs in a loop of the executor's own."""
        return self._run_in_loop(partial(self.run_turn, actions))

    def __call__(self, name: str, /, **args: Json) -> ActionResult:
        """``run_sync`` of one action, its arguments by name."""
        return self.run_sync(Action(name, args))

    async def stream(self, actions: Iterable[Action]) -> AsyncGenerator[Event, None]:
        """Run a turn; its events as they happen, the last is ``TurnEnded`` with the results.

        Who stops listening cancels the turn.
        """
        identified = self._runner.all_identified(actions)
        async with aclosing(
            stream(self._runner, identified, self._place(hosts.current()))
        ) as events:
            async for event in events:
                yield event

    def preview(self, action: Action) -> Preview:
        """What would become of an action; nothing is run, and nobody is asked."""
        plan = self._runner.plan(self._runner.identified(action))
        return preview(plan, self._runner.permission)

    def subscribe(self, sink: Sink) -> Callable[[], None]:
        """Tell ``sink`` every event from now on; what is returned ends that.

        A sink is called in the thread where the event happens, and must not block.
        """
        return self._runner.sinks.add(sink)

    def close(self) -> None:
        """Close what was opened here: toolsets that were started, what tools left in ``state``."""
        if self._closing.detach():
            self._opened.close()

    async def aclose(self) -> None:
        """``close`` in the event loop where the tools ran."""
        if self._closing.detach():
            await self._opened.aclose()
            self._opened.loop_thread.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_raised: object) -> None:
        await self.aclose()

    def _place(self, host: Host, approval: Consent | None = None) -> Place:
        self._opened.check_open()
        return self._caller.place(host, self._runner.schedule, approval)

    def _run_here(
        self, action: Action, approval: Consent | None, loop_thread: LoopThread
    ) -> ActionResult:
        """Take the steps in the caller's thread; what has to be awaited runs in the other."""
        place = self._place(ThreadHost(loop_thread), approval)
        return run_one_here(self._runner, self._runner.identified(action), place)

    def _run_in_loop(self, work: Callable[[], Coroutine[object, None, T]]) -> T:
        """What the work returns in the executor's own loop."""
        self._opened.check_open()
        return self._opened.loop_thread.run(work)
