"""From what an author hands over to registry entries; nothing is registered here."""

import warnings
from collections.abc import Callable, Iterator
from typing import cast

from qitos_like.errors import (
    DescriptionWarning,
    RegistrationError,
    ToolsetError,
)

from .base import BaseTool
from .callables import describe_callable
from .decorator import declaration_of
from .entry import Entry, Origin
from .frames import level_outside
from .function_tool import FunctionTool
from .lifecycle import Lifecycle
from .names import check_name, qualified
from .raised import describe
from .scan import declared_tools, is_toolset
from .spec import ToolMeta
from .toolset import checked_tools, own_attribute, toolset_name

_MAX_NESTING = 16


def entry_from(
    item: object, name: str | None, meta: ToolMeta | None, *, namespace: str | None
) -> Entry:
    """The entry of one callable or ``BaseTool`` instance.

    Raises:
        RegistrationError: it is neither; the text names the right call.
    """
    if isinstance(item, type):
        raise _class_instead(item)
    if not isinstance(item, BaseTool) and is_toolset(item):
        message = f"{type(item).__name__} is a toolset: use registry.register_toolset(...)"
        raise RegistrationError(message)
    if not callable(item):
        message = f"{item!r} is not a tool: register a callable or a BaseTool instance"
        raise RegistrationError(message)
    return _entry(item, name=name, meta=meta, namespace=namespace)


def entries_scanned(holder: object, namespace: str | None) -> list[Entry]:
    """The entries of what carries ``@tool`` in a module, a class or an instance.

    Raises:
        RegistrationError: there is nothing of the kind.
    """
    if isinstance(holder, BaseTool) or declaration_of(holder) is not None:
        message = f"{describe_callable(holder)} is a tool itself: use registry.register(...)"
        raise RegistrationError(message)
    found = declared_tools(holder)
    if not found:
        about = getattr(holder, "__name__", type(holder).__name__)
        message = f"{about} has no public tool: decorate its functions with @tool"
        if isinstance(holder, type):
            message += f", and include an instance, {about}(), for those that take self"
        raise RegistrationError(message, tool=about)
    return [_entry(item, namespace=namespace) for item in found]


def entries_of_toolset(toolset: object, namespace: str | None) -> list[Entry]:
    """The entries of a toolset and of those nested in it.

    A nested toolset's name is one more segment. ``namespace`` stands for the toolset's own name;
    the empty string means none.

    Raises:
        RegistrationError: the object is no toolset, or one of its tools is refused.
    """
    if isinstance(toolset, type):
        message = f"{toolset.__name__} is a class: register an instance, {toolset.__name__}(...)"
        raise ToolsetError(message, tool=toolset.__name__)
    if not is_toolset(toolset):
        message = f"{toolset!r} has no tools() method: use registry.register(...) or include(...)"
        raise ToolsetError(message)
    own = toolset_name(toolset) if namespace is None else namespace
    if own:
        check_name(own)
    return list(_walk(toolset, own))


def _walk(
    toolset: object, namespace: str, parent: Lifecycle | None = None, *, depth: int = 0
) -> Iterator[Entry]:
    name = toolset_name(toolset)
    if depth > _MAX_NESTING:
        message = f"toolset {name} is nested more than {_MAX_NESTING} deep; does it hold itself?"
        raise ToolsetError(message, tool=name)
    lifecycle = Lifecycle(toolset, parent)
    origin = Origin("toolset", name, _version(toolset))
    for item in checked_tools(toolset):
        if is_toolset(item):
            inner = ".".join(part for part in (namespace, toolset_name(item)) if part)
            yield from _walk(item, inner, lifecycle, depth=depth + 1)
        else:
            yield _entry(
                item, namespace=namespace, origin=origin, lifecycle=lifecycle, toolset=toolset
            )


def _check_meta(meta: object) -> None:
    """Refuse what says nothing of a tool.

    Raises:
        RegistrationError: it is no ``ToolMeta``.
    """
    if not (meta is None or isinstance(meta, ToolMeta)):
        message = f"meta is a ToolMeta, as in ToolMeta(description='...'), not {meta!r}"
        raise RegistrationError(message)


def _entry(
    item: object,
    *,
    name: str | None = None,
    meta: ToolMeta | None = None,
    namespace: str | None = None,
    origin: Origin | None = None,
    lifecycle: Lifecycle | None = None,
    toolset: object = None,
) -> Entry:
    _check_meta(meta)
    if isinstance(item, BaseTool):
        tool, override = item, meta or ToolMeta()
        _check_class_tool(tool, override)
        own_origin = Origin("class", describe_callable(type(item)))
    else:
        # entry_from and checked_tools let only callables through to here
        tool = FunctionTool(cast(Callable[..., object], item), meta, name=name)
        override = ToolMeta()
        own_origin = Origin("function", describe_callable(item))
    if isinstance(item, BaseTool) and (hasattr(item, "setup") or hasattr(item, "teardown")):
        lifecycle = Lifecycle(item, lifecycle)
    given = override.name if name is None else name
    own = (
        given
        if given is not None
        else (tool.name if isinstance(tool, FunctionTool) else tool.spec.name)
    )
    return Entry(
        name=qualified(namespace, own),
        tool=tool,
        origin=origin or own_origin,
        override=override,
        lifecycle=lifecycle or Lifecycle(),
        toolset=toolset,
    )


def _check_class_tool(tool: BaseTool, override: ToolMeta) -> None:
    """Return if the tool can be run as it describes itself."""
    kind = type(tool).__name__
    if getattr(tool.run, "__func__", None) is BaseTool.run:
        message = f"{kind} has no run(): write the method that does its work"
        raise RegistrationError(message, tool=kind)
    try:
        description = override.description or tool.spec.description
        _ = tool.signature  # whether run() takes what the spec promises
    except (RegistrationError, Warning):
        raise
    except Exception as error:  # user code: a spec of the author's own making
        message = f"{kind} cannot say what it takes: {describe(error)}"
        raise RegistrationError(message, tool=kind) from error
    if not description:
        warnings.warn(
            f"{kind} has no description: a model sees its name only; write a docstring or give "
            "description=...",
            DescriptionWarning,
            stacklevel=level_outside(),
        )


def _version(toolset: object) -> str | None:
    version = own_attribute(toolset, "version")
    return version if isinstance(version, str) else None


def _class_instead(item: type) -> RegistrationError:
    name = item.__name__
    if issubclass(item, BaseTool):
        right = f"register an instance, registry.register({name}(...))"
    elif callable(getattr(item, "tools", None)):
        right = f"use registry.register_toolset({name}(...)) with an instance"
    else:
        right = f"use registry.include({name}()) for its @tool methods"
    return RegistrationError(f"{name} is a class, not a tool: {right}", tool=name)
