"""Single characters and classes of a regular expression, each as text for both engines.

The text for our own engine, the ``regex`` library, keeps within a line unless lines may be
spanned, as ripgrep does.
"""

import re
from contextlib import suppress

from attrs import field, frozen

#: In our text, bytes that are no UTF-8 are these characters; no class of ripgrep has them.
_BYTES = r"\udc80-\udcff"

_LINE_END = r"(?:\r?\n)"
#: What no match holds unless it may span lines; ripgrep takes a carriage return for one of them.
_LINE_ENDS = r"\r\n"
_BETWEEN_LINE_ENDS = (("\0", "\t"), ("\v", "\f"), ("\x0e", "\U0010ffff"))
#: The same for ripgrep, behind what a class holds.
_WITHIN = rf"&&[^{_LINE_ENDS}]"

_META = frozenset(r"\.+*?()|[]{}^$#&-~")
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;=?@[\\]^_`{|}~ ")
_CONTROL = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}
_HEX = re.compile(r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|[xuU]\{([0-9A-Fa-f]+)\}")
_PROPERTY = re.compile(r"[pP](?:([LMNPSZ])|\{([A-Z][A-Za-z]*)\})")
#: General categories, but not those of control characters, and scripts.
_PROPERTIES = re.compile(
    "L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z|Zs"
    "|Latin|Greek|Cyrillic|Hebrew|Arabic|Han|Hiragana|Katakana|Hangul|Thai"
)
_POSIX = re.compile(r"\[:([a-z]+):\]")
_POSIX_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r"\x09 ",
    "digit": "0-9",
    "lower": "a-z",
    "punct": r"!-/:-@\[-`\{-\~",
    "space": r"\x09\x0b\x0c ",
    "upper": "A-Z",
    "word": "0-9A-Za-z_",
    "xdigit": "0-9A-Fa-f",
}
_SET_OPERATIONS = ("&&", "--", "~~")


class Refused(ValueError):  # noqa: N818 - it becomes an answer, not an error
    """A piece that not both engines take; the text says what and why."""


@frozen
class Piece:
    """A piece of a pattern, written for each engine.

    Attributes:
        rust: for ripgrep.
        ours: for the ``regex`` library.
        strict: as ``ours``, for text in which some characters stand for bytes.
        literal: the character it is, if it is one.
        length: how much of the pattern it is.
    """

    rust: str
    ours: str
    strict: str
    literal: str | None = field(default=None, kw_only=True)
    length: int = field(default=1, kw_only=True)


def literal(character: str, *, multiline: bool) -> Piece:
    """One character of the text, which means itself.

    Raises:
        Refused: it ends lines, and matches keep within one.
    """
    item = _literal_item(character, 1, multiline=multiline)
    if character == "\n":
        return _line_end(item.length)
    return Piece(item.raw, item.ours, item.ours, literal=character)


def dot(*, multiline: bool) -> Piece:
    """Any character, of this line unless lines may be spanned."""
    if multiline:
        return Piece(".", ".", f"[^{_BYTES}]")
    return Piece(f"[^{_LINE_ENDS}]", f"[^{_LINE_ENDS}]", f"[^{_LINE_ENDS}{_BYTES}]")


def escape(pattern: str, at: int, *, multiline: bool) -> Piece:
    """What begins with the backslash at ``at``.

    Raises:
        Refused: not both engines know it.
    """
    item = _escaped(pattern, at, multiline=multiline)
    if item.literal == "\n":
        return _line_end(item.length)
    ours, strict = item.apart(multiline=multiline)
    within = multiline or item.is_plain or item.raw == r"\S"
    rust = item.raw if within else f"[{item.raw}{_WITHIN}]"
    return Piece(rust, ours, strict, literal=item.literal, length=item.length)


def _line_end(length: int) -> Piece:
    """The end of a line, to which a carriage return before it belongs."""
    return Piece(_LINE_END, _LINE_END, _LINE_END, length=length)


def character_class(pattern: str, at: int, *, multiline: bool) -> Piece:
    """The class that begins with the bracket at ``at``.

    Raises:
        Refused: it is open, empty, or not both engines understand it alike.
    """
    is_negative = pattern.startswith("[^", at)
    start = end = at + 1 + is_negative
    members: list[_Item] = []
    while pattern[end : end + 1] != "]" or end == start:
        if end >= len(pattern):
            message = "a [ is not closed; escape it as \\[ where it is meant"
            raise Refused(message)
        members.append(_member(pattern, end, multiline=multiline))
        end += members[-1].length
    rust = "".join(member.raw for member in members)
    length = end + 1 - at
    if is_negative:
        ends = "" if multiline else _LINE_ENDS
        inner = "".join(member.ours for member in members) + ends
        return Piece(f"[^{rust}{ends}]", f"[^{inner}]", f"[^{inner}{_BYTES}]", length=length)
    within = "" if multiline else _WITHIN
    return _union(members, f"[{rust}{within}]", length, multiline=multiline)


