"""Text from anywhere made safe to stand among ours: nothing in it hides, breaks out or poses.

Descriptions may come from plugins and servers. What steers a terminal is dropped, what a reader
cannot see is shown by its number, and the beginning of a line is kept from reading as Markdown.
"""

import re

#: CSI and OSC sequences, other escapes of one letter, and the one-character CSI (ECMA-48).
_ANSI = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_].*?(?:\x07|\x1b\\|$)|\x1b[ -/]*[0-~]|\x9b[0-?]*[ -/]*[@-~]",
    re.DOTALL,
)
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
#: Format characters (bidi controls, zero widths, tags), fillers, variation selectors but the two
#: that follow an emoji, lone surrogates, private use and noncharacters.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0d\ufeff\uffa0"
    "\ufff0-\ufffb\ufffe\uffff\ud800-\udfff\ue000-\uf8ff\U000110bd\U000110cd\U00013430-\U0001345f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff]"
)
_BREAKS = re.compile("\r\n?|[\x85\u2028\u2029]")
_POSES = re.compile(r"#|`{3}|~{3}|[=-]+\s*$|[*_]{2}|<")


def clean(value: str) -> str:
    r"""Text on one line, without what steers or hides.

    >>> clean("a\x1b[31m red\n## b\u202e")
    'a red ## b<U+202E>'
    """
    if value.isascii() and value.isprintable() and "  " not in value:
        return value.strip()
    return " ".join(visible(value).split())


def visible(value: str) -> str:
    """Text on its own lines, without what steers or hides."""
    if value.isascii() and value.isprintable():
        return value
    return _INVISIBLE.sub(_number, plain(value))


def plain(value: str) -> str:
    r"""Text on its own lines, without what steers a terminal.

    >>> plain("a\x1b]0;title\x07\r\n\x1b[2Jb")
    'a\nb'
    """
    return _CONTROLS.sub("", _BREAKS.sub("\n", _ANSI.sub("", value)))


def hides(value: str) -> bool:
    """Whether there is a character in the text that a reader cannot see."""
    return not value.isprintable() or _INVISIBLE.search(value) is not None


def unposed(line: str) -> str:
    """One line of foreign text that does not read as a heading, a fence or a tag of ours."""
    return f"\\{line}" if _POSES.match(line) else line


def _number(match: re.Match[str]) -> str:
    return f"<U+{ord(match[0]):04X}>"


def joined(text: str) -> str:
    r"""The text with the two halves of each surrogate pair as the character that they are.

    A half without its other one stays as it is.

    >>> joined("\ud83c\udf78") == "\U0001f378"
    True
    """
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
