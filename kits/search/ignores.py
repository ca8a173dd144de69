"""Ignore files: which of them count in a folder, and what they say of what is in it."""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import filterfalse, groupby
from operator import attrgetter

from attrs import evolve, field, frozen

from .gitpatterns import GitPattern, are_plain, read

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
        depths: how many slashes there are in the paths that can match; ``None`` for any number.
        match: tells, by a truthy value, whether one of them matches.
    """

    ignores: bool
    by_name: bool
    only_folders: bool
    depths: frozenset[int] | None
    match: Callable[[str], object] = field(repr=False)

    @classmethod
    def of(cls, patterns: Sequence[GitPattern]) -> "Rule":
        """Patterns of one kind."""
        kind = patterns[0]
        regex = re.compile(rf"(?:{'|'.join(each.regex for each in patterns)})\Z", re.DOTALL)
        fixed = [each.depth for each in patterns if each.depth is not None]
        depths = frozenset(fixed) if len(fixed) == len(patterns) else None
        return cls(kind.ignores, kind.by_name, kind.only_folders, depths, regex.match)

    def judges(self, depth: int, *, folders: bool) -> bool:
        """Whether it has a say about files, or folders, whose paths have so many slashes."""
        return (folders or not self.only_folders) and (self.depths is None or depth in self.depths)


@frozen
class Rules:
    """The patterns of one ignore file.

    Attributes:
        prefix: the folder it is in, ``a/b/``, relative to the workspace, a character per byte;
            empty for the workspace.
        joined: its patterns, the last first.
        are_plain: ripgrep reads that file alike.
    """

    prefix: str
    joined: tuple[Rule, ...]
    are_plain: bool

    @classmethod
    def of(cls, text: str | None, prefix: str) -> "Rules":
        """The patterns of a file's text; lines that are no pattern are left out, as git does.

        A file that may not be read has none, to us.
        """
        return cls(_by_bytes(prefix), *((), False) if text is None else _read(text))


#: What a rule says, where the path begins that it is matched with or ``None`` for a name, and how.
Test = tuple[bool, int | None, Callable[[str], object]]


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
    >>> stack.kept(["x.log", "x.py"], "a/", folders=False)
    ['x.py']

    Attributes:
        by_name: what each kind of ignore file says, the weakest first.
        strongest: what an operator says.
        is_cut: git's rules above end at a repository within, which not all ripgreps know.
    """

    by_name: tuple[tuple[Rules, ...], ...] = ((),) * len(NAMES)
    strongest: tuple[Rules, ...] = ()
    is_cut: bool = False

    @cached_property
    def is_plain(self) -> bool:
        """Whether ripgrep judges alike by these files, if it reads them by itself."""
        if self.is_cut or self.strongest:
            return False
        return all(rules.are_plain for kind in self.by_name for rules in kind)

    @property
    def is_empty(self) -> bool:
        """Whether nothing counts."""
        return not self.strongest and not any(self.by_name)

    def entered(self, files: dict[str, str | None], prefix: str, *, is_repository: bool) -> "Stack":
        """The stack in a folder that has these ignore files.

        Args:
            files: their texts by name; ``None`` for one that may not be read.
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
        is_cut = self.is_cut or (is_repository and bool(self.by_name[NAMES.index(_OF_GIT)]))
        return evolve(self, by_name=tuple(by_name), is_cut=is_cut)

    def kept(self, names: list[str], folder: str, *, folders: bool) -> list[str]:
        """Those names that are not ignored, in their order.

        Args:
            names: of files, or of folders.
            folder: where they are, ``a/b/``; it is not ignored itself.
            folders: whether they are folders.
        """
        place = folder.count("/"), folders
        if place not in self._tests:
            self._tests[place] = self._tests_for(*place)
        tests = self._tests[place]
        if "".join(names).isascii():
            return _kept(names, folder, tests)
        spelled = {_by_bytes(name): name for name in names}
        return [spelled[name] for name in _kept(list(spelled), folder, tests)]

    @cached_property
    def _tests(self) -> dict[tuple[int, bool], list[Test]]:
        """By how deep a folder is, and whether folders in it are judged: found once for all."""
        return {}

    def _tests_for(self, depth: int, folders: bool) -> list[Test]:
        """What counts there, the strongest first."""
        return [
            (rule.ignores, None if rule.by_name else len(rules.prefix), rule.match)
            for kind in (self.strongest, *reversed(self.by_name))
            for rules in reversed(kind)
            for rule in rules.joined
            if rule.judges(depth - rules.prefix.count("/"), folders=folders)
        ]


def _kept(names: list[str], folder: str, tests: list[Test]) -> list[str]:
    left, taken_back = names, set[str]()
    for ignores, begin, match in tests:
        judged = match if begin is None else _below(_by_bytes(folder)[begin:], match)
        if not ignores:
            taken_back.update(filter(judged, left))
        left = list(filterfalse(judged, left))
    if not taken_back:
        return left
    taken_back.update(left)
    return [name for name in names if name in taken_back]


def _below(folder: str, match: Callable[[str], object]) -> Callable[[str], object]:
    return lambda name: match(folder + name)


def _by_bytes(text: str) -> str:
    """A character for each byte: so git reads patterns and paths, ``?`` is a byte to it."""
    return os.fsencode(text).decode("latin-1")


@lru_cache(maxsize=512)
def _read(text: str) -> tuple[tuple[Rule, ...], bool]:
    """The patterns of a file's text, the last first, and whether they are plain.

    The same files come in each search.
    """
    lines = _by_bytes(text.removeprefix("\ufeff")).split("\n")
    patterns = [pattern for line in lines if (pattern := read(line.removesuffix("\r")))]
    runs = groupby(reversed(patterns), key=attrgetter("ignores", "by_name", "only_folders"))
    return tuple(Rule.of(list(run)) for _, run in runs), are_plain(text)
