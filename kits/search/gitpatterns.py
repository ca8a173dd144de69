"""Patterns of ignore files, as git reads them; a character stands for a byte.

Of our own, since the libraries for it judge otherwise than git: of reversed ranges, classes with
names, tabs and what stands behind an escape, and some patterns take them exponential time. The
tests hold this to ``git ls-files``.
"""

import re
from collections.abc import Callable, Iterator

from attrs import frozen

from . import wildcards

_SPECIAL = re.compile(r"[*?\[\\]")
_SLASH, _FOLDERS = "/", "**"
#: A name of which git and ripgrep say the same: no class but of letters and digits, no escape.
_PLAIN_NAME = r"""
    (?! \.{1,2} (?:/|$) )
    (?: [\w.+@~$%=:-] | \* (?!\*) | \[ (?: 0-9 | a-z | A-Z | \w )+ \] )+
"""
_PLAIN_LINE = re.compile(
    rf"""
    (?: \# [^\r\0\udc80-\udcff]*
    | !? /? (?:\*\*/)? {_PLAIN_NAME} (?: / {_PLAIN_NAME} )* (?: / | /\*\* )?
    )?
    """,
    re.ASCII | re.VERBOSE,
)
_MOST_PLAIN = 1 << 16
_BYTES = [chr(number) for number in range(1, 256)]
_CLASSES: dict[str, Callable[[str], bool]] = {
    "alnum": str.isalnum,
    "alpha": str.isalpha,
    "blank": " \t".__contains__,
    "cntrl": lambda each: each < " " or each == "\x7f",
    "digit": str.isdigit,
    "graph": lambda each: "!" <= each <= "~",
    "lower": str.islower,
    "print": str.isprintable,
    "punct": lambda each: "!" <= each <= "~" and not each.isalnum(),
    "space": " \t\n\v\f\r".__contains__,
    "upper": str.isupper,
    "xdigit": "0123456789abcdefABCDEF".__contains__,
}


@frozen
class GitPattern:
    """A line of an ignore file.

    Attributes:
        ignores: or it takes back what others ignore.
        by_name: it judges by names alone, not by paths.
        only_folders: it judges folders alone.
        depth: how many slashes a path has that it can match; ``None`` for any number.
        regex: matches a whole name, or a whole path from the folder of the ignore file.
    """

    ignores: bool
    by_name: bool
    only_folders: bool
    depth: int | None
    regex: str


class _NeverError(ValueError):
    """A pattern that matches nothing."""


def read(line: str) -> GitPattern | None:
    """What a line says; ``None`` if it is a comment, empty, or matches nothing."""
    line = line if line.startswith("#") else _trimmed(line)
    ignores = not line.startswith("!")
    pattern = line if ignores else line[1:]
    only_folders = pattern.endswith("/")
    pattern = pattern.removesuffix("/")
    if not pattern or line.startswith("#"):
        return None
    by_name = _SLASH not in pattern
    try:
        regex, depth = _name_alone(pattern) if by_name else _path(pattern.removeprefix(_SLASH))
    except _NeverError:
        return None
    return GitPattern(ignores, by_name, only_folders, depth, regex)


def are_plain(text: str) -> bool:
    """Whether ripgrep reads a file with this text as git does, and as we do.

    They part over escapes, spaces, odd classes and marks of the encoding; such files are rare.

    >>> are_plain("!keep-*.py[cod]"), are_plain("[!a]*.log")
    (True, False)
    """
    return len(text) < _MOST_PLAIN and all(map(_PLAIN_LINE.fullmatch, text.split("\n")))


def _trimmed(line: str) -> str:
    """A line without the spaces at its end, unless the first of them is escaped."""
    end, at = len(line), 0
    while at < len(line):
        if line[at] == "\\":
            at += 1
        elif line[at] == " ":
            end = min(end, at)
            at += 1
            continue
        end = len(line)
        at += 1
    return line[:end]


def _name_alone(pattern: str) -> tuple[str, None]:
    return _name(list(_atoms(pattern))), None


def _path(pattern: str) -> tuple[str, int | None]:
    """An expression, and how many slashes what it matches has if that is fixed.

    Git compares what stands before the first wildcard as it is, and begins anew behind it.
    """
    found = _SPECIAL.search(pattern)
    if not found:
        return re.escape(pattern), pattern.count(_SLASH)
    parts: list[list[str]] = [[]]
    for atom in _atoms(pattern[found.start() :]):
        if atom == _SLASH:
            parts.append([])
        else:
            parts[-1].append(atom)
    before = pattern[: found.start()]
    names = [None if part == [_FOLDERS] else _name(part) for part in parts]
    depth = None if None in names else before.count(_SLASH) + len(parts) - 1
    names[-1] = ".*" if names[-1] is None else names[-1]
    return re.escape(before) + wildcards.path(names, f"{wildcards.ONE}*"), depth


def _name(atoms: list[str]) -> str:
    return wildcards.name([None if atom in {"*", _FOLDERS} else atom for atom in atoms])


def _atoms(pattern: str) -> Iterator[str]:
    """Stars and slashes, and expressions for one character each."""
    at = 0
    while at < len(pattern):
        character = pattern[at]
        if character == "*":
            stars = len(pattern) - at - len(pattern[at:].lstrip("*"))
            yield "*" if stars == 1 else _FOLDERS
            at += stars
        elif character == "[":
            members, at = _class(pattern, at + 1)
            yield members
        else:
            at += character == "\\"
            yield _one(pattern[at : at + 1], is_plain=character != "?")
            at += 1


def _one(character: str, *, is_plain: bool) -> str:
    if not character:
        raise _NeverError
    if not is_plain:
        return wildcards.ONE
    return character if character == _SLASH else re.escape(character)


def _class(pattern: str, at: int) -> tuple[str, int]:
    """The class whose bracket opens before ``at``, and where it ends."""
    negated = pattern[at : at + 1] in {"!", "^"}
    at += negated
    members: set[str] = set()
    before = ""
    is_first = True
    while is_first or pattern[at : at + 1] != "]":
        is_first = False
        found, before, at = _member(pattern, at, before)
        members |= found
    chosen = [each for each in _BYTES if (each in members) != negated and each != _SLASH]
    return f"[{''.join(map(re.escape, chosen))}]" if chosen else "(?!)", at + 1


def _member(pattern: str, at: int, before: str) -> tuple[set[str], str, int]:
    """What one part of a class adds, what a range behind it would begin with, and its end."""
    character = pattern[at : at + 1]
    if character == "-" and before and pattern[at + 1 : at + 2] not in {"", "]"}:
        last, end = _escaped(pattern, at + 1)
        return {each for each in _BYTES if before <= each <= last}, "", end
    if pattern.startswith("[:", at):
        name, bracket, _ = pattern[at + 2 :].partition("]")
        if not bracket:
            raise _NeverError
        if name.endswith(":"):
            if name[:-1] not in _CLASSES:
                raise _NeverError
            holds = _CLASSES[name[:-1]]
            found = {each for each in _BYTES if each.isascii() and holds(each)}
            return found, "", at + len("[:") + len(name) + 1
        return {"["}, "[", at + 1
    only, end = _escaped(pattern, at)
    return {only}, only, end


def _escaped(pattern: str, at: int) -> tuple[str, int]:
    at += pattern[at : at + 1] == "\\"
    if at >= len(pattern):
        raise _NeverError
    return pattern[at], at + 1
