"""A page of a text file: numbered lines, and one line that says where it stands and how to go on."""

import json
from collections.abc import Iterator, Sequence

from attrs import frozen

from kits.caps import Caps
from kits.errors import invalid
from kits.text import lines
from qitos_like.core.jsontypes import Json

from .ledger import digest
from .paging import Pager


@frozen
class Span:
    """Lines that were asked for.

    Attributes:
        first: from 1.
        last: the last one; ``None`` for as far as the limits go.
        size: how many to offer next.
    """

    first: int
    last: int | None
    size: int


def span(view_range: Sequence[int] | str | None, caps: Caps) -> Span:
    """The lines a model asks for: two integers, or the JSON text of such a list.

    Raises:
        WorkspaceError: they are no range of lines.
    """
    if view_range is None:
        return Span(1, caps.view_lines, caps.view_lines)
    first, last = bounds(view_range)
    if last == -1:
        return Span(first, None, caps.view_lines)
    return Span(first, last, last - first + 1)


def bounds(view_range: Sequence[int] | str) -> tuple[int, int]:
    """The first and the last line of a ``view_range``; -1 is the end.

    Raises:
        WorkspaceError: they are no range of lines.
    """
    hint = "view_range is [first, last], from 1, both included; last = -1 is the end."
    values = _parsed(view_range)
    if values is None:
        message = f"view_range {view_range!r} is no pair of integers"
        raise invalid(message, hint=hint)
    first, last = values
    if first < 1 or (last != -1 and last < first):
        message = f"view_range [{first}, {last}] is no range of lines"
        raise invalid(message, hint=hint)
    return first, last


def _parsed(view_range: Sequence[int] | str) -> tuple[int, int] | None:
    values: Json = view_range
    if isinstance(view_range, str):
        try:
            values = json.loads(view_range)
        except ValueError:
            return None
    match values:
        case [int(first), int(last)]:
            return first, last
        case _:
            return None


@frozen
class Page:
    """What is shown of a file.

    Attributes:
        shown: the path.
        first, last: numbers of the first and the last line shown; ``last`` is ``first - 1`` if
            the file is empty.
        text: the numbered lines.
        total: how many lines the file has, if known.
        next_range: the ``view_range`` that goes on; ``None`` at the end.
        digest: SHA-256 of the file, if it was read whole.
        unusual: what is unlike a UTF-8 file with newlines.
    """

    shown: str
    first: int
    last: int
    text: str
    total: int | None
    next_range: tuple[int, int] | None
    digest: str | None
    unusual: tuple[str, ...]

    def __str__(self) -> str:
        """The lines and the footer, for a model."""
        if self.last < self.first:
            return f"{self.shown} is empty (0 lines)"
        return f"{self.text}\n{self.footer}"

    @property
    def footer(self) -> str:
        """Where the page stands, and how to go on."""
        of = f" of {self.total}" if self.total is not None else ""
        parts = [f"lines {self.first}-{self.last}{of}"]
        if self.next_range is not None:
            parts.append(f"continue with {as_view_range(*self.next_range)}")
        return "; ".join([*parts, *self.unusual])

    def structured(self) -> Json:
        """The facts as JSON data."""
        return {
            "path": self.shown,
            "range": [self.first, self.last],
            "total_lines": self.total,
            "next_range": list(self.next_range) if self.next_range else None,
            "hash": self.digest,
        }


def as_view_range(first: int, last: int) -> str:
    """Lines as ``view`` takes them."""
    return f"view_range=[{first}, {last}]"


def page(shown: str, pager: Pager, *, wanted: Span, caps: Caps) -> Page:
    """The wanted lines as far as the limits go, at least one.

    Raises:
        WorkspaceError: the file has fewer lines.
    """
    texts: list[str] = []
    endings: set[bytes] = set()
    size, has_more = 0, False
    for number, line in enumerate(pager.lines(wanted.first), wanted.first):
        numbered = f"{number:6d}\t{line.text}"
        size += len(numbered) + 1
        beyond = wanted.last is not None and number > wanted.last
        if texts and (beyond or size > caps.view_chars):
            has_more = True
            break
        texts.append(numbered)
        endings.add(line.ending)
    last = wanted.first + len(texts) - 1
    if not texts and wanted.first > 1:
        message = (
            f"there is no line {wanted.first}: {shown!r} has {lines.counted(pager.total or 0)}"
        )
        raise invalid(message)
    return Page(
        shown,
        wanted.first,
        last,
        "\n".join(texts),
        total=pager.total,
        next_range=_next(last, wanted, pager.total) if has_more else None,
        digest=digest(pager.data),
        unusual=tuple(_unusual(pager, endings)),
    )


def _next(last: int, wanted: Span, total: int | None) -> tuple[int, int]:
    stop = last + wanted.size
    return last + 1, stop if total is None else min(stop, total)


def _unusual(pager: Pager, endings: set[bytes]) -> Iterator[str]:
    if pager.encoding.unusual:
        yield pager.encoding.unusual
    ended = endings - {b""}
    if len(ended) > 1:
        yield "mixed line ends"
    elif ended and ended != {b"\n"}:
        yield "CRLF line ends" if ended == {b"\r\n"} else "CR line ends"
    if b"" in endings:
        yield "no newline at the end"
