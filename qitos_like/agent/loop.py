"""The steps of one run: ask, act, reduce, until something ends it."""

import logging
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Generic, NoReturn, TypeVar, cast

from anyio.lowlevel import checkpoint
from attrs import evolve

from qitos_like.core.action import Action, ActionResult
from qitos_like.core.jsontypes import Json
from qitos_like.core.raised import describe
from qitos_like.core.results import ErrorCode, Ok
from qitos_like.run.approvals import Approval

from .decision import Decision
from .model import Message, MistakenModelError, Reply, Request, Usage, checked, complete
from .module import AgentModule
from .nested import Acting
from .result import StopReason
from .saving import Saved
from .state import StateSchema, check_state
from .step import Observation, Step, observe

StateT = TypeVar("StateT", bound=StateSchema)

#: What the model is told when it neither acted nor answered.
NUDGE = "That message was empty: call a tool, or answer the task."

_log = logging.getLogger("qitos_like")


class Loop(Generic[StateT]):
    """The steps of one run, and what has come of them so far.

    Attributes:
        state: the agent's state.
        steps: the steps so far; one that was cut short is the last.
        usage: what the model used so far.
        cost_usd: what model and tools cost so far; ``None`` if nothing said its price.
        final_answer: the answer, once there is one.
        pending: the actions of the last step that wait for approval.
        error: what the model failed with.
    """

    def __init__(
        self,
        agent: AgentModule[StateT, Json, Json],
        executor: Acting,
        state: StateT,
        *,
        record: Callable[[Step], None],
        saved: Saved | None = None,
    ) -> None:
        check_state(state, type(agent).__name__)
        self.state = state
        self.steps: list[Step] = [] if saved is None else list(saved.steps)
        self.usage = Usage() if saved is None else saved.usage
        self.cost_usd: float | None = None if saved is None else saved.cost_usd
        self.final_answer: str | None = None
        self.pending: tuple[Action, ...] = ()
        self.error: str | None = None
        self._agent = agent
        self._executor = executor
        self._record = record
        self._reply = Reply()
        self._saved = saved
        self._observation: Observation = observe(())

    async def run(self, max_cost_usd: float | None) -> StopReason:
        """Take steps until one ends the run, or a limit does."""
        if self._saved is not None:
            await self._resume(self._saved.approvals)
        is_told = max_cost_usd is None
        while (reason := self._reason(max_cost_usd)) is None:
            if len(self.steps) >= self.state.max_steps:
                return "max_steps"
            await checkpoint()  # where neither model nor tools wait, cancellation is seen here
            await self._step()
            if not is_told and self.usage.output_tokens and self.usage.cost_usd is None:
                _log.warning("max_cost_usd counts no tokens: give the model a price=Price(...)")
                is_told = True
        return reason

    def _reason(self, max_cost_usd: float | None) -> StopReason | None:
        if self.error is not None:
            return "model_error"
        if self.final_answer is not None:
            return "final"
        if self.pending:
            return "approval"
        if max_cost_usd is not None and not (self.cost_usd or 0.0) < max_cost_usd:  # or no number
            return "cost_limit"
        return None

    async def _step(self) -> None:
        """One step; it is kept and recorded as far as it came, whatever ends it."""
        began = monotonic()
        self.steps.append(Step(index=len(self.steps)))
        try:
            decision = await self._decide()
            if decision is not None:
                await self._carry_out(decision)
        finally:
            self._note(duration_s=monotonic() - began)
            self._record(self.steps[-1])

    async def _decide(self) -> Decision | None:
        """The agent's decision, else the model's; ``None`` if the model failed."""
        began = monotonic()
        system = self._agent.build_system_prompt(self.state) or ""
        words = (self._reply.unusable, self._agent.prepare(self.state))
        self._reply = Reply()
        self._tell("\n\n".join(filter(None, words)))
        self._note(system=system)
        decision = self._agent.decide(self.state, self._observation)
        if decision is None:
            decision = await self._ask(system)
        elif not isinstance(decision, Decision):
            self._refuse("decide", "a Decision or None", decision)
        self._note(decision=decision, model_s=monotonic() - began)
        return decision

    def _tell(self, prompt: str) -> None:
        if prompt:
            self._note(prompt=prompt)

    def _messages(self) -> tuple[Message, ...]:
        """The conversation so far."""
        return tuple(message for step in self.steps for message in step.messages())

    async def _ask(self, system: str) -> Decision | None:
        model: object = self._agent.llm
        name = type(self._agent).__name__
        if model is None:
            message = f"{name} has no llm, and its decide() left the decision to the model"
            raise TypeError(message)
        model = checked(model, name)
        # A model replies to somebody else: to the task, or to a word about its own empty one.
        messages = self._messages()
        if not messages:
            self._tell(self.state.task)
        elif isinstance(messages[-1], Reply):
            self._tell(NUDGE)
        registry = self._executor.registry.available()
        request = Request(system=system, messages=self._messages(), registry=registry)
        self._note(by="model")
        try:
            reply = await complete(model, request)
        except MistakenModelError:
            raise
        except Exception as error:  # a provider's failure ends the run; its steps are not lost
            _log.debug("the model raised", exc_info=True)
            self.error = describe(error)
            return None
        self._note(usage=reply.usage, unusable=reply.unusable)
        self.usage += reply.usage
        self._spend(reply.usage.cost_usd)
        if reply.refusal is not None:
            self.error = f"the model refused: {reply.refusal}"
            return None
        self._reply = reply
        return Decision.of(reply)

    async def _carry_out(self, decision: Decision) -> None:
        """Run the actions, and let the agent take them in."""
        results = await self._act(decision.actions)
        # The conversation has the actions under the ids that their answers bear.
        decision = decision.with_actions(result.action for result in results)
        self._note(decision=decision, raw=self._reply.raw)
        self._conclude(decision, results)

    async def _resume(self, approvals: Mapping[str, Approval]) -> None:
        """Finish the last step, whose actions wait, with what a person says to them."""
        step = self.steps[-1]
        results = [await self._answered(result, approvals) for result in step.results]
        self._note(results=results)
        self._record(evolve(self.steps[-1], by="person"))
        self._conclude(step.decision or Decision.wait(), results)

    async def _answered(
        self, result: ActionResult, approvals: Mapping[str, Approval]
    ) -> ActionResult:
        approval = approvals.get(result.action.id or "")
        if result.code != ErrorCode.NEEDS_APPROVAL or approval is None:
            return result
        answer = await self._executor.run(result.action, approval=approval)
        self._spend(_cost_of(answer))
        return answer

    def _conclude(self, decision: Decision, results: Sequence[ActionResult]) -> None:
        """Let the agent take the results in, unless some wait for a person."""
        self.pending = tuple(
            result.action for result in results if result.code == ErrorCode.NEEDS_APPROVAL
        )
        if self.pending:
            return
        self._observation = observe(results)
        self.state = self._reduced(decision)
        self.state.step = len(self.steps)
        self.final_answer = decision.final_answer
        if self.final_answer is None and results:
            self.final_answer = self._agent.answer(self._observation)

    def _reduced(self, decision: Decision) -> StateT:
        state: object = self._agent.reduce(self.state, self._observation, decision)
        if isinstance(state, StateSchema):
            return cast(StateT, state)  # the author says so in the signature
        return self._refuse("reduce", "the state", state)

    def _refuse(self, method: str, wanted: str, given: object) -> NoReturn:
        name = type(self._agent).__name__
        message = f"{name}.{method}() has to return {wanted}, not {type(given).__name__}"
        raise TypeError(message)

    async def _act(self, actions: tuple[Action, ...]) -> list[ActionResult]:
        if not actions:
            return []
        began = monotonic()
        results: list[ActionResult] = []
        try:
            await self._executor.run_turn(actions, into=results)
        finally:  # what was ready when it was cut short has been paid for
            self._note(results=results, tools_s=monotonic() - began)
            for result in results:
                self._spend(_cost_of(result))
        return results

    def _spend(self, cost_usd: float | None) -> None:
        if cost_usd is not None:
            self.cost_usd = (self.cost_usd or 0.0) + cost_usd

    def _note(self, **known: Json) -> None:
        """Write down what is known of the step."""
        self.steps[-1] = evolve(self.steps[-1], **known)


def _cost_of(result: ActionResult) -> float | None:
    return result.result.cost_usd if isinstance(result.result, Ok) else None
