"""``Marked``: an annotation and the marks that stand beside it in ``Annotated``."""

from collections.abc import Iterator
from typing import Annotated, Literal, get_args, get_origin

from attrs import frozen

from qitos_like.core.marks import Name

from .annotations import Annotation, is_union


@frozen
class Marked:
    """An annotation without ``Annotated`` around it.

    Attributes:
        base: the type itself.
        marks: what stood beside it, outermost last.
    """

    base: Annotation
    marks: tuple[object, ...] = ()

    @property
    def text(self) -> str | None:
        """The last text among the marks, which describes the value."""
        texts = (text for mark in reversed(self.marks) if (text := _mark_text(mark)))
        return next(texts, None)

    @property
    def everywhere(self) -> tuple[object, ...]:
        """The marks and, of a union, those of its branches: ``Annotated[str, PathArg] | None``."""
        branches = get_args(self.base) if is_union(self.base) else ()
        return (*self.marks, *(mark for each in branches for mark in split(each).everywhere))

    def has(self, kind: type) -> bool:
        """Whether a mark is this class or an instance of it, beside the type or its items'."""
        is_here = any(mark is kind or isinstance(mark, kind) for mark in self.marks)
        return is_here or any(each.has(kind) for each in self._items)

    @property
    def _items(self) -> Iterator["Marked"]:
        """What the type holds: ``list[Annotated[str, PathArg]]``."""
        if get_origin(self.base) is not Literal:
            yield from map(split, get_args(self.base))

    @property
    def name(self) -> str | None:
        """The property's name by a ``Name`` mark."""
        names = (mark.name for mark in self.everywhere if isinstance(mark, Name))
        return next(names, None)


def split(annotation: Annotation) -> Marked:
    """The type and its marks; ``Annotated`` may stand in ``Annotated`` or in an alias."""
    if type(annotation) is type or get_origin(annotation) is not Annotated:
        return Marked(annotation)
    base, *marks = get_args(annotation)
    inner = split(base)
    return Marked(inner.base, (*inner.marks, *marks))


def _mark_text(mark: object) -> str | None:
    """A plain text, or what PEP 727's ``Doc`` and pydantic's ``Field`` say."""
    if isinstance(mark, str):
        return mark
    for attribute in ("documentation", "description"):
        text = getattr(mark, attribute, None)
        if isinstance(text, str):
            return text
    return None
