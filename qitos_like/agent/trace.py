"""A run as JSON lines: one for the run, one per step, one for the end."""

import json
from collections.abc import Iterable
from datetime import datetime
from os import PathLike
from pathlib import Path

from qitos_like.core.action import Action, ActionResult
from qitos_like.core.jsontypes import Json
from qitos_like.core.redaction import Redaction
from qitos_like.run.serialise import wellformed

from .decision import Decision
from .model import Usage
from .step import Step

Record = dict[str, Json]

_NOTHING = Redaction()


class TraceFile:
    """Appends the lines of runs to a file, each as soon as it is known.

    Args:
        path: the file; it is made if it is missing.
        redaction: hides secrets.
    """

    def __init__(self, path: str | PathLike[str], redaction: Redaction) -> None:
        self._path = Path(path)
        self._redaction = redaction

    def write(self, record: Record) -> None:
        """Append one line.

        Raises:
            OSError: the file cannot be written.
        """
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{line(record, self._redaction)}\n")


def line(record: Record, redaction: Redaction = _NOTHING) -> str:
    """A record as one line of JSON, without secrets; what JSON does not know is its ``str``."""

    def shown(value: object) -> str:
        return redaction.text(str(value))

    clean = redaction.data(record) if redaction else record
    # A lone surrogate, which no file can hold, becomes the JSON escape of itself.
    return wellformed(json.dumps(clean, ensure_ascii=False, skipkeys=True, default=shown))


def begin_record(agent: str, task: str, started_at: datetime) -> Record:
    """What the trace of a run begins with."""
    return {"type": "run", "agent": agent, "task": task, "started_at": started_at.isoformat()}


def step_record(step: Step) -> Record:
    """What the trace has of a step."""
    return {
        "type": "step",
        "index": step.index,
        "system": step.system,
        "prompt": step.prompt,
        "by": step.by,
        "decision": _decision(step.decision),
        "results": [_result(result) for result in step.results],
        "usage": usage_record(step.usage),
        "unusable": step.unusable,
        "model_s": _seconds(step.model_s),
        "tools_s": _seconds(step.tools_s),
        "duration_s": _seconds(step.duration_s),
    }


def action_records(actions: Iterable[Action]) -> list[Record]:
    """What the trace has of actions."""
    return [{"name": action.name, "args": action.args, "id": action.id} for action in actions]


def usage_record(usage: Usage) -> Record:
    """What the trace has of usage."""
    return {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost_usd": usage.cost_usd,
    }


def _decision(decision: Decision | None) -> Record | None:
    if decision is None:
        return None
    return {
        "actions": action_records(decision.actions),
        "final_answer": decision.final_answer,
        "rationale": decision.rationale,
    }


def _result(result: ActionResult) -> Record:
    return {
        "id": result.action.id,
        "name": result.action.name,
        "ok": result.ok,
        "code": result.code,
        "text": result.text,
        "structured": result.structured,
        "attempts": result.attempts,
        "duration_s": _seconds(result.duration_s),
        "repairs": list(result.repairs),
    }


def _seconds(seconds: float) -> float:
    return round(seconds, 6)
