"""What came of a run."""

from collections.abc import Iterator
from datetime import datetime
from os import PathLike
from typing import Generic, Literal, TypeVar

from attrs import field, frozen

from qitos_like.core.action import Action
from qitos_like.core.jsontypes import Json
from qitos_like.core.redaction import Redaction

from . import saving
from .model import Usage
from .saving import Saved
from .state import StateSchema
from .step import Step
from .trace import Record, action_records, begin_record, line, step_record, usage_record

StateT = TypeVar("StateT", bound=StateSchema)

#: Why a run ended.
StopReason = Literal[
    "final", "max_steps", "time_limit", "cost_limit", "cancelled", "model_error", "approval"
]


@frozen(kw_only=True)
class RunResult(Generic[StateT]):
    """What came of a run, whatever ended it.

    Attributes:
        final_answer: the answer; ``None`` if the run ended without one.
        stop_reason: why it ended.
        state: the agent's state at the end.
        steps: what happened, step by step.
        usage: what the model used in total.
        cost_usd: what model and tools cost in total; ``None`` if nothing said its price.
        pending: the actions that wait for a person's approval.
        error: what the model failed with.
        agent: the name of the agent's class.
        started_at: when the run began.
        duration_s: seconds from there to the end.
        redaction: hides secrets from ``trace``.

    >>> from qitos_like.agent.engine import Engine
    >>> from qitos_like.agent.module import AgentModule
    >>> from qitos_like.agent.scripted import ScriptedModel
    >>> result: RunResult = Engine(AgentModule(llm=ScriptedModel([]))).run("nothing")
    >>> result.stop_reason, len(list(result.trace()))
    ('model_error', 3)
    """

    final_answer: str | None
    stop_reason: StopReason
    state: StateT
    steps: tuple[Step, ...] = field(repr=lambda steps: f"<{len(steps)} steps>")
    usage: Usage
    cost_usd: float | None
    pending: tuple[Action, ...] = ()
    error: str | None = None
    agent: str = field(repr=False)
    started_at: datetime = field(repr=False)
    duration_s: float
    redaction: Redaction = field(factory=Redaction, repr=False)

    @property
    def output(self) -> Json:
        """The answer as the agent keeps it in its state: of a type, where it has one."""
        return self.state.final_result

    def trace(self) -> Iterator[str]:
        """The run as JSON lines: one for the run, one per step, one for the end."""
        begin = begin_record(self.agent, self.state.task, self.started_at)
        for record in (begin, *map(step_record, self.steps), self.end_record()):
            yield line(record, self.redaction)

    def save(self, path: str | PathLike[str]) -> None:
        """Keep the run in a file, from which ``Engine.resume`` goes on in any process.

        Values that tools returned are kept as text and JSON data.

        Raises:
            ValueError: nothing waits for approval, or the state is more than JSON can hold.
            OSError: the file cannot be written.
        """
        if not self.pending:
            message = f"nothing waits for approval: the run ended with {self.stop_reason!r}"
            raise ValueError(message)
        saved = Saved(
            agent=self.agent, state={}, steps=self.steps, usage=self.usage, cost_usd=self.cost_usd
        )
        saving.write(path, saved, self.state)

    def end_record(self) -> Record:
        """The line that ends the trace."""
        return {
            "type": "end",
            "stop_reason": self.stop_reason,
            "final_answer": self.final_answer,
            "error": self.error,
            "pending": action_records(self.pending),
            "steps": len(self.steps),
            "usage": usage_record(self.usage),
            "cost_usd": self.cost_usd,
            "duration_s": round(self.duration_s, 6),
        }
