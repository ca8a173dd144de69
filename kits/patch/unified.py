"""Unified diffs, plain or of git."""

import re
from collections.abc import Iterator

from kits.errors import invalid

from .model import MARKS, FilePatch, Hunk, lines_of, marked

HUNK = re.compile(
    r"@@ -(?P<old>\d+)(?:,(?P<old_count>\d+))? \+\d+(?:,(?P<new_count>\d+))? @@ ?(?P<text>.*)"
)
_NOTHING = "/dev/null"
_MODE_BITS = 0o777
_GIT = "diff --git "
_GIT_LINE = re.compile(
    r"(rename from|rename to|new file mode|deleted file mode|new mode|Binary files|GIT binary) ?(.*)"
)
_SAME_PATHS = re.compile(r"a/(.+) b/\1")
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


class _GitHeader:
    """What git says of a file before its hunks, if it has any."""

    def __init__(self, paths: str | None = None) -> None:
        self._paths = paths
        self._said: dict[str, str] = {}

    @property
    def target(self) -> str | None:
        """Where a renamed file goes."""
        return self._said.get("rename to")

    @property
    def mode(self) -> int | None:
        """The permission bits it gets."""
        text = self._said.get("new file mode") or self._said.get("new mode")
        return None if text is None else int(text, 8) & _MODE_BITS

    def read(self, line: str) -> None:
        """One line of the header; others are passed over.

        Raises:
            WorkspaceError: the file is binary.
        """
        match = _GIT_LINE.match(line)
        if self._paths is None or match is None:
            return
        if match[1].startswith(("Binary", "GIT")):
            message = f"the patch changes a binary file ({self._paths}), which is not supported"
            raise invalid(message)
        self._said[match[1]] = _path(match[2])

    def without_hunks(self) -> Iterator[FilePatch]:
        """The file, if the header says all: a rename, an empty file, another mode."""
        same = _SAME_PATHS.fullmatch(self._paths or "")
        path = self._said.get("rename from") or (same[1] if same else None)
        if path is None:
            return
        if "new file mode" in self._said:
            yield FilePatch("add", path, mode=self.mode)
        elif "deleted file mode" in self._said:
            yield FilePatch("delete", path)
        elif self._said:
            yield FilePatch("update", path, (), self.target, self.mode)


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._at = 0

    def files(self) -> Iterator[FilePatch]:
        """Each file, from its first header line on."""
        git = _GitHeader()
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if self._is_header():
                yield self._file(git)
                git = _GitHeader()
                continue
            if line.startswith(_GIT):
                yield from git.without_hunks()
                git = _GitHeader(line.removeprefix(_GIT))
            else:
                git.read(line)
            self._at += 1
        yield from git.without_hunks()

    def _is_header(self) -> bool:
        pair = self._lines[self._at : self._at + 2]
        return len(pair) > 1 and pair[0].startswith("--- ") and pair[1].startswith("+++ ")

    def _file(self, git: _GitHeader) -> FilePatch:
        old, new = _stripped(*(_path(line[4:]) for line in self._lines[self._at : self._at + 2]))
        self._at += 2
        hunks = tuple(self._hunks())
        if old == _NOTHING:
            return FilePatch("add", new, hunks, mode=git.mode)
        if new == _NOTHING:
            return FilePatch("delete", old, hunks)
        if git.target is not None:
            return FilePatch("update", old, hunks, git.target, git.mode)
        return FilePatch("update", new, hunks, mode=git.mode)

    def _hunks(self) -> Iterator[Hunk]:
        while self._at < len(self._lines):
            match = HUNK.match(self._lines[self._at])
            if match is None:
                return
            self._at += 1
            yield self._hunk(match)

    def _hunk(self, match: re.Match[str]) -> Hunk:
        left = {" -": int(match["old_count"] or 1), " +": int(match["new_count"] or 1)}
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
        while lines and not lines[-1] and left[" -"] < 0:  # blank lines behind the patch
            lines.pop()
            left[" -"] += 1
        return Hunk(marked(lines), (), int(match["old"]), is_terminated=is_terminated)

    def _ends(self, left: dict[str, int]) -> bool:
        """Whether the next line is another hunk's or file's; the counts tell in doubt."""
        if HUNK.match(self._lines[self._at]):
            return True
        is_counted_out = all(count <= 0 for count in left.values())
        return self._is_header() and is_counted_out


def _path(text: str) -> str:
    """A path of a header line: a time behind a tab goes, git's quotes and escapes too."""
    if text.startswith('"'):
        quoted = text[1 : text.rindex('"')].encode()
        return _ESCAPE.sub(_unescaped, quoted).decode("utf-8", "surrogateescape")
    return text.partition("\t")[0].rstrip()


def _unescaped(match: re.Match[bytes]) -> bytes:
    octal, letter = match.groups()
    return bytes([int(octal, 8)]) if octal else _LETTERS.get(letter, letter)


def _stripped(old: str, new: str) -> tuple[str, str]:
    """Both without ``a/`` and ``b/``, if they bear them."""
    if not (old == _NOTHING or old.startswith("a/")) or not (
        new == _NOTHING or new.startswith("b/")
    ):
        return old, new
    return old.removeprefix("a/"), new.removeprefix("b/")
