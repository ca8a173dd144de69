"""The patch grammar of the Codex command line (``apply_patch_instructions.md``), read leniently.

*** Begin Patch
*** Add File: path            lines follow, each behind a +
*** Delete File: path
*** Update File: path
*** Move to: path
@@ a line that stands above
 a line that stays
-a line that goes
+a line that comes
*** End of File
*** End Patch
"""

import posixpath
import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import takewhile

from attrs import evolve

from kits.errors import invalid

from .model import MARKS, FilePatch, Hunk, Mark, lines_of, malformed, marked
from .unified import HUNK, STRAY, begins_file

_BEGIN = re.compile(r"\*\*\* ?Begin Patch(?: ?\*\*\*)?", re.IGNORECASE)
_END = re.compile(r"\*\*\* ?End Patch(?: ?\*\*\*)?", re.IGNORECASE)
_NO_LINE_END = "\\ No newline"

_SECTION = re.compile(r"\*\*\* (Add|Delete|Update) File: *(\S.*)", re.IGNORECASE)
_MOVE = re.compile(r"\*\*\* Move to: *(\S.*)", re.IGNORECASE)
_END_OF_FILE = re.compile(r"\*\*\* End of File\s*", re.IGNORECASE)
#: How a command names the folder that a patch is meant for, before its here-document.
_FOLDER = re.compile(r"""\bcd +(['"]?)([^'"&;|\n]+?)\1 *(?:&&|[;\n])\s*apply_patch\b""")
_DIFF_HEADER = re.compile(r"(?:diff --git .*\n)?(?:index .*\n)?--- .*\n\+\+\+ .*\n(?=@@)")


def parse(patch: str) -> list[FilePatch]:
    """The sections of all patches; what stands around is passed over, as a here-document.

    The folders that commands change to before each count.

    Raises:
        WorkspaceError: a line has no meaning, or there is no section.
    """
    lines = list(_body(patch))
    folders = list(_folders(patch, {number for number, _ in lines}))
    sections: list[FilePatch] = []
    at = 0
    while at < len(lines):
        number, line = lines[at]
        match = _SECTION.fullmatch(line)
        if match is None:
            if line.strip():
                raise malformed(number, line, "'*** Add File: ', '*** Update File: ' or the like")
            at += 1
            continue
        stop = next(
            (i for i in range(at + 1, len(lines)) if _SECTION.fullmatch(lines[i][1])), len(lines)
        )
        section = _section(match[1].capitalize(), match[2].rstrip(), lines[at + 1 : stop])
        folder = posixpath.join("", *(name for before, name in folders if before < number))
        sections.append(_below(folder, section))
        at = stop
    if not sections:
        message = "the patch has no section"
        raise invalid(message, hint="It needs '*** Update File: path' or the like.")
    return sections


def _folders(patch: str, inside: AbstractSet[int]) -> Iterator[tuple[int, str]]:
    """The numbers of the lines, around patches, with a command that changes to a folder, and that."""
    lines = enumerate(lines_of(patch), 1)
    around = "\n".join("" if number in inside else line for number, line in lines)
    for command in _FOLDER.finditer(around):
        yield around.count("\n", 0, command.start()) + 1, command[2]


def _below(folder: str, patch: FilePatch) -> FilePatch:
    target = patch.target and posixpath.join(folder, patch.target)
    return evolve(patch, path=posixpath.join(folder, patch.path), target=target)


def is_such(patch: str) -> bool:
    """Whether the text has such a patch, or begins with a section of one."""
    lines = [line.strip() for line in lines_of(patch)]
    for at, line in enumerate(lines):
        if begins_file(lines[at : at + 2]):  # in such a wrapping too
            return False
        if STRAY.match(line):
            is_section = _SECTION.fullmatch(line) is not None
            break
    else:
        is_section = False
    return is_section or any(_BEGIN.fullmatch(line) for line in lines)


