"""Cutting a text that is too long: head and tail stay, at line borders, around a mark."""

from collections.abc import Callable

#: Measures a text: ``len`` for characters, or a counter of tokens.
Count = Callable[[str], int]


def cut(text: str, limit: int, count: Count = len, *, note: str = "") -> str:
    r"""The text if it measures at most ``limit``, else its head and tail around a mark.

    Where not even the mark fits, the mark alone is the answer.

    Args:
        text: what to cut.
        limit: the most that the answer may measure.
        count: measures.
        note: how to read on, put into the mark.

    >>> print(cut("one\ntwo\n" * 99, 60))
    one
    two
    one
    [truncated — 792 chars total]
    two
    one
    two
    <BLANKLINE>
    """
    if count(text) <= limit:
        return text
    mark = f"[truncated — {len(text)} chars total{f'; {note}' if note else ''}]"
    if count is len:
        return _around(text, mark, limit - len(mark) - len("\n\n"))
    return _around(text, mark, _room(text, mark, limit=limit, count=count))


def _room(text: str, mark: str, *, limit: int, count: Count) -> int:
    """The most characters of the text that can be kept, by halving."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if count(_around(text, mark, middle)) <= limit:
            low = middle
        else:
            high = middle - 1
    return low


def _around(text: str, mark: str, room: int) -> str:
    """At most ``room`` characters of the text, half of them from its end."""
    if room <= 0:
        return mark
    head = _head(text, room - room // 2)
    tail = _tail(text, room // 2)
    return f"{head}{'' if head.endswith(chr(10)) else chr(10)}{mark}\n{tail}"


def _head(text: str, room: int) -> str:
    """The beginning, back to the last line border; within a line where the border is far."""
    border = text.rfind("\n", room // 2, room)
    return text[: border + 1] if border >= 0 else text[:room]


def _tail(text: str, room: int) -> str:
    """The end, from the next line border on; within a line where the border is far."""
    start = len(text) - room
    if room == 0 or text[start - 1] == "\n":
        return text[start:]
    border = text.find("\n", start, start + (room + 1) // 2)
    return text[border + 1 :] if border >= 0 else text[start:]
