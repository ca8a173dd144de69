"""``ToolRegistry``: the ordered set of tools that one agent may use."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from threading import RLock
from typing import NoReturn, ParamSpec, Self, TypeVar, overload

from . import intake, selection
from .claims import claimed
from .decorator import meta_from
from .entry import Entry
from .environment import Environment
from .lifecycle import Lifecycle, with_parents
from .listing import Listing
from .names import did_you_mean
from .scan import is_toolset
from .shown import Shown
from .spec import ToolMeta, ToolSpec
from .startable import Startable
from .traits import Alias

F = TypeVar("F", bound=Callable[..., object])
P = ParamSpec("P")

#: A renderer turns specs, in registration order, into text.
Renderer = Callable[[Sequence[ToolSpec]], str]


class ToolRegistry(Startable):
    """The ordered set of tools that one agent may use.

    Entries come in registration order. A registration is all or nothing, never changes the tool
    it registers, and may run while other threads read.

    >>> registry = ToolRegistry()
    >>> @registry.tool
    ... def add(a: int, b: int) -> int:
    ...     '''Add two integers.'''
    ...     return a + b
    >>> "add" in registry, [entry.name for entry in registry]
    (True, ['add'])
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        """Begin with entries of other registries, which then share these tools."""
        self._entries: dict[str, Entry] = {}
        self._aliases: dict[str, tuple[Entry, Alias]] = {}
        self._owned: dict[int, Lifecycle] = {}
        self._listing: Listing | None = None
        self._lock = RLock()
        self._add(entries)

    def register(
        self,
        item: object,
        name: str | None = None,
        meta: ToolMeta | None = None,
        *,
        namespace: str | None = None,
    ) -> Self:
        """Add one callable or ``BaseTool`` instance.

        Args:
            item: the tool.
            name: its name here, dots allowed; its own if not given.
            meta: overrides what the tool says, field by field.
            namespace: put before the name.

        Raises:
            RegistrationError: it cannot be a tool; the text says how to fix it.
            DuplicateToolError: the name is taken.
        """
        self._add([intake.entry_from(item, name, meta, namespace=namespace)])
        return self

    def include(self, obj: object, *, namespace: str | None = None) -> Self:
        """Add every public attribute of a module, class or instance that carries ``@tool``.

        An object with ``tools()`` is registered as a toolset. No property is evaluated.

        Raises:
            RegistrationError: nothing was found, or one of the tools is refused.
        """
        if is_toolset(obj):
            return self.register_toolset(obj, namespace)
        self._add(intake.entries_scanned(obj, namespace))
        return self

    def register_toolset(self, toolset: object, namespace: str | None = None) -> Self:
        """Add the tools of a toolset, under its name or the given namespace (``""`` for none).

        Raises:
            RegistrationError: it is no toolset, or one of its tools is refused; then none is added.
        """
        self._add(intake.entries_of_toolset(toolset, namespace))
        return self

    def unregister(self, name: str) -> None:
        """Take a tool out.

        Raises:
            KeyError: there is none of that name.
        """
        with self._lock:
            entry = self[name]
            del self._entries[name]
            self._listing = None
            self._aliases = {
                alias: owned for alias, owned in self._aliases.items() if owned[0] is not entry
            }

    @overload
    def tool(self, target: F, /) -> F: ...
    @overload
    def tool(self, /, **options: object) -> Callable[[F], F]: ...
    def tool(self, target: F | None = None, /, **options: object) -> F | Callable[[F], F]:
        """Register a function where it is defined, and return it; options as of ``@tool``.

        Raises:
            TypeError: an unknown option.
            RegistrationError: the function cannot be a tool.
        """
        meta = meta_from(options)

        def add(function: F) -> F:
            self.register(function, meta=meta)
            return function

        return add if target is None else add(target)

    def get(self, name: str) -> Entry | None:
        """The entry of this qualified name, or ``None``."""
        return self._entries.get(name)

    def __getitem__(self, name: str) -> Entry:
        """The entry of this qualified name.

        Raises:
            KeyError: there is none; the text names near ones.
        """
        entry = self._entries.get(name)
        if entry is None:
            message = f"no tool {name!r}{did_you_mean(name, [entry.name for entry in self])}"
            raise KeyError(message)
        return entry

    def __contains__(self, name: object) -> bool:
        """Whether a tool has this qualified name."""
        return name in self._entries

    def __iter__(self) -> Iterator[Entry]:
        """The entries as they are now, in registration order."""
        with self._lock:
            return iter(tuple(self._entries.values()))

    def __len__(self) -> int:
        """How many tools there are."""
        return len(self._entries)

    def __copy__(self) -> "ToolRegistry":
        """A registry of its own that shares the tools, and what is started for them."""
        return ToolRegistry(self)

    def __reduce__(self) -> NoReturn:
        """Always an error: tools hold what no copy can, such as connections.

        Raises:
            TypeError: always; ``copy.copy`` gives a registry that shares the tools.
        """
        message = (
            "a ToolRegistry is neither pickled nor copied deeply: build it where it is needed, or "
            "take copy.copy(registry), which shares the tools"
        )
        raise TypeError(message)

    def __repr__(self) -> str:
        """The names, in order."""
        return f"ToolRegistry({', '.join(entry.name for entry in self)})"

    def aliases(self) -> Mapping[str, tuple[Entry, Alias]]:
        """Other names that models may use, by qualified name."""
        with self._lock:
            return dict(self._aliases)

    def select(self, *patterns: str, missing: selection.Missing = "error") -> "ToolRegistry":
        """A registry of fewer tools that shares them: ``select("coding.*", "!coding.create")``.

        Raises:
            SelectionError: a pattern matches nothing, unless ``missing="ignore"``.
        """
        return ToolRegistry(selection.select(list(self), patterns, missing))

    def available(self) -> "ToolRegistry":
        """A registry of the tools that can be used right now."""
        return ToolRegistry(entry for entry in self if entry.unavailable() is None)

    def specs(self) -> list[ToolSpec]:
        """The specs under their qualified names, in registration order."""
        return [entry.spec for entry in self]

    def preflight(self, environment: Environment | None) -> list[str]:
        """What tools need and the environment does not grant, a line each; ``None`` grants all."""
        if environment is None:
            return []
        problems = []
        for entry in self:
            lacking = environment.lacks(entry.traits.permissions, entry.traits.required_ops)
            problems += [f"{entry.name} needs {what}, which is not granted" for what in lacking]
        return problems

    def listed(self) -> Shown[Entry]:
        """The entries that a model is shown: those available now, without deprecated ones."""
        return self._shown().entries()

    def get_tool_descriptions(
        self,
        renderer: Renderer | None = None,
        *,
        budget_chars: int | None = None,
        usages: Mapping[str, str] | None = None,
    ) -> str:
        """The listed tools as text for a system prompt.

        Args:
            renderer: makes the text from the specs; core's own signature lines if not given.
            budget_chars: how long core's own text may be; what is left out is said in it.
            usages: guidance in place of a tool's ``usage``, by qualified name.
        """
        if renderer is not None:
            return renderer(self._shown().specs(usages or {}))
        return self._shown().text(budget_chars, usages or {})

    def _add(self, entries: Iterable[Entry]) -> None:
        """All or none."""
        with self._lock:
            owned = dict(self._owned)
            added = [entry.among(owned) for entry in entries]
            claims = claimed(added, self._entries, self._aliases)
            self._listing, self._owned = None, owned
            self._entries |= {entry.name: entry for entry in added}
            self._aliases |= {
                name: (entry, alias) for name, (entry, alias) in claims.items() if alias is not None
            }

    def _shown(self) -> Listing:
        with self._lock:
            if self._listing is None:
                self._listing = Listing(self._entries.values())
            return self._listing

    def _lifecycles(self) -> list[Lifecycle]:
        return with_parents(entry.lifecycle for entry in self)
