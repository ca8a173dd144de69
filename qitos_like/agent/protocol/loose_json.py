"""JSON as models write it by hand: with the quotes, words and commas of other languages.

Beside JSON it takes single, triple and curly quotes, line breaks in strings, Python's words, keys
without quotes, commas before a closing bracket, and comments. What is not whole is not completed.
"""

import re

from attrs import frozen

from qitos_like.core.jsontypes import Json

MAX_DEPTH = 64
_MAX_DIGITS = 4000

#: What may stand between two tokens.
_GAP = re.compile(r"(?:\s+|//[^\n]*|#[^\n]*|/\*.*?\*/)*", re.DOTALL)
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3})?(?![\w.])")
_WORD = re.compile(r"[A-Za-z_][\w.-]*")
_WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
#: An opening quote, and what closes the string; the longer ones first.
_QUOTES = {
    '"""': '"""',
    "'''": "'''",
    '"': '"',
    "'": "'",
    "\u201c": '[\u201c\u201d"]',  # curly ones, double and single
    "\u2018": "[\u2018\u2019']",
}
_STRINGS = {
    opening: re.compile(rf"((?:\\.|(?!{closing})[^\\])*){closing}", re.DOTALL)
    for opening, closing in _QUOTES.items()
}
#: Marks as keyboards for Chinese and Japanese give them.
_WIDE = {":": "\uff1a", ",": "\uff0c"}
_HEX = "[0-9a-fA-F]"
_ESCAPE = re.compile(
    rf"\\(u[dD][89abAB]{_HEX}{{2}}\\u[dD][c-fC-F]{_HEX}{{2}}|u{_HEX}{{4}}|.)", re.DOTALL
)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\n": ""}
_LITERAL = frozenset("\"'\\/")


class LooseJsonError(ValueError):
    """A text that is no value, or not a whole one; the text says what is missing where.

    Attributes:
        at: the position.
    """

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.at = at


@frozen
class Read:
    """A value, and the position after it."""

    value: Json
    end: int


def read(text: str, start: int = 0, *, depth: int = 0) -> Read:
    """The value that begins at ``start`` or after the gap there; what follows is not looked at.

    Raises:
        LooseJsonError: there is no whole value.

    >>> read("{'n': None, path: “a.py”,}").value
    {'n': None, 'path': 'a.py'}
    """
    at = _after_gap(text, start)
    if depth > MAX_DEPTH:
        raise _problem(text, at, f"nested deeper than {MAX_DEPTH} levels")
    opening = text[at : at + 1]
    if opening == "{":
        return _object(text, at + 1, depth)
    if opening == "[":
        return _array(text, at + 1, depth)
    return _string(text, at) or _number(text, at) or _word(text, at)


def _object(text: str, at: int, depth: int) -> Read:
    value: dict[str, Json] = {}
    at = _after_gap(text, at)
    while text[at : at + 1] != "}":
        key = _key(text, at)
        if key.value in value:
            raise _problem(text, at, f"the key {key.value!r} is given twice")
        at = _expect(text, key.end, ":")
        item = read(text, at, depth=depth + 1)
        value[key.value] = item.value
        at = _after_item(text, item.end, "}")
    return Read(value, at + 1)


def _array(text: str, at: int, depth: int) -> Read:
    value: list[Json] = []
    at = _after_gap(text, at)
    while text[at : at + 1] != "]":
        item = read(text, at, depth=depth + 1)
        value.append(item.value)
        at = _after_item(text, item.end, "]")
    return Read(value, at + 1)


def _after_item(text: str, at: int, closing: str) -> int:
    """Where the next item begins, or the closing bracket stands."""
    at = _after_gap(text, at)
    return at if text[at : at + 1] == closing else _after_gap(text, _expect(text, at, ",", closing))


def _key(text: str, at: int) -> Read:
    word = _WORD.match(text, at)
    if word is not None:
        return Read(word[0], word.end())
    key = _string(text, at)
    if key is None:
        raise _problem(text, at, "a key was expected")
    return key


def _string(text: str, at: int) -> Read | None:
    opening = next((quote for quote in _QUOTES if text.startswith(quote, at)), None)
    if opening is None:
        return None
    whole = _STRINGS[opening].match(text, at + len(opening))
    if whole is None:
        raise _problem(text, at, "a string that is not closed begins")
    return Read(_ESCAPE.sub(_unescaped, whole[1]), whole.end())


def _unescaped(escape: re.Match[str]) -> str:
    said = escape[1]
    if len(said) > 1:
        units = b"".join(
            int(unit, 16).to_bytes(2) for unit in said.replace("\\", "").split("u")[1:]
        )
        return units.decode("utf-16-be", "surrogatepass")
    # A backslash that escapes nothing stands for itself, as in a regular expression.
    return said if said in _LITERAL else _ESCAPED.get(said, escape[0])


def _number(text: str, at: int) -> Read | None:
    number = _NUMBER.match(text, at)
    if number is None:
        return None
    if len(number[0]) > _MAX_DIGITS:
        raise _problem(text, at, f"a number of more than {_MAX_DIGITS:,} digits begins")
    try:
        return Read(int(number[0]), number.end())
    except ValueError:
        return Read(float(number[0]), number.end())


def _word(text: str, at: int) -> Read:
    word = _WORD.match(text, at)
    if word is None or word[0] not in _WORDS:
        raise _problem(text, at, "a value was expected")
    return Read(_WORDS[word[0]], word.end())


def _expect(text: str, at: int, *marks: str) -> int:
    """The position after the first of these marks."""
    at = _after_gap(text, at)
    if not text.startswith((marks[0], _WIDE[marks[0]]), at):
        raise _problem(text, at, f"{' or '.join(map(repr, marks))} was expected")
    return at + 1


def _after_gap(text: str, at: int) -> int:
    gap = _GAP.match(text, at)
    return gap.end() if gap else at


def _problem(text: str, at: int, what: str) -> LooseJsonError:
    if at >= len(text):
        return LooseJsonError(f"{what}, but the text ends", at)
    line = text.count("\n", 0, at) + 1
    return LooseJsonError(f"{what} at {text[at : at + 20]!r} (line {line} of the message)", at)
