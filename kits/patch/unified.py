"""Unified diffs, plain or of git."""

import re
from collections.abc import Iterator, Sequence

from kits.errors import invalid

from .model import MARKS, FilePatch, Hunk, lines_of, malformed, marked

HUNK = re.compile(
    r"@@ -(?P<old>\d+)(?:,(?P<old_count>\d+))? \+\d+(?:,(?P<new_count>\d+))? @@ ?(?P<text>.*)"
)
_LOOSE = re.compile(r"@@(?!@)(?P<text>.*)")
_NOTHING = "/dev/null"
_EXECUTABLE = 0o100
_GIT = "diff --git "
_GIT_LINE = re.compile(r"(rename from|rename to|new file mode|deleted file mode|new mode) (.*)")
_QUOTED_PATHS = re.compile(r'(".+") (".+")')
_REFUSED = (
    # without git too
    (re.compile(r"Binary files .* differ|GIT binary patch"), "changes a binary file"),
    (re.compile(r"(new file|deleted file|new) mode 1[26]0000"), "is about a link or a submodule"),
    (re.compile(r"index [0-9a-f.]+ 1[26]0000"), "is about a link or a submodule"),
    (re.compile(r"copy (from|to) "), "copies a file"),
)
#: What stands before the old and the new path; the first by custom, the others if git says so.
_PREFIXES = (("a/", "b/"), ("b/", "a/"), ("i/", "w/"), ("c/", "i/"), ("c/", "w/"), ("o/", "w/"))
#: A line of a hunk where none may be; a list in prose has one blank behind its dash.
STRAY = re.compile(r"\+(?!\+\+ )|-(?!-| \S)|@@|\*\*\* (Add|Update|Delete) File")
#: A time behind a path, where blanks have taken the place of the tab.
_TIME = re.compile(r" \d{4}-\d\d-\d\d \d\d:\d\d(:\d\d(\.\d+)?)?( [-+]\d{4})?\s*$")
_SIGNATURE = re.compile(r"\d+\.|$")
_ESCAPE = re.compile(rb"\\(?:([0-3][0-7]{2})|(.))")
_LETTERS = {b"n": b"\n", b"t": b"\t", b"r": b"\r"}


def parse(patch: str) -> list[FilePatch]:
    """The files of a diff; text before and between them is passed over.

    Raises:
        WorkspaceError: there is none, a line has no meaning, or a file is binary.
    """
    reader = _Reader(lines_of(patch))
    files = list(reader.files())
    if not files:
        message = "the patch has neither '*** Begin Patch' nor a '---' and '+++' header"
        raise invalid(message)
    return files


def begins_file(lines: Sequence[str]) -> bool:
    """Whether the first of these lines begins a file of a diff."""
    return _is_header(lines) or lines[0].startswith(_GIT)


def _is_header(lines: Sequence[str]) -> bool:
    return [line[:4] for line in lines[:2]] == ["--- ", "+++ "]


