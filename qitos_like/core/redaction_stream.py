"""Secrets in bytes that come piece by piece."""

from .redaction import Redaction


class RedactionStream:
    """Hides secrets in pieces as if they came at once; what may be the begin of one is held back.

    Args:
        redaction: what is hidden.

    >>> stream = RedactionStream(Redaction({"API_KEY": "abc-12345"}))
    >>> stream.feed(b"key=abc"), stream.feed(b"-12345!"), stream.rest()
    (b'key=', b'[secret API_KEY]!', b'')
    """

    def __init__(self, redaction: Redaction) -> None:
        self._redaction = redaction
        self._held = b""

    @property
    def size(self) -> int:
        """How many bytes are held back."""
        return len(self._held)

    def feed(self, data: bytes) -> bytes:
        """What is certain by now, as UTF-8."""
        if not self._redaction:
            return data
        data = self._held + data
        end = self._redaction.certain(data.decode("latin-1"))
        self._held = data[end:]
        return self._redaction.bytes(data[:end])

    def rest(self) -> bytes:
        """What was held back, at the end."""
        held, self._held = self._held, b""
        return self._redaction.bytes(held)
