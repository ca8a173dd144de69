"""Ignore files: which of them count in a folder, and what they say of what is in it."""

import os
import re
from collections.abc import Iterable
from itertools import groupby

from attrs import evolve, field, frozen
from pathspec.patterns.gitignore import GitIgnorePatternError
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

#: The weakest first: what a later kind says counts more, whatever the depth, as in ripgrep.
NAMES = (".gitignore", ".ignore", ".rgignore")
_FOLDER_WITHIN = "(?P<ps_d>/)"
#: What git says ends where another repository begins.
_OF_GIT = NAMES[0]


@frozen
class Rules:
    """The patterns of one ignore file.

    Attributes:
        prefix: the folder it is in, ``a/b/``, relative to the workspace; empty for the workspace.
        runs: patterns joined as far as they say the same, the last first.
    """

    prefix: str
    runs: tuple[tuple[bool, re.Pattern[str]], ...] = field(repr=False)

    @classmethod
    def of(cls, text: str, prefix: str) -> "Rules":
        """The patterns of a file's text; lines that are no pattern are left out, as git does."""
        lines = _by_bytes(text).split("\n")
        patterns = [pattern for line in lines if (pattern := _pattern(line.removesuffix("\r")))]
        runs = groupby(reversed(patterns), key=lambda pattern: pattern[0])
        return cls(_by_bytes(prefix), tuple((ignores, _joined(run)) for ignores, run in runs))

    def verdict(self, path: str) -> bool | None:
        """Whether a path, a character per byte, is ignored; ``None`` if no pattern matches it."""
        inner = path[len(self.prefix) :]
        for ignores, regex in self.runs:
            if regex.match(inner):
                return ignores
        return None


@frozen
class OwnRules:
    """What an operator says about ignoring, in the patterns of ignore files.

    Attributes:
        extend: ignored too.
        remove: not ignored, whatever ignore files say.
        replace: ignored instead of what ignore files say, which are not read; ``None`` reads them.
    """

    extend: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    replace: tuple[str, ...] | None = None

    @classmethod
    def of(
        cls, extend: Iterable[str], remove: Iterable[str], replace: Iterable[str] | None
    ) -> "OwnRules":
        """Rules from any lists of patterns."""
        return cls(tuple(extend), tuple(remove), None if replace is None else tuple(replace))

    def __bool__(self) -> bool:
        """Whether anything is said."""
        return bool(self.extend or self.remove or self.replace is not None)

    def stack(self) -> "Stack":
        """The rules that count everywhere, stronger than all files."""
        lines = [*(self.replace or ()), *self.extend, *(f"!{line}" for line in self.remove)]
        return evolve(Stack(), strongest=(Rules.of("\n".join(lines), ""),) if lines else ())


@frozen
class Stack:
    """The ignore files that count in a folder, the weakest first.

    >>> stack = Stack().entered({".gitignore": "*.log"}, "", is_repository=False)
    >>> stack.ignores("a/x.log"), stack.ignores("a/x.py")
    (True, False)
    """

    by_name: tuple[tuple[Rules, ...], ...] = ((),) * len(NAMES)
    strongest: tuple[Rules, ...] = ()

    @property
    def has_rules(self) -> bool:
        """Whether there are any."""
        return any(self.by_name) or bool(self.strongest)

    def entered(self, files: dict[str, str], prefix: str, *, is_repository: bool) -> "Stack":
        """The stack in a folder that has these ignore files.

        Args:
            files: their texts by name.
            prefix: the folder, ``a/b/``.
            is_repository: whether it is the top of one, where git's rules above end.
        """
        if not files and not is_repository:
            return self
        by_name = []
        for name, rules in zip(NAMES, self.by_name, strict=True):
            kept = () if is_repository and name == _OF_GIT else rules
            own = (Rules.of(files[name], prefix),) if name in files else ()
            by_name.append((*kept, *own))
        return evolve(self, by_name=tuple(by_name))

    def ignores(self, path: str) -> bool:
        """Whether an entry is ignored; a folder's path ends in a slash.

        The folders it is in are taken as not ignored.
        """
        if not self.has_rules:
            return False
        path = _by_bytes(path)
        for rules in (self.strongest, *reversed(self.by_name)):
            for each in reversed(rules):
                verdict = each.verdict(path)
                if verdict is not None:
                    return verdict
        return False


def _by_bytes(text: str) -> str:
    """A character for each byte: so git reads patterns and paths, ``?`` is a byte to it."""
    return os.fsencode(text).decode("latin-1")


def _pattern(line: str) -> tuple[bool, str] | None:
    """What a line says, and its expression over a path; ``None`` if it is no pattern."""
    try:
        regex, ignores = GitIgnoreSpecPattern.pattern_to_regex(line)
    except GitIgnorePatternError:
        return None
    if regex is None or ignores is None:
        return None
    # The library judges whole paths, and a folder in the middle of one: its group is the slash
    # behind that. We judge entry by entry, and `a/**` is what is in `a`, not `a` itself.
    regex = regex.replace(_FOLDER_WITHIN, r"(?:/\Z)")
    inside = "(?=.)" if line.rstrip().endswith("/**") else ""
    return ignores, f"{'' if regex.startswith('^') else '.*?'}{regex}{inside}"


def _joined(patterns: Iterable[tuple[bool, str]]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{regex})" for _, regex in patterns), re.DOTALL)
