"""Patterns of file names: the one matcher of both ways of searching."""

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise

from attrs import frozen

from kits.errors import invalid

_MAX_ALTERNATIVES = 1_000
_MAX_CHARS = 2_000
_CLASS = re.compile(r"\[(?P<not>[!^]?)(?P<items>\]?[^\]/]*)\]")


@frozen
class Glob:
    """A pattern such as ``src/**/*.{ts,tsx}``.

    ``*`` and ``?`` stay within a name, ``**`` spans folders, ``[a-z]`` and ``[!a-z]`` are one
    character, braces are alternatives, a backslash takes the next character as it is. With a
    slash the pattern is relative to the folder that is searched; without one it is a name at any
    depth. Only a part that begins with a dot matches hidden names.

    Raises:
        WorkspaceError: it leads outside, is empty, or has too many alternatives.

    >>> bool(Glob("*.py").matches("src/a.py")), bool(Glob("/*.py").matches("src/a.py"))
    (True, False)
    """

    pattern: str

    def __attrs_post_init__(self) -> None:
        """Check it, so that a wrong pattern is refused before anything is searched."""
        if not self.pattern or len(self.pattern) > _MAX_CHARS:
            message = f"the glob has {len(self.pattern)} characters: from 1 to {_MAX_CHARS} can be"
            raise invalid(message)
        for alternative in self._alternatives:
            if ".." in _plain(alternative).split("/"):
                message = f"the glob {self.pattern!r} leads out of the folder that is searched"
                raise invalid(message, hint="Give the folder as path.")

    @cached_property
    def matches(self) -> Callable[[str], object]:
        """Tells, by a truthy value, whether a path relative to the folder searched is meant."""
        patterns = "|".join(f"(?:{_whole(each)})" for each in self._alternatives)
        return re.compile(rf"(?:{patterns})\Z", re.DOTALL).match

    @cached_property
    def wants_hidden(self) -> bool:
        """Whether hidden files or folders can match."""
        parts = (part for each in self._alternatives for part in _plain(each).split("/"))
        return any(part.startswith(".") and part != "." for part in parts)

    @cached_property
    def _alternatives(self) -> tuple[str, ...]:
        expanded: list[str] = []
        for alternative in expand(self.pattern):
            expanded.append(alternative)
            if len(expanded) > _MAX_ALTERNATIVES:
                message = (
                    f"the glob {self.pattern!r} has more than {_MAX_ALTERNATIVES} alternatives"
                )
                raise invalid(message)
        return tuple(expanded)


def expand(pattern: str) -> Iterator[str]:
    """The alternatives of the braces, in the order written; an open brace is a character.

    >>> list(expand("a.{b,c{d,e}}"))
    ['a.b', 'a.cd', 'a.ce']
    """
    found = _first_braces(pattern)
    if found is None:
        yield pattern
        return
    start, commas, end = found
    borders = [start, *commas, end]
    for left, right in pairwise(borders):
        inner = pattern[left + 1 : right]
        yield from expand(pattern[:start] + inner + pattern[end + 1 :])


def _plain(pattern: str) -> str:
    """A pattern without its backslashes."""
    return re.sub(r"\\(.)", r"\1", pattern, flags=re.DOTALL)


def _first_braces(pattern: str) -> tuple[int, list[int], int] | None:
    """Where the first pair of braces with a comma opens, has its own commas, and closes."""
    at = 0
    while (start := _find(pattern, "{", at)) >= 0:
        depth, commas = 0, []
        for index, character in _unescaped(pattern, start):
            depth += (character == "{") - (character == "}")
            if depth == 1 and character == ",":
                commas.append(index)
            if depth == 0:
                if commas:
                    return start, commas, index
                break
        at = start + 1
    return None


def _find(pattern: str, wanted: str, start: int) -> int:
    return next((at for at, char in _unescaped(pattern, start) if char == wanted), -1)


def _unescaped(pattern: str, start: int) -> Iterator[tuple[int, str]]:
    at = start
    while at < len(pattern):
        if pattern[at] == "\\":
            at += 1
        else:
            yield at, pattern[at]
        at += 1


def _whole(pattern: str) -> str:
    """One alternative as a regular expression over a relative path."""
    parts = [part for part in pattern.split("/") if _plain(part) not in {"", "."}]
    if pattern.endswith("/"):
        parts.append("**")
    if not parts:
        return "(?!)"
    if "/" not in pattern:
        parts.insert(0, "**")
    regex = ""
    for number, part in enumerate(parts):
        is_last = number == len(parts) - 1
        if part != "**":
            regex += _name(part) + ("" if is_last else "/")
        elif is_last:
            regex += r"(?:[^/.][^/]*/)*[^/.][^/]*"
        elif parts[number + 1] != "**":
            regex += r"(?:[^/.][^/]*/)*"
    return regex


def _name(part: str) -> str:
    """One name of a pattern; a wildcard in front does not match a dot."""
    regex, at = "", 0
    while at < len(part):
        piece, length = _piece(part, at)
        regex += piece
        at += length
    return regex if part[0] not in "*?[" else rf"(?!\.){regex}"


def _piece(part: str, at: int) -> tuple[str, int]:
    character = part[at]
    if character == "*":
        return "[^/]*", len(part[at:]) - len(part[at:].lstrip("*"))
    if character == "?":
        return "[^/]", 1
    if character == "[" and (found := _CLASS.match(part, at)) and found["items"]:
        return _character_class(found), len(found[0])
    if character == "\\" and at + 1 < len(part):
        return re.escape(part[at + 1]), 2
    return re.escape(character), 1


def _character_class(found: re.Match[str]) -> str:
    """A class as a regular expression; a range that runs backwards holds nothing."""
    items, inner, at = found["items"], "", 0
    while at < len(items):
        first, last = items[at], items[at]
        if items[at + 1 : at + 2] == "-" and at + 2 < len(items):
            last = items[at + 2]
            at += 2
        if first <= last:
            inner += f"{re.escape(first)}-{re.escape(last)}"
        at += 1
    if found["not"]:
        return f"[^/{inner}]"
    return f"(?!/)[{inner}]" if inner else "(?!)"
