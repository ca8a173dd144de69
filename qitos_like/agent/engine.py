"""``Engine``: what is around the steps of a run."""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from functools import partial
from os import PathLike
from time import monotonic
from typing import Generic, TypeVar

import anyio

from qitos_like.core.context import ParentTurn
from qitos_like.core.environment import Environment
from qitos_like.core.jsontypes import Json
from qitos_like.core.registry import ToolRegistry
from qitos_like.errors import PreflightError
from qitos_like.run.approvals import Approval
from qitos_like.run.executor import ActionExecutor
from qitos_like.run.nesting import Nested

from . import saving
from .blocking import run_blocking
from .cancelling import Cancellable
from .loop import Loop
from .model import connected
from .module import AgentModule, check_agent
from .recording import Recording
from .result import RunResult, StopReason
from .saving import Saved
from .state import StateSchema
from .step import Step
from .stream import RunEvent, Watch, stream
from .surroundings import Clock, Limits, only_one, prepared, redaction_of
from .trace import TraceFile, begin_record

StateT = TypeVar("StateT", bound=StateSchema)


class Engine(Generic[StateT]):
    """Runs an agent: preflight, setup, steps until something ends them, teardown.

    Args:
        agent: the agent.
        environment: what the host grants its tools; ``None`` grants everything.
        executor: runs the actions and is left open; if not given, each run has one of its own.
        parent: the ``context.parent`` of a tool that the agent works for: then its own tools run by
            the permissions, limits and approver of the executor that the tool runs in.
        trace_path: a file that each run is appended to as JSON lines, step by step.
        on_step: called with each step as it ends; what it raises is logged and ignored.

    Raises:
        TypeError: more than one of environment, executor and parent, or one that is none.

    >>> from qitos_like.agent.decision import Decision
    >>> from qitos_like.agent.scripted import ScriptedModel
    >>> agent = AgentModule(llm=ScriptedModel([Decision.final("42")]))
    >>> Engine(agent).run("6 * 7").final_answer
    '42'
    """

    def __init__(
        self,
        agent: AgentModule[StateT, Json, Json],
        environment: Environment | None = None,
        executor: ActionExecutor | None = None,
        *,
        parent: ParentTurn | None = None,
        trace_path: str | PathLike[str] | None = None,
        on_step: Callable[[Step], object] | None = None,
    ) -> None:
        self._given = only_one(environment, executor, parent)
        check_agent(agent)
        self.agent = agent
        self._redaction = redaction_of(self._given)
        trace = None if trace_path is None else TraceFile(trace_path, self._redaction)
        self._recording = Recording(trace, on_step)
        self._running = Cancellable()

    def run(
        self,
        task: str,
        *,
        max_time_s: float | None = None,
        max_cost_usd: float | None = None,
        **kwargs: Json,
    ) -> RunResult[StateT]:
        """``arun`` for callers that do not await; it works inside a running event loop too.

        Raises:
            PreflightError: as ``arun``.
            LifecycleError: as ``arun``.
        """
        limits = {"max_time_s": max_time_s, "max_cost_usd": max_cost_usd}
        return run_blocking(partial(self.arun, task, **limits, **kwargs))

    async def arun(
        self,
        task: str,
        *,
        max_time_s: float | None = None,
        max_cost_usd: float | None = None,
        **kwargs: Json,
    ) -> RunResult[StateT]:
        """Run the agent on a task until something ends it; the result says what.

        Args:
            task: what the agent is asked.
            max_time_s: seconds that the steps may take; then the one at work is cut short.
            max_cost_usd: no step begins once the run has cost this much.
            **kwargs: for the agent's ``init_state``, such as ``max_steps``.

        Raises:
            PreflightError: the environment lacks what tools need; every problem is listed.
            LifecycleError: the setup of a toolset failed.
            OSError: the trace cannot be begun.
            ValueError: a limit is below zero, or no number.
        """
        return await self._run(task, max_time_s=max_time_s, max_cost_usd=max_cost_usd, **kwargs)

    async def stream(self, task: str, **kwargs: Json) -> AsyncGenerator[RunEvent[StateT], None]:
        """``arun`` as it happens: the events of tools, each step as it ends, at last the result.

        Who stops listening cancels the run.

        Raises:
            PreflightError: as ``arun``.
            LifecycleError: as ``arun``.
        """
        work = partial(self._run, task, **kwargs)
        async with aclosing(stream(work)) as events:
            async for event in events:
                yield event

    def cancel(self) -> None:
        """Stop what runs now, from any thread; those runs return with what they have."""
        self._running.cancel()

    def resume(
        self, path: str | PathLike[str], approvals: Mapping[str, Approval], **kwargs: Json
    ) -> RunResult[StateT]:
        """``aresume`` for callers that do not await.

        Raises:
            ValueError: as ``aresume``.
            PreflightError: as ``arun``.
            LifecycleError: as ``arun``.
        """
        return run_blocking(partial(self.aresume, path, approvals, **kwargs))

    async def aresume(
        self,
        path: str | PathLike[str],
        approvals: Mapping[str, Approval],
        *,
        max_time_s: float | None = None,
        max_cost_usd: float | None = None,
        **kwargs: Json,
    ) -> RunResult[StateT]:
        """Go on with a run that stopped for approval and was saved; what is not answered waits on.

        Args:
            path: where it was saved.
            approvals: what a person says, by the ids of the actions in ``pending``.
            max_time_s: as ``arun``, from now on.
            max_cost_usd: as ``arun``, what it cost before included.
            **kwargs: for the agent's ``init_state``; what was saved goes before them.

        Raises:
            ValueError: the file holds no run of this agent, an id is of nothing that waits, or a
                limit is below zero.
            TypeError: an answer is no ``Approval``.
            PreflightError: as ``arun``.
            LifecycleError: as ``arun``.
            OSError: the file cannot be read.
        """
        self._preflight()
        saved = saving.read(path).approved(approvals)
        if saved.agent != self._name:
            message = f"{path} is a run of {saved.agent}, not of {self._name}"
            raise ValueError(message)
        state = self.agent.init_state(saved.state["task"], **kwargs)
        saved.restore(state)
        limits = Limits(time_s=max_time_s, cost_usd=max_cost_usd)
        return await self._go(state, limits, saved=saved)

    async def _run(
        self,
        task: str,
        watch: Watch | None = None,
        *,
        max_time_s: float | None = None,
        max_cost_usd: float | None = None,
        **kwargs: Json,
    ) -> RunResult[StateT]:
        self._preflight()  # ahead of the agent's own code
        limits = Limits(time_s=max_time_s, cost_usd=max_cost_usd)
        return await self._go(self.agent.init_state(task, **kwargs), limits, watch=watch)

    async def _go(
        self,
        state: StateT,
        limits: Limits,
        *,
        watch: Watch | None = None,
        saved: Saved | None = None,
    ) -> RunResult[StateT]:
        async with (
            prepared(self._registry, self._given, watch) as executor,
            connected(self.agent.llm),
        ):
            record = partial(self._recording.step, watch)
            loop = Loop(self.agent, executor, state, record=record, saved=saved)
            began = Clock()
            if saved is None:
                self._recording.begin(begin_record(self._name, state.task, began.at))
            try:
                reason = await self._limited(loop, limits)
            except anyio.get_cancelled_exc_class():
                # Cancelled from outside: nobody will see a result, but the trace is whole.
                self._recording.end(self._result(loop, "cancelled", began).end_record())
                raise
            result = self._result(loop, reason, began)
            self._recording.end(result.end_record())
        return result

    @property
    def _name(self) -> str:
        return type(self.agent).__name__

    @property
    def _registry(self) -> ToolRegistry:
        if isinstance(self._given, ActionExecutor):
            return self._given.registry
        return self.agent.tool_registry

    def _preflight(self) -> None:
        given = self._given
        if isinstance(given, Nested):
            return  # what the outer environment lacks, each call is told
        environment = given.environment if isinstance(given, ActionExecutor) else given
        problems = self._registry.preflight(environment)
        if problems:
            raise PreflightError(problems)

    async def _limited(self, loop: Loop[StateT], limits: Limits) -> StopReason:
        reason: StopReason = "cancelled"
        with self._running.scope():
            with anyio.move_on_after(limits.time_s) as timed:
                reason = await loop.run(limits.cost_usd)
            if timed.cancelled_caught:
                reason = "time_limit"
        return reason

    def _result(self, loop: Loop[StateT], reason: StopReason, began: Clock) -> RunResult[StateT]:
        return RunResult(
            final_answer=loop.final_answer,
            stop_reason=reason,
            state=loop.state,
            steps=tuple(loop.steps),
            usage=loop.usage,
            cost_usd=loop.cost_usd,
            pending=loop.pending,
            error=loop.error,
            agent=self._name,
            started_at=began.at,
            duration_s=monotonic() - began.monotonic_s,
            redaction=self._redaction,
        )
