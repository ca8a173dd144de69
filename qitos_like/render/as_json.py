"""Tools as JSON text, a line each, for prompts that want their schemas whole."""

from collections.abc import Iterable

from qitos_like.core.detail import Group, Sheet, rendered
from qitos_like.core.jsontypes import Json
from qitos_like.core.safe_text import visible
from qitos_like.core.shapes import literal
from qitos_like.core.spec import ToolSpec

from .schemas.texts import cleaned, is_open


def json(specs: Iterable[ToolSpec], *, budget_chars: int | None = None) -> str:
    """A JSON array with an object per tool; the same tools give the same bytes.

    Args:
        specs: the tools, in the order they are shown.
        budget_chars: how long it may be; what is left out is said in the last object.

    >>> print(json([ToolSpec("now", "The time.")]))
    [
    {"name": "now", "description": "The time.", "parameters": {"type": "object", ...}}
    ]
    """
    return rendered(specs, budget_chars, _rendered)


def _rendered(whole: Sheet) -> str:
    lines = [line for group in whole.groups for line in _lines(group)]
    if whole.left_out:
        lines.append(literal({"left_out": list(whole.left_out)}))
    return "[\n" + ",\n".join(lines) + "\n]"


def _lines(group: Group) -> list[str]:
    lines = [spec.kept(_line) for spec in group.specs]
    if group.hidden:
        lines.append(literal({"namespace": group.namespace, "not_shown": len(group.hidden)}))
    return lines


def _line(spec: ToolSpec) -> str:
    facts: dict[str, Json] = {"name": spec.name, "description": visible(spec.description)}
    if spec.usage:
        facts["usage"] = visible(spec.usage)
    facts["parameters"] = spec.input_schema
    if spec.examples:
        facts["examples"] = list(spec.examples)
    line = literal(facts)
    return line if is_open(line) else literal(facts | {"parameters": cleaned(spec.input_schema)})
