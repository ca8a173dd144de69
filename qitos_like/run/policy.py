"""``PermissionPolicy``: what of what the environment grants a model may use, and when."""

from collections.abc import Iterable, Mapping
from typing import Self

from attrs import evolve, field, frozen

from qitos_like.core.entry import Entry
from qitos_like.core.environment import Environment
from qitos_like.core.given import check_list, one_of
from qitos_like.core.jsontypes import Json
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.results import Err

from .rules import Effect, Rule
from .subject import Subject
from .supposed import supposed

_EFFECTS: tuple[Effect, ...] = ("deny", "ask", "allow")


@frozen
class Verdict:
    """What a policy says to a call.

    Attributes:
        effect: whether it may run.
        reason: why, for the model.
        rule: the rule that decided; ``None`` for the tool's own wish, a doubt or the default.
    """

    effect: Effect
    reason: str
    rule: Rule | None = None


def _rules(rules: Iterable[Rule | str]) -> tuple[Rule, ...]:
    """The rules.

    Raises:
        TypeError: they are no list of rules.
        ValueError: a text is no rule.
    """
    check_list("the rules of a policy are", rules)
    read = tuple(Rule.parse(rule) if isinstance(rule, str) else rule for rule in rules)
    given: tuple[object, ...] = read
    odd = [each for each in given if not isinstance(each, Rule)]
    if odd:
        message = f"a rule is a text, 'deny coding.create', or a Rule, not {odd[0]!r}"
        raise TypeError(message)
    return read


@frozen
class PermissionPolicy:
    """Rules over calls: ``deny`` before ``ask`` before ``allow`` before the default.

    The order of the rules does not matter, and no rule that is added lifts the ``deny`` of
    another. Paths are compared as the workspace has them, commands one simple command at a time;
    what is not surely understood is asked for, never allowed.

    Attributes:
        rules: rules, or their texts.
        default: what holds where none does.
        registry: the tools, for ``explain``.

    >>> policy = PermissionPolicy(["deny *.run_command(git push*)"])
    >>> str(policy.rules[0]), policy.default
    ('deny *.run_command(git push*)', 'allow')
    >>> policy.explain("coding.run_command", {"command": "cd a && git push"})
    'deny: by the rule deny *.run_command(git push*)'
    """

    rules: tuple[Rule, ...] = field(default=(), converter=_rules)
    default: Effect = field(default="allow", validator=one_of(_EFFECTS))
    registry: ToolRegistry | None = field(default=None, kw_only=True, eq=False, repr=False)

    def decide(self, subject: Subject) -> Verdict:
        """What holds for a call."""
        here = [rule for rule in self.rules if rule.is_about(subject.entry)]
        by_effect = {
            effect: [rule for rule in here if rule.effect == effect] for effect in _EFFECTS
        }
        restricting = [*by_effect["deny"], *by_effect["ask"]]
        for rule in restricting:
            if rule.hits(subject):
                return _by(rule)
        if subject.entry.spec.requires_approval:
            return Verdict("ask", f"each call of {subject.entry.name} has to be approved")
        for rule in restricting:
            if not rule.parts(subject).is_certain:
                return Verdict("ask", f"it is not sure that this keeps to the rule {rule}")
        for rule in by_effect["allow"]:
            if _allows(rule, by_effect["allow"], subject):
                return _by(rule)
        return Verdict(
            self.default, f"that is the default, and no rule is about {subject.entry.name}"
        )

    def about(self, registry: ToolRegistry) -> Self:
        """The same policy, which knows the tools of a registry by their names."""
        return evolve(self, registry=registry)

    def explain(
        self,
        tool: Entry | str,
        args: Mapping[str, Json],
        *,
        environment: Environment | None = None,
    ) -> str:
        """Which rule decides over a call, and where it comes from, for people.

        Of a tool that is given by its name, ``registry`` knows what its arguments are; without one
        only those with usual names (``path``, ``command``) are taken for paths and commands, and
        tags are unknown.
        """
        subject = supposed(tool, args, registry=self.registry, environment=environment)
        if isinstance(subject, Err):
            return f"refuse: {subject.error}"
        verdict = self.decide(subject)
        rule = verdict.rule
        if rule is None:
            return f"{verdict.effect}: {verdict.reason}"
        return f"{verdict.effect}: by the rule {rule}{f', {rule.source}' if rule.source else ''}"


def _by(rule: Rule) -> Verdict:
    return Verdict(rule.effect, rule.reason or f"the rule {rule}", rule)


def _allows(rule: Rule, others: list[Rule], subject: Subject) -> bool:
    """Whether this rule, with others about the same argument, covers all of the call."""
    parts = rule.parts(subject)
    name = rule.argument(subject)
    helping = [each for each in others if each.argument(subject) == name]
    return (
        parts.is_certain
        and any(rule.covers(subject, part) for part in parts.parts)
        and all(any(each.covers(subject, part) for each in helping) for part in parts.parts)
    )
