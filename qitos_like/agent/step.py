"""What happened in one step of a run."""

from collections.abc import Iterable
from typing import Literal

from attrs import field, frozen

from qitos_like.core.action import ActionResult
from qitos_like.core.jsontypes import Json

from .decision import Decision
from .model import Usage

#: An observation: ``results`` and ``text``.
Observation = dict[str, Json]


@frozen(kw_only=True)
class Step:
    """One step of a run, whole or as far as it came.

    Attributes:
        index: 0 for the first.
        system: the system prompt.
        prompt: what the model was told beside the results of the step before.
        decision: what was decided; ``None`` if the step ended before.
        by: who decided.
        results: one answer per action, in order; empty if the step ended before.
        usage: what the model's reply used.
        model_s: seconds until the decision.
        tools_s: seconds that the actions took together.
        duration_s: seconds of the whole step.
    """

    index: int
    system: str = ""
    prompt: str = ""
    decision: Decision | None = None
    by: Literal["agent", "model"] = "agent"
    results: tuple[ActionResult, ...] = field(default=(), converter=tuple[ActionResult, ...])
    usage: Usage = Usage()
    model_s: float = 0.0
    tools_s: float = 0.0
    duration_s: float = 0.0


def observe(results: Iterable[ActionResult]) -> Observation:
    """What an agent sees of a step's results."""
    answers = list(results)
    return {"results": answers, "text": "\n\n".join(map(_answer_text, answers))}


def _answer_text(answer: ActionResult) -> str:
    outcome = "ok" if answer.ok else f"error {answer.code}"
    return f"{answer.action.name}: {outcome}\n{answer.text}"
