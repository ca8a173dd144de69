"""The regular expressions of ``grep``: what ripgrep and our own search understand alike.

A pattern is taken apart and written anew for each of the two, so that both give the same answers;
what only one of them accepts is refused with its reason, whichever is in use.
"""

import re

from attrs import evolve, field, frozen

from kits.errors import WorkspaceError, invalid

from . import characters, hints
from .characters import Piece, Refused
from .needle import Needle
from .portability import is_portable
from .sizes import CLASS_SIZE, Sizes

MAX_CHARS = 10_000
_SHOWN_CHARS = 200

#: A carriage return before a line's end belongs to that.
_END = r"(?:\r?$)"

_QUANTIFIER = re.compile(r"(?:[*+?]|\{(?P<least>\d+)(?:,(?P<most>\d*))?\})\??")
_GROUP = re.compile(r"\((?:\?(?:P?<(?P<name>[A-Za-z_]\w*)>|(?P<flags>-?[ims]*):))?", re.ASCII)
_FLAGS = re.compile(r"\(\?(?P<flags>[ims]+)\)")


@frozen
class Pattern:
    """A pattern that both engines understand.

    Attributes:
        rust: the text for ripgrep.
        ours: the text for the ``regex`` library.
        strict: as ``ours``, for text in which some characters stand for bytes.
        ignore_case: whether letters match in either case.
        multiline: whether a match may span lines, and ``.`` matches their ends.
        needle: a text that every match holds; empty if there is none.
        is_literal: the needle is all there is to it.
        is_portable: whether all versions of ripgrep match the same by it as we do.
        folds: whether any part of it matches letters in either case.
        hint: what may be wrong with it if nothing matches; empty if nothing is known.
    """

    rust: str
    ours: str = field(repr=False)
    strict: str = field(repr=False)
    ignore_case: bool
    multiline: bool
    needle: str
    is_literal: bool
    is_portable: bool
    folds: bool
    hint: str = ""


def read(
    source: str, *, literal: bool = False, ignore_case: bool = False, multiline: bool = False
) -> Pattern:
    r"""A pattern from its text.

    Args:
        source: a regular expression, or any text if ``literal``.
        literal: every character means itself.
        ignore_case: letters match in either case.
        multiline: matches may span lines.

    Raises:
        WorkspaceError: the text is no pattern that both engines understand; it says why.

    >>> read(r"def \w+\(").needle
    'def '
    """
    try:
        reader = _Reader(source, multiline=multiline)
        if literal:
            reader.read_literal()
        else:
            reader.read()
    except Refused as reason:
        raise _refusal(source, str(reason), literal=literal) from None
    hint = "" if literal else hints.of_expression(source)
    return evolve(reader.pattern(ignore_case=ignore_case), hint=hint)


def _refusal(source: str, reason: str, *, literal: bool) -> WorkspaceError:
    shown = source if len(source) <= _SHOWN_CHARS else source[:_SHOWN_CHARS] + "..."
    message = f"the pattern {shown!r} cannot be searched: {reason}"
    by_name = "glob finds files by their names; " if source.startswith("*") else ""
    hint = f"{by_name}literal=true searches for the text as it is."
    return invalid(message, hint=None if literal or not source else hint)


