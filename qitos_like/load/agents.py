"""What one agent of a configuration has: its tools, and what it is told about them."""

from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve

from qitos_like.core.entry import Entry
from qitos_like.core.names import did_you_mean
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.selection import matches
from qitos_like.core.spec import ToolMeta
from qitos_like.errors import ConfigError
from qitos_like.run.tables import unknown

from .assembly import Assembled
from .settings import Said, Spot


def tools_of(name: str, said: Said, whole: Assembled) -> ToolRegistry:
    """The tools that an agent has, with its own guidance.

    Raises:
        ConfigError: there is no such agent, or one of its patterns matches nothing; all are told.
    """
    agent = said.settings.agents.get(name)
    if agent is None:
        raise ConfigError([unknown_agent(name, said.settings.agents)])
    tools = agent.tools
    spot = said.at("agents", name, "tools")
    problems = [
        *_unmatched(tools.enabled or (), whole, spot.at("enabled")),
        *_unmatched(tools.disabled, whole, spot.at("disabled")),
        *_unused(tools.usages, whole, spot.at("usages")),
    ]
    if problems:
        raise ConfigError(problems)
    kept = (
        entry
        for entry in whole.registry
        if (tools.enabled is None or _any(entry, tools.enabled)) and not _any(entry, tools.disabled)
    )
    return ToolRegistry(_guided(entry, tools.usages.get(entry.name)) for entry in kept)


def unknown_agent(name: str, agents: Iterable[str]) -> str:
    """That there is no such agent, and what there is or what to do."""
    known = list(agents)
    none = "" if known else "; the configuration has none: add [agents.NAME] to it"
    return unknown("agent", name, known) + none


def candidates(registry: ToolRegistry) -> list[str]:
    """What patterns may mean: names, namespaces and tags."""
    names = {entry.name for entry in registry}
    spaces = {f"{entry.namespace}.*" for entry in registry if entry.namespace}
    tags = {f"tag:{tag}" for entry in registry for tag in entry.traits.tags}
    return sorted(names | spaces | tags)


def _unmatched(patterns: Sequence[str], whole: Assembled, spot: Spot) -> Iterator[str]:
    for index, pattern in enumerate(patterns):
        if any(matches(entry, pattern) for entry in whole.registry) or whole.excuses(pattern):
            continue
        near = did_you_mean(pattern, candidates(whole.registry), 1)
        yield f"{spot.at(index)}: the pattern {pattern!r} matches no tool{near}"


def _unused(usages: Iterable[str], whole: Assembled, spot: Spot) -> Iterator[str]:
    names = [entry.name for entry in whole.registry]
    for name in usages:
        if name not in names and not whole.excuses(name):
            yield f"{spot.at(name)}: {unknown('tool', name, names)}"


def _any(entry: Entry, patterns: Sequence[str]) -> bool:
    return any(matches(entry, pattern) for pattern in patterns)


def _guided(entry: Entry, usage: str | None) -> Entry:
    if usage is None:
        return entry
    return evolve(entry, override=entry.override.merged(ToolMeta(usage=usage)))
