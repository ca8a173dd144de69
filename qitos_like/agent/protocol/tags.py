"""The tags in which models write a call as XML."""

import re

from attrs import field, frozen

from qitos_like.core.jsontypes import Json

_QUOTE = "[\"'\u2018\u2019\u201c\u201d]?"
_VALUE = rf"{_QUOTE}(?P<name>[\w.-]+){_QUOTE}"

#: Tags around JSON or around the next ones.
WRAPPER = re.compile(
    rf"(?<!<)<(?P<tag>tool_call|tool_use|function_call)(?:\s+name\s*=\s*{_VALUE})?(?:\s[^<>]*)?>",
    re.IGNORECASE,
)
#: What stands before the names of tags: a namespace, and what DeepSeek's models write.
_SPACE = "(?:[|\uff5c]DSML[|\uff5c]|[a-z][a-z0-9_-]*:)?"
#: Tags that name the tool.
NAMED = re.compile(
    rf"<(?P<tag>{_SPACE}(?:invoke|function|tool))(?:(?=\s)[^<>]*?\sname)?\s*=\s*{_VALUE}"
    r"(?:\s[^<>]*?)?\s*(?P<empty>/?)>",
    re.IGNORECASE,
)
_PARAMETER = re.compile(
    rf"<(?P<tag>{_SPACE}(?:parameter|param|arg|argument))(?:\s+name)?\s*=\s*{_VALUE}[^>]*>",
    re.IGNORECASE,
)
_CDATA = re.compile(r"\s*<!\[CDATA\[(.*?)(\]\]>\s*|\Z)", re.DOTALL)
_ENTITY = re.compile(r"&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));")
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
_MAX_CODE = 0x10FFFF


@frozen
class Tagged:
    """What stands in a tag that names a tool.

    Attributes:
        end: where it ends.
        args: its parameters, as text.
        body: what it holds in place of parameters.
        problem: what is wrong with it.
    """

    end: int
    args: dict[str, Json] = field(factory=dict)
    body: str | None = None
    problem: str | None = None


def call(text: str, opening: re.Match[str]) -> Tagged:
    """The tag that begins here, up to its end or to that of the text."""
    if opening["empty"]:
        return Tagged(opening.end())
    args: dict[str, Json] = {}
    at = opening.end()
    closing = closing_of(opening)
    while parameter := _PARAMETER.search(text, at):
        closed = closing.search(text, at)
        if closed and closed.start() < parameter.start():
            break
        name = parameter["name"]
        literal = _CDATA.match(text, parameter.end())
        begin = literal.end() if literal else parameter.end()
        value = closing_of(parameter).search(text, begin)
        if value is None or (not literal and _PARAMETER.search(text, begin, value.start())):
            return Tagged(len(text), args, problem=f"the parameter {name!r} is not closed")
        if name in args:
            return Tagged(value.end(), args, problem=f"the parameter {name!r} is given twice")
        given = unescaped(_inner(text[parameter.end() : value.start()]))
        args[name] = literal[1] if literal else given
        at = value.end()
    closed = closing.search(text, at)
    rest = text[at : closed.start() if closed else len(text)].strip()
    end = closed.end() if closed else at
    if not (closed or args or rest):
        return Tagged(end, problem=f"<{opening['tag']}> is not closed")
    if args or not rest:
        return Tagged(end, args)
    return Tagged(closed.end() if closed else len(text), body=rest)


def closing_of(opening: re.Match[str]) -> re.Pattern[str]:
    """The tag that closes one."""
    return re.compile(rf"</{re.escape(opening['tag'])}\s*>", re.IGNORECASE)


def unwrapped(text: str) -> str:
    """What stands in CDATA, where that is all there is."""
    literal = _CDATA.fullmatch(text)
    return literal[1] if literal and literal[2] else text


def unescaped(text: str) -> str:
    """The text with the entities of XML replaced, once."""
    return _ENTITY.sub(_character, text)


def _character(entity: re.Match[str]) -> str:
    name, decimal, hexadecimal = entity.groups()
    if name:
        return _ENTITIES[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if code <= _MAX_CODE else entity[0]


def _inner(text: str) -> str:
    """A value without the line breaks that only set it apart from its tags."""
    return text.removeprefix("\n").removesuffix("\n")
