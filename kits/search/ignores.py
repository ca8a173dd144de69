"""Ignore files: which of them count in a folder, and what they say of what is in it."""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import groupby
from operator import attrgetter

from attrs import evolve, field, frozen

from .gitpatterns import GitPattern, read

#: The weakest first: what a later kind says counts more, whatever the depth, as in ripgrep.
NAMES = (".gitignore", ".ignore", ".rgignore")
#: What git says ends where another repository begins.
_OF_GIT = NAMES[0]


@frozen
class Rule:
    """Patterns that say the same, joined.

    Attributes:
        ignores: or they take back what others ignore.
        by_name: they judge by names alone, not by paths.
        only_folders: they judge folders alone.
        match: tells, by a truthy value, whether one of them matches.
    """

    ignores: bool
    by_name: bool
    only_folders: bool
    match: Callable[[str], object] = field(repr=False)

    @classmethod
    def of(cls, patterns: Sequence[GitPattern]) -> "Rule":
        """Patterns of one kind."""
        kind = patterns[0]
        regex = re.compile(rf"(?:{'|'.join(each.regex for each in patterns)})\Z", re.DOTALL)
        return cls(kind.ignores, kind.by_name, kind.only_folders, regex.match)


@frozen
class Rules:
    """The patterns of one ignore file.

    Attributes:
        prefix: the folder it is in, ``a/b/``, relative to the workspace, a character per byte;
            empty for the workspace.
        joined: its patterns, the last first.
    """

    prefix: str
    joined: tuple[Rule, ...]

    @classmethod
    def of(cls, text: str, prefix: str) -> "Rules":
        """The patterns of a file's text; lines that are no pattern are left out, as git does."""
        return cls(_by_bytes(prefix), _read(text))


Test = tuple[bool, str, Callable[[str], object]]


@frozen
class FolderRules:
    """What the ignore files say in one folder.

    Attributes:
        of_files, of_folders: the strongest test first: what it says, what stands before a name for
            it, and how it matches.
    """

    of_files: list[Test]
    of_folders: list[Test]

    def kept(self, files: list[str]) -> list[str]:
        """Those of some files, by name, that are not ignored."""
        if not self.of_files:
            return files
        return [name for name in files if not _verdict(self.of_files, name)]

    def ignores_folder(self, name: str) -> bool:
        """Whether a folder is ignored."""
        return _verdict(self.of_folders, name)


def _verdict(tests: list[Test], name: str) -> bool:
    if not name.isascii():
        name = _by_bytes(name)
    for verdict, before, match in tests:
        if match(before + name):
            return verdict
    return False


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
    >>> rules = stack.inside("a/")
    >>> rules.kept(["x.log", "x.py"])
    ['x.py']
    """

    by_name: tuple[tuple[Rules, ...], ...] = ((),) * len(NAMES)
    strongest: tuple[Rules, ...] = ()

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

    def inside(self, folder: str) -> FolderRules:
        """What they say of the entries of a folder, ``a/b/``, that is not ignored itself."""
        folder = _by_bytes(folder)
        tests = [
            (rule.only_folders, (rule.ignores, "" if rule.by_name else folder[begin:], rule.match))
            for begin, rule in self._in_order
        ]
        of_files = [test for only_folders, test in tests if not only_folders]
        return FolderRules(of_files, [test for _, test in tests])

    @cached_property
    def _in_order(self) -> list[tuple[int, Rule]]:
        """The rules, the strongest first, each with where its folder ends in a path."""
        return [
            (len(rules.prefix), rule)
            for kind in (self.strongest, *reversed(self.by_name))
            for rules in reversed(kind)
            for rule in rules.joined
        ]


def _by_bytes(text: str) -> str:
    """A character for each byte: so git reads patterns and paths, ``?`` is a byte to it."""
    return os.fsencode(text).decode("latin-1")


@lru_cache(maxsize=512)
def _read(text: str) -> tuple[Rule, ...]:
    """The patterns of a file's text, the last first; the same files come in each search."""
    lines = _by_bytes(text.removeprefix("\ufeff")).split("\n")
    patterns = [pattern for line in lines if (pattern := read(line.removesuffix("\r")))]
    runs = groupby(reversed(patterns), key=attrgetter("ignores", "by_name", "only_folders"))
    return tuple(Rule.of(list(run)) for _, run in runs)
