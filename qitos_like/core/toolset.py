"""``ToolSet``, the base class of toolsets, and what any object with ``tools()`` must keep."""

from collections.abc import Iterable, Sequence
from functools import cached_property

from qitos_like.errors import ToolsetError

from .names import snake_case
from .raised import describe
from .scan import declared_tools, is_toolset


class ToolSet:
    """A group of tools that share state: a base class whose ``@tool`` methods are its tools.

    Any object with a ``tools()`` method is a toolset; this class only gives a good one. A
    subclass may have ``setup()``, ``teardown()`` (sync or async) and ``version``.

    >>> from qitos_like.core.decorator import tool
    >>> class MathToolSet(ToolSet):
    ...     @tool
    ...     def double(self, number: int) -> int:
    ...         '''Twice a number.'''
    ...         return 2 * number
    >>> MathToolSet().name, [each.__name__ for each in MathToolSet().tools()]
    ('math', ['double'])
    """

    @cached_property  # not a property: an instance may set its own
    def name(self) -> str:
        """The namespace of its tools, unless another is given at registration."""
        return default_name(self)

    def tools(self) -> Sequence[object]:
        """Its own ``@tool`` methods, bound, in the order written."""
        return declared_tools(self)

    def instructions(self) -> str:
        """Text for the prompt ahead of the toolset's tools; empty for none."""
        return ""


def default_name(toolset: object) -> str:
    """The class name in snake case, without its ``ToolSet`` ending: ``math``."""
    kind = type(toolset).__name__
    return snake_case(kind.removesuffix("ToolSet").removesuffix("Toolset") or kind)


def toolset_name(toolset: object) -> str:
    """The toolset's ``name`` if it has one, else the default."""
    name = own_attribute(toolset, "name")
    return name if isinstance(name, str) else default_name(toolset)


def own_attribute(toolset: object, name: str) -> object:
    """What a toolset says of itself; ``None`` if it does not.

    Raises:
        ToolsetError: its property raised.
    """
    try:
        return getattr(toolset, name, None)
    except Exception as error:  # user code: whatever it raises is the author's mistake here
        owner = type(toolset).__name__
        message = f"{owner}.{name} raised {describe(error)}"
        raise ToolsetError(message, tool=owner) from error


def checked_tools(toolset: object) -> list[object]:
    """What ``tools()`` returns, each a callable, a ``BaseTool`` or a nested toolset.

    Raises:
        ToolsetError: ``tools()`` raised, or returned something else; or it is that of ``ToolSet``,
            and no method bears ``@tool``.
    """
    owner = type(toolset).__name__
    try:
        returned = toolset.tools()  # type: ignore[attr-defined]  # is_toolset saw the method
        items = list(returned) if isinstance(returned, Iterable) else None
    except Exception as error:  # user code: whatever it raises is the author's mistake here
        message = f"{owner}.tools() raised {describe(error)}"
        raise ToolsetError(message, tool=owner) from error
    if items is None or isinstance(returned, str | dict):
        message = f"{owner}.tools() returned {returned!r}; return a list of callables or BaseTools"
        raise ToolsetError(message, tool=owner)
    if not items and type(toolset).tools is ToolSet.tools:  # type: ignore[attr-defined]
        message = f"{owner} has no tools: decorate its methods with @tool"
        raise ToolsetError(message, tool=owner)
    for item in items:
        if not _is_tool_or_toolset(item):
            message = (
                f"{owner}.tools() has {item!r}, which is neither a callable, a BaseTool instance "
                "nor a toolset"
            )
            raise ToolsetError(message, tool=owner)
    return items


def _is_tool_or_toolset(item: object) -> bool:
    return not isinstance(item, type) and (callable(item) or is_toolset(item))
