"""The words of a shell text, command by command, and what of it is not plain words."""

import re
from collections.abc import Callable

from attrs import frozen

_OPERATOR = re.compile(r"&&|\|\||\|&|;;|;|\||&(?!>)|\n")
_REDIRECTION = re.compile(r"<<<|<<-?|<>|<&|<|&>>|&>|>>|>&|>\||>")
_DESCRIPTOR = re.compile(r"[0-9]+(?=[<>])|\{[A-Za-z_]\w*\}(?=[<>])")
_PLAIN = re.compile(r"[^\s'\"\\$`()&|;<>{}*?\[]+")
_PLAIN_QUOTED = re.compile(r'(?:[^"\\$`]|\\[^"\\$`\n])+', re.DOTALL)
_BACKQUOTED = re.compile(r"((?:[^`\\]|\\.)*\\?)(?:`|\Z)", re.DOTALL)
_HARMLESS = frozenset({"/dev/null", "1", "2", "-"})
_DEPTH = 40


@frozen
class Words:
    """The words of one simple command.

    Attributes:
        texts: the words without their quotes; what an expansion puts in is left out.
        is_certain: whether nothing but these words is run.
    """

    texts: tuple[str, ...]
    is_certain: bool


def scan(text: str) -> list[Words]:
    """Every simple command of a text, also those within others.

    >>> [words.texts for words in scan("cd a && rm 'b c' # d")]
    [('cd', 'a'), ('rm', 'b c')]
    """
    return _scan(text, 0)


def _scan(text: str, depth: int) -> list[Words]:
    scanner = _Scanner(text)
    scanner.commands("", depth)
    return scanner.found


