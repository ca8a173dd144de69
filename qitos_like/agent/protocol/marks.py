"""What a call in JSON begins with, and what only looks like one."""

import re
from collections.abc import Mapping

from qitos_like.core.jsontypes import Json

from .shapes import ARGS, LISTS, NAMES

_QUOTE = "[\"'\u2018\u2019\u201c\u201d]"
_BESIDE = r"id|type|call_id|thoughts?|reasoning|rationale|explanation"
_KEY = "|".join((*NAMES, *LISTS))
#: The key that names the tool or holds the calls; short texts about the call may stand ahead.
CALL = re.compile(
    rf"[\[{{]\s*(?:\{{\s*)?"
    rf"(?:{_QUOTE}?(?:{_BESIDE}){_QUOTE}?\s*[:\uff1a]\s*{_QUOTE}[^\"\n]*{_QUOTE}\s*,\s*)*"
    rf"{_QUOTE}?(?P<key>{_KEY})(?:{_QUOTE}?\s*[:\uff1a]|{_QUOTE}\s*{_QUOTE})"
)
#: An object that begins otherwise.
OBJECT = re.compile(rf"\{{\s*{_QUOTE}?[A-Za-z_]\w*{_QUOTE}?\s*[:\uff1a]")
#: What is in one that does not begin by saying that it is one.
_NEAR = 2_000  # characters
_HAS_ARGS = re.compile(rf"\b(?:{'|'.join(ARGS)})\b")


def is_meant(text: str, opening: re.Match[str] | None) -> bool:
    """Whether what cannot be read was meant as a call, and is no other data."""
    if opening is None:
        return False
    begin = opening.end()
    return opening["key"].startswith("tool") or bool(_HAS_ARGS.search(text, begin, begin + _NEAR))


def names_tool(value: Json) -> bool:
    """Whether an object that begins otherwise has both a name and arguments in it."""
    return (
        isinstance(value, Mapping)
        and any(key in value for key in NAMES)
        and any(key in value for key in ARGS)
    )
