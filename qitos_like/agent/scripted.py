"""A model that plays decisions back: for tests, the demo, and replays without a model."""

import json
from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import NotRequired, Self, TypedDict

from attrs import evolve

from qitos_like.core.action import Action
from qitos_like.core.given import check_list
from qitos_like.core.jsontypes import Json
from qitos_like.core.schema import signature
from qitos_like.core.schema.problems import ArgumentsError
from qitos_like.core.schema.signature import Signature

from .decision import Decision
from .model import Reply, Request, Usage


class ScriptedModel:
    """Replies with the given decisions or replies, one a request, whatever is asked.

    Asked once more than it has decisions, it fails, which ends the run.

    Attributes:
        requests: what it was asked so far.

    Raises:
        TypeError: something is no decision, or no list of them.
        ValueError: a decision has both actions and a final answer.

    >>> ScriptedModel([Decision.final("42")]).left
    1
    """

    def __init__(self, decisions: Iterable[Decision | Reply]) -> None:
        check_list("the decisions of a script are", decisions)
        self._replies = tuple(map(_reply, decisions))
        self.requests: list[Request] = []

    @classmethod
    def from_file(cls, path: str | PathLike[str]) -> Self:
        """The decisions of a file: JSON lines, one decision each, or the trace of a run.

        Of a trace, what the model said is played back with what it used and cost.

        A decision is an object with ``actions`` (a list of ``name``, ``args`` and ``id``),
        ``final_answer`` and ``rationale``, each optional.

        Raises:
            ValueError: a line is neither; the text names file and line.
            OSError: the file cannot be read.
        """
        replies: list[Reply] = []
        form = signature.read(_said)
        lines = Path(path).read_bytes().split(b"\n")  # JSON may hold other breaks
        for number, line in enumerate(lines, start=1):
            try:
                replies += _replies(json.loads(line), form) if line.strip() else []
            except (ArgumentsError, ValueError, TypeError, KeyError, RecursionError) as error:
                message = f"{path}, line {number}: no decision ({error})"
                raise ValueError(message) from error
        return cls(replies)

    @property
    def left(self) -> int:
        """How many decisions have not been played."""
        return len(self._replies) - len(self.requests)

    async def complete(self, request: Request) -> Reply:
        """The next decision, as a model would put it.

        Raises:
            IndexError: there are no more decisions.
        """
        if not self.left:
            message = f"the script ended after {len(self._replies)} decisions"
            raise IndexError(message)
        reply = self._replies[len(self.requests)]
        self.requests.append(request)
        return reply


def _reply(said: Decision | Reply) -> Reply:
    """What a model says to mean a decision.

    Raises:
        TypeError: it is none.
        ValueError: it has both actions and a final answer.
    """
    given: object = said
    if isinstance(said, Reply):
        return said
    if not isinstance(given, Decision):
        message = f"a script has decisions, such as Decision.final('done'), not {given!r}"
        raise TypeError(message)
    if said.is_final and said.actions:
        message = "a model acts or answers: a decision of a script cannot do both"
        raise ValueError(message)
    text = said.rationale if said.actions else said.final_answer
    return Reply(text or "", said.actions)


def _replies(record: Json, form: Signature) -> list[Reply]:
    """What the model says in one line; a trace has lines with nothing, or the agent's own."""
    if not isinstance(record, dict):
        message = "not an object"
        raise TypeError(message)
    if "type" not in record:
        return [_reply(_decision(record, form))]
    if record.get("by") != "model" or record["decision"] is None:
        return []  # the agent's own, a person's, or none, as the model failed
    return [_recorded(record, form)]


def _recorded(step: Json, form: Signature) -> Reply:
    """The model's reply in a step of a trace."""
    decision, unusable = _decision(step["decision"], form), step.get("unusable")
    usage = Usage(**step.get("usage", {}))
    if unusable is not None:
        return Reply(decision.rationale or "", usage=usage, unusable=unusable)
    return evolve(_reply(decision), usage=usage)


def _decision(record: Json, form: Signature) -> Decision:
    """The decision that a record spells.

    Raises:
        ArgumentsError: it has unknown keys, or values of wrong types.
        ValueError: it says nothing.
    """
    if not isinstance(record, dict) or not record:
        message = "an empty object" if record == {} else "not an object"
        raise ValueError(message)
    said: Json = form.structure(record)
    actions = [Action(**call) for call in said.get("actions", ())]
    return Decision(actions, said.get("final_answer"), said.get("rationale"))


class _Call(TypedDict):
    name: str
    args: NotRequired[dict[str, Json] | str]
    id: NotRequired[str | None]


def _said(
    actions: Sequence[_Call] = (), final_answer: str | None = None, rationale: str | None = None
) -> None:
    """Has the signature that a decision in a file is read by."""
