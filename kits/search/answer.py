"""What a model is told of a search."""

from collections.abc import Sequence
from itertools import pairwise

from attrs import asdict, frozen

from kits.files.folders import printable
from qitos_like.core.jsontypes import Json
from qitos_like.core.results import Ok

from .excerpts import Line
from .query import Skipped

#: No more is shown at once, whatever is asked for; the answer says how to go on.
MOST_SHOWN = 10_000
_SKIPPED = {
    "binary": "{} binary with matches",
    "ignored": "{} ignored",
    "unreadable": "{} unreadable",
    "too_large": "{} too large",
}


@frozen
class Window:
    """Which part of what was found is shown.

    Attributes:
        offset: how much is left out before it.
        limit: how much is shown, at most.
    """

    offset: int
    limit: int

    @property
    def end(self) -> int:
        """Where the next part begins."""
        return self.offset + self.limit

    def next_offset(self, found: int) -> int | None:
        """The offset that goes on; ``None`` if so many are no more than shown."""
        return self.end if found > self.end else None


@frozen
class Shown:
    """A file and what is shown of it.

    Attributes:
        path: as tools name it.
        lines: its lines.
        count: how many of its lines match, if they were counted.
    """

    path: str
    lines: Sequence[Line] = ()
    count: int | None = None


@frozen
class Outcome:
    """The outcome of a search.

    Attributes:
        shown: the files, with what is shown of them.
        total: how much there is, as far as it is known.
        window: which part is shown.
        skipped: what was passed over; ``None`` if the search ended early.
        searched: how many files were searched, if nothing was found.
        advice: how to search ignored files too; empty if that cannot be asked for.
        hint: what may be wrong if nothing was found.
    """

    shown: Sequence[Shown]
    total: int
    window: Window
    skipped: Skipped | None
    searched: int | None = None
    advice: str = ""
    hint: str = ""

    def result(self) -> Ok:
        """Text, and the same as data."""
        body = _text(self.shown) if self.shown else self._nothing()
        return Ok("\n".join([body, *_bracketed(self._notes())]), structured=self._facts())

    def _nothing(self) -> str:
        if self.total:
            return f"nothing at offset {self.window.offset:,}: {self.total:,} found"
        files = "file" if self.searched == 1 else "files"
        return f"no match in {self.searched:,} {files} searched"

    def _notes(self) -> list[str]:
        notes = []
        following = self.window.next_offset(self.total)
        if following is not None:
            notes.append(f"first {self.window.limit:,} shown; go on with offset={following}")
        passed = skipped_note(self.skipped, self.advice) if self.skipped else ""
        if passed:
            notes.append(passed)
        if self.hint and not self.total:
            notes.append(self.hint)
        return notes

    def _facts(self) -> Json:
        matches = [
            {"path": printable(each.path), "line": line.number, "text": line.text}
            for each in self.shown
            for line in each.lines
            if line.is_match
        ]
        return {
            "files": [printable(each.path) for each in self.shown],
            "matches": matches,
            "counts": {printable(each.path): each.count for each in self.shown if each.count},
            "next_offset": self.window.next_offset(self.total),
            "searched": self.searched,
            "skipped": asdict(self.skipped) if self.skipped else None,
        }


@frozen
class FileList:
    """The outcome of a search for names.

    Attributes:
        paths: what is shown, as tools name it.
        total: how many there are.
        skipped: what was passed over.
        advice, hint: as in ``Outcome``.
    """

    paths: Sequence[str]
    total: int
    skipped: Skipped
    advice: str = ""
    hint: str = ""

    def result(self) -> Ok:
        """Text, and the same as data."""
        notes = []
        if self.total > len(self.paths):
            notes.append(f"first {len(self.paths):,} of {self.total:,} files")
        passed = skipped_note(self.skipped, self.advice)
        notes += [passed] if passed else []
        notes += [self.hint] if self.hint and not self.total else []
        shown = [printable(path) for path in self.paths]
        body = shown or ["no file matches"]
        facts = {"files": shown, "total": self.total, "skipped": asdict(self.skipped)}
        return Ok("\n".join([*body, *_bracketed(notes)]), structured=facts)


def skipped_note(skipped: Skipped, advice: str) -> str:
    """What was passed over, in a line; empty if nothing was."""
    passed = [
        text.format(f"{count:,}")
        for name, text in _SKIPPED.items()
        if (count := getattr(skipped, name))
    ]
    told = f"; {advice}" if advice and skipped.ignored else ""
    return f"not searched or shown: {', '.join(passed)}{told}" if passed else ""


def _bracketed(notes: Sequence[str]) -> list[str]:
    return [f"[{'; '.join(notes)}]"] if notes else []


def _text(shown: Sequence[Shown]) -> str:
    """Paths alone, with counts, or each above its lines."""
    if not any(each.lines for each in shown):
        return "\n".join(_with_count(each) for each in shown)
    return "\n\n".join(f"{printable(each.path)}\n{_lines(each.lines)}" for each in shown)


def _with_count(shown: Shown) -> str:
    return printable(shown.path) + (f": {shown.count:,}" if shown.count else "")


def _lines(lines: Sequence[Line]) -> str:
    """Lines with their numbers; ``-`` for those around a match, ``--`` where some are left out."""
    texts = [f"{line.number}{':' if line.is_match else '-'}{line.text}" for line in lines]
    gaps = [later.number > earlier.number + 1 for earlier, later in pairwise(lines)]
    has_context = not all(line.is_match for line in lines)
    parts = texts[:1]
    for gap, text in zip(gaps, texts[1:], strict=True):
        parts += ["--", text] if gap and has_context else [text]
    return "\n".join(parts)
