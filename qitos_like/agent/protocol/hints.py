"""What looks like a call in a form that is not read: the model is told, and nothing is run."""

import re

from qitos_like.core.registry import ToolRegistry
from qitos_like.core.results import Err
from qitos_like.run.find import find

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
            r"|<\|channel\|>\w+ to=\w"
        ),
        "its tokens are of another form",
    ),
    (re.compile(r'\{\s*\\"(?:tool|name|function)\\"'), "it is JSON inside a string"),
)
_CODE = re.compile(r"\[?\s*(?:print\s*\(\s*)?(?P<name>[A-Za-z_][\w.]*)\s*\(.*\)\s*\]?;?", re.DOTALL)
_ELEMENT = re.compile(r"<(?P<name>[A-Za-z_][\w.-]*)(?:>\s*<|\s+)(?P<part>[A-Za-z_][\w.-]*)\s*[=>]")


def hint(text: str, registry: ToolRegistry) -> str | None:
    """Why a text that holds no call may have been meant as one; ``None`` if it was not."""
    for sign, wrong in _SIGNS:
        if sign.search(text):
            return wrong
    code = _CODE.fullmatch(text.strip())
    if code is not None and _parameters(code["name"], registry) is not None:
        return f"{code['name']}(...) is no JSON"
    for element in _ELEMENT.finditer(text):
        if element["part"] in (_parameters(element["name"], registry) or ()):
            return f"<{element['name']}> is no form of a call"
    return None


def _parameters(name: str, registry: ToolRegistry) -> list[str] | None:
    """The parameters of the tool of this name; ``None`` if there is none."""
    found = find(registry, name)
    if isinstance(found, Err):
        return None
    return list(found.entry.spec.input_schema.get("properties", {}))
