"""Finding the calls in a model's text: JSON in fences, XML of the usual kinds, bare JSON.

What is only shown is no call: thoughts, code in a line, quotations, blocks in another language.
"""

import re
from collections.abc import Callable, Iterator

from attrs import frozen

from qitos_like.core.action import Action
from qitos_like.core.registry import ToolRegistry

from . import loose_json, marks, tagged, tags
from .fences import FENCE, LATE, fence
from .hints import hint
from .labelled import LABEL, labelled
from .loose_json import LooseJsonError
from .piece import Piece
from .quoting import Quoted
from .shapes import calls_in
from .thoughts import THOUGHT, end_of_first, thought

#: What a model writes that goes on alone, as if the tools had answered.
_RESULT = re.compile(
    r"^[ \t]*(?:Result of [\w.-]+: (?:ok|error)\b|\**Observation\**[ \t]*:"
    r"|<(?:tool_(?:response|result|output)|function_(?:response|result)|observation)s?\b"
    r"|\[TOOL_RESULTS\])",
    re.MULTILINE | re.IGNORECASE,
)


@frozen
class Reading:
    """What a text says.

    Attributes:
        actions: its calls, in order; none if there is a problem.
        problem: what is wrong with a part that was meant as a call; ``None`` if nothing is.
        begin: where the first call begins, or the text ends.
        end: where the last call ends.
        spoken: the text without thoughts.
    """

    actions: tuple[Action, ...] = ()
    problem: str | None = None
    begin: int = 0
    end: int = 0
    spoken: str = ""


@frozen
class _Seen:
    """The pieces of a text.

    Attributes:
        quoted: what is only shown.
        found: those that hold calls or were meant to, with their positions.
        thoughts: the spans that were only considered.
    """

    quoted: Quoted
    found: list[tuple[int, Piece]]
    thoughts: list[tuple[int, int]]


def read(text: str, registry: ToolRegistry) -> Reading:
    r"""The calls in a text.

    Names and arguments are as the model wrote them. Where it says of a JSON value that it is a
    call, whatever the name, it is one; else the name has to be of a tool or the arguments in a
    place of their own, since not every JSON in a text is a call.

    >>> read('```json\n{"tool": "add", "args": {"a": 1}}\n```', ToolRegistry()).actions
    (Action(name='add', args={'a': 1}, id=None),)
    """
    seen = _seen(text, registry)
    marked = [each for each in seen.found if not each[1].bare]
    found = marked or seen.found
    spoken = _without(text, seen.thoughts)
    if not found:
        said = seen.quoted.blanked(text)
        return Reading((), hint(said, registry), len(text), len(text), spoken)
    problem = next((piece.problem for _, piece in found if piece.problem), None)
    actions = [] if problem else [action for _, piece in found for action in piece.actions]
    said = _without(text[: found[0][0]], seen.thoughts)
    return Reading(tuple(actions), problem, found[0][0], found[-1][1].end, said)


def _seen(text: str, registry: ToolRegistry) -> _Seen:
    """Every fence, tag and label that may hold a call; nested ones once."""
    quoted = Quoted.of(text)
    found: list[tuple[int, Piece]] = []
    thoughts = [(0, begun)] if (begun := end_of_first(text)) else []
    shown: list[tuple[int, int]] = []
    since = 0
    for begin, piece in _pieces(text, quoted.and_spans(thoughts), registry):
        if found and _RESULT.search(text, since, begin):
            break  # what comes after results that the model made up
        since = piece.end
        if piece.thought and not piece.quoted:  # all that was said so far
            found.clear()
            thoughts.append((0, piece.end))
        elif piece.thought:
            thoughts.append((begin, piece.end))
        elif piece.quoted:
            shown.append((begin, piece.end))
        if piece.actions or piece.problem:
            found.append((begin, piece))
    return _Seen(quoted.and_spans([*thoughts, *shown]), found, thoughts)


def _pieces(text: str, quoted: Quoted, registry: ToolRegistry) -> Iterator[tuple[int, Piece]]:
    openings = [(form.search(text), form, reader) for form, reader in _FORMS]
    at = 0
    while True:
        # A form that is not there any more is not looked for again: a text may have many parts.
        openings = [
            (found if found.start() >= at else form.search(text, at), form, reader)
            for found, form, reader in openings
            if found
        ]
        there = [(found.start(), found, reader) for found, _, reader in openings if found]
        if not there:
            return
        begin, opening, reader = min(there, key=lambda each: each[0])
        if quoted.holds(begin):
            at = opening.end()
            continue
        piece = reader(text, opening, registry)
        yield begin, piece
        at = max(piece.end, begin + 1)


def _bare(text: str, opening: re.Match[str], registry: ToolRegistry) -> Piece:
    """A call that nothing marks but its own form."""
    try:
        value = loose_json.read(text, opening.start())
    except LooseJsonError as error:
        meant = marks.is_meant(text, opening)
        end = max(opening.end(), error.at)
        return Piece(end, problem=str(error) if meant else None, bare=True)
    return Piece(value.end, calls_in(value.value, registry), bare=True)


def _other(text: str, opening: re.Match[str], registry: ToolRegistry) -> Piece:
    """An object that does not begin as a call: it may name the tool after the arguments."""
    try:
        value = loose_json.read(text, opening.start())
    except LooseJsonError as error:
        is_deep = text.count("{", opening.start(), error.at) >= loose_json.MAX_DEPTH
        return Piece(error.at if is_deep else opening.end())
    actions = calls_in(value.value, registry) if marks.names_tool(value.value) else []
    return Piece(value.end if actions else opening.end(), actions, bare=True)


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    """The text without these spans, as far as they are in it."""
    if not spans:
        return text
    kept, at = [], 0
    for begin, end in spans:
        kept.append(text[at:begin])
        at = max(at, end)
    return "".join([*kept, text[at:]]).strip()


_Reader = Callable[[str, re.Match[str], ToolRegistry], Piece]
_FORMS: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (FENCE, fence),
    (LATE, fence),
    (THOUGHT, thought),
    (tags.WRAPPER, tagged.wrapped),
    (tags.NAMED, tagged.named),
    (LABEL, labelled),
    (marks.CALL, _bare),
    (marks.OBJECT, _other),
)
