"""Patterns of file names: the one matcher of both ways of searching."""

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import chain, pairwise
from typing import Literal
from unicodedata import normalize

from attrs import frozen

from kits.errors import invalid

from . import hints, wildcards

_MAX_ALTERNATIVES = 1_000
_MAX_CHARS = 2_000
_CLASS = re.compile(r"\[(?P<not>[!^]?)(?P<items>\]?(?:\[:[a-z]+:\]|\\[^/]|[^\]/\\])*)\]", re.DOTALL)
_MEMBER = re.compile(r"\[:(?P<kind>[a-z]+):\]|\\?(?P<first>.)(?:-\\?(?P<last>.))?", re.DOTALL)
_KINDS = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "digit": "0-9",
    "lower": "a-z",
    "punct": r"!-/:-@\[-`\{-~",
    "space": r"\s",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_FORMS: tuple[Literal["NFC", "NFD"], ...] = ("NFC", "NFD")
_REPOSITORY = ".git"
_VISIBLE = r"(?!\.)"


@frozen
class Glob:
    """A pattern such as ``src/**/*.{ts,tsx}``.

    ``*`` and ``?`` stay within a name, ``**`` spans folders, ``[a-z]`` and ``[!a-z]`` are one
    character, braces are alternatives, a backslash takes the next character as it is. With a
    slash the pattern is relative to the folder that is searched; without one it is a name at any
    depth. Only a part that begins with a dot matches hidden names. A part with brackets is also
    the name that is written just so, as web frameworks have ``[id]``. After ``!`` stands what is
    not meant, with all that is below it.

    Attributes:
        pattern: its text.
        hidden: wildcards match hidden names too.

    Raises:
        WorkspaceError: it leads outside, is empty, or has too many alternatives.

    >>> bool(Glob("*.py").matches("src/a.py")), bool(Glob("/*.py").matches("src/a.py"))
    (True, False)
    """

    pattern: str
    hidden: bool = False

    def __attrs_post_init__(self) -> None:
        """Check it, so that a wrong pattern is refused before anything is searched."""
        if not self._named or len(self.pattern) > _MAX_CHARS:
            message = f"the glob has {len(self.pattern)} characters: from 1 to {_MAX_CHARS} can be"
            raise invalid(message)
        for alternative in self._alternatives:
            if ".." in _plain(alternative).split("/"):
                message = f"the glob {self.pattern!r} leads out of the folder that is searched"
                raise invalid(message, hint="Give the folder as path.")

    @cached_property
    def matches(self) -> Callable[[str], object]:
        """Tells, by a truthy value, whether a path relative to the folder searched is meant."""
        patterns = "|".join(f"(?:{self._whole(each)})" for each in self._alternatives)
        if self._excludes:
            shown = "" if self.hidden else rf"{_VISIBLE}(?!.*/\.)"
            return re.compile(rf"{shown}(?!(?:{patterns})(?:/|\Z))", re.DOTALL).match
        return re.compile(rf"(?:{patterns})\Z", re.DOTALL).match

    @cached_property
    def wants_hidden(self) -> bool:
        """Whether hidden files or folders can match."""
        named = any(part.startswith(".") and part != "." for part in self._parts)
        return self.hidden or (named and not self._excludes)

    @property
    def hint(self) -> str:
        """What may be wrong with it if no file matches; empty if nothing is known."""
        return hints.of_glob(self.pattern)

    @cached_property
    def wants_repository(self) -> bool:
        """Whether git's own folder is named."""
        return _REPOSITORY in self._parts and not self._excludes

    @property
    def _excludes(self) -> bool:
        return self.pattern.startswith("!")

    @property
    def _named(self) -> str:
        """What is meant, or is not."""
        return self.pattern[self._excludes :]

    @property
    def _is_for_all(self) -> bool:
        """Whether wildcards match hidden names too."""
        return self.hidden or self._excludes

    @cached_property
    def _parts(self) -> set[str]:
        return {part for each in self._alternatives for part in _plain(each).split("/")}

    @cached_property
    def _alternatives(self) -> tuple[str, ...]:
        expanded: list[str] = []
        # A name with an accent is written in two ways, which look the same.
        forms = dict.fromkeys([self._named, *(normalize(form, self._named) for form in _FORMS)])
        for alternative in chain.from_iterable(map(expand, forms)):
            expanded.append(alternative)
            if len(expanded) > _MAX_ALTERNATIVES:
                message = (
                    f"the glob {self.pattern!r} has more than {_MAX_ALTERNATIVES} alternatives"
                )
                raise invalid(message)
        return tuple(expanded)

    def _whole(self, pattern: str) -> str:
        """One alternative as a regular expression over a relative path."""
        parts = [part for part in pattern.split("/") if _plain(part) not in {"", "."}]
        if pattern.endswith("/"):
            parts.append("**")
        if not parts:
            return "(?!)"
        if "/" not in pattern:
            parts.insert(0, "**")
        names = [None if part == "**" else self._name(part) for part in parts]
        visible = f"{'' if self._is_for_all else _VISIBLE}{wildcards.ONE}+"
        names += [visible] if parts[-1] == "**" else []
        return wildcards.path(names, visible)

    def _name(self, part: str) -> str:
        """One name of a pattern; a wildcard in front does not match a dot."""
        shown = "" if self._is_for_all or part[0] not in "*?[" else _VISIBLE
        read = dict.fromkeys(wildcards.name(_atoms(part, classes=each)) for each in (True, False))
        return f"{shown}(?:{'|'.join(read)})"


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


def _atoms(part: str, *, classes: bool) -> list[str | None]:
    """A name of a pattern, as ``wildcards`` takes it; with classes, or with brackets as such."""
    atoms: list[str | None] = []
    at = 0
    while at < len(part):
        atom, length = _atom(part, at, classes=classes)
        atoms.append(atom)
        at += length
    return atoms


def _atom(part: str, at: int, *, classes: bool) -> tuple[str | None, int]:
    """An expression for one character, ``None`` for a star, and how long it is in the pattern."""
    character = part[at]
    if character == "*":
        return None, 1
    if character == "?":
        return wildcards.ONE, 1
    if character == "\\" and at + 1 < len(part):
        return re.escape(part[at + 1]), 2
    if character == "[" and classes and (found := _CLASS.match(part, at)) and found["items"]:
        return _character_class(found), len(found[0])
    return re.escape(character), 1


def _character_class(found: re.Match[str]) -> str:
    """A class as a regular expression; a range that runs backwards holds nothing."""
    inner = "".join(map(_members, _MEMBER.finditer(found["items"])))
    if found["not"]:
        return f"[^/{inner}]"
    return f"(?!/)[{inner}]" if inner else "(?!)"


def _members(found: re.Match[str]) -> str:
    if found["kind"]:
        return _KINDS.get(found["kind"], "")
    first, last = found["first"], found["last"] or found["first"]
    return f"{re.escape(first)}-{re.escape(last)}" if first <= last else ""
