"""A patch as data, whatever it was written in."""

from collections.abc import Sequence
from typing import Literal

from attrs import field, frozen

from kits.errors import invalid
from kits.text.encoding import MARK
from kits.workspace import WorkspaceError

#: ``" "`` a line that stays, ``"-"`` one that goes, ``"+"`` one that comes.
Mark = Literal[" ", "-", "+"]
#: What a line begins with; an empty one is an empty line that stays.
MARKS: dict[str, Mark] = {" ": " ", "": " ", "-": "-", "+": "+"}


@frozen
class Hunk:
    """Lines to find and what becomes of them.

    Attributes:
        lines: each with its mark, without its newline; with a carriage return where the patch
            tells line ends apart.
        headers: lines that stand above it, outermost first.
        line: its first old line by the patch, from 1; for a hunk without old lines the line it
            follows; ``None`` if the patch does not say.
        at_end: whether it ends where the file ends.
        is_terminated: whether its last new line has a line end; ``None`` as the file has it.
    """

    lines: tuple[tuple[Mark, str], ...]
    headers: tuple[str, ...] = ()
    line: int | None = None
    at_end: bool = False
    is_terminated: bool | None = None

    @property
    def old(self) -> tuple[str, ...]:
        """The lines to find, without line ends."""
        return tuple(text.removesuffix("\r") for mark, text in self.lines if mark != "+")

    @property
    def tells_endings(self) -> bool:
        """Whether the line ends of the patch are meant, and not those of the file."""
        return any(text.endswith("\r") for _, text in self.lines)

    @property
    def new(self) -> tuple[str, ...]:
        """The lines that stand there afterwards."""
        return tuple(text for mark, text in self.lines if mark != "-")


@frozen
class FilePatch:
    """What becomes of one file.

    Attributes:
        action: ``add`` a new file, ``delete`` one, or ``update`` one.
        path: the file.
        hunks: the changes of an update; for a new file one hunk of added lines.
        target: the path it moves to; ``None`` if it stays.
        is_program: whether it may be executed; ``None`` if the patch does not say.
    """

    action: Literal["add", "delete", "update"]
    path: str
    hunks: tuple[Hunk, ...] = field(default=(), repr=False)
    target: str | None = None
    is_program: bool | None = None

    @property
    def paths(self) -> tuple[str, ...]:
        """The files it touches."""
        return (self.path,) if self.target is None else (self.path, self.target)

    @property
    def is_from_nothing(self) -> bool:
        """Whether it says that the file had no line before."""
        return bool(self.hunks) and all(hunk.line == 0 and not hunk.old for hunk in self.hunks)

    @property
    def text(self) -> str:
        """The whole text of a new file."""
        text = "".join(f"{line}\n" for hunk in self.hunks for line in hunk.new)
        unterminated = self.hunks and self.hunks[-1].is_terminated is False
        return text[:-1] if unterminated else text


def lines_of(patch: str) -> list[str]:
    """The lines of a patch; a carriage return at their ends means nothing if all have it."""
    *lines, last = patch.removeprefix(MARK).split("\n")
    if lines and all(line.endswith("\r") for line in lines):
        lines = [line.removesuffix("\r") for line in lines]
    return [*lines, last] if last else lines


def marked(lines: Sequence[str]) -> tuple[tuple[Mark, str], ...]:
    """Lines of a hunk, each with its mark taken off."""
    return tuple((MARKS[line[:1]], line[1:]) for line in lines)


def malformed(number: int, line: str, expected: str) -> WorkspaceError:
    """A line of a patch that says nothing.

    Args:
        number: the line's, from 1.
        line: as it was sent.
        expected: what could stand there.
    """
    message = f"line {number} of the patch is {line[:80]!r}; expected {expected}"
    return invalid(message)
