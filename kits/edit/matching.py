"""Where a text stands in a file, exactly or with other line ends."""

import re
from collections.abc import Iterator
from itertools import islice

from attrs import evolve, frozen

from kits.text.content import Content
from kits.text.encoding import MARK
from kits.text.lines import ANY_BREAK, BREAK

#: More places than this are as good as this many, for who wants only one.
MAX_COUNTED = 10_000


@frozen
class Matches:
    """The places of a text in a content.

    Attributes:
        spans: offsets in the content's ``utf8``.
        endings_differ: whether the file's line ends are others than the text's.
    """

    spans: tuple[tuple[int, int], ...]
    endings_differ: bool = False

    @property
    def apart(self) -> tuple[tuple[int, int], ...]:
        """Those that do not overlap, taken from the left."""
        kept: list[tuple[int, int]] = []
        for span in self.spans:
            if not kept or span[0] >= kept[-1][1]:
                kept.append(span)
        return tuple(kept)


def find(content: Content, text: str, *, limit: int | None = MAX_COUNTED) -> Matches:
    r"""The places of ``text``: the first ``limit`` of them, overlapping ones too, or all.

    All are those that do not overlap, taken from the left; for them ``limit`` is ``None``.

    A text with line breaks matches whatever line ends the file has at that place, unless it
    spells ``\r`` itself and stands there exactly. A byte order mark before it stands for that of
    the file.
    """
    if content.encoding.bom and text.startswith(MARK) and text != MARK:
        bare = find(content, text.removeprefix(MARK), limit=limit)
        return evolve(bare, spans=tuple(s for s in bare.spans if s[0] == content.start))
    wanted = text.encode("utf-8", "surrogatepass")
    step = len(wanted) if limit is None else 1
    exact = tuple(islice(_exact(content, wanted, step), limit))
    if not BREAK.search(wanted) or (exact and b"\r" in wanted):
        return Matches(exact)
    if b"\r" not in wanted and content.utf8.find(b"\r", content.start) < 0:
        return Matches(exact)
    spans = tuple(islice(_with_any_break(content, wanted, step), limit))
    return Matches(spans, endings_differ=spans != exact)


def _exact(content: Content, wanted: bytes, step: int) -> Iterator[tuple[int, int]]:
    at = content.utf8.find(wanted, content.start)
    while at >= 0:
        yield at, at + len(wanted)
        at = content.utf8.find(wanted, at + step)


def _with_any_break(content: Content, wanted: bytes, step: int) -> Iterator[tuple[int, int]]:
    pattern = b"(" + ANY_BREAK.join(re.escape(part) for part in BREAK.split(wanted)) + b")"
    if step == 1:
        pattern = b"(?=" + pattern + b")"  # a lookahead finds overlapping places too
    for match in re.compile(pattern).finditer(content.utf8, content.start):
        yield match.span(1)
