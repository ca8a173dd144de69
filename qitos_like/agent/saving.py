"""A run that waits, as a file that another process can go on from."""

import json
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TypeVar

from attrs import evolve, field, frozen

from qitos_like.core.action import Action, ActionResult
from qitos_like.core.results import Err, ErrorCode, Ok, Part
from qitos_like.core.schema import signature
from qitos_like.core.schema.problems import ArgumentsError
from qitos_like.render.dialects.media import base64
from qitos_like.run.approvals import Approval
from qitos_like.run.serialise import data, wellformed

from .decision import Decision
from .model import Usage
from .state import StateSchema
from .step import Step
from .trace import Record, step_record, usage_record

StateT = TypeVar("StateT", bound=StateSchema)

_VERSION = 1


@frozen(kw_only=True)
class Saved:
    """What a run goes on from.

    Attributes:
        agent: the name of the agent's class.
        state: the fields of its state, as JSON data.
        steps: what happened so far.
        usage: what the model used so far.
        cost_usd: what it all cost so far.
        approvals: what a person says to the actions that wait, by their ids.
    """

    agent: str
    state: Record
    steps: tuple[Step, ...] = field(converter=tuple[Step, ...])
    usage: Usage
    cost_usd: float | None
    approvals: Mapping[str, Approval] = field(factory=dict)

    @property
    def waiting(self) -> list[Action]:
        """The actions that wait."""
        results = self.steps[-1].results
        return [each.action for each in results if each.code == ErrorCode.NEEDS_APPROVAL]

    @property
    def pending(self) -> list[str]:
        """The ids of the actions that wait."""
        return [action.id or "" for action in self.waiting]

    def approved(self, approvals: Mapping[str, Approval]) -> "Saved":
        """The same with what a person says.

        Raises:
            ValueError: one of the ids is of no action that waits.
            TypeError: an answer is no ``Approval``.
        """
        given: Iterable[object] = approvals.values()
        for answer in given:
            if not isinstance(answer, Approval):
                message = f"an answer is an Approval, such as Approval.once(), not {answer!r}"
                raise TypeError(message)
        unknown = sorted(approvals.keys() - {*self.pending})
        if unknown:
            message = f"nothing waits as {unknown[0]!r}, only {', '.join(self.pending)}"
            raise ValueError(message)
        return evolve(self, approvals=dict(approvals))

    def restore(self, state: StateT) -> None:
        """Give a state of the same class the fields of the saved one.

        Raises:
            ValueError: the values do not fit.
        """
        for name, value in _structured(type(state), self.state).items():
            setattr(state, name, value)


def write(path: str | PathLike[str], saved: Saved, state: StateSchema) -> None:
    """Save a run with this state.

    Raises:
        ValueError: the state is more than JSON can hold.
        OSError: the file cannot be written.
    """
    fields = data(state)
    if _structured(type(state), fields) != vars(state):
        message = f"{type(state).__name__} has values that JSON cannot hold"
        raise ValueError(message)
    record = {
        "version": _VERSION,
        "agent": saved.agent,
        "state": fields,
        "steps": [_step_record(step) for step in saved.steps],
        "usage": usage_record(saved.usage),
        "cost_usd": saved.cost_usd,
    }
    text = json.dumps(record, ensure_ascii=False, default=str)
    Path(path).write_text(wellformed(text), encoding="utf-8")


def read(path: str | PathLike[str]) -> Saved:
    """The run that was saved there.

    Raises:
        ValueError: the file holds none.
        OSError: the file cannot be read.
    """
    content = Path(path).read_bytes()
    try:
        return _saved(json.loads(content))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        message = f"{path} holds no saved run ({type(error).__name__}: {error})"
        raise ValueError(message) from error


def _saved(record: Record) -> Saved:
    if record["version"] != _VERSION:
        message = f"version {record['version']} is not {_VERSION}"
        raise ValueError(message)
    if not record["steps"] or not isinstance(record["state"]["task"], str):
        message = "nothing was begun"
        raise ValueError(message)
    return Saved(
        agent=record["agent"],
        state=record["state"],
        steps=[step_of(each) for each in record["steps"]],
        usage=Usage(**record["usage"]),
        cost_usd=record["cost_usd"],
    )


def step_of(record: Record) -> Step:
    """The step that a line of a trace or of a saved run tells of.

    Raises:
        KeyError: something is missing.
        ValueError: a value cannot be.
    """
    kept = ("index", "system", "prompt", "by", "model_s", "tools_s", "duration_s")
    decision = _decision(record["decision"])
    return Step(
        **{name: record[name] for name in kept},
        raw=record.get("raw", {}),
        decision=decision,
        results=_results(record, decision.actions if decision else ()),
        usage=Usage(**record["usage"]),
        unusable=record.get("unusable"),
    )


def _structured(state: type[StateSchema], fields: Record) -> dict[str, object]:
    """The fields as values of their types.

    Raises:
        ValueError: one of them does not fit.
    """
    try:
        return signature.read(state).structure(fields)
    except ArgumentsError as error:
        message = f"{state.__name__} cannot be made of JSON: {error}"
        raise ValueError(message) from error


def _step_record(step: Step) -> Record:
    """The trace's record, and what a model is shown beside its text."""
    parts = [[[part.media_type, base64(part)] for part in result.parts] for result in step.results]
    return {**step_record(step), "raw": dict(step.raw), "parts": parts}


def _decision(record: Record | None) -> Decision | None:
    if record is None:
        return None
    actions = [Action(each["name"], each["args"], each["id"]) for each in record["actions"]]
    return Decision(actions, record["final_answer"], record["rationale"])


def _results(record: Record, actions: Sequence[Action]) -> Iterator[ActionResult]:
    results = record["results"]
    told = record.get("parts") or [[] for _ in results]  # a trace has none
    for action, each, parts in zip(actions, results, told, strict=True):
        text, structured = each["text"], each["structured"]
        result: Ok | Err
        if each["ok"]:
            shown = [Part(media_type, b64decode(encoded)) for media_type, encoded in parts]
            result = Ok(
                text if structured is None else structured, structured=structured, parts=shown
            )
        else:
            result = Err(each["code"], text, structured=structured)
        yield ActionResult(
            action=action,
            result=result,
            text=text,
            attempts=each["attempts"],
            duration_s=each["duration_s"],
            repairs=tuple(each["repairs"]),
        )
