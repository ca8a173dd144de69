"""Which patterns match the same by all versions of ripgrep, and by our own search."""

import re
from collections.abc import Sequence

import regex

from .characters import Piece

#: Beside bytes that are no UTF-8, versions of ripgrep differ in it.
_CHANGING = r"\B"
#: What is asked for behind the end of a line: ripgrep has already taken the carriage return.
_BEHIND_END = re.compile(r"\(\?:\\r\?\$\)\)*[^|)]")
#: In either case, these stand for more in one engine, or one version, than in the other.
_CHANGING_WITH_CASE = re.compile(r"\\[pP]|[\u0390\u03b0\u1fd3\u1fe3\ufb05\ufb06]")


def is_portable(pieces: Sequence[Piece], *, folds: bool, multiline: bool) -> bool:
    """Whether a pattern is one of them.

    Args:
        pieces: what it is made of.
        folds: whether any part of it matches letters in either case.
        multiline: whether a match may span lines.
    """
    texts = [piece.rust for piece in pieces]
    changing = _CHANGING in texts or _BEHIND_END.search("".join(texts))
    with_case = any(map(_CHANGING_WITH_CASE.search, texts))
    return not (changing or (folds and with_case) or (multiline and _matches_nothing(pieces)))


def _matches_nothing(pieces: Sequence[Piece]) -> bool:
    """Whether it matches the empty text: over lines, some versions then leave out the last."""
    ours = "".join(piece.ours for piece in pieces)
    return regex.search(ours, "", regex.M | regex.S) is not None
