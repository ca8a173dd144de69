"""Stretches of a text, and which of them stand together."""

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar


class Span(Protocol):
    """A stretch of a text, in bytes or in lines."""

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def stop(self) -> int:
        """Behind its end."""
        ...


SpanT = TypeVar("SpanT", bound=Span)


def together(spans: Iterable[SpanT], around: int) -> Iterator[list[SpanT]]:
    """Those, of some in order, whose surroundings touch.

    Args:
        spans: in the order of the text.
        around: how far the surroundings of each reach, to either side.

    >>> [len(group) for group in together([range(0, 2), range(5, 6), range(9, 10)], 1)]
    [1, 1, 1]
    >>> [len(group) for group in together([range(0, 2), range(4, 6), range(9, 10)], 1)]
    [2, 1]
    """
    group: list[SpanT] = []
    for span in spans:
        if group and span.start - group[-1].stop > 2 * around:
            yield group
            group = []
        group.append(span)
    if group:
        yield group
