"""What looks like a call in a form that is not read: the model is told, and nothing is run."""

import re
from collections.abc import Iterator
from itertools import chain

from qitos_like.core.registry import ToolRegistry

from . import loose_json
from .loose_json import LooseJsonError
from .shapes import parameters

#: Signs of a call, and what is wrong with them.
_SIGNS = (
    (
        re.compile(r"&lt;(?:tool_call|tool_use|function_call|invoke|function=)"),
        "its tags are entities",
    ),
    (re.compile(r"<(?:tool_call|tool_use|function_call|invoke)\b"), "its tags name no tool"),
    (
        re.compile(
            r"<[|\uff5c][ \w\u2581|\uff5c]*(?:tool|invoke)|<\|python_tag\|>|\[TOOL_CALLS?\]"
            r"|<\|channel\|>[^\n]{0,80} to=\w|<start_function_call>"
        ),
        "its tokens are of another form",
    ),
    (re.compile(r'\{\s*\\"(?:tool|name|function)\\"'), "it is JSON inside a string"),
)
_CODE = re.compile(
    r"(?:<(?P<tag>\w+)>)?\s*\[?\s*(?:\w+\s*=\s*)?(?:await\s+)?(?:print\s*\(\s*)?"
    r"(?P<name>[A-Za-z_][\w.]*)\s*\((?P<inside>.*)\)\s*\]?;?\s*(?:</(?P=tag)>)?",
    re.DOTALL,
)
_KEYWORD = re.compile(r"\s*(?P<part>\w+)\s*=[^=]")
#: A name, and what may be its arguments, which end the message.
_BESIDE = re.compile(
    r"(?<![\w.-])(?P<name>[A-Za-z_][\w.-]*)[\"'`*>)]{0,4}\s{0,9}[:(]?\s{0,9}"
    r"(?:\**(?:Args|Arguments|(?:Tool |Action )?Input|Parameters)\**\s{0,9}:\**\s{0,9})?"
    r"(?:```\w*\s{0,9})?(?=\{\s*[\"']?(?P<part>\w+)[\"']?\s*:)",
    re.IGNORECASE,
)
#: A tag around nothing, which ends the message.
_EMPTY = re.compile(r"<(?P<name>[A-Za-z_][\w.-]*)\s*(?:/>|>\s*</(?P=name)>)\s*\Z")
_ENDS = re.compile(r"(?:[\s\])}`;*]|</[\w:.-]+>)*")
#: A name under a label, and no word after it.
_LABEL = re.compile(
    r"^[ \t]*\**(?:Action|Tool|tool_name|Function)\**[ \t]*:[ \t]*\**[`\"']?(?P<name>[A-Za-z_][\w.-]*)"
    r"[`\"'*]*[ \t]*(?:$|[(\[])",
    re.MULTILINE | re.IGNORECASE,
)
_ELEMENT = re.compile(r"<(?P<name>[A-Za-z_][\w.-]*)(?:>\s*<|\s+)(?P<part>[A-Za-z_][\w.-]*)\s*[=>]")


def hint(text: str, registry: ToolRegistry) -> str | None:
    """Why a text that holds no call may have been meant as one; ``None`` if it was not."""
    signs = (wrong for sign, wrong in _SIGNS if sign.search(text))
    return next(chain(signs, *(look(text, registry) for look in _LOOKS)), None)


def _code(text: str, registry: ToolRegistry) -> Iterator[str]:
    last = text.rstrip().rpartition("\n\n")[2]
    found = code_of(text, registry) or code_of(last, registry, by_keyword=True)
    if found is not None:
        yield found


def _elements(text: str, registry: ToolRegistry) -> Iterator[str]:
    empty = _EMPTY.search(text)
    if empty is not None and parameters(empty["name"], registry) == []:
        yield f"<{empty['name']}> is no form of a call"
    for element in _ELEMENT.finditer(text):
        if element["part"] in (parameters(element["name"], registry) or ()):
            yield f"<{element['name']}> is no form of a call"


def _labels(text: str, registry: ToolRegistry) -> Iterator[str]:
    for label in _LABEL.finditer(text):
        if parameters(label["name"], registry) is not None:
            yield f"{label[0].strip()!r} is no form of a call"


def code_of(text: str, registry: ToolRegistry, *, by_keyword: bool = False) -> str | None:
    """What is wrong with a text that is nothing but code which calls a tool."""
    code = _CODE.fullmatch(text.strip())
    known = None if code is None else parameters(code["name"], registry)
    if code is None or known is None:
        return None
    keyword = _KEYWORD.match(code["inside"])
    if by_keyword and (keyword is None or keyword["part"] not in known):
        return None
    return f"{code['name']}(...) is no JSON"


def _beside(text: str, registry: ToolRegistry) -> Iterator[str]:
    """A tool whose name stands ahead of an object that ends the text, and is its arguments."""
    for found in _BESIDE.finditer(text):
        if found["part"] not in (parameters(found["name"], registry) or ()):
            continue
        try:
            end = loose_json.read(text, found.end()).end
        except LooseJsonError:
            continue
        if _ENDS.fullmatch(text, end):
            yield f"{found['name']} does not stand in its JSON, as the tool"


_LOOKS = (_code, _beside, _labels, _elements)