class _Command:
    """A simple command in the making."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.word: list[str] | None = None
        self.is_certain = True

    def add(self, text: str) -> None:
        """Go on with the word, or begin one; nothing at all makes an empty word."""
        if self.word is None:
            self.word = []
        self.word.append(text)

    def end_word(self) -> str:
        """The word that ends here."""
        text = "".join(self.word or ())
        if self.word is not None:
            self.texts.append(text)
        self.word = None
        return text


class _Scanner:
    """One pass over a text; where the shell does more than take words, it is uncertain."""

    def __init__(self, text: str) -> None:
        self.found: list[Words] = []
        self._text = text
        self._at = 0
        self._heredocs: list[str] = []

    def commands(self, closer: str, depth: int) -> None:
        """Commands up to the closer, or to the end where it is empty."""
        command = _Command()
        if depth > _DEPTH:
            command.is_certain = False
            self._at = len(self._text)
        while self._at < len(self._text):
            character = self._text[self._at]
            if character == closer:
                self._at += 1
                self._end(command)
                return
            self._take(character, command, depth)
        command.is_certain = command.is_certain and not closer and not self._heredocs
        self._end(command)

    def _take(self, character: str, command: _Command, depth: int) -> None:
        """What stands next: a space, a comment, an operator, a redirection, a part of a word."""
        if character in " \t\r":
            self._at += 1
            command.end_word()
            return
        if character == "#" and command.word is None:
            end = self._text.find("\n", self._at)
            self._at = len(self._text) if end < 0 else end
            return
        operator = _OPERATOR.match(self._text, self._at)
        if operator is not None:
            self._at = operator.end()
            self._end(command)
            if operator[0] == "\n":
                self._read_heredocs(depth)
            return
        descriptor = None if command.word else _DESCRIPTOR.match(self._text, self._at)
        redirection = _REDIRECTION.match(self._text, descriptor.end() if descriptor else self._at)
        if redirection is not None:
            self._at = redirection.end()
            self._redirect(redirection[0], command, depth)
            return
        self._word_part(character, command, depth)

    def _end(self, command: _Command) -> None:
        command.end_word()
        if command.texts or not command.is_certain:
            self.found.append(Words(tuple(command.texts), command.is_certain))
        command.texts, command.is_certain = [], True

    def _word_part(self, character: str, command: _Command, depth: int) -> None:
        plain = _PLAIN.match(self._text, self._at)
        if plain is not None:
            self._at = plain.end()
            command.add(plain[0])
            return
        self._at += 1
        special = _SPECIAL.get(character)
        if special is not None:
            special(self, command, depth)
            return
        # A glob may stand for any program, and braces for any words.
        if character in "{}" or not command.texts:
            command.is_certain = False
        command.add(character)

    def _single_quoted(self, command: _Command, _depth: int) -> None:
        end = self._text.find("'", self._at)
        if end < 0:
            command.is_certain = False
            end = len(self._text)
        command.add(self._text[self._at : end])
        self._at = end + 1

    def _double_quoted(self, command: _Command, depth: int) -> None:
        command.add("")
        while self._at < len(self._text):
            plain = _PLAIN_QUOTED.match(self._text, self._at)
            if plain is not None:
                self._at = plain.end()
                command.add(plain[0])
                continue
            character = self._text[self._at]
            self._at += 1
            if character == '"':
                return
            _SPECIAL[character](self, command, depth)
        command.is_certain = False

    def _escaped(self, command: _Command, _depth: int) -> None:
        if self._text.startswith("\n", self._at):  # the line goes on; what is cut in two is odd
            self._at += 1
            command.is_certain = command.is_certain and command.word is None
            return
        command.add(self._text[self._at : self._at + 1])
        self._at += 1

    def _expansion(self, command: _Command, depth: int) -> None:
        command.is_certain = False
        if self._text.startswith("(", self._at):
            self._at += 1
            self.commands(")", depth + 1)

    def _backquoted(self, command: _Command, depth: int) -> None:
        command.is_certain = False
        inner = next(_BACKQUOTED.finditer(self._text, self._at))  # it fits anywhere
        self._at = inner.end()
        self.found += _scan(re.sub(r"\\([`$\\])", r"\1", inner[1]), depth + 1)

    def _opened(self, command: _Command, depth: int) -> None:
        command.is_certain = False
        self._end(command)
        self.commands(")", depth + 1)

    def _closed(self, command: _Command, _depth: int) -> None:
        command.is_certain = False
        self._end(command)

    def _redirect(self, operator: str, command: _Command, depth: int) -> None:
        """Where a command's input comes from, or its output goes to; ``(`` makes it a command."""
        command.end_word()
        if self._text.startswith("(", self._at):
            self._expansion(command, depth)
            return
        target = self._target(depth)
        if operator.startswith("<<") and operator != "<<<":
            self._heredocs.append(target)
        elif operator == "<<<":
            self.found += _scan(target, depth + 1)
        elif target in _HARMLESS:
            return
        else:
            self.found.append(Words((operator.strip("&|")[:1] or ">", target), is_certain=True))
        command.is_certain = False

    def _target(self, depth: int) -> str:
        """The word after a redirection."""
        target = _Command()
        while self._text.startswith((" ", "\t"), self._at):
            self._at += 1
        while self._at < len(self._text):
            character = self._text[self._at]
            if character in " \t\r\n;&|<>()":
                break
            self._word_part(character, target, depth)
        return target.end_word()

    def _read_heredocs(self, depth: int) -> None:
        """The lines that belong to redirections; they may be run, so they are commands too."""
        for delimiter in self._heredocs:
            start = self._at
            while self._at < len(self._text):
                end = self._text.find("\n", self._at)
                end = len(self._text) if end < 0 else end
                line = self._text[self._at : end]
                self._at = end + 1
                if line.strip("\t ") == delimiter:
                    break
            self.found += _scan(self._text[start : self._at], depth + 1)
        self._heredocs = []


_SPECIAL: dict[str, Callable[[_Scanner, _Command, int], None]] = {
    "'": _Scanner._single_quoted,  # noqa: SLF001 (the table belongs to the class)
    '"': _Scanner._double_quoted,  # noqa: SLF001
    "\\": _Scanner._escaped,  # noqa: SLF001
    "$": _Scanner._expansion,  # noqa: SLF001
    "`": _Scanner._backquoted,  # noqa: SLF001
    "(": _Scanner._opened,  # noqa: SLF001
    ")": _Scanner._closed,  # noqa: SLF001
}
