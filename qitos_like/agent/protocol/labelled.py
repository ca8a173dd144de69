"""Calls under labels: ``Action: add`` and, in the next line, ``Action Input: {"a": 1}``."""

import re
from collections.abc import Mapping

from qitos_like.core.action import Action
from qitos_like.core.registry import ToolRegistry

from . import loose_json
from .loose_json import LooseJsonError
from .piece import Piece

LABEL = re.compile(
    r"^[ \t]*\**Action\**[ \t]*:[ \t]*\**[ \t]*[`\"']?(?P<name>[\w.-]+)[`\"']?[^\n]*\n\s*"
    r"\**Action[ _]Input\**[ \t]*:[ \t]*\**\s*(?:```+\w*\s*)?",
    re.MULTILINE | re.IGNORECASE,
)


def labelled(text: str, opening: re.Match[str], registry: ToolRegistry) -> Piece:  # noqa: ARG001 (as the other forms)
    """A call under labels; its input has to be an object."""
    begin = opening.end()
    if text[begin : begin + 1] != "{":
        return Piece(len(text), problem="the Action Input is no JSON object")
    try:
        value = loose_json.read(text, begin)
    except LooseJsonError as error:
        return Piece(len(text), problem=str(error))
    args = value.value
    return Piece(value.end, [Action(opening["name"], args if isinstance(args, Mapping) else {})])