@frozen
class _Item:
    r"""A character, a range, or a class escape such as ``\d``.

    Attributes:
        raw: for ripgrep.
        ours: for the ``regex`` library, inside a class.
        literal: the character, if it is one.
    """

    raw: str
    ours: str
    length: int
    literal: str | None = None

    @property
    def is_plain(self) -> bool:
        """Whether it never matches more than it says: a line break, or a byte."""
        return self.ours[:2] not in {r"\s", r"\D", r"\W", r"\S", r"\P"}

    def apart(self, *, multiline: bool) -> tuple[str, str]:
        """For our engine, outside a class: as it is, and strict."""
        if self.is_plain:
            return self.ours, self.ours
        ends = "" if multiline else _LINE_ENDS
        letter = self.raw[1]
        opposite = rf"\{letter.swapcase()}{self.raw[2:]}"
        bytes_too = _BYTES if letter.isupper() else ""
        return f"[^{opposite}{ends}]", f"[^{opposite}{ends}{bytes_too}]"


def _union(members: list[_Item], rust: str, length: int, *, multiline: bool) -> Piece:
    """A class that is not negated: what might match too much stands beside the rest."""
    plain = "".join(member.ours for member in members if member.is_plain)
    others = [member.apart(multiline=multiline) for member in members if not member.is_plain]
    if not others:
        return Piece(rust, f"[{plain}]", f"[{plain}]", length=length)
    rest = [(f"[{plain}]",) * 2] if plain else []
    ours, strict = (f"(?:{'|'.join(texts)})" for texts in zip(*rest, *others, strict=True))
    return Piece(rust, ours, strict, length=length)


def _member(pattern: str, at: int, *, multiline: bool) -> _Item:
    first = _atom(pattern, at, multiline=multiline)
    dash = at + first.length
    after = pattern[dash + 1 : dash + 2]
    if pattern[dash : dash + 1] != "-" or after in {"", "]"}:
        return first
    last = _atom(pattern, dash + 1, multiline=multiline)
    if first.literal is None or last.literal is None or first.literal > last.literal:
        message = f"{pattern[at : dash + 1 + last.length]!r} is no range; write - last or as \\-"
        raise Refused(message)
    length = first.length + 1 + last.length
    ranges = [(first.literal, last.literal)]
    if not multiline:
        ranges = [
            (max(low, first.literal), min(high, last.literal)) for low, high in _BETWEEN_LINE_ENDS
        ]
    ours = "".join(f"{_written(low)[1]}-{_written(high)[1]}" for low, high in ranges if low <= high)
    return _Item(f"{first.raw}-{last.raw}", ours, length)


def _atom(pattern: str, at: int, *, multiline: bool) -> _Item:
    if pattern.startswith(_SET_OPERATIONS, at):
        message = f"{pattern[at : at + 2]!r} in a class: escape the second one"
        raise Refused(message)
    if pattern[at] == "\\":
        return _escaped(pattern, at, multiline=multiline)
    if pattern[at] == "[":
        posix = _POSIX.match(pattern, at)
        if not posix or posix[1] not in _POSIX_CLASSES:
            message = "a [ inside a class: escape it as \\["
            raise Refused(message)
        ends = _LINE_ENDS if posix[1] == "space" and multiline else ""
        return _Item(posix[0], _POSIX_CLASSES[posix[1]] + ends, len(posix[0]))
    return _literal_item(pattern[at], 1, multiline=multiline)


def _escaped(pattern: str, at: int, *, multiline: bool) -> _Item:
    letter = pattern[at + 1 : at + 2]
    if letter and letter in "dDwWsS":
        return _Item("\\" + letter, "\\" + letter, 2)
    if letter and letter in _CONTROL:
        return _literal_item(_CONTROL[letter], 2, multiline=multiline)
    if letter and letter in _PUNCTUATION:
        return _literal_item(letter, 2, multiline=multiline)
    found = _HEX.match(pattern, at + 1)
    if found:
        return _literal_item(_code_point(found), 1 + len(found[0]), multiline=multiline)
    found = _PROPERTY.match(pattern, at + 1)
    if found and _PROPERTIES.fullmatch(found[1] or found[2]):
        text = f"\\{letter}{{{found[1] or found[2]}}}"
        return _Item(text, text, 1 + len(found[0]))
    raise Refused(_why_no_escape(letter))


def _why_no_escape(letter: str) -> str:
    if not letter:
        return "it ends in a backslash"
    if letter.isdigit():
        return f"backreferences (\\{letter}) are not supported"
    if letter in "<>":
        return f"\\{letter} is not supported: write \\b for the border of a word"
    if letter in "AzZG":
        return f"\\{letter} is not supported: write ^ or $ for the ends of a line"
    return f"\\{letter} is no escape that is supported"


def _literal_item(character: str, length: int, *, multiline: bool) -> _Item:
    if character in "\r\n" and not multiline:
        message = "it asks for a line end: that needs multiline=true"
        raise Refused(message)
    if character == "\0":
        message = "it asks for a NUL character, which no text file holds"
        raise Refused(message)
    rust, ours = _written(character)
    return _Item(rust, ours, length, character)


def _code_point(found: re.Match[str]) -> str:
    digits = next(digits for digits in found.groups() if digits)
    with suppress(ValueError, OverflowError):  # UnicodeEncodeError among them: a surrogate
        character = chr(int(digits, 16))
        character.encode()
        return character
    message = f"\\{found[0]} is no character"
    raise Refused(message)


def _written(character: str) -> tuple[str, str]:
    if character in _META:
        return f"\\{character}", f"\\{character}"
    if character.isprintable():
        return character, character
    return f"\\x{{{ord(character):X}}}", f"\\U{ord(character):08X}"
