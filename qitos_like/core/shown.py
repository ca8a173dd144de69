"""``Shown``: what is shown together, and what was made of all of it."""

from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

from .jsontypes import Json

T_co = TypeVar("T_co", covariant=True)
R = TypeVar("R")


class Shown(tuple[T_co, ...]):  # noqa: SLOT001 (what is made is kept in its dictionary)
    """Things in the order in which they are shown, which keep what is made of all of them.

    >>> words = Shown(["a", "b"])
    >>> words.kept(sorted) is words.kept(sorted)
    True
    """

    @cached_property
    def _made(self) -> dict[object, Json]:
        return {}

    def kept(self, make: "Callable[[Shown[T_co]], R]") -> R:
        """What ``make`` makes of them, made once; treat it as read-only."""
        if make not in self._made:
            self._made[make] = make(self)
        kept: R = self._made[make]
        return kept
