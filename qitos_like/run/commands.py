"""Shell commands as the simple commands that they run.

Rules judge what is found here, so that a doubt is never an answer: a text that is not surely split
says so, and whatever of it may be a command is listed all the same.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import dropwhile
from typing import NamedTuple

from attrs import frozen

from .shell_grammar import is_installed, simple_commands
from .shell_programs import (
    CARRIERS,
    CARRYING_OPTIONS,
    KEYWORDS,
    NAMING,
    RUNNING,
    SHELLS,
    VALUED_OPTIONS,
)
from .shell_text import Words, scan

_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\[.*\])?\+?=", re.DOTALL)
_DEPTH = 4
_CARRIED = 64
_SUBSTITUTION = re.compile(r"\$\(|`")


@frozen
class Split:
    """The simple commands of a text.

    Attributes:
        commands: each as its words with one space between, quotes gone, without assignments
            before it; a program given by its path also by its name alone.
        is_certain: whether these are all that would run, and each is what it seems.
        readings: what of these may come to the same as another command: without the options before
            a subcommand, or what one program lets another run.
    """

    commands: tuple[str, ...]
    is_certain: bool
    readings: tuple[str, ...] = ()


class _Found(NamedTuple):
    """A command, or what one may come to."""

    text: str
    is_certain: bool = False
    is_reading: bool = False


def split(text: str, *, uses_grammar: bool = True) -> Split:
    """The simple commands of a shell command.

    Several commands in one text are certain only if bash's grammar, of the extra ``shell``, finds
    the same ones.

    Args:
        text: the command.
        uses_grammar: ``False`` to do without the grammar.

    >>> split("git add . && git  'push' -f").commands
    ('git add .', 'git push -f')
    >>> split("git -C a push").readings
    ('git push',)
    """
    found = list(_commands(text, 0))
    commands = _texts(found)
    readings = dict.fromkeys(each.text for each in found if each.text and each.is_reading)
    if uses_grammar and is_installed():
        is_certain = _is_confirmed(text, set(commands))
    else:
        is_certain = len(scan(text)) <= 1 and _is_certain(found)
    return Split(commands, is_certain, tuple(each for each in readings if each not in commands))


def _texts(found: Iterable[_Found]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.text for each in found if each.text and not each.is_reading))


def _is_confirmed(text: str, commands: set[str]) -> bool:
    """Whether the grammar finds the same commands, and nothing but such."""
    pieces = simple_commands(text)
    if pieces is None or any(len(scan(piece)) != 1 for piece in pieces):
        return False
    found = [each for piece in pieces for each in _commands(piece, 0)]
    return _is_certain(found) and commands == set(_texts(found))


def _is_certain(found: Iterable[_Found]) -> bool:
    return all(each.is_certain or each.is_reading for each in found)


def _commands(text: str, depth: int) -> Iterator[_Found]:
    """Each command, and what it may come to."""
    if depth > _DEPTH:
        yield _Found("")
        return
    for words in scan(text):
        yield from _command(words, depth)


def _command(words: Words, depth: int) -> Iterator[_Found]:
    texts = tuple(dropwhile(_is_before_command, words.texts))
    is_whole = words.is_certain and len(texts) == len(words.texts)
    if not texts:
        yield _Found("", is_whole)
        return
    program = _program(texts[0])
    carries, speaks = _carries(program, texts), _speaks(program, texts)
    yield from _spellings(texts, is_certain=is_whole and not (carries or speaks))
    if carries:
        for index in range(1, min(len(texts), _CARRIED)):
            yield from _spellings(texts[index:], is_certain=False)
    if speaks or (carries and not SHELLS.isdisjoint(map(_program, texts))):
        yield from _spoken(texts, depth)
    yield from _readings(program, texts, depth)


def _carries(program: str, texts: tuple[str, ...]) -> bool:
    """Whether it runs the command in its arguments."""
    options = CARRYING_OPTIONS.get(program)
    if options is None:
        return program in CARRIERS
    end = _subcommand(program, texts) if program in VALUED_OPTIONS else len(texts)
    return any(each.startswith(options) for each in texts[1:end])


def _speaks(program: str, texts: tuple[str, ...]) -> bool:
    """Whether it runs texts in its arguments."""
    return program in SHELLS or (program in NAMING and any(map(_SUBSTITUTION.search, texts[1:])))


def _subcommand(program: str, texts: tuple[str, ...]) -> int:
    """Where the words after the first options begin."""
    valued, at = VALUED_OPTIONS[program], 1
    while at < len(texts) and texts[at].startswith("-"):
        at += 2 if texts[at] in valued else 1
    return at


def _spoken(texts: tuple[str, ...], depth: int) -> Iterator[_Found]:
    """The commands in texts that are run."""
    for each in texts[1:]:
        yield from _commands(each, depth + 1)
        if "=" in each:  # an alias
            yield from _commands(each.partition("=")[2], depth + 1)


def _spellings(texts: tuple[str, ...], *, is_certain: bool) -> Iterator[_Found]:
    yield _Found(" ".join(texts), is_certain)
    program = _program(texts[0])
    if program != texts[0]:
        yield _Found(" ".join([program, *texts[1:]]), is_certain)


def _readings(program: str, texts: tuple[str, ...], depth: int) -> Iterator[_Found]:
    """What else a command may come to."""
    texts = texts[:_CARRIED]
    named = enumerate((program, *texts[1:]), 1)
    after = next((at for at, each in named if each in RUNNING), len(texts))
    for at in (0, *range(1 if program in CARRIERS else after, len(texts))):
        yield _Found(" ".join(texts[at:]), is_reading=True)
        for each in _without_options(_program(texts[at]), texts[at:]):
            yield _Found(" ".join(each), is_reading=True)
    for spoken in _spoken(texts[after - 1 :], depth):
        yield spoken._replace(is_reading=True)


def _without_options(program: str, texts: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The same without the options before its subcommand, and as its program is called."""
    name = program.lower().removesuffix(".exe")  # where the system does not mind
    if name != program:
        yield (name, *texts[1:])
    if program in VALUED_OPTIONS:
        rest = texts[_subcommand(program, texts) :]
        if rest:
            yield (name, *rest)
        return
    rest = texts[1:_CARRIED]
    while rest and rest[0].startswith("-"):  # an option, which may take what follows
        for _ in range(2):
            rest = rest[1:]
            if rest:
                yield (name, *rest)


def _program(word: str) -> str:
    return word.rpartition("/")[2]


def _is_before_command(word: str) -> bool:
    return word in KEYWORDS or _ASSIGNMENT.match(word) is not None
