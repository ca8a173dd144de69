"""The parts of a result beside its text, as text-borne data."""

from base64 import b64encode

from qitos_like.core.action import ActionResult
from qitos_like.core.results import Part

PDF = "application/pdf"


def base64(part: Part) -> str:
    """The bytes of a part as base64 text."""
    return b64encode(part.data).decode()


def data_url(part: Part) -> str:
    """The part as a ``data:`` URL."""
    return f"data:{part.media_type};base64,{base64(part)}"


def is_image(part: Part) -> bool:
    """Whether it is an image of any kind."""
    return part.media_type.startswith("image/")


def text_with(result: ActionResult, unshown: list[Part]) -> str:
    """The text of a result, and a line for each part that a provider has no place for."""
    lines = [
        f"[{part.media_type}, {len(part.data):,} bytes, cannot be shown here]" for part in unshown
    ]
    return "\n".join([*([result.text] if result.text else []), *lines])
