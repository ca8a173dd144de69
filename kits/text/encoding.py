"""Which encoding a file has, judged from its bytes; bytes of no known encoding are carried along."""

import codecs
import re

from attrs import frozen

from kits.errors import WorkspaceError, invalid
from qitos_like.core.results import ErrorCode

from .lines import BREAK

#: A NUL in the first bytes makes a file binary; git looks as far (``buffer_is_binary``).
SNIFF_BYTES = 8000

#: The byte order mark as a character.
MARK = "\ufeff"

_BOMS = (  # UTF-32 first: its mark begins with UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Python's own (PEP 263), Emacs's and XML's way to say it, in one of the first two lines.
_DECLARED = re.compile(
    rb"""^(?:[ \t\f]*\#.*?coding[:=][ \t]*|.*-\*-.*?coding:[ \t]*|<\?xml[^>]*?encoding=["'])"""
    rb"([-\w.]+?)(?:-unix|-dos|-mac)?(?![-\w.])"
)
# What web pages (in their first 1,024 bytes) and style sheets (at their very beginning) say.
_PAGE = re.compile(rb"\s*<(?:!doctype\s+html|html|head|meta)\b", re.IGNORECASE)
_PAGE_SAYS = re.compile(rb"<meta\s[^>]*?charset\s*=\s*[\"']?\s*([-\w.:]+)", re.IGNORECASE)
_SHEET_SAYS = re.compile(rb'@charset "([-\w.:]+)";')
_PAGE_BYTES = 1024
_ASCII = "".join(map(chr, range(0x20, 0x7F))) + "\t\r\n"
_CHUNK = 1 << 20
_SHOWN = 40


class BinaryFileError(WorkspaceError):
    """A file that is no text.

    >>> str(BinaryFileError())
    'the file is binary'
    """

    def __init__(self, message: str = "the file is binary") -> None:
        hint = "This tool is for text; use a command for other data."
        super().__init__(message, code=ErrorCode.INPUT_INVALID, hint=hint)


@frozen
class Encoding:
    r"""The encoding of one file.

    Attributes:
        codec: Python's name for it; ``None`` for bytes that are no UTF-8 and declare nothing,
            in which only ASCII can be written.
        bom: the byte order mark the file begins with; it is no part of its text.

    >>> Encoding("utf-8").encode("→"), Encoding("utf-8").is_transparent
    (b'\xe2\x86\x92', True)
    """

    codec: str | None
    bom: bytes = b""

    @property
    def is_transparent(self) -> bool:
        """Whether the bytes can be searched for UTF-8 as they are."""
        return self.codec in {None, "utf-8"}

    @property
    def unusual(self) -> str | None:
        """How to call it where it is not plain UTF-8; ``None`` where it is."""
        if self.codec is None:
            return r"not UTF-8 (such bytes are shown as \xNN)"
        name = self.codec.removesuffix("-le").removesuffix("-be").upper()
        if name == "UTF-8":
            return "UTF-8 with BOM" if self.bom else None
        return name

    def encode(self, text: str) -> bytes:
        """The text as bytes of this file.

        Raises:
            WorkspaceError: the encoding cannot hold it.
        """
        try:
            return text.encode(self.codec or "ascii")
        except UnicodeEncodeError as error:
            raise self._cannot_hold(text[error.start]) from None

    def _cannot_hold(self, character: str) -> WorkspaceError:
        if "\ud800" <= character <= "\udfff":
            message = f"the text holds a lone surrogate (U+{ord(character):04X}), no character"
            return invalid(message, hint="Send the character whole, as UTF-8 or as a \\u pair.")
        if self.codec is None:
            message = (
                "the file is not UTF-8 and declares no encoding: only ASCII can be written to it, "
                f"not {character!r}"
            )
            return invalid(message)
        message = f"the file's encoding, {self.codec}, has no {character!r}"
        return invalid(message, hint="Use only characters that the encoding has.")


UTF_8 = Encoding("utf-8")


def detect(data: bytes, *, whole: bool = True) -> Encoding:
    """The encoding of a file.

    A mark decides; then UTF-8, if there is more than ASCII and it is valid; then what the first
    lines declare, if the file is valid in it.

    Args:
        data: the file, or its beginning.
        whole: whether it is all of it, so that a character cut off at the end is an error.

    Raises:
        WorkspaceError: the file is binary.
    """
    marked = _marked(data)
    if marked is not None and (not whole or _decodes(data[len(marked.bom) :], marked)):
        return marked
    _check_text(data)
    if marked is not None:
        if marked.codec == "utf-8":
            return Encoding(None, marked.bom)
        message = f"the file is binary: it begins as {marked.codec} but is not"
        raise BinaryFileError(message)
    is_ascii = data.isascii()
    if not is_ascii and _is_utf_8(data, whole=whole):
        return UTF_8
    declared = _declared(data)
    if declared is not None and (not whole or _decodes(data, declared)):
        return declared
    return UTF_8 if is_ascii else Encoding(None)


def encoding_for(text: str, old: bytes | None = None) -> Encoding:
    """The encoding to write a whole new text in: what it declares itself, else UTF-8.

    Args:
        text: all of the file.
        old: the file it replaces; its byte order mark, if it has one, stays.
    """
    marked = _marked(old or b"")
    if marked is not None and not text.startswith(MARK):
        return marked
    return _declared(text.encode("utf-8", "replace")) or UTF_8


def _marked(data: bytes) -> Encoding | None:
    for bom, codec in _BOMS:
        if data.startswith(bom):
            return Encoding(codec, bom)
    return None


def _declared(data: bytes) -> Encoding | None:
    head = data[:_PAGE_BYTES]
    says = _SHEET_SAYS.match(head) or (_PAGE_SAYS.search(head) if _PAGE.match(head) else None)
    for line in BREAK.split(data[: 2 * _PAGE_BYTES], 2)[:2]:
        says = says or _DECLARED.match(line[:500])
    return _known(says[1].decode("ascii", "replace")) if says else None


def _check_text(head: bytes) -> None:
    """Refuse a binary file by its first bytes."""
    if b"\0" in head[:SNIFF_BYTES]:
        raise BinaryFileError


def _known(name: str) -> Encoding | None:
    try:
        codec = codecs.lookup(name).name
        extends_ascii = _ASCII.encode(codec) == _ASCII.encode("ascii")
    except (LookupError, UnicodeError):
        return None
    return Encoding(codec) if extends_ascii else None


def _decodes(data: bytes, encoding: Encoding) -> bool:
    """Whether decoding loses nothing: what comes back from it is the same bytes."""
    try:
        return data.decode(encoding.codec or "ascii").encode(encoding.codec or "ascii") == data
    except UnicodeError:
        return False


def _is_utf_8(data: bytes, *, whole: bool) -> bool:
    """By pieces, so that a large file is not in memory twice."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    view = memoryview(data)
    try:
        for start in range(0, len(data), _CHUNK):
            decoder.decode(view[start : start + _CHUNK])
        decoder.decode(b"", final=whole)
    except UnicodeDecodeError:
        return False
    return True
