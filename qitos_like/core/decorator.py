"""``@tool``: says of a callable that it is a tool, and leaves it as it is."""

import inspect
import types
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Generic, ParamSpec, TypeVar, cast, overload

from attrs import field, frozen

from ._first_use import read_signature
from .callables import underlying
from .frames import annotation_locals
from .names import near_names
from .schema._lazy import object_schema
from .spec import ToolMeta, meta_fields

ATTRIBUTE = "__qitos_tool__"

F = TypeVar("F")
P = ParamSpec("P")


@frozen
class Declaration:
    """What ``@tool`` leaves on its target.

    Attributes:
        meta: what the author said.
        namespace: local names of the decorating frame that the annotations mention.
    """

    meta: ToolMeta
    namespace: Mapping[str, object] = field(factory=dict)


def declaration_of(target: object) -> Declaration | None:
    """What ``@tool`` left on this object, or on the callable it wraps; ``None`` if nothing."""
    seen: object = target
    while seen is not None:
        found = _attributes(seen).get(ATTRIBUTE)
        if isinstance(found, Declaration):
            return found
        seen = underlying(seen)
    return None


def meta_from(options: Mapping[str, object]) -> ToolMeta:
    """The keywords of ``@tool`` as a ``ToolMeta``.

    Raises:
        TypeError: an unknown keyword; the text names the nearest right one.
    """
    known = meta_fields()
    for name in options:
        if name not in known:
            near = near_names(name, known, limit=1)
            guess = f"; did you mean {near[0]!r}?" if near else f"; known: {', '.join(known)}"
            message = f"@tool has no option {name!r}{guess}"
            raise TypeError(message)
    return ToolMeta(**cast(dict[str, Any], dict(options)))  # the names were checked above


class _Tool(Generic[P]):
    """The type of ``tool``; its options are exactly the fields of ``ToolMeta``."""

    def __init__(self, _options: Callable[P, ToolMeta]) -> None:
        self.__name__ = "tool"
        self.__doc__ = _tool.__doc__

    @overload
    def __call__(self, target: F, /) -> F: ...
    @overload
    def __call__(self, *args: P.args, **options: P.kwargs) -> Callable[[F], F]: ...
    def __call__(self, *args: object, **options: object) -> object:
        return _tool(*args, **options)


def _tool(*args: object, **options: object) -> object:
    """Declare a tool: ``@tool``, ``@tool()`` or ``@tool(name=..., timeout_s=..., ...)``.

    The target gets metadata and is returned as it is: a function stays callable, picklable and,
    if async, awaitable. It may be a function of any kind, a method, a ``staticmethod`` or
    ``classmethod`` in either order, a ``functools.partial`` or a callable object.

    Options are the fields of ``ToolMeta``: ``name``, ``description``, ``parameters`` (an explicit
    JSON Schema), ``usage``, ``timeout_s``, ``permissions``, ``parallel_safe`` and so on.

    Raises:
        TypeError: an unknown option, or a target that cannot carry metadata.
        SignatureError: ``parameters`` and the function's own parameters do not fit.
    """
    if len(args) > 1:
        message = "@tool takes one target; options are keywords: @tool(name=..., ...)"
        raise TypeError(message)
    meta = meta_from(options)
    if args:
        return _declare(args[0], meta)
    return partial(_declare, meta=meta)


tool = _Tool(ToolMeta)


def _declare(target: F, meta: ToolMeta) -> F:
    carrier = target.__func__ if isinstance(target, staticmethod | classmethod) else target
    _check_carrier(carrier)
    namespace = annotation_locals(carrier)
    if meta.parameters is not None and not _in_class_body(carrier):
        schema = object_schema(meta.parameters, meta.required, tool=meta.name)
        read_signature(
            cast(Callable[..., object], carrier),  # _check_carrier saw that it is callable
            namespace=namespace,
            explicit=schema,
            tool=meta.name,
        )
    try:
        setattr(carrier, ATTRIBUTE, Declaration(meta, namespace))
    except AttributeError:
        raise _cannot_carry(carrier) from None
    return target


def _check_carrier(target: object) -> None:
    if isinstance(target, type):
        message = (
            f"@tool does not go on a class: decorate methods of {target.__name__}, or subclass "
            "BaseTool and register an instance"
        )
        raise TypeError(message)
    if isinstance(target, types.MethodType | types.BuiltinFunctionType):
        raise _cannot_carry(target)
    if not callable(target):
        message = f"@tool goes on a callable, not on {target!r}"
        raise TypeError(message)


def _cannot_carry(target: object) -> TypeError:
    return TypeError(
        f"{target!r} cannot carry metadata: use registry.register(obj, meta=ToolMeta(...)) instead"
    )


def _in_class_body(target: object) -> bool:
    """Whether the function is being defined in a class, so that its first parameter is ``self``."""
    outer = getattr(target, "__qualname__", "").rpartition(".")[0]
    return inspect.isfunction(target) and bool(outer) and not outer.endswith("<locals>")


def _attributes(target: object) -> Mapping[str, object]:
    """The object's own attributes, without asking it for any."""
    if isinstance(target, type):
        return {}
    attributes = getattr(target, "__dict__", None)
    return attributes if isinstance(attributes, dict) else {}
