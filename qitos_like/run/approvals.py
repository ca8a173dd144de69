"""Asking a person whether a call may run, and keeping to what was answered."""

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from threading import Lock
from typing import Literal, Self

from attrs import field, frozen

from qitos_like.core.action import Action
from qitos_like.core.jsontypes import Json
from qitos_like.core.spec import ToolSpec

from .rules import Rule

#: A model may ask for ever other calls, and a host may never answer.
_MOST_PENDING = 1_000


@frozen(kw_only=True)
class ApprovalRequest:
    """A call that a person has to allow.

    Attributes:
        action: what the model asked for.
        spec: the tool that would run.
        args: its arguments, checked.
        rule: the rule that asks; ``None`` if it is the tool's own wish, or a doubt.
        reason: why it is asked for.
        preview: what would be run, to read.
        digest: stands for exactly this tool with these arguments; never shown to a model.
        user: whoever the executor works for.

    >>> def approve(request: ApprovalRequest) -> Approval:
    ...     return Approval.once() if request.preview == "ls" else Approval.deny("only ls")
    """

    action: Action
    spec: ToolSpec = field(repr=False)
    args: Mapping[str, Json]
    rule: Rule | None
    reason: str
    preview: str
    digest: str = field(repr=False)
    user: object = field(default=None, repr=False)


@frozen(kw_only=True)
class Approval:
    """A person's answer; made by its class methods.

    Attributes:
        kind: what it comes to.
        reason: why not, for the model.
        args: other arguments to run with.

    >>> Approval.deny("not on a Friday").reason
    'not on a Friday'
    """

    kind: Literal["once", "run", "deny", "edit"]
    reason: str | None = None
    args: Mapping[str, Json] | None = None

    @classmethod
    def once(cls) -> Self:
        """This call may run."""
        return cls(kind="once")

    @classmethod
    def for_run(cls) -> Self:
        """This call may run, and the same again as long as the executor lives."""
        return cls(kind="run")

    @classmethod
    def deny(cls, reason: str) -> Self:
        """This call may not run; the model is told why."""
        return cls(kind="deny", reason=reason)

    @classmethod
    def edit(cls, args: Mapping[str, Json]) -> Self:
        """The tool may run with these arguments instead."""
        return cls(kind="edit", args=args)


#: What a person says to a call: a request that is allowed, or an answer to the one there will be.
Consent = ApprovalRequest | Approval
#: Answers a request: ``True`` or an ``Approval``; anything else refuses.
Approver = Callable[[ApprovalRequest], object]


class Approvals:
    """What waits for a person's answer, and what was allowed for as long as the executor lives."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pending: dict[str, ApprovalRequest] = {}
        self._granted: set[str] = set()

    @property
    def pending(self) -> tuple[ApprovalRequest, ...]:
        """The requests that nobody answered yet, the oldest first."""
        return tuple(self._pending.values())

    def wait_for(self, request: ApprovalRequest) -> None:
        """Nobody can be asked now; of very many the oldest is forgotten."""
        with self._lock:
            self._pending[request.digest] = request
            if len(self._pending) > _MOST_PENDING:
                del self._pending[next(iter(self._pending))]

    def grant(self, digest: str) -> None:
        """The same call may run from now on."""
        with self._lock:
            self._granted.add(digest)

    def is_granted(self, digest: str) -> bool:
        """Whether the same call was allowed for good."""
        return digest in self._granted

    def redeem(self, digest: str) -> bool:
        """Use up the answer to a waiting request; whether there was one."""
        with self._lock:
            return self._pending.pop(digest, None) is not None


def digest_of(name: str, args: Mapping[str, Json]) -> str:
    """What stands for a tool with its arguments, whatever the order of these."""
    text = json.dumps([name, args], sort_keys=True, ensure_ascii=True)
    return sha256(text.encode()).hexdigest()
