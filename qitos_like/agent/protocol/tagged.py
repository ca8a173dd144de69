"""Calls in tags: around JSON, around parameters."""

import re
from collections.abc import Mapping

from attrs import evolve

from qitos_like.core.action import Action
from qitos_like.core.jsontypes import Json
from qitos_like.core.registry import ToolRegistry

from . import loose_json, tags
from .loose_json import LooseJsonError
from .piece import Piece
from .shapes import calls_in

#: What stands first in a tag: another tag, or JSON.
_TAG = re.compile(r"\s*<(?!/|!)")
_SPACES = re.compile(r"\s*")
_JSON = re.compile(r"\s*[\[{]")


def wrapped(text: str, opening: re.Match[str], registry: ToolRegistry) -> Piece:
    """``<tool_call>`` around JSON; around other tags, those are read."""
    inside = opening.end()
    if _TAG.match(text, inside):
        return Piece(inside)
    whole = _whole(text, opening, registry)
    if whole is not None:
        return whole
    closed = tags.closing_of(opening).search(text, inside)
    end = closed.end() if closed else len(text)
    body = tags.unwrapped(text[inside : closed.start() if closed else end].strip())
    if not body:
        return Piece(end, problem=f"<{opening['tag']}> is empty")
    return evolve(_held(body, opening, registry), end=end)


def named(text: str, opening: re.Match[str], registry: ToolRegistry) -> Piece:
    """``<invoke name="...">`` and its kin, around parameters or JSON."""
    whole = None if opening["empty"] else _whole(text, opening, registry)
    if whole is not None:
        return whole
    read = tags.call(text, opening)
    if read.body is None:
        return Piece(read.end, [Action(opening["name"], read.args)], read.problem)
    return evolve(_held(tags.unwrapped(read.body), opening, registry), end=read.end)


def _whole(text: str, opening: re.Match[str], registry: ToolRegistry) -> Piece | None:
    """What a whole JSON value right after the tag says, whatever tags are in its strings."""
    begin = opening.end()
    if not _JSON.match(text, begin):
        return None
    try:
        value = loose_json.read(text, begin)
    except LooseJsonError:
        return None
    spaces = _SPACES.match(text, value.end)
    closed = tags.closing_of(opening).match(text, spaces.end() if spaces else value.end)
    end = closed.end() if closed else value.end
    return evolve(_meaning(value.value, opening, registry), end=end)


def _held(body: str, opening: re.Match[str], registry: ToolRegistry) -> Piece:
    """What the JSON in a tag says; the tag itself may name the tool."""
    try:
        return _meaning(_value(body), opening, registry)
    except LooseJsonError as error:
        return Piece(opening.end(), problem=str(error))


def _meaning(value: Json, opening: re.Match[str], registry: ToolRegistry) -> Piece:
    end = opening.end()
    if opening["name"] and isinstance(value, Mapping):
        return Piece(end, [Action(opening["name"], value)])
    found = calls_in(value, registry, definite=True)
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
