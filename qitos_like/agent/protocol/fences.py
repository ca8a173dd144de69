"""Calls in code fences."""

import re

from qitos_like.core.action import Action
from qitos_like.core.registry import ToolRegistry

from . import loose_json
from .hints import code_of
from .loose_json import LooseJsonError
from .marks import CALL, is_meant
from .piece import Piece
from .shapes import calls_in, is_known

FENCE = re.compile(r"^[ \t]*(?P<mark>```+|~~~+)[ \t]*(?P<language>[\w-]*)[^\n`]*$", re.MULTILINE)
#: One that begins after words; then its language says that it is one.
LATE = re.compile(
    r"(?<=[^\s`])[ \t]*(?P<mark>```+)(?P<language>json[5c]?|tool_calls?|tool_use)[ \t]*$",
    re.MULTILINE,
)
_BETWEEN = re.compile(r"[\s,;]*")
_YAML = re.compile(
    r"\s*(?:-\s*)?(?:tool|name|action):[ \t]*[\"']?(?P<name>[\w.-]+)[\"']?[ \t]*$", re.MULTILINE
)
_OF_DATA = frozenset({"", "json", "json5", "jsonc", "jsonl", "ndjson"})
_OF_CALLS = frozenset({
    *("tool", "tools", "tool_call", "tool_calls", "tool_code", "tool_use", "toolcall", "call"),
    *("function_call", "function_calls", "tool_json"),
})  # fmt: skip
_OF_TAGS = frozenset({"xml", "html"})


def fence(text: str, opening: re.Match[str], registry: ToolRegistry) -> Piece:
    """A fence: values one after the other, closed or not.

    What is in another language is an example, but for a call that is all there is: the model is
    told how to write it.
    """
    language, inside = opening["language"].lower().replace("-", "_"), opening.end()
    if language in _OF_TAGS:
        return Piece(inside)
    mark = opening["mark"]
    closing = re.compile(rf"^[ \t]*{re.escape(mark)}{re.escape(mark[0])}*[ \t]*$", re.MULTILINE)
    if not language and FENCE.match(text, inside + 1):
        return Piece(_body(text, inside, closing)[1], quoted=True)
    if language in _OF_DATA | _OF_CALLS:
        return _values(text, language, inside, closing=closing, registry=registry)
    body, end = _body(text, inside, closing)
    code = code_of(body, registry, by_keyword=True)
    if is_known(language, registry) and body.lstrip()[:1] == "{":
        code = f"{language} stands as the language of a block"
    if code is not None:
        return Piece(end, problem=code, quoted=True)
    if not _is_call(body, registry):
        return Piece(end, quoted=True)
    return Piece(end, problem=f"it stands in a block of {language}", quoted=True)


def _values(
    text: str, language: str, inside: int, *, closing: re.Pattern[str], registry: ToolRegistry
) -> Piece:
    actions: list[Action] = []
    at = _start(text, inside)
    if text.startswith("<", at):
        return Piece(inside)  # its tags are read
    end = _end(text, closing, at)
    if text[at : at + 1] not in {"{", "["}:
        first = CALL.search(text, at, end)
        at = first.start() if first else end
    while text[at : at + 1] in {"{", "["}:
        try:
            value = loose_json.read(text, at)
        except LooseJsonError as error:
            meant = language in _OF_CALLS or is_meant(text, CALL.match(text, at))
            return Piece(_end(text, closing, at), actions, str(error) if meant else None)
        found = calls_in(value.value, registry, definite=language in _OF_CALLS)
        if not found:
            break
        actions += found
        at = _start(text, value.end)
    problem = None
    if not actions and language in _OF_CALLS:
        problem = f"a block of {language} holds no call"
    return Piece(_end(text, closing, at), actions, problem)


def _is_call(body: str, registry: ToolRegistry) -> bool:
    """Whether a block is one call and nothing else, as JSON or as YAML."""
    yaml = _YAML.match(body)
    if yaml is not None:
        return is_known(yaml["name"], registry)
    try:
        value = loose_json.read(body)
    except LooseJsonError:
        return False
    return not body[value.end :].strip() and bool(calls_in(value.value, registry))


def _start(text: str, at: int) -> int:
    """The position after white space and what separates values."""
    gap = _BETWEEN.match(text, at)
    return gap.end() if gap else at


def _body(text: str, inside: int, closing: re.Pattern[str]) -> tuple[str, int]:
    closed = closing.search(text, inside)
    return (text[inside : closed.start()], closed.end()) if closed else (text[inside:], len(text))


def _end(text: str, closing: re.Pattern[str], at: int) -> int:
    closed = closing.search(text, at)
    return closed.end() if closed else len(text)
