"""Bytes of a terminal as text for a model: no colours, no overwritten progress, not too long."""

import re

from attrs import frozen

MAX_CHARS = 16_000
#: The end of an output tells how it went, so that it gets the larger part.
_HEAD_SHARE = 3 / 8

#: What a text of ASCII has that is not shown as it is.
MOVING = (b"\x1b", b"\r", b"\b")

#: ECMA-48: strings (OSC, DCS, APC, PM, SOS), control sequences, character sets, other escapes.
_ESCAPES = re.compile(
    r"\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?"
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|\x1b[ -/]+[0-~]"
    r"|\x1b[0-~]?"
)
#: The cursor goes to the begin of its line, as by a carriage return.
_TO_THE_BEGIN = re.compile(r"\x1b\[[01]?G")


@frozen
class Excerpt:
    """Text of which the middle may be left out.

    Attributes:
        text: what is kept, with a line that says how much is missing where it is missing.
        left_out: how many characters are missing.
    """

    text: str
    left_out: int = 0


def clean(data: bytes) -> str:
    r"""What a terminal would show: escapes gone, of overwritten lines the last state.

    Bytes that are no UTF-8 are shown as ``\xff``.

    >>> clean(b"\r1%\r2%\n\x1b[31mred\x1b[0m\r\n")
    '2%\nred\n'
    """
    text = data.decode("utf-8", "backslashreplace")
    if "\x1b" in text or "\x9b" in text:
        text = _ESCAPES.sub("", _TO_THE_BEGIN.sub("\r", text))
    if "\r" in text:
        text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    if "\b" in text:
        text = "\n".join(_overwritten(line) if "\b" in line else line for line in text.split("\n"))
    return text


def _overwritten(line: str) -> str:
    """A line after its backspaces, which move the place of the next character."""
    shown: list[str] = []
    place = 0
    for character in line:
        if character == "\b":
            place = max(place - 1, 0)
        else:
            shown[place : place + 1] = character
            place += 1
    return "".join(shown)


def excerpt(head: str, tail: str, dropped: int = 0, *, max_chars: int = MAX_CHARS) -> Excerpt:
    """The beginning of ``head`` and the end of ``tail``, cut at line borders where there are any.

    Args:
        head: the text before what was dropped.
        tail: the text after it.
        dropped: how much is missing between them already.
        max_chars: the length of what is kept, with the line that tells of the gap.
    """
    total = len(head) + dropped + len(tail)
    if not dropped:
        head = tail = head + tail
        if total <= max_chars:
            return Excerpt(head)
    room = max(max_chars - len(_gap(total)) - 1, max_chars // 2)
    head_chars = int(room * _HEAD_SHARE)
    first = _until_line_border(head, head_chars)
    last = _from_line_border(tail, room - head_chars)
    left_out = total - len(first) - len(last)
    between = "" if not first or first.endswith("\n") else "\n"
    return Excerpt(f"{first}{between}{_gap(left_out)}{last}", left_out)


def _gap(left_out: int) -> str:
    return f"[... {left_out:,} characters left out ...]\n"


def _until_line_border(text: str, chars: int) -> str:
    if len(text) <= chars:
        return text
    border = text.rfind("\n", chars // 2, chars)
    return text[: border + 1] if border >= 0 else text[:chars]


def _from_line_border(text: str, chars: int) -> str:
    if len(text) <= chars:
        return text
    start = len(text) - chars
    border = text.find("\n", start - 1, start + chars // 2)
    return text[border + 1 :] if border >= 0 else text[start:]
