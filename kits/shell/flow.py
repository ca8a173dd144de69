"""Output made readable while it comes: bytes in, lines without escapes and secrets out."""

import re
from collections.abc import Callable

from qitos_like.core.redaction import Redaction
from qitos_like.core.redaction_stream import RedactionStream

from . import text

#: A longer line is given on in pieces, which are not taken back where it returns to its begin.
_LINE_BYTES = 256 * 1024
#: An escape sequence is far shorter, so that it can be waited for.
_ESCAPE_BYTES = 256
#: One that has begun: a control sequence, a string such as a title, or another.
_UNFINISHED = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\n]*\x1b?|[ -/]*)\Z")
#: UTF-8: the bytes that go on with a character, and the lengths of characters by the first half
#: of their first byte.
_CONTINUING = range(0x80, 0xC0)
_LENGTHS = {0xC: 2, 0xD: 2, 0xE: 3, 0xF: 4}


class Flow:
    r"""What ``clean`` makes of the whole, piece by piece, without secrets.

    Args:
        redaction: gives what hides secrets, when first needed.
        script_name: what bash calls the command in its messages.

    >>> flow = Flow(lambda: Redaction({"KEY": "abc-123"}))
    >>> flow.feed(b"1%\r2"), flow.feed(b"%\nkey abc"), flow.feed(b"-123\n"), flow.rest()
    (b'', b'2%\n', b'key [secret KEY]\n', b'')
    """

    def __init__(
        self, redaction: Callable[[], Redaction] = Redaction, script_name: str = ""
    ) -> None:
        self._script_name = script_name.encode()
        self._redaction = redaction
        self._hiding: RedactionStream | None = None
        self._line = bytearray()

    @property
    def is_amid(self) -> bool:
        """Whether a line has begun."""
        return bool(self._line)

    def feed(self, data: bytes) -> bytes:
        """The lines that are complete with these bytes."""
        self._line += data
        end = self._line.rfind(b"\n", len(self._line) - len(data)) + 1
        if not end and len(self._line) > _LINE_BYTES:
            begin = self._line.rfind(b"\r", 0, len(self._line) - 1) + 1
            del self._line[:begin]  # overwritten
            end = 0 if begin else safe_end(self._line)
        return self._given(end)

    def amid(self) -> bytes:
        """What has come of a line that may go on; neither characters nor secrets are split."""
        return self._given(safe_end(self._line))

    def rest(self) -> bytes:
        """All that was held back."""
        given = self._given(len(self._line))
        return given + self._hiding.rest() if self._hiding else given

    def _given(self, end: int) -> bytes:
        if not end:
            return b""
        ready = bytes(self._line[:end])
        del self._line[:end]
        if not ready.isascii() or any(sign in ready for sign in text.MOVING):
            ready = text.clean(ready).encode()
        if self._script_name and self._script_name in ready:
            ready = ready.replace(self._script_name, b"bash")
        self._hiding = self._hiding or RedactionStream(self._redaction())
        return self._hiding.feed(ready)


def safe_end(line: bytes | bytearray) -> int:
    """Up to where nothing is split: neither a character nor an escape sequence."""
    end = size = len(line)
    for place in range(size - 1, max(size - 4, -1), -1):
        if line[place] >> 4 in _LENGTHS:
            is_whole = place + _LENGTHS[line[place] >> 4] <= size
            end = size if is_whole else place
        if line[place] not in _CONTINUING:
            break
    escape = _UNFINISHED.search(line, max(end - _ESCAPE_BYTES, 0), end)
    return escape.start() if escape else end
