"""Lines of a file of any size, read by pieces and kept only as far as they are shown."""

import codecs
import io
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from attrs import frozen

from kits.text import lines
from kits.text.encoding import detect

from .ledger import MAX_HASHED_BYTES

_CHUNK = 1 << 18
_MAX_BYTES_PER_CHAR = 4


@frozen
class Line:
    """One line as it is shown.

    Attributes:
        text: without its line end; cut, and saying so, if it is long.
        ending: its line end; empty for an unterminated last one.
    """

    text: str
    ending: bytes


class Pager:
    """A file open for one pass of viewing.

    Attributes:
        data: all its bytes; ``None`` if there are more than 8 MB.
        encoding: judged from the whole, or from the first 8 MB.
        total: how many lines it has; ``None`` until that is known.

    Raises:
        WorkspaceError: the file is binary.
    """

    def __init__(self, file: io.FileIO, *, line_chars: int) -> None:
        self._file = file
        self._line_chars = line_chars
        self._head = _read(file, MAX_HASHED_BYTES + 1)
        self.data = self._head if len(self._head) <= MAX_HASHED_BYTES else None
        self.encoding = detect(self._head, whole=self.data is not None)
        self.total = None if self.data is None else self._count()

    def lines(self, first: int) -> Iterator[Line]:
        """The lines from number ``first`` on; none if the file has fewer."""
        number = 1
        chunks = self._chunks()
        for chunk in chunks:
            count = lines.count_breaks(chunk)
            if number + count >= first:
                behind = chunk[lines.offset_behind(chunk, first - number) :]
                yield from self._joined(chain([behind], chunks), first)
                return
            number += count
        self.total = self.total or number - 1

    def _joined(self, chunks: Iterable[bytes], number: int) -> Iterator[Line]:
        kept, size = bytearray(), 0
        limit = self._line_chars * _MAX_BYTES_PER_CHAR
        for piece, ending in _pieces(chunks):
            kept += piece[: limit - len(kept)]
            size += len(piece)
            if ending:
                yield Line(self._shown(kept, size), ending)
                kept, size = bytearray(), 0
                number += 1
        if size:
            yield Line(self._shown(kept, size), b"")
            number += 1
        self.total = number - 1

    def _shown(self, kept: bytearray, size: int) -> str:
        whole = size == len(kept)
        text = kept.decode("utf-8", "backslashreplace" if whole else "ignore")
        if whole:
            return lines.cut(text, self._line_chars)
        return f"{text[: self._line_chars]}[… of {size:,} bytes]"

    def _count(self) -> int:
        count, last = 0, b"\n"
        for chunk in self._chunks():
            count += lines.count_breaks(chunk)
            last = chunk[-1:] or last
        return count + (last not in {b"\n", b"\r"})

    def _chunks(self) -> Iterator[bytes]:
        """The text as UTF-8, never parted between the two bytes of a line end."""
        decode = self._decoder()
        held = b""
        for raw in self._raw():
            chunk = held + decode(raw)
            held = b"\r" if chunk.endswith(b"\r") else b""
            yield chunk[: len(chunk) - len(held)]
        if held:
            yield held

    def _raw(self) -> Iterator[bytes]:
        yield self._head[len(self.encoding.bom) :]
        if self.data is None:
            while chunk := self._file.read(_CHUNK):
                yield chunk

    def _decoder(self) -> Callable[[bytes], bytes]:
        if self.encoding.is_transparent:
            return bytes
        decoder = codecs.getincrementaldecoder(self.encoding.codec or "ascii")("replace")
        return lambda raw: decoder.decode(raw).encode("utf-8")


def _pieces(chunks: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Parts of lines; the last part of each comes with its line end."""
    for chunk in chunks:
        start = 0
        for match in lines.BREAK.finditer(chunk):
            yield chunk[start : match.start()], match[0]
            start = match.end()
        yield chunk[start:], b""


def _read(file: io.FileIO, size: int) -> bytes:
    parts, left = [], size
    while left and (part := file.read(left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
