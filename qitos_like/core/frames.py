"""Local names of calling frames, for annotations that mention types local to a function."""

import builtins
import sys
from collections.abc import Iterator
from types import FrameType
from typing import ForwardRef, Literal, get_origin

from .callables import underlying

_OWN_PACKAGE = __name__.partition(".")[0]


def annotation_locals(target: object) -> dict[str, object]:
    """What the callers' local names, nearest first, say to the names that annotations mention.

    Only names that neither the function's module nor the builtins have are looked for, so that
    nothing is searched in the common case. A local class that is found, or that an annotation
    holds, may mention further names in its own annotations.
    """
    wanted = _unresolved(target)
    found: dict[str, object] = {}
    frame: FrameType | None = sys._getframe(1) if wanted else None  # noqa: SLF001 (the only way to a caller's locals)
    while frame is not None and wanted:
        if not _is_ours(frame):
            here = frame.f_locals
            while names := [name for name in wanted if name in here]:
                found |= {name: here[name] for name in names}
                further = {more for name in names for more in _mentioned(here[name])}
                wanted = (wanted | further) - found.keys()
        frame = frame.f_back
    return found


def level_outside() -> int:
    """The ``stacklevel`` with which the caller's warning is of the first line outside this package."""
    level = 1
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 (the only way to a caller)
    while frame is not None and _is_ours(frame):
        frame = frame.f_back
        level += 1
    return level


def _is_ours(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == _OWN_PACKAGE


def _unresolved(target: object) -> set[str]:
    function: object | None = target
    while function is not None and not hasattr(function, "__globals__"):
        function = underlying(function)
    known = getattr(function, "__globals__", {})
    annotations = getattr(function, "__annotations__", {})
    mentioned = (name for value in annotations.values() for name in _mentioned(value))
    return {name for name in mentioned if name not in known and not hasattr(builtins, name)}


def _mentioned(annotation: object) -> Iterator[str]:
    """The names in the parts of an annotation that are still text."""
    if isinstance(annotation, ForwardRef):
        annotation = annotation.__forward_arg__
    if isinstance(annotation, str):
        yield from _names_in(annotation)
    elif isinstance(annotation, type) and "<locals>" in annotation.__qualname__:
        for inner in vars(annotation).get("__annotations__", {}).values():
            yield from _mentioned(inner)
    elif get_origin(annotation) is not Literal:
        for part in getattr(annotation, "__args__", ()):
            yield from _mentioned(part)


def _names_in(text: str) -> Iterator[str]:
    try:
        code = compile(text, "<annotation>", "eval")
    except (SyntaxError, ValueError):
        return
    yield from code.co_names
    quoted = (constant for constant in code.co_consts if isinstance(constant, str))
    yield from (constant for constant in quoted if constant.isidentifier())
