"""The text of a file in blocks of whole lines, as both ways of searching see it."""

import codecs
import io
import os
from collections.abc import Iterator

from attrs import field, frozen

from kits.text.encoding import SNIFF_BYTES

#: What is larger is not searched unless it is asked for by its name.
MAX_BYTES = 256 << 20
_BLOCK_BYTES = 4 << 20
_FIRST_BYTES = 256 << 10

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF_32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)


@frozen
class Block:
    """Whole lines of a file.

    Attributes:
        first: the number of its first line, from 0.
        data: its bytes, UTF-8 as far as they are text.
    """

    first: int
    data: bytes = field(repr=False)


def is_binary(head: bytes) -> bool:
    """Whether a file is no text, by its first bytes: a NUL, if it is no UTF-16."""
    if head.startswith(_UTF_32):
        return True
    return b"\0" in head[:SNIFF_BYTES] and not head.startswith(_UTF_16)


def head(handle: int) -> bytes:
    """The first bytes of an open file, enough for ``is_binary``."""
    return os.pread(handle, SNIFF_BYTES, 0)


def blocks(handle: int, *, whole: bool = False) -> Iterator[Block]:
    """The content of an open file, without a byte order mark.

    Args:
        handle: at its beginning.
        whole: all in one block, for matches that span lines.

    Raises:
        OSError: it cannot be read.
    """
    data = _all(handle) if whole else os.read(handle, _FIRST_BYTES)
    if data.startswith(_UTF_16):
        text = (data + _rest(handle)).decode("utf-16", "replace")
        yield Block(0, text.encode())
        return
    data = data.removeprefix(codecs.BOM_UTF8)
    if whole or len(data) < _FIRST_BYTES - len(codecs.BOM_UTF8):
        yield Block(0, data + _rest(handle))
    else:
        yield from _in_lines(data, handle)


def _in_lines(data: bytes, handle: int) -> Iterator[Block]:
    """Blocks that end where a line ends, but for the last."""
    first = 0
    while data:
        more = os.read(handle, _BLOCK_BYTES)
        border = data.rfind(b"\n") + 1 if more else len(data)
        if border or not more:
            yield Block(first, data[:border])
            first += data.count(b"\n", 0, border)
        data = data[border:] + more


def _all(handle: int) -> bytes:
    """As ``_rest``; a large file is kept once."""
    with io.FileIO(handle, closefd=False) as file:
        return file.readall()


def _rest(handle: int) -> bytes:
    pieces = []
    while piece := os.read(handle, _BLOCK_BYTES):
        pieces.append(piece)
    return b"".join(pieces)
