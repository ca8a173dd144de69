"""Where the keys of a TOML text stand, which the standard library's parser does not tell."""

import re
import tomllib
from bisect import bisect_right

from qitos_like.core.schema.problems import json_path

Steps = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?:\\.|[^"\\])*"|'[^']*'""")
_STRING = re.compile(
    r'''"""(?:\\.|[^\\])*?"{3,5}|\'{3}.*?\'{3,5}|"(?:\\.|[^"\\])*"|'[^']*\'''', re.DOTALL
)
_SCALAR = re.compile(r"[^,\]}\n#]*")


def lines_of(text: str) -> dict[str, int]:
    r"""The line of each table, key and item of a list, by its path.

    Args:
        text: TOML that has been parsed before, so that it is known to be valid.

    >>> lines_of("[plugins]\nenabled = [\n 'weather',\n]")
    {'$.plugins': 1, '$.plugins.enabled': 2, '$.plugins.enabled[0]': 3}
    """
    return _Scanner(text).document()


class _Scanner:
    """Reads on through one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self._lines: dict[str, int] = {}
        self._counts: dict[Steps, int] = {}  # of tables in arrays of them

    def document(self) -> dict[str, int]:
        table: Steps = ()
        self._skip(_BLANK)
        while self._at < len(self._text):
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(_BLANK)
        return self._lines

    def _header(self) -> Steps:
        line = self._line()
        is_array = self._text.startswith("[[", self._at)
        self._at += 2 if is_array else 1
        table: Steps = ()
        keys = self._keys()
        for key in keys[:-1]:
            table = self._last((*table, key))
            self._found(table, line)
        table = (*table, keys[-1])
        if is_array:
            self._found(table, line)
            self._counts[table] = self._counts.get(table, -1) + 1
        table = self._last(table)
        self._found(table, line)
        self._at += 2 if is_array else 1
        return table

    def _last(self, table: Steps) -> Steps:
        """The table that a header means: of an array of tables the last."""
        count = self._counts.get(table)
        return table if count is None else (*table, count)

    def _pair(self, table: Steps) -> None:
        line = self._line()
        path = table
        for key in self._keys():
            path = (*path, key)
            self._found(path, line)
        self._at += 1  # the equals sign
        self._skip(_SPACE)
        self._value(path)

    def _keys(self) -> list[str]:
        keys: list[str] = []
        while True:
            self._skip(_SPACE)
            keys.append(_unquoted(self._skip(_KEY)))
            self._skip(_SPACE)
            if self._text[self._at] != ".":
                return keys
            self._at += 1

    def _value(self, path: Steps) -> None:
        start = self._text[self._at]
        if start == "[":
            self._items(path)
        elif start == "{":
            self._inline_table(path)
        else:
            self._skip(_STRING if start in "\"'" else _SCALAR)

    def _items(self, path: Steps) -> None:
        self._at += 1
        index = 0
        while self._next() != "]":
            self._found((*path, index), self._line())
            self._value((*path, index))
            index += 1
            self._comma()
        self._at += 1

    def _inline_table(self, path: Steps) -> None:
        self._at += 1
        while self._next() != "}":
            self._pair(path)
            self._comma()
        self._at += 1

    def _next(self) -> str:
        self._skip(_BLANK)
        return self._text[self._at]

    def _comma(self) -> None:
        if self._next() == ",":
            self._at += 1

    def _skip(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._at)
        text = found[0] if found else ""
        self._at += len(text)
        return text

    def _line(self) -> int:
        return bisect_right(self._starts, self._at)

    def _found(self, path: Steps, line: int) -> None:
        self._lines.setdefault(json_path(path), line)


def _unquoted(key: str) -> str:
    """The key as the parser has it."""
    return next(iter(tomllib.loads(f"{key} = 0"))) if key[:1] in "\"'" else key
