"""A saved run that waits for a person: read, answered, gone on with."""

import sys
from collections.abc import Iterable

import click
from attrs import frozen

from qitos_like.agent import saving
from qitos_like.agent.engine import Engine
from qitos_like.agent.result import RunResult
from qitos_like.agent.state import StateSchema
from qitos_like.core.action import Action
from qitos_like.run.approvals import Approval
from qitos_like.run.executor import ActionExecutor

from .asking import ask
from .waiting import Waiting


@frozen
class Kept:
    """A run to go on with.

    Attributes:
        file: where it was saved.
        answers: what the user has said already, by the ids of actions.
        waiting: the line that has to go while the user is asked.
    """

    file: str
    answers: dict[str, Approval]
    waiting: Waiting


def resume(
    engine: Engine[StateSchema],
    executor: ActionExecutor,
    kept: Kept,
    *,
    max_cost_usd: float | None,
) -> RunResult[StateSchema]:
    """Go on with a run; what is answered neither here nor on the terminal waits on.

    Raises:
        UsageError: the file holds no run of this agent, or an answer is to nothing that waits.
        Abort: the user has had enough.
    """
    try:
        saved = saving.read(kept.file).approved(kept.answers)
        with kept.waiting.aside():
            asked = _asked(saved.waiting, kept.answers, executor)
        return engine.resume(kept.file, {**kept.answers, **asked}, max_cost_usd=max_cost_usd)
    except (ValueError, OSError) as error:
        raise click.UsageError(str(error)) from error


def answers_of(allow: Iterable[str], deny: Iterable[str]) -> dict[str, Approval]:
    """What the options say, by the ids of actions."""
    denied = Approval.deny("the user said no")
    return {**dict.fromkeys(allow, Approval.once()), **dict.fromkeys(deny, denied)}


def _asked(
    waiting: Iterable[Action], answers: dict[str, Approval], executor: ActionExecutor
) -> dict[str, Approval]:
    """What the user says on the terminal, if there is one, to what has no answer yet."""
    said: dict[str, Approval] = {}
    for action in waiting if sys.stdin.isatty() else ():
        if action.id and action.id not in answers:
            would = executor.preview(action)
            said[action.id] = ask(would.name or action.name, would.reason, would.text)
    return said
