"""One exact replacement in a text, or the reason why there is none."""

import re

from attrs import frozen

from kits.errors import WorkspaceError, invalid
from kits.text import lines
from kits.text.content import Content, Splice

from . import misses
from .matching import MAX_COUNTED, Matches, find

_MAX_NAMED_PLACES = 20
_PREVIEW_CHARS = 80
#: The way out of several places that an editor without ``replace_all`` does not have.
EVERYWHERE = ", or set replace_all to change all places"


@frozen
class Replacement:
    """An exact replacement that a model asks for.

    Attributes:
        old: the text to find; never empty, never equal to ``new``.
        new: what stands there afterwards, literally.
        everywhere: whether all places are meant.

    >>> Replacement("b", "B").splices(Content.of(b"abc"))
    [Splice(start=1, end=2, text='B')]
    """

    old: str
    new: str
    everywhere: bool = False

    def check(self) -> None:
        """Refuse what can be no replacement, whatever the file.

        Raises:
            WorkspaceError: there is nothing to find, or nothing to change.
        """
        if not self.old:
            message = "the text to replace is empty: there is nothing to find"
            hint = (
                "To add text, replace a line by itself and the text; write a new or empty file as a "
                "whole."
            )
            raise invalid(message, hint=hint)
        if self.old == self.new:
            message = "the old and the new text are the same: nothing would change"
            raise invalid(message)

    def splices(self, content: Content) -> list[Splice]:
        """The edits that make the replacement.

        Raises:
            WorkspaceError: there is no such text, or more than one place, or no change.
        """
        self.check()
        matches = find(content, self.old, limit=None if self.everywhere else MAX_COUNTED)
        if not matches.spans:
            miss = misses.explain(content, self.old, self.new)
            message = f"the text to replace was not found: {miss.reason}"
            raise invalid(message, hint=miss.hint)
        if len(matches.spans) > 1 and not self.everywhere:
            raise _ambiguous(content, matches)
        splices = [
            Splice(*span, self._fitted(content, span, endings_differ=matches.endings_differ))
            for span in matches.apart
        ]
        if all(content.utf8[each.start : each.end] == each.utf8 for each in splices):
            message = "the file has the new text there already: nothing would change"
            raise invalid(message)
        return splices

    def _fitted(self, content: Content, span: tuple[int, int], *, endings_differ: bool) -> str:
        r"""The new text with the file's line ends.

        Where ``old`` stands exactly and has line ends of its own, the new ones are as meant.
        """
        new = content.unmarked(self.new, span[0])
        if endings_differ:
            return _as_replaced(content.utf8[slice(*span)], new)
        if "\n" not in new or lines.TEXT_BREAK.search(self.old):
            return new
        ending = lines.ending_at(content.utf8, span[0], content.start).decode()
        return re.sub(r"(?<!\r)\n", lambda _: ending, new)


def _as_replaced(old: bytes, new: str) -> str:
    """Each line end as that of the line it replaces; more lines end as the last of those."""
    theirs = [ending.decode() for ending in lines.BREAK.findall(old)]
    parts = lines.TEXT_BREAK.split(new)
    endings = [*theirs, *[theirs[-1]] * len(parts)]
    ended = (part + ending for part, ending in zip(parts[:-1], endings, strict=False))
    return "".join([*ended, parts[-1]])


def _ambiguous(content: Content, matches: Matches) -> WorkspaceError:
    text = content.utf8
    shown = matches.spans[:_MAX_NAMED_PLACES]
    places = []
    for start, _ in shown:
        number = lines.line_number(text, start, content.start)
        places.append(f"\n  line {number}: {_preview(content, start)}")
    count = len(matches.spans)
    counted = f"{count:,} places or more" if count == MAX_COUNTED else f"{count:,} places"
    overlap = ", overlapping" if len(matches.apart) < count else ""
    message = f"the text to replace is in the file at {counted}{overlap}:{''.join(places)}"
    if count > len(shown):
        message += f"\n  and {count - len(shown):,} more"
    hint = f"Add lines around it until it is unique{EVERYWHERE}."
    return invalid(message, hint=hint)


def _preview(content: Content, at: int) -> str:
    """The line of a place, or what is around the place if that is long."""
    text = content.utf8
    begin, end = lines.line_start(text, at, content.start), lines.line_end(text, at)
    first, stop = max(begin, at - _PREVIEW_CHARS // 2), min(end, at + _PREVIEW_CHARS)
    shown = lines.shown(text[first:stop]).strip()
    return f"{'…' if first > begin else ''}{shown}{'…' if stop < end else ''}"
