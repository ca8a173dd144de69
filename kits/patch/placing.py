"""Where the hunks of a patch apply in a file, and the edits that they are."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from kits.edit import misses
from kits.errors import invalid
from kits.text import lines
from kits.text.content import Content, Splice
from kits.workspace import WorkspaceError

from .model import Hunk
from .runs import Form, Runs

_MAX_NAMED_PLACES = 10
_IN_ORDER = "Send hunks from top to bottom, or those that touch as one."

_Split = Callable[[bytes], list[bytes]]

_ENDING = re.compile(rb"(?:\r?\n|\r)\Z")

#: How a line of the patch and one of the file are compared, the strictest way first.
_FORMS: tuple[Form, ...] = (bytes, bytes.rstrip)


def splices(content: Content, hunks: Sequence[Hunk]) -> list[Splice]:
    """The edits that the hunks make, all found in the content as it is.

    In a file with lone carriage returns the programs that write diffs count lines by newlines,
    and models as ``view`` does; both are tried.

    Raises:
        WorkspaceError: a hunk is not found, or is found in more than one place.
    """
    splits: list[_Split] = [lines.split]
    if lines.has_lone_return(content.utf8):
        splits.insert(0 if any(hunk.line is not None for hunk in hunks) else 1, _at_newlines)
    refusals = {}
    for split in splits:
        try:
            return _placed(content, hunks, split)
        except WorkspaceError as error:
            refusals[split] = error
    raise refusals[lines.split]


def _placed(content: Content, hunks: Sequence[Hunk], split: _Split) -> list[Splice]:
    file = _File(content, split, tells_endings=any(hunk.tells_endings for hunk in hunks))
    found: list[Splice] = []
    for number, hunk in enumerate(hunks, 1):
        name = "the hunk" if len(hunks) == 1 else f"hunk {number} of {len(hunks)}"
        found += file.edits(hunk, file.place(hunk, name))
    return found


class _File:
    """A file's lines: their texts, their line ends, and where each begins.

    It also knows where the hunk before ends, and how many lines that one stands off its number.
    """

    def __init__(self, content: Content, split: _Split, *, tells_endings: bool) -> None:
        self._tells_endings = tells_endings
        whole = split(content.utf8[content.start :])
        self._content = content
        self._texts = [_ENDING.sub(b"", line) for line in whole]
        self._endings = [line[len(text) :] for line, text in zip(whole, self._texts, strict=True)]
        self._starts = list(accumulate(map(len, whole), initial=content.start))
        self._runs: dict[Form, Runs] = {}
        self._after = self._moved = 0

    @property
    def _is_open(self) -> bool:
        """Whether the last line has no line end."""
        return bool(self._endings) and not self._endings[-1]

    def place(self, hunk: Hunk, name: str) -> int:
        """The line, from 0, that the hunk begins at; not before the end of the one before.

        Raises:
            WorkspaceError: there is none, or more than one.
        """
        wanted = _encoded(hunk.old)
        at = self._place_of(hunk, wanted, name) if wanted else self._place_of_addition(hunk, name)
        self._after = at + len(wanted)
        if hunk.line is not None and wanted:
            self._moved = at - (hunk.line - 1)
        return at

    def _place_of(self, hunk: Hunk, wanted: Sequence[bytes], name: str) -> int:
        for form in _FORMS:
            numbered = self._numbered(hunk, wanted, form)
            if numbered is not None:
                return numbered
            found = self._in(form).places(wanted, self._after)
            if hunk.at_end:
                found = self._at_end(found, len(wanted))
            if found:
                return self._chosen(hunk, name, found)
        last = self._before_end(hunk, wanted)
        if last is not None:
            return last
        self._check_order(hunk, wanted, name)
        miss = misses.explain(self._content, "\n".join(hunk.old), "\n".join(hunk.new))
        message = f"{name} was not found: {miss.reason}"
        raise invalid(message, hint=miss.hint)

    def _before_end(self, hunk: Hunk, wanted: Sequence[bytes]) -> int | None:
        """Where it stands without the empty line that some see behind the last line end."""
        *rest, last = wanted
        if last or not rest or hunk.lines[-1] != (" ", "") or self._is_open:
            return None
        at = len(self._texts) - len(rest)
        fits = at >= self._after and any(self._in(form).is_at(rest, at) for form in _FORMS)
        return at if fits else None

    def _at_end(self, found: Sequence[int], count: int) -> list[int]:
        """The places with nothing behind their lines, or where none has, with blank lines alone."""
        used = max((stop for stop, text in enumerate(self._texts, 1) if text.strip()), default=0)
        last = [at for at in found if at + count == len(self._texts)]
        return last or [at for at in found if at + count >= used]

    def _check_order(self, hunk: Hunk, wanted: Sequence[bytes], name: str) -> None:
        """Refuse a hunk that would fit elsewhere in the file."""
        found = next(filter(None, (self._in(form).places(wanted) for form in _FORMS)), None)
        if found and hunk.at_end:
            message = (
                f"{name} was not found at the end of the file: it stands at line {found[0] + 1}"
            )
            raise invalid(message, hint="Leave out '*** End of File'.")
        if found:
            message = (
                f"{name} was not found behind line {self._after}, where the one before it ends: "
                f"it stands at line {found[0] + 1}"
            )
            raise invalid(message, hint=_IN_ORDER)

    def edits(self, hunk: Hunk, at: int) -> Iterator[Splice]:
        """Each run of lines that go and come; lines that stay keep their bytes."""
        start = stop = at
        added: list[str] = []
        for mark, text in (*hunk.lines, (" ", "")):
            if mark == "-":
                stop += 1
            elif mark == "+":
                added.append(text)
            else:
                if added or stop > start:
                    yield self._edit((start, stop), added, hunk)
                start = stop = stop + 1
                added = []

    def _edit(self, span: tuple[int, int], added: list[str], hunk: Hunk) -> Splice:
        start, stop = span
        offset = self._starts[start]
        around = [*self._endings[start : start + 1], *self._endings[max(start - 1, 0) : start]]
        usual = next(filter(None, around), b"\n").decode()
        replaced = [ending.decode() or usual for ending in self._endings[start:stop]]
        endings = [*replaced, *[usual] * len(added)][: len(added)]
        if self._tells_endings:
            endings = ["\r\n" if line.endswith("\r") else "\n" for line in added]
            added = [line.removesuffix("\r") for line in added]
        is_last = stop == len(self._texts)
        is_open = is_last and self._is_open
        if (
            endings
            and is_last
            and (is_open if hunk.is_terminated is None else not hunk.is_terminated)
        ):
            endings[-1] = ""
        text = "".join(line + ending for line, ending in zip(added, endings, strict=True))
        if start == stop and is_open:  # behind an unterminated last line
            text = usual + text
        return Splice(offset, self._starts[stop], text)

    def _place_of_addition(self, hunk: Hunk, name: str) -> int:
        """Behind the line the patch numbers, behind its header, else at the end of the file."""
        if hunk.line is not None:
            return self._behind(hunk.line, name)
        if not hunk.headers:
            return len(self._texts)
        behind = [at + 1 for at in self._headers(hunk.headers) if at >= self._after - 1]
        return _only(behind, f"the header {hunk.headers[-1]!r} of {name}")

    def _behind(self, line: int, name: str) -> int:
        """The place behind a line that only its number tells."""
        if line < self._after:
            message = f"{name} adds behind line {line}, but the one before it ends at {self._after}"
            raise invalid(message, hint=_IN_ORDER)
        if self._moved:
            what = f"by number alone, {line}, and the one before it is not where its number says"
        elif line > len(self._texts):
            what = f"behind line {line}, of {len(self._texts)} in the file"
        else:
            return line
        message = f"{name} adds {what}"
        raise invalid(message, hint="Give it a line of context, which tells the place.")

    def _numbered(self, hunk: Hunk, wanted: Sequence[bytes], form: Form) -> int | None:
        """The line that the patch numbers, if the hunk stands there.

        After a hunk that was found so many lines off, a number means the place that is as far off;
        where the number itself would fit too, it decides nothing.
        """
        if hunk.line is None or hunk.at_end:
            return None
        moved = hunk.line - 1 + self._moved
        fits = {
            at
            for at in (hunk.line - 1, moved)
            if at >= self._after and self._in(form).is_at(wanted, at)
        }
        return moved if fits == {moved} else None

    def _chosen(self, hunk: Hunk, name: str, found: list[int]) -> int:
        """The place that is meant: the only one, or the one below a header."""
        if len(found) == 1:
            return found[0]
        headers = self._headers(hunk.headers)
        below = {_next(found, header) for header in headers}
        what = name if headers or not hunk.headers else f"{name}, whose header is not in the file,"
        return _only(sorted(at for at in below if at is not None) or found, what)

    def _headers(self, headers: Sequence[str]) -> list[int]:
        """The lines of the last header, each the next one below the header before it."""
        found: list[int] | None = None
        for header in _encoded(headers):
            places = self._in(bytes.strip).places([header]) or self._beginning(header.strip())
            below = [_next(places, above) for above in found or ()]
            found = places if found is None else sorted({at for at in below if at is not None})
        return found or []

    def _beginning(self, header: bytes) -> list[int]:
        """The lines that begin with a header that was not written to their ends."""
        whole_words = re.compile(re.escape(header) + rb"(?!(?<=\w)\w)")
        return [at for at, text in enumerate(self._texts) if whole_words.match(text.strip())]

    def _in(self, form: Form) -> Runs:
        """The file's lines in a form, brought to it once."""
        if form not in self._runs:
            self._runs[form] = Runs(self._texts, form)
        return self._runs[form]


def _at_newlines(text: bytes) -> list[bytes]:
    return re.findall(rb"[^\n]*\n|[^\n]+", text)


def _encoded(texts: Sequence[str]) -> list[bytes]:
    return [text.encode("utf-8", "surrogatepass") for text in texts]


def _next(places: Sequence[int], above: int) -> int | None:
    return next((at for at in places if at > above), None)


def _only(places: Sequence[int], what: str) -> int:
    if len(places) == 1:
        return places[0]
    if not places:
        message = f"{what} was not found"
        raise invalid(message, hint="View the file and copy the line from there.")
    named = ", ".join(str(at + 1) for at in places[:_MAX_NAMED_PLACES])
    message = f"{what} fits at {len(places)} places, lines {named}"
    raise invalid(message, hint="Add lines of context, or an @@ line that stands above it.")
