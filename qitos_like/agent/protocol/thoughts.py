"""What a model only considers, in tags that are meant for nobody: no call, and no answer."""

import re

from qitos_like.core.registry import ToolRegistry

from .piece import Piece

_NAMES = r"(?:\w+:)?(?:(?:ant_?)?think(?:ing)?|thoughts?|reasoning|reflection|scratchpad)"
#: How other models begin one, and the end to each.
_MARKS = {
    "[think]": r"\[/THINK\]",
    "\u25c1think\u25b7": "\u25c1/think\u25b7",
    "<|begin_of_thought|>": r"<\|end_of_thought\|>",
    "<|channel|>analysis<|message|>": (
        r"<\|end\|>(?:<\|start\|>assistant)?(?:<\|channel\|>final<\|message\|>)?"
    ),
}
_OPENINGS = "|".join(map(re.escape, _MARKS))
#: Ends that are of nothing else.
_ENDINGS = "|".join(ending for ending in _MARKS.values() if "<\\|end\\|>" not in ending)
#: A beginning, or an end whose beginning was in the prompt.
THOUGHT = re.compile(
    rf"(?P<end></)?(?(end)|<)(?P<name>{_NAMES})\s*>|(?P<mark>{_OPENINGS})|(?P<slash>{_ENDINGS})",
    re.IGNORECASE,
)
_LATE_END = re.compile(rf"^[ \t]*(?:</(?:{_NAMES})\s*>|{_ENDINGS})", re.IGNORECASE | re.MULTILINE)


def end_of_first(text: str) -> int:
    r"""Where a thought ends whose beginning was in the prompt; 0 if there is none.

    >>> end_of_first("hm\n</think>3"), end_of_first("<think>\n</think>3")
    (11, 0)
    """
    closing = _LATE_END.search(text)
    if closing is None:
        return 0
    opening = THOUGHT.search(text)
    is_first = opening is None or opening.start() >= closing.start()
    return closing.end() if is_first or (opening and opening["end"]) else 0


def thought(text: str, opening: re.Match[str], registry: ToolRegistry) -> Piece:  # noqa: ARG001 (as the other forms)
    """A thought up to its end or that of the text; at an end alone, all that was said so far."""
    if opening["end"] or opening["slash"]:
        return Piece(opening.end(), thought=True)
    mark = opening["mark"]
    closing = _MARKS[mark.lower()] if mark else rf"</{opening['name']}\s*>"
    closed = re.compile(closing, re.IGNORECASE).search(text, opening.end())
    return Piece(closed.end() if closed else len(text), quoted=True, thought=True)