def _body(patch: str) -> Iterator[tuple[int, str]]:
    """The numbered lines between each begin and end, without the indent of the whole.

    Where no patch begins, the first section does.
    """
    lines = lines_of(patch)
    begins = _BEGIN if any(_BEGIN.fullmatch(line.strip()) for line in lines) else _SECTION
    last = max((number for number, line in enumerate(lines, 1) if line.strip()), default=0)
    indent: str | None = None
    has_ended = False
    for number, line in enumerate(lines, 1):
        if indent is None and begins.fullmatch(line.strip()):
            indent = _indent(lines[number - 1 + (begins is _BEGIN) :])
            if begins is _BEGIN:
                continue
        if indent is None:
            if has_ended and STRAY.match(line):
                raise malformed(number, line, "nothing of a patch behind '*** End Patch'")
            continue
        text = line.removeprefix(indent)
        if _ends(number, text, is_last=number == last):
            indent = None
            has_ended = True
        else:
            yield number, text


def _indent(lines: list[str]) -> str:
    """The blanks that all lines of a patch begin with."""
    inside = takewhile(lambda line: not _END.fullmatch(line.strip()), lines)
    indents = (line[: len(line) - len(line.lstrip())] for line in inside if line.strip())
    return min(indents, key=len, default="")


def _ends(number: int, text: str, *, is_last: bool) -> bool:
    """Whether a patch ends here; with a blank before it, that is a line of a file or the last.

    Raises:
        WorkspaceError: the end stands behind something else, which it would become a part of.
    """
    bare = text.strip() if is_last else text.rstrip()
    if is_last and not _END.fullmatch(bare) and _END.search(bare):
        raise malformed(number, text, "'*** End Patch' on a line of its own")
    return _END.fullmatch(bare) is not None


def _section(action: str, path: str, lines: list[tuple[int, str]]) -> FilePatch:
    while lines and not lines[-1][1].strip():  # blank lines between sections mean nothing
        lines = lines[:-1]
    if action == "Delete":
        if lines:
            raise malformed(*lines[0], "nothing behind '*** Delete File: '")
        return FilePatch("delete", path)
    target = _MOVE.fullmatch(lines[0][1]) if lines and action == "Update" else None
    if target is not None:
        lines = lines[1:]
    header = _DIFF_HEADER.match("\n".join(line for _, line in lines[:5]))
    if header is not None:  # it says nothing more
        lines = lines[header[0].count("\n") :]
    if action == "Add":
        return FilePatch("add", path, (_added(lines),))
    hunks = tuple(_hunks(lines))
    if not hunks and target is None:
        message = f"the patch updates {path!r} without a change"
        raise invalid(message)
    return FilePatch("update", path, hunks, target[1].rstrip() if target else None)


def _added(lines: list[tuple[int, str]]) -> Hunk:
    """The lines of a new file; an empty one may lack its mark."""
    added: list[tuple[Mark, str]] = []
    is_terminated = True
    for number, line in lines:
        if line.startswith(_NO_LINE_END) and added:
            is_terminated = False
        elif line[:1] in {"", "+"} and is_terminated:
            added.append(("+", line[1:]))
        elif not (_END_OF_FILE.fullmatch(line) or (line.startswith("@@") and not added)):
            raise malformed(number, line, "a line of the new file behind a '+'")
    return Hunk(tuple(added), is_terminated=is_terminated)


def _hunks(lines: list[tuple[int, str]]) -> Iterator[Hunk]:
    building = _Building()
    for number, line in lines:
        if line.startswith("@@"):
            if building.lines:
                yield building.hunk()
                building = _Building()
            building.add_header(line)
        elif _END_OF_FILE.fullmatch(line):
            building.at_end = True
        elif line.startswith(_NO_LINE_END) and building.lines:
            building.is_terminated = building.lines[-1].startswith("-")
        elif line[:1] in MARKS:
            building.lines.append(line)
        else:
            raise malformed(number, line, "a line behind ' ', '-' or '+', or '@@'")
    if building.lines:
        yield building.hunk()


class _Building:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.at_end = False
        self.is_terminated: bool | None = None
        self._headers: list[str] = []
        self._line: int | None = None

    def add_header(self, line: str) -> None:
        """``@@ text``, or the header that a unified diff has."""
        counted = HUNK.match(line)
        if counted is not None:
            self._line = int(counted["old"])
        text = counted["text"] if counted is not None else line.removeprefix("@@").strip()
        text = text.removesuffix("@@").strip()
        if text:
            self._headers.append(text)

    def hunk(self) -> Hunk:
        """All of it; lines without even a mark at its end only part it from the next."""
        while self.lines and not self.lines[-1]:
            self.lines.pop()
        facts = (tuple(self._headers), self._line, self.at_end, self.is_terminated)
        return Hunk(marked(self.lines), *facts)
