"""From settings to a registry: toolsets made, plugins activated, tools given their options."""

import json
import logging
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from attrs import frozen

from qitos_like.core.entry import Entry
from qitos_like.core.raised import describe
from qitos_like.core.registry import ToolRegistry
from qitos_like.errors import ConfigError, DuplicateToolError
from qitos_like.run.configured import configured
from qitos_like.run.options import OptionsError
from qitos_like.run.tables import unknown

from .dropins import find_dropins
from .importing import find_modules_in, import_module, is_module_name
from .plugins import Plugin, activate, find_installed
from .settings import Said, Spot
from .source import NamedToolset
from .toolsets import entries_of

_log = logging.getLogger("qitos_like")


@frozen
class Broken:
    """A plugin that was skipped.

    Attributes:
        plugin: which.
        error: what it raised.
    """

    plugin: Plugin
    error: BaseException


@frozen
class Assembled:
    """What settings come to.

    Attributes:
        registry: every tool.
        broken: the plugins that were skipped.
    """

    registry: ToolRegistry
    broken: tuple[Broken, ...] = ()

    def excuses(self, pattern: str) -> bool:
        """Whether a name that means nothing may be of a plugin that was skipped."""
        spaces = [each.plugin.namespace for each in self.broken]
        return any(not space or pattern.startswith(f"{space}.") for space in spaces)


def assembled(said: Said, otherwise: NamedToolset) -> Assembled:
    """Every tool that the settings name; this runs the code that they name.

    Args:
        said: the settings.
        otherwise: the toolset where they name no tools at all.

    Raises:
        ConfigError: something is not there, cannot be made, or has a name that is taken.
    """
    registry = ToolRegistry()
    broken: list[Broken] = []
    if not names_tools(said):
        registry.register_toolset(otherwise.load()(**otherwise.options))
    for name in said.settings.toolsets:
        spot = said.at("toolsets", name)
        registry = _with(registry, entries_of(spot), spot)
    for spot, plugin in named_plugins(said):
        try:
            entries = activate(plugin)
        except (Exception, SystemExit) as error:  # user code: the others go on without it
            _raise_if_missing(error, plugin, spot)
            message = "the plugin %s, %s, was skipped: %s"
            _log.warning(message, plugin.id, plugin.where, describe(error), exc_info=True)
            broken.append(Broken(plugin, error))
        else:
            registry = _with(registry, entries, spot)
    whole = Assembled(registry, tuple(broken))
    return Assembled(ToolRegistry(_with_options(whole, said)), whole.broken)


def named_plugins(said: Said) -> Iterator[tuple[Spot, Plugin]]:
    """The plugins that the settings name, and where; none of their code runs.

    Raises:
        ConfigError: one is not there.
    """
    plugins, spot = said.settings.plugins, said.at("plugins")
    for index, name in enumerate(plugins.modules):
        here = spot.at("modules", index)
        if not is_module_name(name):
            message = f"modules: {name!r} is no module: write my_pkg.tools{_as_module(name)}"
            raise here.error(message)
        if here.layer.kind == "project":
            find_modules_in(here.layer.folder)
        load = partial(import_module, name)
        yield here, Plugin(id=name, namespace="", load=load, where=f"module {name}")
    for index, name in enumerate(plugins.directories):
        here = spot.at("directories", index)
        for plugin in _dropins(name, here):
            yield here, plugin
    for index, name in enumerate(plugins.enabled):
        here = spot.at("enabled", index)
        yield here, _installed(name, here)


def _dropins(name: str, spot: Spot) -> list[Plugin]:
    folder = spot.layer.folder / Path(name).expanduser()
    if not folder.is_dir():
        beside = [str(Path(name).parent / each.name) for each in folder.parent.glob("*/")]
        raise spot.error(unknown("folder", name, beside))
    try:
        return list(find_dropins(folder))
    except OSError as error:
        message = f"the folder {name} cannot be read: {error.strerror}"
        raise spot.error(message) from error


def _as_module(path: str) -> str:
    """What a path to a file would be as a module."""
    dotted = path.removesuffix(".py").strip("./").replace("/", ".")
    is_meant = path.endswith(".py") and is_module_name(dotted)
    return f"; did you mean {dotted!r}?" if is_meant else ""


def _installed(name: str, spot: Spot) -> Plugin:
    installed = find_installed()
    named = [plugin for plugin in installed if plugin.id == name]
    if not named:
        raise spot.error(unknown("plugin", name, [each.id for each in installed]))
    if len(named) > 1:
        places = " and ".join(each.where for each in named)
        message = f"{name!r} is the name of several plugins: {places}"
        raise spot.error(message)
    return named[0]


def _raise_if_missing(error: BaseException, plugin: Plugin, spot: Spot) -> None:
    """A module that is not there is a name that was misspelt, and no broken plugin."""
    cause = error.__cause__
    missing = cause.name if isinstance(cause, ModuleNotFoundError) else None
    if spot.steps[1] == "modules" and missing and f"{plugin.id}.".startswith(f"{missing}."):
        raise spot.error(str(error)) from error


def names_tools(said: Said) -> bool:
    """Whether the settings name any tools."""
    plugins = said.settings.plugins
    return bool(said.settings.toolsets or plugins.modules or plugins.directories or plugins.enabled)


def _with(registry: ToolRegistry, entries: Iterable[Entry], spot: Spot) -> ToolRegistry:
    try:
        return ToolRegistry([*registry, *entries])
    except DuplicateToolError as error:
        raise spot.error(str(error)) from error


def _with_options(whole: Assembled, said: Said) -> list[Entry]:
    entries = {entry.name: entry for entry in whole.registry}
    problems: list[str] = []
    for name, table in said.settings.tools.items():
        spot = said.at("tools", name)
        if name not in entries:
            problems += [] if whole.excuses(name) else [f"{spot}: {_no_tool(name, table, entries)}"]
            continue
        try:
            entries[name] = configured(entries[name], table)
        except OptionsError as error:
            problems += spot.errors(error.problems).problems
    if problems:
        raise ConfigError(problems)
    return list(entries.values())


def _no_tool(name: str, table: Iterable[str], known: Iterable[str]) -> str:
    """That there is no tool of this name, which may be the first part of a longer one."""
    whole = [f"{name}.{key}" for key in table if f"{name}.{key}" in known]
    if whole:
        return f"a name with dots is quoted: write [tools.{json.dumps(whole[0])}]"
    return unknown("tool", name, known)
