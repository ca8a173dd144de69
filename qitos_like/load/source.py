"""A SOURCE, as commands take it, to the registry of its tools.

A SOURCE is the name of a toolset (``coding``), a module (``my_pkg.tools``), a file (``tools.py``),
or an object in one of them (``my_pkg.tools:registry``, ``tools.py:MyToolSet``). Modules are looked
up in the current folder first. Naming a module or a file runs its code.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import cast

from attrs import field, frozen

from qitos_like.core.base import BaseTool
from qitos_like.core.decorator import declaration_of
from qitos_like.core.jsontypes import Json
from qitos_like.core.names import did_you_mean
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.scan import declared_tools, is_toolset
from qitos_like.core.toolset import ToolSet
from qitos_like.errors import SourceError

from .importing import find_modules_in, import_file, import_module

_SHOWN = 8


@frozen
class NamedToolset:
    """A toolset that has a short name on the command line.

    Attributes:
        use: its class, as ``module:object``, imported when it is asked for.
        options: what the class is called with.
    """

    use: str
    options: Mapping[str, Json] = field(factory=dict)

    def load(self) -> Callable[..., object]:
        """The class; nothing in the current folder can stand in for it.

        Raises:
            SourceError: it is not installed.
        """
        module, _, name = self.use.partition(":")
        cls: Callable[..., object] = getattr(import_module(module), name)
        return cls


#: One call from the command line has read no file before, so that the ledger stays off.
TOOLSETS = {
    "coding": NamedToolset("kits:CodingToolSet", {"workspace_root": ".", "ledger": "off"}),
}


def registry_of(source: str) -> ToolRegistry:
    """The tools of a SOURCE.

    Raises:
        SourceError: it cannot be found or imported, or has no tools; the text says what it is.
        RegistrationError: one of its tools is refused.
    """
    named = TOOLSETS.get(source)
    if named is None:
        return _tools_of(load_object(source), source)
    toolset = named.load()(**named.options)
    return ToolRegistry().register_toolset(toolset, namespace=source)


def load_object(source: str) -> object:
    """The module or the object in it that a SOURCE names.

    Raises:
        SourceError: it cannot be found or imported.
    """
    place, names = _split(source)
    if place.endswith(".py") or len(Path(place).parts) > 1 or Path(place).is_file():
        found: object = import_file(Path(place))
    else:
        find_modules_in(Path.cwd())
        found = import_module(place, suggestions=TOOLSETS)
    for name in names:
        if not hasattr(found, name):
            public = [each for each in dir(found) if not each.startswith("_")]
            near = did_you_mean(name, public) or f"; {_has(public)}"
            message = f"{source}: {_kind(found)} has no {name!r}{near}"
            raise SourceError(message)
        found = getattr(found, name)
    return found


def _split(source: str) -> tuple[str, list[str]]:
    """The place, and the names that lead from it; a drive letter's colon leads nowhere."""
    place, _, path = source.rpartition(":")
    names = path.split(".")
    if place and all(name.isidentifier() for name in names):
        return place, names
    return source, []


def _tools_of(found: object, source: str) -> ToolRegistry:
    if isinstance(found, type):
        found = _made(found, source)
    for fits, tools in _SHAPES:
        if fits(found):
            registry = tools(found)
            if len(registry):
                return registry
    message = f"{source} ({_kind(found)}) has no tools{_candidates(found, source)}"
    raise SourceError(message)


def _made(cls: type, source: str) -> object:
    try:
        return cls()
    except TypeError as error:
        message = f"{source} cannot be made without arguments: {error}; name an instance of it"
        raise SourceError(message) from error


def _is_registry(found: object) -> bool:
    return isinstance(found, ToolRegistry)


def _is_tool(found: object) -> bool:
    is_function = inspect.isroutine(found) and not inspect.isbuiltin(found)
    return is_function or isinstance(found, BaseTool) or declaration_of(found) is not None


def _holds_tools(found: object) -> bool:
    return is_toolset(found) or bool(declared_tools(found))


#: What an object can be, and how its tools are had.
_SHAPES: tuple[tuple[Callable[[object], bool], Callable[[object], ToolRegistry]], ...] = (
    (_is_registry, lambda found: cast(ToolRegistry, found)),  # the predicate says so
    (_is_tool, lambda found: ToolRegistry().register(found)),
    (_holds_tools, lambda found: ToolRegistry().include(found)),
)


def _kind(found: object) -> str:
    return "a module" if inspect.ismodule(found) else f"a {type(found).__name__}"


def _candidates(found: object, source: str) -> str:
    """The registries and toolsets in a module, as SOURCEs, or what else it has."""
    if not inspect.ismodule(found):
        return ""
    names = getattr(found, "__all__", None) or [each for each in vars(found) if each[0] != "_"]
    public = {name: getattr(found, name, None) for name in names}
    holders = [name for name, value in public.items() if _could_hold(value)]
    if holders:
        return "; did you mean " + " or ".join(f"{source}:{name}" for name in holders) + "?"
    return f": nothing in it bears @tool ({_has(public)})"


def _has(names: Iterable[str]) -> str:
    return f"it has {', '.join(list(names)[:_SHOWN]) or 'nothing public'}"


def _could_hold(value: object) -> bool:
    """Whether a module's attribute has tools, or is a class whose instances may have."""
    if isinstance(value, type):
        return issubclass(value, BaseTool | ToolSet) and value not in {BaseTool, ToolSet}
    return isinstance(value, ToolRegistry) or (not _is_tool(value) and _holds_tools(value))
