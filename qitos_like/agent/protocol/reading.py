"""Finding the calls in a model's text: JSON in fences, XML of the usual kinds, bare JSON."""

import re
from collections.abc import Callable, Iterator

from attrs import evolve, field, frozen

from qitos_like.core.action import Action
from qitos_like.core.jsontypes import Json
from qitos_like.core.registry import ToolRegistry

from . import loose_json, tags
from .loose_json import LooseJsonError
from .shapes import calls_in

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_FENCE = re.compile(r"^[ \t]*(?P<mark>```+|~~~+)[ \t]*(?P<language>[\w-]*)[^\n`]*$", re.MULTILINE)
#: How a call in JSON begins.
_CALL = re.compile(
    "[\\[{]\\s*(?:\\{\\s*)?[\"'\u2018\u201c]?(?P<key>tool|tool_name|name|function|action)"
    "(?:[\"'\u2019\u201d]?\\s*:|[\"'\u2019\u201d]\\s*[\"'\u2018\u201c])"
)
#: What is in one that does not begin by saying that it is one.
_ARGS = re.compile(r"\b(?:args|arguments|parameters|params|(?:tool_|action_)?input)\b")
_BETWEEN = re.compile(r"[\s,;]*")
_OF_DATA = frozenset({"", "json", "json5", "jsonc"})
_OF_CALLS = frozenset({"tool", "tool_call", "tool_calls", "tool_code", "tool_use", "call"})


@frozen
class Reading:
    """What a text says.

    Attributes:
        actions: its calls, in order.
        problem: what is wrong with a part that was meant as a call; ``None`` if nothing is.
        begin: where the first call begins, or the text ends.
        end: where the last call ends.
    """

    actions: tuple[Action, ...] = ()
    problem: str | None = None
    begin: int = 0
    end: int = 0


@frozen
class Piece:
    """A part of the text that a form recognised.

    Attributes:
        end: where it ends.
        actions: the calls in it; none if it is prose after all.
        problem: why it is no call, if it was meant as one.
    """

    end: int
    actions: list[Action] = field(factory=list)
    problem: str | None = None


def read(text: str, registry: ToolRegistry) -> Reading:
    r"""The calls in a text, as far as it has some; the tools decide what is a call.

    >>> read('```json\n{"tool": "add", "args": {"a": 1}}\n```', ToolRegistry()).actions
    (Action(name='add', args={'a': 1}, id=None),)
    """
    # Thoughts are blanked, so that positions stay: what is only considered is not called.
    spoken = _THOUGHT.sub(lambda thought: " " * len(thought[0]), text)
    found = [each for each in _pieces(spoken, registry) if each[1].actions or each[1].problem]
    if not found:
        found = list(_bare(spoken, registry))
    if not found:
        return Reading(begin=len(text), end=len(text))
    problem = next((piece.problem for _, piece in found if piece.problem), None)
    actions = [action for _, piece in found for action in piece.actions]
    return Reading(tuple(actions), problem, found[0][0], found[-1][1].end)


def _pieces(text: str, registry: ToolRegistry) -> Iterator[tuple[int, Piece]]:
    """Every fence and tag that may hold a call, with its position; nested ones once."""
    at = 0
    while True:
        openings = [
            (opening.start(), opening, reader)
            for pattern, reader in _FORMS
            if (opening := pattern.search(text, at))
        ]
        if not openings:
            return
        begin, opening, reader = min(openings, key=lambda each: each[0])
        piece = reader(text, opening, registry)
        yield begin, piece
        at = piece.end


def _fence(text: str, opening: re.Match[str], registry: ToolRegistry) -> Piece:
    """A fence: values one after the other, closed or not."""
    language, inside = opening["language"].lower(), opening.end()
    if language not in _OF_DATA | _OF_CALLS:
        return Piece(inside)
    closing = re.compile(rf"^[ \t]*{re.escape(opening['mark'])}[ \t]*$", re.MULTILINE)
    actions: list[Action] = []
    at = _start(text, inside)
    while text[at : at + 1] in {"{", "["}:
        try:
            value = loose_json.read(text, at)
        except LooseJsonError as error:
            meant = language in _OF_CALLS or _is_meant(text, _CALL.match(text, at))
            return Piece(_end(text, closing, at), actions, str(error) if meant else None)
        found = calls_in(value.value, registry)
        if not found:
            break
        actions += found
        at = _start(text, value.end)
    problem = None
    if not actions and language in _OF_CALLS:
        problem = f"a block of {language} holds no call"
    return Piece(_end(text, closing, at), actions, problem)


def _start(text: str, at: int) -> int:
    """The position after white space and what separates values."""
    gap = _BETWEEN.match(text, at)
    return gap.end() if gap else at


def _end(text: str, closing: re.Pattern[str], at: int) -> int:
    closed = closing.search(text, at)
    return closed.end() if closed else len(text)


def _wrapped(text: str, opening: re.Match[str], registry: ToolRegistry) -> Piece:
    """``<tool_call>`` around JSON; around other tags, those are read."""
    inside = opening.end()
    closed = re.compile(rf"</{opening['tag']}\s*>").search(text, inside)
    end = closed.end() if closed else len(text)
    body = text[inside : closed.start() if closed else end].strip()
    if body.startswith("<"):
        return Piece(inside)
    if not body:
        return Piece(end, problem=f"<{opening['tag']}> is empty")
    return evolve(_held(body, opening, registry), end=end)


def _named(text: str, opening: re.Match[str], registry: ToolRegistry) -> Piece:
    """``<invoke name="...">`` and its kin, around parameters or JSON."""
    read = tags.call(text, opening)
    if read.body is None:
        return Piece(read.end, [Action(opening["name"], read.args)], read.problem)
    return evolve(_held(read.body, opening, registry), end=read.end)


def _held(body: str, opening: re.Match[str], registry: ToolRegistry) -> Piece:
    """What the JSON in a tag says; the tag itself may name the tool."""
    end = opening.end()
    try:
        value = _value(body)
    except LooseJsonError as error:
        return Piece(end, problem=str(error))
    if opening["name"] and isinstance(value, dict):
        return Piece(end, [Action(opening["name"], value)])
    found = calls_in(value, registry)
    return Piece(end, found, None if found else "the JSON names no tool")


def _value(body: str) -> Json:
    """The JSON of a tag, with or without a fence, or the entities of XML.

    Raises:
        LooseJsonError: it is none.
    """
    body = body.strip("`").removeprefix("json").strip()
    try:
        return loose_json.read(body).value
    except LooseJsonError:
        return loose_json.read(tags.unescaped(body)).value


def _bare(text: str, registry: ToolRegistry) -> Iterator[tuple[int, Piece]]:
    """Calls that nothing marks but their own form."""
    at = 0
    while opening := _CALL.search(text, at):
        begin = opening.start()
        try:
            value = loose_json.read(text, begin)
        except LooseJsonError as error:
            if _is_meant(text, opening):
                yield begin, Piece(len(text), problem=str(error))
            return
        found = calls_in(value.value, registry)
        if found:
            yield begin, Piece(value.end, found)
        at = value.end


def _is_meant(text: str, opening: re.Match[str] | None) -> bool:
    """Whether what cannot be read was meant as a call, and is no other data."""
    if opening is None:
        return False
    return opening["key"].startswith("tool") or bool(_ARGS.search(text, opening.end()))


_Reader = Callable[[str, re.Match[str], ToolRegistry], Piece]
_FORMS: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (_FENCE, _fence),
    (tags.WRAPPER, _wrapped),
    (tags.NAMED, _named),
)
