"""Plugins: found, activated and asked for their tools; nothing here runs without being asked.

A plugin is an entry point of the group ``qitos_like.plugins``, a module, or a drop-in file. What it
names may be an object with ``activate(api)`` and perhaps ``deactivate()`` (a module can be one), a
toolset or its class, or anything that bears ``@tool``.
"""

import inspect
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import Self

from attrs import evolve, field, frozen

from qitos_like.core.entry import Entry, Origin
from qitos_like.core.jsontypes import Json
from qitos_like.core.lifecycle import Lifecycle
from qitos_like.core.names import check_name
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.scan import is_toolset
from qitos_like.core.spec import ToolMeta
from qitos_like.core.toolset import toolset_name

GROUP = "qitos_like.plugins"


@frozen(kw_only=True)
class Plugin:
    """A plugin that has not run yet.

    Attributes:
        id: what its tools are tagged with.
        namespace: put before their names; empty for none.
        load: runs its code and gives what it is.
        where: the file, module or package that it is in.
        version: of its package.
    """

    id: str
    namespace: str
    load: Callable[[], object] = field(repr=False)
    where: str
    version: str | None = None

    @classmethod
    def installed(cls, point: EntryPoint) -> Self:
        """The plugin of an entry point; its tools are under its name."""
        package = point.dist
        where = f"{package.name} {package.version}" if package else point.value
        return cls(
            id=point.name,
            namespace=point.name,
            load=point.load,
            where=f"{where} ({point.value})",
            version=package.version if package else None,
        )


class PluginApi:
    """What ``activate(api)`` is given.

    Attributes:
        plugin_id: the plugin's name.

    >>> api = PluginApi(Plugin(id="weather", namespace="weather", load=dict, where="here"))
    >>> def forecast(city: str) -> str:
    ...     '''Tell the weather of tomorrow.'''
    ...     return f"{city}: rain"
    >>> api.register_tool(forecast)
    >>> [entry.name for entry in api.registry]
    ['weather.forecast']
    """

    def __init__(self, plugin: Plugin) -> None:
        self.plugin_id = plugin.id
        self.registry = ToolRegistry()
        self._namespace = plugin.namespace

    def register_tool(
        self, item: object, name: str | None = None, meta: ToolMeta | None = None
    ) -> None:
        """Offer one callable or ``BaseTool``.

        Raises:
            RegistrationError: it cannot be a tool.
        """
        self.registry.register(item, name, meta, namespace=self._namespace)

    def register_toolset(self, toolset: object, namespace: str | None = None) -> None:
        """Offer a toolset's tools, below the plugin's namespace; ``""`` adds none of their own.

        Raises:
            RegistrationError: it is no toolset, or one of its tools cannot be one.
        """
        own = toolset_name(toolset) if namespace is None else namespace
        whole = ".".join(filter(None, [self._namespace, own]))
        self.registry.register_toolset(toolset, whole)

    def include(self, holder: object) -> None:
        """Offer what bears ``@tool`` in a module or an object.

        Raises:
            RegistrationError: nothing does.
        """
        self.registry.include(holder, namespace=self._namespace or None)


class Activation:
    """A plugin that is active, until the last who uses it lets go; whoever comes then wakes it."""

    def __init__(self, plugin: Plugin, found: Json) -> None:
        self._plugin = plugin
        self._found = found
        self._is_active = True

    def setup(self) -> None:
        """Activate it again, if it was deactivated; its tools are known."""
        if not self._is_active and callable(getattr(self._found, "activate", None)):
            self._found.activate(PluginApi(self._plugin))
        self._is_active = True

    def teardown(self) -> object:
        """Deactivate it."""
        self._is_active = False
        answer: object = self._found.deactivate()
        return answer


def find_installed() -> list[Plugin]:
    """The installed plugins, by name; none of their code runs."""
    points = sorted(entry_points(group=GROUP), key=lambda point: point.name)
    return [Plugin.installed(point) for point in points]


def activate(plugin: Plugin) -> list[Entry]:
    """Run a plugin; the tools that it offers, tagged as its own.

    What it raises passes, whatever that is.

    Raises:
        RegistrationError: a tool is refused, or there is none.
    """
    check_name(plugin.id)
    found: Json = plugin.load()
    if isinstance(found, type):
        found = found()
    api = PluginApi(plugin)
    activating = getattr(found, "activate", None)
    if callable(activating):
        activating(api)
    elif is_toolset(found):
        api.register_toolset(found, None if not plugin.namespace else "")
    elif inspect.isroutine(found):
        api.register_tool(found)
    else:
        api.include(found)
    origin = Origin("plugin", plugin.id, plugin.version)
    has_end = callable(getattr(found, "deactivate", None))
    life = Lifecycle(Activation(plugin, found)) if has_end else None
    return list(_tagged(api.registry, origin, life))


def _tagged(registry: ToolRegistry, origin: Origin, life: Lifecycle | None) -> Iterator[Entry]:
    """The entries as the plugin's: torn down with it, and never forced into a prompt."""
    for entry in registry:
        override = entry.override
        if entry.traits.always_include:
            override = override.merged(ToolMeta(always_include=False))
        lifecycle = entry.lifecycle if life is None else _below(life, entry.lifecycle)
        yield evolve(entry, origin=origin, override=override, lifecycle=lifecycle)


def _below(life: Lifecycle, lifecycle: Lifecycle) -> Lifecycle:
    """The lifecycle with the plugin's own as its first parent."""
    if lifecycle.owner is None and lifecycle.parent is None:
        return life
    top = lifecycle
    while top.parent is not None and top.parent is not life:
        top = top.parent
    top.parent = life
    return lifecycle