class _Reader:
    """Goes through a pattern once, from piece to piece."""

    def __init__(self, source: str, *, multiline: bool) -> None:
        _check(source)
        self._source = source
        self._multiline = multiline
        self._at = 0
        self._pieces: list[Piece] = []
        self._sizes = Sizes()
        self._names: set[str] = set()
        self._ignore_case = False
        self._needle = Needle()

    def read(self) -> None:
        flags = _FLAGS.match(self._source)
        if flags:
            self._ignore_case = "i" in flags["flags"]
            self._at = flags.end()
            _check(self._source[self._at :])
        handlers = {
            "(": self._open,
            ")": self._close,
            "|": self._branch,
            "^": self._border,
            "$": self._border,
            "\\": self._escape,
            "[": self._class,
            ".": self._dot,
        }
        while self._at < len(self._source):
            handlers.get(self._source[self._at], self._character)()
        if self._sizes.depth > 1:
            message = "a ( is not closed; escape it as \\( where it is meant"
            raise Refused(message)

    def read_literal(self) -> None:
        for character in self._source:
            self._add(characters.literal(character, multiline=self._multiline))

    def pattern(self, *, ignore_case: bool) -> Pattern:
        ignore_case = ignore_case or self._ignore_case
        folds = ignore_case or any(piece.rust.startswith("(?i") for piece in self._pieces)
        is_literal = all(piece.literal is not None for piece in self._pieces)
        return Pattern(
            rust="".join(piece.rust for piece in self._pieces),
            ours="".join(piece.ours for piece in self._pieces),
            strict="".join(piece.strict for piece in self._pieces),
            ignore_case=ignore_case,
            multiline=self._multiline,
            needle="" if ignore_case else self._needle.longest(),
            is_literal=is_literal and not ignore_case,
            is_portable=is_portable(self._pieces, folds=folds, multiline=self._multiline),
            folds=folds,
        )

    def _character(self) -> None:
        character = self._source[self._at]
        if character in "*+?{":
            message = f"nothing to repeat before {character}; escape it as \\{character}"
            raise Refused(message)
        self._take(characters.literal(character, multiline=self._multiline))

    def _dot(self) -> None:
        self._take(characters.dot(multiline=self._multiline))

    def _class(self) -> None:
        where = self._source, self._at
        self._take(characters.character_class(*where, multiline=self._multiline))

    def _escape(self) -> None:
        text = self._source[self._at : self._at + 2]
        if text in {r"\b", r"\B"}:
            self._add_plain(text, text)
            self._refuse_repetition()
        else:
            where = self._source, self._at
            self._take(characters.escape(*where, multiline=self._multiline))

    def _border(self) -> None:
        """The begin or the end of a line; a carriage return before the break belongs to it."""
        border = self._source[self._at]
        ours = _END if border == "$" and self._multiline else border
        self._at += 1
        self._add(Piece(_END if border == "$" else border, ours, ours))
        self._refuse_repetition()

    def _branch(self) -> None:
        self._add_plain("|", "|")
        self._needle.branch(depth=self._sizes.depth)

    def _open(self) -> None:
        found = _GROUP.match(self._source, self._at)
        if found is None or self._source.startswith("(?", found.end() - 1):
            raise Refused(_why_no_group(self._source[self._at :]))
        self._name(found["name"])
        case = "".join(flag for flag in found["flags"] or "" if flag in "-i")
        text = f"(?{case if 'i' in case else ''}:"
        self._add_plain(found[0], text)
        self._sizes.open()

    def _close(self) -> None:
        if self._sizes.depth == 1:
            message = "a ) has no (; escape it as \\) where it is meant"
            raise Refused(message)
        self._add_plain(")", ")")
        self._grow(self._sizes.close())

    def _take(self, piece: Piece) -> None:
        """A piece of the pattern, and how often it may come."""
        self._at += piece.length
        self._add(piece)
        self._grow(1 if piece.literal is not None else CLASS_SIZE)

    def _add(self, piece: Piece) -> None:
        self._pieces.append(piece)
        self._needle.add(piece.literal, depth=self._sizes.depth)

    def _add_plain(self, source: str, text: str) -> None:
        self._at += len(source)
        self._add(Piece(text, text, text))

    def _grow(self, size: int) -> None:
        """Take the quantifier of what was just read, if it has one, and its size."""
        found = _QUANTIFIER.match(self._source, self._at)
        times = 1
        if found:
            times = _times(found)
            self._add_plain(found[0], found[0])
            self._needle.drop_last()
            self._refuse_repetition()
        elif self._source.startswith("{", self._at):
            message = "a { that repeats nothing; escape it as \\{"
            raise Refused(message)
        self._sizes.add(size, times)

    def _refuse_repetition(self) -> None:
        if self._source.startswith(("*", "+", "?", "{"), self._at):
            message = f"{self._source[self._at]} repeats what cannot be repeated; escape it"
            raise Refused(message)

    def _name(self, name: str | None) -> None:
        if name in self._names:
            message = f"two groups are named {name}"
            raise Refused(message)
        if name:
            self._names.add(name)


def _check(source: str) -> None:
    if not source:
        message = "it is empty"
        raise Refused(message)
    if len(source) > MAX_CHARS:
        message = f"it has {len(source):,} characters, at most {MAX_CHARS:,}"
        raise Refused(message)
    try:
        source.encode()
    except UnicodeEncodeError:
        message = "it holds a lone surrogate, which is no character"
        raise Refused(message) from None


def _times(quantifier: re.Match[str]) -> int:
    least, most = quantifier["least"], quantifier["most"]
    if least is None:
        return 1
    if most and int(most) < int(least):
        message = f"{quantifier[0]} has its bounds the wrong way round"
        raise Refused(message)
    return max(int(most or least), 1)


def _why_no_group(rest: str) -> str:
    if rest.startswith(("(?=", "(?!", "(?<=", "(?<!")):
        return "look-around is not supported"
    return f"{rest[:4]} begins no group that is supported"
