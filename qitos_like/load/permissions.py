"""The permissions of all layers as one policy; each rule knows where it is written."""

import logging
import re
from collections.abc import Iterable

from qitos_like.core.entry import Entry
from qitos_like.core.names import did_you_mean
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.schema.problems import json_path
from qitos_like.errors import ConfigError
from qitos_like.run.policy import PermissionPolicy
from qitos_like.run.rules import Effect, Rule

from .agents import candidates
from .assembly import Assembled
from .layers import Layer
from .settings import Said, permissions_of

_log = logging.getLogger("qitos_like")

#: The strictest first.
_EFFECTS: tuple[Effect, ...] = ("deny", "ask", "allow")
_NAMED = re.compile(r"([A-Za-z_][\w-]*)=", re.DOTALL)


def policy_of(said: Said) -> PermissionPolicy:
    """The union of what the layers say: no layer takes a rule of another away.

    Raises:
        ConfigError: rules that are none; all are told.
    """
    default: Effect = "allow"
    for layer in said.layers:
        default = min(default, permissions_of(layer).default or "allow", key=_EFFECTS.index)
    return PermissionPolicy([rule for _, rule in _rules(said)], default)


def check(said: Said, whole: Assembled) -> None:
    """Return if every rule can match.

    One that matches nothing is an error in the file of the project that the tools are of.
    Elsewhere it may be meant for other projects: there a near miss is logged.

    Raises:
        ConfigError: rules that can never match; all are told.
    """
    problems = [line for layer, rule in _rules(said) for line in _idle(rule, layer, whole)]
    if problems:
        raise ConfigError(problems)


def _rules(said: Said) -> list[tuple[Layer, Rule]]:
    rules: list[tuple[Layer, Rule]] = []
    problems: list[str] = []
    for layer in said.layers:
        own = permissions_of(layer)
        for effect, texts in zip(_EFFECTS, (own.deny, own.ask, own.allow), strict=True):
            for index, text in enumerate(texts):
                place = layer.place(json_path(("permissions", effect, index)))
                try:
                    rules.append((layer, Rule.parse(f"{effect} {text}", place)))
                except ValueError:
                    wanted = "write coding.run_command(git push*), tag:network or *"
                    problems.append(f"{place}: {text!r} is no rule; {wanted}")
    if problems:
        raise ConfigError(problems)
    return rules


def _idle(rule: Rule, layer: Layer, whole: Assembled) -> list[str]:
    """Why a rule never matches, if that is an error; else it is logged, or it is fine."""
    reason = _why_idle(rule, whole.registry)
    if not reason or whole.excuses(rule.tools):
        return []
    if layer.is_trusted and layer.kind in {"project", "environment"}:
        return [f"{rule.source}: {reason}"]
    if "did you mean" in reason and layer.is_trusted:
        _log.warning("%s: %s", rule.source, reason)
    return []


def _why_idle(rule: Rule, registry: ToolRegistry) -> str:
    about = [entry for entry in registry if rule.is_about(entry)]
    if not about:
        near = did_you_mean(rule.tools, candidates(registry), 1)
        return f"the pattern {rule.tools!r} matches no tool{near}"
    named = _NAMED.match(rule.pattern or "")
    arguments = _arguments(about)
    if named and named[1] not in arguments:
        near = did_you_mean(named[1], arguments, 1)
        return f"unknown argument {named[1]!r}{near}" if near else ""
    return ""


def _arguments(entries: Iterable[Entry]) -> set[str]:
    return {name for entry in entries for name in entry.spec.input_schema.get("properties", {})}
