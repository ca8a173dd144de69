"""Spellings of a text: how it is shown, what it is alike in, what becomes of it on its way."""

import html
import json
import re
import unicodedata
from collections.abc import Callable, Iterable

from kits.text import lines

_FEW = 3  # characters to spell
_ESCAPE = re.compile(r"""\\(?:([ntr"'\\])|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))""")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\"}
_OTHER = re.compile(r"(?:[^\0-\x7f]|\\x[0-9a-f]{2})+")
_SPACES = re.compile(r"[ \t\r\n\f\v]+")
#: Unicode has a picture for each control character: ``␛`` for an escape.
_CONTROLS: dict[int, int | str] = {**{code: 0x2400 + code for code in range(0x20)}, 0x7F: 0x2421}
_VISIBLE: dict[int, int | str] = {
    **_CONTROLS,
    ord(" "): "·",
    ord("\t"): "→",
    ord("\r"): "␍",
    ord("\n"): "¶\n",
    0xA0: "⍽",
}
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    }
)
#: Control characters, joiners, directions, variants of an emoji, a byte order mark.
_UNSEEN = re.compile(
    "[\0-\x08\x0e-\x1f\x7f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)


def visible(text: str) -> str:
    """Spaces as ``·``, tabs as ``→``, line breaks as ``¶``, control characters by their pictures."""
    return lines.cut(text.translate(_VISIBLE).rstrip("\n"))


def told(pairs: Iterable[tuple[str, str]]) -> str:
    """What the file has and the text has instead, character by character."""
    said = (f"the file has {_spelled(has)}, yours {_spelled(sent)}" for has, sent in pairs)
    return "; ".join(dict.fromkeys(said))


def _spelled(text: str) -> str:
    if not text:
        return "nothing"
    shown = text[:_FEW].translate(_CONTROLS)
    pictured = zip(text, shown, strict=False)
    names = ", ".join(f"U+{ord(c):04X} {unicodedata.name(p, 'unnamed')}" for c, p in pictured)
    return f"{shown} ({names})"


def spaceless(text: str) -> str:
    """Without blanks and line breaks."""
    return _SPACES.sub("", text)


def plain(text: str) -> str:
    """With the plainest of the characters that look alike, and without what is not seen."""
    seen = unicodedata.normalize("NFKC", _UNSEEN.sub("", text).translate(_PLAIN))
    return re.sub("-{2,}", "-", spaceless(seen))


def ascii_only(text: str) -> str:
    r"""With one mark for all that is no ASCII, and for ``\xNN``, as which undecoded bytes are shown."""
    return _OTHER.sub("\ufffd", spaceless(text))


def is_ordinary(text: str) -> bool:
    """Whether it is ASCII that is seen, or blanks."""
    return text.isascii() and not _UNSEEN.search(text)


def _unescaped(text: str) -> str:
    whole = _ESCAPE.sub(_character, text).encode("utf-16", "surrogatepass")
    return whole.decode("utf-16", "replace")


def _character(match: re.Match[str]) -> str:
    letter, *codes = match.groups()
    return _ESCAPES[letter] if letter else chr(int(next(filter(None, codes)), 16))


def _escaped(text: str) -> str:
    return text.replace("\n", "\\n").replace("\t", "\\t")


def _as_ascii(text: str) -> str:
    return json.dumps(text)[1:-1].replace('\\"', '"') if not text.isascii() else text


#: What a text becomes on its way when it is written once too often, or once too seldom.
FORMS: tuple[tuple[Callable[[str], str], str], ...] = (
    (html.unescape, "the file has the characters where yours has entities such as &lt;"),
    (html.escape, "the file has entities such as &lt; where yours has the characters"),
    (_unescaped, r"the file has characters where yours has backslash escapes such as \n"),
    (_escaped, r"the file has backslash escapes such as \n where yours has the characters"),
    (_as_ascii, r"the file has escapes such as \u00e9 where yours has the characters"),
)
