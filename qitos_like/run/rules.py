"""A rule: what may, may not or must be asked for, over tools and their arguments."""

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from itertools import chain
from typing import Literal, Self, get_args

from attrs import field, frozen

from qitos_like.core.entry import Entry
from qitos_like.core.given import one_of
from qitos_like.core.names import bare
from qitos_like.core.selection import matches

from .subject import WITHIN, Parts, Subject

Effect = Literal["deny", "ask", "allow"]

_TEXT = re.compile(r"\s*(\w+)\s+([^\s(]+)\s*(?:\((.*)\))?\s*", re.DOTALL)
#: What a name of tools can be, wildcards included; or a tag.
_TOOLS = re.compile(r"tag:.+|(?:[A-Za-z0-9_.*?-]|\[[^\]]+\])+", re.DOTALL)
_NAMED = re.compile(r"([A-Za-z_][\w-]*)=(.*)", re.DOTALL)


def _can_match(_rule: "Rule", _attribute: object, tools: str) -> None:
    """Return if there can be a tool that a rule is about.

    Raises:
        ValueError: there cannot, so that a rule that denies would deny nothing.
    """
    if _TOOLS.fullmatch(tools):
        return
    message = f"no tool is called {tools!r}: tools is a name such as 'coding.*' or 'tag:network'"
    if "(" in tools:
        message += "; a pattern over arguments stands apart, as in Rule('deny', 'run', 'rm *')"
    raise ValueError(message)


@frozen
class Rule:
    """What holds for the calls that it is about.

    Attributes:
        effect: ``deny``, ``ask`` or ``allow``.
        tools: the tools, as in ``registry.select``: ``coding.*``, ``tag:readonly``.
        pattern: a glob over the main argument, ``git push*`` (``*`` stands for any text, and a
            folder for what is in it too), or ``name=glob`` over another; any call without it.
        reason: what a model is told.
        source: where it was written, for people.

    Raises:
        ValueError: the effect is none of the three, or no tool can be called so.

    >>> str(Rule("deny", "coding.run_command", "git push*"))
    'deny coding.run_command(git push*)'
    """

    effect: Effect = field(validator=one_of(get_args(Effect)))
    tools: str = field(validator=_can_match)
    pattern: str | None = None
    reason: str | None = field(default=None, kw_only=True)
    source: str | None = field(default=None, kw_only=True)

    @classmethod
    def parse(cls, text: str, source: str | None = None) -> Self:
        """The rule of a text such as ``deny coding.run_command(git push*)``.

        Raises:
            ValueError: it is no rule.
        """
        parts = _TEXT.fullmatch(text)
        if parts is None or parts[1] not in get_args(Effect):
            message = (
                f"{text!r} is no rule: write 'deny coding.run_command(git push*)', or ask or allow"
            )
            raise ValueError(message)
        effect: Effect = next(each for each in get_args(Effect) if each == parts[1])
        return cls(effect, parts[2], parts[3] or None, source=source)

    def __str__(self) -> str:
        """The form that ``parse`` reads."""
        return f"{self.effect} {self.tools}{'' if self.pattern is None else f'({self.pattern})'}"

    def is_about(self, entry: Entry) -> bool:
        """Whether it is about this tool at all, by any of its names.

        The last part of a name alone restricts; it allows nothing, since others may have it too.
        """
        if matches(entry, self.tools) or self.tools in _other_names(entry):
            return True
        return self.effect != "allow" and self.tools == bare(entry.name)

    def argument(self, subject: Subject) -> str | None:
        """The argument that the pattern names; ``None`` for the main one."""
        return self._split(subject)[0]

    def parts(self, subject: Subject) -> Parts:
        """What of a call the pattern is matched against; all of it is sure without a pattern."""
        if self.pattern is None:
            return Parts((("",),))
        return subject.parts(self.argument(subject))

    def hits(self, subject: Subject) -> bool:
        """Whether some part of a call fits in some spelling, or in what it may come to."""
        found, globs = self.parts(subject), self._globs(subject)
        spellings = chain(chain.from_iterable(found.parts), found.readings)
        return any(_fits(each, globs) for each in spellings)

    def covers(self, subject: Subject, part: tuple[str, ...]) -> bool:
        """Whether a part fits in each of its spellings."""
        globs = self._globs(subject)
        return all(_fits(each, globs) for each in part)

    def _globs(self, subject: Subject) -> tuple[str, ...]:
        return subject.globs(*self._split(subject))

    def _split(self, subject: Subject) -> tuple[str | None, str]:
        """The argument that the pattern names, and the rest of it."""
        named = _NAMED.fullmatch(self.pattern or "*")
        if named is not None and subject.has(named[1]):
            return named[1], named[2]
        return None, self.pattern or "*"


def _fits(spelling: str, globs: Iterable[str]) -> bool:
    return any(_fits_one(spelling, glob) for glob in globs)


def _fits_one(spelling: str, glob: str) -> bool:
    """Whether a text is what a pattern names, or in the folder that it names."""
    folder = glob.removeprefix("./").rstrip("/")
    if glob == WITHIN:
        return spelling != ".." and not spelling.startswith(("/", "../"))
    # Brackets may be a glob's or a name's own.
    is_named = spelling == folder or spelling.startswith(f"{folder}/")
    return is_named or fnmatchcase(spelling, folder) or fnmatchcase(spelling, f"{folder}/*")


def _other_names(entry: Entry) -> Iterator[str]:
    """What else a model may call a tool."""
    yield entry.name.replace(".", "__")
    for alias in entry.traits.aliases:
        yield alias.name
        yield f"{entry.namespace}.{alias.name}"
