"""What a file that is no text is: an image to show, or a type to name."""

import mimetypes
import re

from attrs import frozen

_SIGNATURES = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"GIF8[79]a(?=.{0,6}\0)", re.DOTALL), "image/gif"),  # text may begin so
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "image/webp"),
    (re.compile(rb"%PDF-"), "application/pdf"),
    (re.compile(rb"\x7fELF"), "application/x-elf"),
    (re.compile(rb"PK\x03\x04"), "application/zip"),
    (re.compile(rb"\x1f\x8b"), "application/gzip"),
    (re.compile(rb"SQLite format 3\0"), "application/vnd.sqlite3"),
)
SIGNATURE_BYTES = 16


@frozen
class Media:
    r"""The kind of a file.

    Attributes:
        media_type: by its first bytes, else by its name.
        is_certain: whether the bytes say so.
        is_agreed: whether both do.

    >>> Media.of("a.bin", b"\xff\xd8\xff").is_image, Media.of("a.png", b"text").is_image
    (True, False)
    """

    media_type: str
    is_certain: bool = False
    is_agreed: bool = False

    @classmethod
    def of(cls, name: str, head: bytes) -> "Media":
        """The kind of a file with this name and these first bytes."""
        named = mimetypes.guess_type(name)[0]
        for signature, media_type in _SIGNATURES:
            if signature.match(head):
                return cls(media_type, is_certain=True, is_agreed=media_type == named)
        return cls(named or "application/octet-stream")

    @property
    def is_image(self) -> bool:
        """Whether a model may be shown it; a drawing in text (SVG) is text."""
        return self.is_certain and self.media_type in {
            "image/png",
            "image/jpeg",
            "image/gif",
            "image/webp",
        }