class _GitHeader:
    """What git says of a file before its hunks, if it has any."""

    def __init__(self, paths: str | None = None) -> None:
        self._paths = paths
        self._said: dict[str, str] = {}

    @property
    def is_there(self) -> bool:
        """Whether git has written the patch."""
        return self._paths is not None

    @property
    def target(self) -> str | None:
        """Where a renamed file goes."""
        return self._said.get("rename to")

    @property
    def is_program(self) -> bool | None:
        """Whether it gets a mode that lets it be executed; git knows no more of modes."""
        text = self._said.get("new file mode") or self._said.get("new mode")
        return None if text is None else bool(int(text, 8) & _EXECUTABLE)

    def read(self, number: int, line: str) -> None:
        """One line of the header; others are passed over.

        Raises:
            WorkspaceError: the patch wants what cannot be done.
        """
        for refused, what in _REFUSED if self.is_there else _REFUSED[:1]:
            if refused.match(line):
                message = f"the patch {what} ({self._paths or line}), which is not supported"
                raise invalid(message, hint="Leave that out, and do it by a command.")
        match = _GIT_LINE.match(line)
        if self._paths is None or match is None:
            return
        if match[1].endswith("mode") and not re.fullmatch("[0-7]{6}", match[2]):
            raise malformed(number, line, "six octal digits")
        self._said[match[1]] = _path(match[2])

    def without_hunks(self) -> Iterator[FilePatch]:
        """The file, if the header says all: a rename, an empty file, another mode."""
        if not self._said:
            return
        path = self._said.get("rename from") or _same_path(self._paths or "")
        if "new file mode" in self._said:
            yield FilePatch("add", path, is_program=self.is_program)
        elif "deleted file mode" in self._said:
            yield FilePatch("delete", path)
        else:
            yield FilePatch("update", path, (), self.target, self.is_program)


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._at = 0

    def files(self) -> Iterator[FilePatch]:
        """Each file, from its first header line on."""
        git = _GitHeader()
        is_inside = False
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if self._is_header():
                yield self._file(git)
                git = _GitHeader()
                is_inside = True
                continue
            if line.startswith(_GIT):
                yield from git.without_hunks()
                git = _GitHeader(line.removeprefix(_GIT))
                is_inside = True
            elif HUNK.match(line) or (is_inside and STRAY.match(line)):
                raise malformed(self._at + 1, line, "what follows a hunk, or a '--- ' header")
            else:
                git.read(self._at + 1, line)
            self._at += 1
        yield from git.without_hunks()

    def _is_header(self) -> bool:
        return _is_header(self._lines[self._at : self._at + 2])

    def _file(self, git: _GitHeader) -> FilePatch:
        lines = self._lines[self._at : self._at + 2]
        paths = (_path(_TIME.sub("", line[4:])) for line in lines)
        old, new = _stripped(*paths, is_git=git.is_there)
        self._at += 2
        hunks = tuple(self._hunks())
        if not hunks:
            line = "".join(self._lines[self._at : self._at + 1])
            raise malformed(self._at + 1, line, "a hunk: '@@ -1,3 +1,3 @@'")
        if old == _NOTHING:
            return FilePatch("add", new, hunks, is_program=git.is_program)
        if new == _NOTHING:
            return FilePatch("delete", old, hunks)
        if git.target is not None:
            return FilePatch("update", old, hunks, git.target, git.is_program)
        return FilePatch("update", new, hunks, is_program=git.is_program)

    def _hunks(self) -> Iterator[Hunk]:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            match = HUNK.match(line) or _LOOSE.match(line)
            if match is None:
                return
            self._at += 1
            hunk = self._hunk(match)
            if not hunk.lines:
                line = "".join(self._lines[self._at : self._at + 1])
                raise malformed(self._at + 1, line, "a line behind ' ', '-' or '+'")
            yield hunk

    def _hunk(self, match: re.Match[str]) -> Hunk:
        """The lines of one hunk; without counts it ends where no line has a mark."""
        said = match.groupdict()
        is_counted = "old" in said
        left = {
            marks: int(said[count] or 1)
            for marks, count in ((" -", "old_count"), (" +", "new_count"))
            if is_counted
        }
        lines, is_terminated = self._marked_lines(left)
        while lines and not lines[-1] and left.get(" -", -1) < 0:  # blank lines behind the patch
            lines.pop()
            left = {marks: count + 1 for marks, count in left.items()}
        text = said["text"].strip().removesuffix("@@").strip()
        headers = (text,) if text and not is_counted else ()
        line = int(said["old"]) if is_counted else None
        return Hunk(marked(lines), headers, line, is_terminated=is_terminated)

    def _marked_lines(self, left: dict[str, int]) -> tuple[list[str], bool | None]:
        lines: list[str] = []
        is_terminated: bool | None = None
        while self._at < len(self._lines) and not self._ends(left):
            line = self._lines[self._at]
            if line.startswith("\\") and lines:
                is_terminated = lines[-1].startswith("-")
            elif line[:1] in MARKS:
                lines.append(line)
                for marks in left:
                    left[marks] -= (line[:1] or " ") in marks
            else:
                break
            self._at += 1
        return lines, is_terminated

    def _ends(self, left: dict[str, int]) -> bool:
        """Whether the next line is another hunk's or file's; the counts tell in doubt."""
        line, *behind = [*self._lines[self._at : self._at + 3], "", ""][:3]
        is_counted_out = all(count <= 0 for count in left.values())
        if self._is_header():  # or a line that goes and one that comes, if just those are left
            is_file = behind[1].startswith("@@") and [*left.values()] != [1, 1]
            return is_counted_out or is_file
        is_signature = line.rstrip() == "--" and is_counted_out and _SIGNATURE.match(behind[0])
        return line.startswith("@@") or bool(is_signature)


def _same_path(paths: str) -> str:
    """The path that a git header names twice, with prefixes of one length or with none.

    Raises:
        WorkspaceError: there are two.
    """
    quoted = _QUOTED_PATHS.fullmatch(paths)
    half = len(paths) // 2
    pair = quoted.groups() if quoted else (paths[:half], paths[half + 1 :])
    old, new = _stripped(*map(_path, pair), is_git=True)
    if old != new:
        message = f"the patch does not tell which file 'diff --git {paths}' is about"
        raise invalid(message, hint="Give it '--- ' and '+++ ' lines.")
    return old


def _path(text: str) -> str:
    """A path of a header line: a time behind a tab goes, git's quotes and escapes too."""
    if text.startswith('"'):
        quoted = text[1 : text.rindex('"')].encode()
        return _ESCAPE.sub(_unescaped, quoted).decode("utf-8", "surrogateescape")
    return text.partition("\t")[0].rstrip()


def _unescaped(match: re.Match[bytes]) -> bytes:
    octal, letter = match.groups()
    return bytes([int(octal, 8)]) if octal else _LETTERS.get(letter, letter)


def _stripped(old: str, new: str, *, is_git: bool) -> tuple[str, str]:
    """Both without prefixes, if they bear them."""
    for first, second in _PREFIXES if is_git else _PREFIXES[:1]:
        if (old == _NOTHING or old.startswith(first)) and (
            new == _NOTHING or new.startswith(second)
        ):
            return old.removeprefix(first), new.removeprefix(second)
    return old, new
