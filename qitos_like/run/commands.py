"""Shell commands as the simple commands that they run.

Rules judge what is found here, so that a doubt is never an answer: a text that is not surely split
says so, and whatever of it may be a command is listed all the same.
"""

import re
from collections.abc import Iterator

from attrs import frozen

from .shell_grammar import is_installed, simple_commands
from .shell_text import Words, scan

#: Programs that run the command in their arguments.
_CARRIERS = frozenset(
    {
        "builtin",
        "busybox",
        "chroot",
        "chrt",
        "command",
        "coproc",
        "dbus-run-session",
        "doas",
        "entr",
        "env",
        "exec",
        "fakeroot",
        "find",
        "firejail",
        "flock",
        "gosu",
        "ionice",
        "nice",
        "nohup",
        "nsenter",
        "numactl",
        "parallel",
        "pkexec",
        "prlimit",
        "runuser",
        "screen",
        "script",
        "setarch",
        "setsid",
        "ssh",
        "stdbuf",
        "strace",
        "su",
        "sudo",
        "systemd-run",
        "taskset",
        "time",
        "timeout",
        "tmux",
        "unbuffer",
        "unshare",
        "watch",
        "xargs",
        "xvfb-run",
    }
)
#: Programs that run a text in their arguments.
_SHELLS = frozenset(
    {
        ".",
        "alias",
        "ash",
        "bash",
        "csh",
        "dash",
        "eval",
        "fish",
        "ksh",
        "mksh",
        "rbash",
        "sh",
        "source",
        "tcsh",
        "trap",
        "zsh",
    }
)
_KEYWORDS = frozenset(
    {
        "if",
        "then",
        "elif",
        "else",
        "fi",
        "for",
        "while",
        "until",
        "do",
        "done",
        "case",
        "esac",
        "in",
        "select",
        "function",
        "!",
        "{",
        "}",
    }
)
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\[.*\])?\+?=", re.DOTALL)
_DEPTH = 4
_CARRIED = 64


@frozen
class Split:
    """The simple commands of a text.

    Attributes:
        commands: each as its words with one space between, quotes gone, without assignments
            before it; a program given by its path also by its name alone.
        is_certain: whether these are all that would run, and each is what it seems.
    """

    commands: tuple[str, ...]
    is_certain: bool


def split(text: str, *, uses_grammar: bool = True) -> Split:
    """The simple commands of a shell command.

    Several commands in one text are certain only if bash's grammar, of the extra ``shell``, finds
    the same ones.

    Args:
        text: the command.
        uses_grammar: ``False`` to do without the grammar.

    >>> split("git add . && git  'push' -f").commands
    ('git add .', 'git push -f')
    >>> split("echo $(git push)")
    Split(commands=('git push', 'echo'), is_certain=False)
    """
    found = list(_commands(text, 0))
    commands = dict.fromkeys(command for command, _ in found if command)
    if not (uses_grammar and is_installed()):
        is_simple = len(scan(text)) <= 1
        return Split(tuple(commands), is_certain=is_simple and _is_certain(found))
    return Split(tuple(commands), is_certain=_is_confirmed(text, set(commands)))


def _is_confirmed(text: str, commands: set[str]) -> bool:
    """Whether the grammar finds the same commands, and nothing but such."""
    pieces = simple_commands(text)
    if pieces is None or any(len(scan(piece)) != 1 for piece in pieces):
        return False
    found = [each for piece in pieces for each in _commands(piece, 0)]
    return _is_certain(found) and commands == {command for command, _ in found}


def _is_certain(found: list[tuple[str, bool]]) -> bool:
    return all(certain for _, certain in found)


def _commands(text: str, depth: int) -> Iterator[tuple[str, bool]]:
    """Each command, and whether it is surely what it seems."""
    if depth > _DEPTH:
        yield "", False
        return
    for words in scan(text):
        yield from _command(words, depth)


def _command(words: Words, depth: int) -> Iterator[tuple[str, bool]]:
    start = 0
    while start < len(words.texts) and _is_before_command(words.texts[start]):
        start += 1
    texts = words.texts[start:]
    if not texts:
        yield "", words.is_certain and start == 0
        return
    program = _program(texts[0])
    is_plain = words.is_certain and start == 0 and program not in _CARRIERS | _SHELLS
    yield from _spellings(texts, is_certain=is_plain)
    if program in _CARRIERS:
        for index in range(1, min(len(texts), _CARRIED)):
            yield from _spellings(texts[index:], is_certain=False)
    if program in _SHELLS or (
        program in _CARRIERS and not _SHELLS.isdisjoint(map(_program, texts))
    ):
        for each in texts[1:]:
            yield from _commands(each, depth + 1)
            if "=" in each:  # an alias
                yield from _commands(each.partition("=")[2], depth + 1)


def _spellings(texts: tuple[str, ...], *, is_certain: bool) -> Iterator[tuple[str, bool]]:
    yield " ".join(texts), is_certain
    program = _program(texts[0])
    if program != texts[0]:
        yield " ".join([program, *texts[1:]]), is_certain


def _program(word: str) -> str:
    return word.rpartition("/")[2]


def _is_before_command(word: str) -> bool:
    return word in _KEYWORDS or _ASSIGNMENT.match(word) is not None
