"""The parts of a result beside its text, as text-borne data."""

from base64 import b64encode
from collections.abc import Container

from qitos_like.core.action import ActionResult
from qitos_like.core.results import Part

PDF = "application/pdf"
#: What OpenAI and Anthropic take as an image.
IMAGES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})


def parted(result: ActionResult, shown: Container[str]) -> tuple[str, list[Part]]:
    """The text of a result, and its parts of the media types that a provider shows.

    The text has a line for each other part.
    """
    parts = [part for part in result.parts if part.media_type in shown]
    return text_with(result, [part for part in result.parts if part not in parts]), parts


def text_with(result: ActionResult, unshown: list[Part]) -> str:
    """The text of a result, and a line for each part that a provider has no place for."""
    lines = [
        f"[{part.media_type}, {len(part.data):,} bytes, cannot be shown here]" for part in unshown
    ]
    return "\n".join([*([result.text] if result.text else []), *lines])


def base64(part: Part) -> str:
    """The bytes of a part as base64 text."""
    return b64encode(part.data).decode()


def data_url(part: Part) -> str:
    """The part as a ``data:`` URL."""
    return f"data:{part.media_type};base64,{base64(part)}"
