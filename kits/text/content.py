"""The content of a text file, and edits of it that leave every other byte as it is."""

from collections.abc import Iterable, Sequence

from attrs import field, frozen

from kits.errors import invalid

from .encoding import MARK, UTF_8, Encoding, detect

Piece = bytes | memoryview


@frozen
class Splice:
    """A span of a content's ``utf8`` and the text that takes its place.

    Attributes:
        start, end: offsets in bytes, the end not included.
        text: what stands there afterwards.
    """

    start: int
    end: int
    text: str

    @property
    def utf8(self) -> bytes:
        """The new text as bytes."""
        return self.text.encode("utf-8", "surrogatepass")


@frozen
class Content:
    r"""A text file's bytes, and the same as UTF-8 to search in.

    Attributes:
        data: the file as it is.
        encoding: how its bytes are text.
        utf8: ``data`` itself where its bytes can be searched as they are.
        start: where the text begins in ``utf8``, behind a byte order mark.

    >>> b"".join(Content.of(b"one\r\ntwo").spliced([Splice(0, 3, "ONE")]))
    b'ONE\r\ntwo'
    """

    data: bytes = field(repr=False)
    encoding: Encoding
    utf8: bytes = field(repr=False)
    start: int

    @classmethod
    def of(cls, data: bytes) -> "Content":
        """The content of a whole file.

        Raises:
            WorkspaceError: it is binary.
        """
        encoding = detect(data)
        bom = len(encoding.bom)
        if encoding.is_transparent:
            return cls(data, encoding, data, bom)
        text = data[bom:].decode(encoding.codec or "ascii")
        return cls(data, encoding, text.encode("utf-8"), 0)

    @property
    def as_is(self) -> "Content":
        """The same with its byte order mark as the first character of its text, if it is UTF-8's."""
        if not (self.start and self.encoding.is_transparent):
            return self
        return Content(self.data, UTF_8, self.data, 0)

    def unmarked(self, text: str, at: int) -> str:
        """Text to put at an offset, without a byte order mark that the file has there already."""
        return text.removeprefix(MARK) if self.encoding.bom and at == self.start else text

    def spliced(self, splices: Sequence[Splice]) -> list[Piece]:
        """The bytes of the file after the edits, in pieces; what is not edited is not copied.

        Args:
            splices: in order, not overlapping.

        Raises:
            WorkspaceError: the file's encoding cannot hold a text.
        """
        encoded = [self.encoding.encode(splice.text) for splice in splices]
        rest = memoryview(self.data)
        pieces: list[Piece] = []
        done = 0
        spans = self._native((splice.start, splice.end) for splice in splices)
        for (start, end), new in zip(spans, encoded, strict=True):
            pieces += [rest[done:start], new]
            done = end
        return [*pieces, rest[done:]]

    def changed(self, splices: Sequence[Splice], start: int = 0, stop: int | None = None) -> bytes:
        """``utf8`` after the edits, or a part of it: offsets of before, around all the edits."""
        parts, done = [], start
        for splice in splices:
            parts += [self.utf8[done : splice.start], splice.utf8]
            done = splice.end
        return b"".join([*parts, self.utf8[done:stop]])

    def _native(self, spans: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
        """Offsets in ``utf8`` as offsets in ``data``."""
        if self.encoding.is_transparent:
            yield from spans
            return
        at, native = 0, len(self.encoding.bom)
        for start, end in spans:
            begin = self._behind(native, at, start)
            native = self._behind(begin, start, end)
            at = end
            yield begin, native

    def _behind(self, native: int, start: int, end: int) -> int:
        """Where a span of ``utf8`` ends in ``data``, given where it begins there.

        Raises:
            WorkspaceError: its bytes depend on what is before it, as in ISO-2022-JP.
        """
        codec = self.encoding.codec or "ascii"
        text = self.utf8[start:end].decode("utf-8")
        stop = native + len(text.encode(codec))
        if self.data[native:stop].decode(codec, "replace") != text:
            message = f"the file's encoding, {codec}, cannot be edited at this place"
            raise invalid(message, hint="Replace whole lines, or change it with a command.")
        return stop


@frozen
class Part:
    """Lines of a file and the edits in them; of a small file, all its lines.

    Attributes:
        content: the lines before the edits.
        splices: the edits, in order, at least one.
        lines_before: how many lines of the file there are before ``content``.
    """

    content: Content
    splices: tuple[Splice, ...]
    lines_before: int = 0
