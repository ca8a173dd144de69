"""``load_config``: agents, tools and permissions as TOML files describe them."""

import logging
import os
from collections.abc import Mapping
from pathlib import Path

from attrs import field, frozen

from qitos_like.core.jsontypes import Json
from qitos_like.core.registry import ToolRegistry
from qitos_like.run.executor import ActionExecutor
from qitos_like.run.policy import PermissionPolicy

from . import permissions
from .agents import tools_of
from .assembly import Assembled, Broken, assembled
from .layers import Layer, Sources, read_file
from .settings import AgentSettings, Said, together
from .source import TOOLSETS, NamedToolset
from .trust import Trust, entries, tightening

_log = logging.getLogger("qitos_like")

#: An agent's files are kept from being overwritten unread, which a single call could not be.
_CODING = NamedToolset(TOOLSETS["coding"].use, {"workspace_root": "."})


@frozen(eq=False)
class Config:
    """What the files say, read once and checked.

    Attributes:
        policy: the permissions of all files; each rule's ``source`` is its file and line.
        layers: what was read, the farthest first.

    >>> config = load_config(sources=Sources.nothing())
    >>> "coding.view" in config.registry(), list(config.agents)
    (True, [])
    """

    policy: PermissionPolicy
    _said: Said = field(repr=False)
    _whole: Assembled = field(repr=False)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """What was read, the farthest first."""
        return self._said.layers

    @property
    def agents(self) -> Mapping[str, AgentSettings]:
        """The agents by name."""
        return self._said.settings.agents

    @property
    def broken(self) -> tuple[Broken, ...]:
        """The plugins that were skipped, and why."""
        return self._whole.broken

    def registry(self, agent: str | None = None) -> ToolRegistry:
        """The tools of an agent, or all of them.

        Raises:
            ConfigError: there is no such agent.
        """
        return self._whole.registry if agent is None else tools_of(agent, self._said, self._whole)

    def executor(self, agent: str | None = None, **options: Json) -> ActionExecutor:
        """An executor of these tools under these permissions; options as of ``ActionExecutor``.

        Raises:
            ConfigError: there is no such agent.
        """
        return ActionExecutor(self.registry(agent), policy=self.policy, **options)


def load_config(
    path: str | os.PathLike[str] | None = None,
    *,
    sources: Sources | None = None,
    otherwise: NamedToolset = _CODING,
) -> Config:
    """The configuration of a project, with the host's and the user's beside it.

    This runs the code that the files name. A project's file that is found, and not given as
    ``path``, may name code and loosen things only if the user trusts it as it is.

    Args:
        path: the project's file; the nearest ``qitos-like.toml``, or ``pyproject.toml`` with a
            table ``[tool.qitos-like]``, from the current folder upwards if not given.
        sources: where else to look; what is usual on this machine if not given.
        otherwise: the toolset where the files name no tools.

    Raises:
        ConfigError: something in the files cannot be meant; every line begins with its place.
    """
    return config_of(read_settings(path, sources=sources), otherwise)


def config_of(said: Said, otherwise: NamedToolset = _CODING) -> Config:
    """The configuration of settings that have been read; this runs the code that they name.

    Raises:
        ConfigError: something in them cannot be meant.
    """
    whole = assembled(said, otherwise)
    policy = permissions.policy_of(said).about(whole.registry)
    permissions.check(said, whole)
    for name in said.settings.agents:
        tools_of(name, said, whole)
    return Config(policy, said, whole)


def read_settings(
    path: str | os.PathLike[str] | None = None, *, sources: Sources | None = None
) -> Said:
    """The settings of all files; nothing that they name is run.

    Raises:
        ConfigError: a file cannot be read, a key is unknown or a value is wrong.
    """
    where = sources or Sources.of_process()
    project = where.project() if path is None else read_file(Path(path), "project")
    if path is None and project is not None and not Trust(where.user_folder).holds(project):
        project = _untrusted(project)
    layers = [*where.farther(), project, where.environment()]
    return together([layer for layer in layers if layer is not None])


def _untrusted(layer: Layer) -> Layer:
    kept = tightening(layer)
    ignored = entries(layer.data) - entries(kept.data)
    if ignored:
        _log.warning(
            "%s: %s ignored, since you have not trusted this file as it is; see it, "
            "then run: qitos-like trust",
            layer.name,
            "1 entry is" if ignored == 1 else f"{ignored} entries are",
        )
    return kept
