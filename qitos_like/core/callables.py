"""What a callable says of itself: its name, its docstring, what it wraps."""

import inspect
import types
from collections.abc import Callable
from functools import partial

from .names import snake_case


def underlying(target: object) -> object | None:
    """The callable that this one wraps: of a method, a partial or an object with ``__call__``.

    ``None`` for a plain function and whatever has nothing below it.
    """
    if isinstance(target, partial):
        return target.func
    if isinstance(target, types.MethodType | staticmethod | classmethod):
        return target.__func__
    if isinstance(target, type | types.FunctionType | types.BuiltinFunctionType):
        return None
    call = inspect.getattr_static(type(target), "__call__", None)
    return call if isinstance(call, types.FunctionType) else None


def own_name(target: Callable[..., object]) -> str:
    """The callable's own name; of an object without one, its class's in snake case."""
    if isinstance(target, partial) and "__name__" not in vars(target):
        return own_name(target.func)
    name = getattr(target, "__name__", None)
    return name if isinstance(name, str) else snake_case(type(target).__name__)


def own_docstring(target: Callable[..., object]) -> str | None:
    """The docstring of a callable, or of the function behind it; of an object, else its class's."""
    own = getattr(target, "__dict__", {})
    if "__doc__" in own:  # as functools.update_wrapper sets it
        return own["__doc__"] if isinstance(own["__doc__"], str) else None
    if isinstance(target, partial):
        return own_docstring(target.func)
    if isinstance(target, types.FunctionType | types.MethodType | types.BuiltinFunctionType):
        return target.__doc__
    return getattr(underlying(target), "__doc__", None) or type(target).__doc__


def describe_callable(target: object) -> str:
    """Where a callable comes from, for error messages: ``app.tools.add``."""
    inner = target
    while isinstance(inner, partial):
        inner = inner.func
    name = getattr(inner, "__qualname__", None) or type(inner).__qualname__
    module = getattr(inner, "__module__", None) or type(inner).__module__
    return f"{module}.{name}"
