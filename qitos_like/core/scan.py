"""Finding what carries ``@tool`` in a module, a class or an instance, evaluating nothing."""

import inspect
import types
from collections.abc import Callable, Iterator
from functools import _lru_cache_wrapper
from typing import cast

from .base import BaseTool
from .decorator import declaration_of

ToolLike = BaseTool | Callable[..., object]


def declared_tools(holder: object) -> list[ToolLike]:
    """The public tools of a module, a class or an instance, in the order written, each once.

    A module's ``__all__`` decides where it has one. Of a class only what needs no instance is
    found. Methods of an instance come bound. No property or other descriptor is evaluated.
    """
    found: dict[int, ToolLike] = {}
    for name, raw in _public_attributes(holder):
        item = _tool_at(holder, name, raw)
        if item is not None:
            found.setdefault(id(raw), item)
    return list(found.values())


def is_toolset(item: object) -> bool:
    """Whether an object has a ``tools()`` method; a class has none, its instances may."""
    if isinstance(item, type | BaseTool) or declaration_of(item) is not None:
        return False
    tools = inspect.getattr_static(item, "tools", None)
    return callable(tools) or isinstance(tools, staticmethod | classmethod)


def _public_attributes(holder: object) -> Iterator[tuple[str, object]]:
    for name, raw in _attributes(holder).items():
        if not name.startswith("_"):
            yield name, raw


def _attributes(holder: object) -> dict[str, object]:
    """Names to raw attributes; a subclass's override stands where the base class wrote it."""
    if isinstance(holder, types.ModuleType):
        names = vars(holder).get("__all__")
        everything = vars(holder)
        return dict(everything) if names is None else _only(everything, names)
    kind = holder if isinstance(holder, type) else type(holder)
    merged: dict[str, object] = {}
    for base in reversed(kind.__mro__):
        merged.update(vars(base))
    if not isinstance(holder, type):
        own = getattr(holder, "__dict__", None)
        merged.update(own if isinstance(own, dict) else {})
    return merged


def _only(attributes: dict[str, object], names: object) -> dict[str, object]:
    listed = names if isinstance(names, list | tuple) else ()
    return {name: attributes[name] for name in listed if name in attributes}


def _tool_at(holder: object, name: str, raw: object) -> ToolLike | None:
    """The tool behind a raw attribute, bound where it has to be; ``None`` if it is no tool."""
    if isinstance(raw, BaseTool):
        return raw
    if declaration_of(raw) is None:
        return None
    bound = raw if isinstance(holder, types.ModuleType) else _bound(holder, name, raw)
    return cast(ToolLike, bound) if callable(bound) else None  # it carries @tool


#: What becomes a method where a class holds it.
_METHODS = (types.FunctionType, _lru_cache_wrapper)


def _bound(holder: object, name: str, raw: object) -> object:
    """What attribute access would give, for the kinds whose access runs no code of the author.

    ``None`` for a method where there is no instance to bind it to.
    """
    if isinstance(holder, type):
        if isinstance(raw, _METHODS):
            return None
        return raw.__get__(None, holder) if isinstance(raw, staticmethod | classmethod) else raw
    if getattr(holder, "__dict__", {}).get(name) is raw:
        return raw
    if isinstance(raw, _METHODS):
        return types.MethodType(raw, holder)
    if isinstance(raw, staticmethod | classmethod):
        return raw.__get__(holder, type(holder))
    return raw
