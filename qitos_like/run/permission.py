"""Whether a call may run: what the host grants, then what rules and a person allow."""

import inspect
import json
import logging
from functools import partial
from typing import assert_never

from attrs import field, frozen
from attrs.validators import is_callable, optional

from qitos_like.core.given import instance
from qitos_like.core.marks import CommandArg
from qitos_like.core.raised import describe
from qitos_like.core.redaction import Redaction
from qitos_like.core.results import Err, ErrorCode, Ok
from qitos_like.core.safe_text import visible

from . import capabilities
from .approvals import Approval, ApprovalRequest, Approvals, Approver, digest_of
from .call import FunctionCall
from .commands import split
from .events import CallDecided
from .execution import Execution
from .nesting import Place
from .plan import Ready
from .policy import PermissionPolicy, Verdict
from .rules import Effect
from .shell_text import scan
from .subject import Subject

#: What the words of a command do not show.
_NOT_IN_WORDS = frozenset("'\"\\<>")

_log = logging.getLogger("qitos_like")


@frozen(eq=False)
class Permission:
    """What one executor's actions are allowed.

    Attributes:
        policy: rules over what is granted; ``None`` allows it all.
        approve: asked where a person has to allow a call.
        execution: has what the host grants, and runs what the host gave.
        redaction: hides secrets from what a person reads.
        approvals: what waits for a person, and what was allowed for good.
    """

    policy: PermissionPolicy | None = field(validator=instance(PermissionPolicy, or_none=True))
    approve: Approver | None = field(validator=optional(is_callable()))
    execution: Execution
    redaction: Redaction
    approvals: Approvals = field(factory=Approvals, init=False)

    @property
    def is_there(self) -> bool:
        """Whether anything but a tool's own wish could keep an action from running."""
        return self.policy is not None or self.execution.environment is not None

    async def check(self, plan: Ready, place: Place) -> Ready | Err:
        """The action as it may run, or why not."""
        refused = capabilities.check(plan.prepared.entry, self.execution.environment)
        if refused is not None:
            return refused
        if self.policy is None and not plan.prepared.spec.requires_approval:
            return plan
        verdict = self.verdict(plan)
        place.caller.sinks.tell(
            CallDecided(action=plan.action, effect=verdict.effect, rule=verdict.rule)
        )
        if verdict.effect == "ask":
            return await self._ask(plan, verdict, place)
        return plan if verdict.effect == "allow" else _denied(plan, verdict.reason)

    def verdict(self, plan: Ready) -> Verdict:
        """What the policy says; one that raises denies."""
        subject = Subject(
            entry=plan.prepared.entry,
            args=plan.arguments.given,
            environment=self.execution.environment,
        )
        try:
            return (self.policy or PermissionPolicy()).decide(subject)
        except Exception as error:  # user code: a policy of the host's own
            _log.warning("the policy raised", exc_info=True)
            return Verdict("deny", f"the policy failed: {describe(error)}")

    def preview_of(self, plan: Ready) -> str:
        """What would be run, to read: a command, or its simple commands; else the arguments."""
        return visible(self.redaction.text(_preview_of(plan)))

    async def _ask(self, plan: Ready, verdict: Verdict, place: Place) -> Ready | Err:
        digest = digest_of(plan.prepared.entry.name, plan.arguments.given)
        if self.approvals.is_granted(digest):
            return plan
        if place.caller.approval == digest and self.approvals.redeem(digest):
            return plan
        request = ApprovalRequest(
            action=plan.action,
            spec=plan.prepared.spec,
            args=plan.arguments.given,
            rule=verdict.rule,
            reason=verdict.reason,
            preview=self.preview_of(plan),
            digest=digest,
            user=self.execution.user,
        )
        answer: object = place.caller.approval
        if isinstance(answer, Approval):
            self.approvals.redeem(digest)
        elif self.approve is not None:
            answer = await self._answer_of(self.approve, request, place)
        else:
            self.approvals.wait_for(request)
            return _unanswered(plan, verdict.reason)
        answered = self._answered(plan, request, answer)
        effect: Effect = "deny" if isinstance(answered, Err) else "allow"
        place.caller.sinks.tell(
            CallDecided(action=plan.action, effect=effect, rule=verdict.rule, by="approver")
        )
        return answered

    async def _answer_of(self, approve: Approver, request: ApprovalRequest, place: Place) -> object:
        """What a person says; an approver that raises refuses."""
        is_async = inspect.iscoroutinefunction(approve)
        call = _Question("the approver", partial(approve, request), is_async=is_async)
        result = await self.execution.invoker.invoke(call, place.host)
        if isinstance(result, Ok):
            return result.value
        _log.warning("%s", result.error)
        return Approval.deny("nobody could be asked")

    def _answered(self, plan: Ready, request: ApprovalRequest, answer: object) -> Ready | Err:
        if answer is True:
            return plan
        if not isinstance(answer, Approval):
            return _denied(plan, "it was not approved")
        match answer.kind:
            case "once":
                return plan
            case "run":
                self.approvals.grant(request.digest)
                return plan
            case "deny":
                return _denied(plan, answer.reason or "it was not approved")
            case "edit":
                return self._edited(plan, answer.args)
            case _:
                assert_never(answer.kind)

    def _edited(self, plan: Ready, args: object) -> Ready | Err:
        """The action with other arguments, which are checked like any."""
        arguments = plan.prepared.checker.check(args)
        if isinstance(arguments, Err):
            return arguments
        edited = plan.with_arguments(arguments.noted("$: edited by who approved it"))
        verdict = self.verdict(edited)
        return _denied(edited, verdict.reason) if verdict.effect == "deny" else edited


class _Question(FunctionCall):
    """A call that waits for a person, with threads of its own: tools do not wait for those."""

    __slots__ = ()

    @property
    def depth(self) -> int:
        """None of the actions'."""
        return -1


def _preview_of(plan: Ready) -> str:
    given = dict(plan.arguments.given)
    command = plan.prepared.entry.tool.signature.marked(CommandArg)
    text = None if command is None else given.get(command)
    if not isinstance(text, str):
        return json.dumps(given, ensure_ascii=False, indent=2)
    is_plain = text.replace("\n", "").isprintable() and _NOT_IN_WORDS.isdisjoint(text)
    if is_plain and split(text).is_certain:
        text = "\n".join(" ".join(words.texts) for words in scan(text))
    rest = {name: value for name, value in given.items() if name != command}
    return f"{text}\n{json.dumps(rest, ensure_ascii=False)}" if rest else text


def _denied(plan: Ready, reason: str) -> Err:
    message = f"{plan.prepared.entry.name} was not run: {reason}"
    return Err(ErrorCode.DENIED, message, hint="do it another way, or ask", retryable=False)


def _unanswered(plan: Ready, reason: str) -> Err:
    message = f"{plan.prepared.entry.name} was not run: a person has to allow it ({reason})"
    return Err(ErrorCode.NEEDS_APPROVAL, message, hint="say what it is needed for, and wait")
