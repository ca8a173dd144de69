"""What would become of an action, without running anything."""

from typing import Literal

from attrs import frozen

from qitos_like.core.action import Action
from qitos_like.core.results import Err

from . import capabilities
from .permission import Permission
from .plan import Plan, Refused
from .rules import Rule


@frozen(kw_only=True)
class Preview:
    """What would become of an action.

    Attributes:
        action: what was asked.
        effect: whether it would run; ``refuse`` if it cannot.
        reason: why.
        rule: the rule that decides, if one does.
        name: the tool that would run, by its qualified name.
        text: what would be run, to read.
        repairs: what would be mended in its arguments.
    """

    action: Action
    effect: Literal["allow", "ask", "deny", "refuse"]
    reason: str
    rule: Rule | None = None
    name: str | None = None
    text: str = ""
    repairs: tuple[str, ...] = ()


def preview(plan: Plan, permission: Permission) -> Preview:
    """The steps of an action up to where it would run."""
    action = plan.action
    if isinstance(plan, Refused):
        name = None if plan.prepared is None else plan.prepared.entry.name
        reason = permission.redaction.text(plan.error.error)
        return Preview(action=action, effect="refuse", reason=reason, name=name)
    entry = plan.prepared.entry
    refused = capabilities.check(entry, permission.execution.environment)
    if isinstance(refused, Err):
        return Preview(action=action, effect="deny", reason=refused.error, name=entry.name)
    verdict = permission.verdict(plan)
    return Preview(
        action=action,
        effect=verdict.effect,
        reason=verdict.reason,
        rule=verdict.rule,
        name=entry.name,
        text=permission.preview_of(plan),
        repairs=plan.arguments.repairs,
    )
