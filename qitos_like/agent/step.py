"""What happened in one step of a run."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from attrs import field, frozen

from qitos_like.core.action import ActionResult
from qitos_like.core.jsontypes import Json

from .decision import Decision
from .model import Message, Prompt, Reply, Results, Usage

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
        by: who decided; a person, where a step that waited for approval is recorded again.
        results: one answer per action, in order; empty if the step ended before.
        usage: what the model's reply used.
        unusable: why the model's reply counted neither as actions nor as an answer.
        raw: the model's reply as its provider takes it back, by the name of the dialect.
        model_s: seconds until the decision.
        tools_s: seconds that the actions took together.
        duration_s: seconds of the whole step.
    """

    index: int
    system: str = ""
    prompt: str = ""
    decision: Decision | None = None
    by: Literal["agent", "model", "person"] = "agent"
    results: tuple[ActionResult, ...] = field(default=(), converter=tuple[ActionResult, ...])
    usage: Usage = Usage()
    unusable: str | None = None
    raw: Mapping[str, Json] = field(factory=dict, repr=False)
    model_s: float = 0.0
    tools_s: float = 0.0
    duration_s: float = 0.0

    def messages(self) -> Iterator[Message]:
        """What the step adds to the conversation, as far as it came."""
        if self.prompt:
            yield Prompt(self.prompt)
        if self.decision is not None:
            said = self.decision.final_answer or self.decision.rationale or ""
            yield Reply(said, self.decision.actions, raw=self.raw)
        if self.results:
            yield Results(self.results)


def observe(results: Iterable[ActionResult]) -> Observation:
    """What an agent sees of a step's results."""
    answers = list(results)
    return {"results": answers, "text": "\n\n".join(map(_answer_text, answers))}


def _answer_text(answer: ActionResult) -> str:
    outcome = "ok" if answer.ok else f"error {answer.code}"
    return f"{answer.action.name}: {outcome}\n{answer.text}"
