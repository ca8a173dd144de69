"""Tools as XML text, for models that were trained on tags."""

from collections.abc import Iterable
from html import escape

from qitos_like.core.describe import parameter
from qitos_like.core.detail import Group, Sheet, rendered
from qitos_like.core.jsontypes import Json
from qitos_like.core.safe_text import visible
from qitos_like.core.shapes import Speller, literal, rest
from qitos_like.core.spec import ToolSpec


def xml(specs: Iterable[ToolSpec], *, budget_chars: int | None = None) -> str:
    """A ``<tools>`` element with a ``<tool>`` each; the same tools give the same bytes.

    Args:
        specs: the tools, in the order they are shown.
        budget_chars: how long it may be; what is left out is said in a ``<left_out>`` element.

    >>> print(xml([ToolSpec("now", "The <local> time.")]))
    <tools>
    <tool name="now">
    <description>The &lt;local&gt; time.</description>
    </tool>
    </tools>
    """
    return rendered(specs, budget_chars, _rendered)


def _rendered(whole: Sheet) -> str:
    lines = [line for group in whole.groups for line in _lines(group)]
    if whole.left_out:
        lines.append(_element("left_out", ", ".join(whole.left_out)))
    return "\n".join(["<tools>", *lines, "</tools>"])


def _lines(group: Group) -> list[str]:
    lines = [spec.kept(_tool) for spec in group.specs]
    if group.hidden:
        lines.append(f'<namespace name="{group.namespace}" not_shown="{len(group.hidden)}"/>')
    return lines


def _tool(spec: ToolSpec) -> str:
    schema = spec.input_schema
    speller, required = Speller(schema), schema.get("required", ())
    lines = [f'<tool name="{spec.name}">', _element("description", spec.description)]
    lines += [_element("usage", spec.usage)] if spec.usage else []
    for name, value in schema.get("properties", {}).items():
        members, told = parameter(name, value, speller)
        said = "\n".join(told).removeprefix(f"{name}: ")
        facts = {"type": " | ".join(members), **_need(name, value, required)}
        lines.append(_parameter(name, said, facts))
    more = schema.get("additionalProperties", False)
    if more is not False:
        lines.append(_parameter("**", "", {"type": speller.spell(more)}))
    lines += [_element("also", literal(also)) for also in [rest(schema)] if also]
    lines += [_element("example", literal(example)) for example in spec.examples]
    return "\n".join([*lines, "</tool>"])


def _need(name: str, schema: Json, required: Iterable[str]) -> dict[str, str]:
    if name in required:
        return {"required": "true"}
    if isinstance(schema, dict) and "default" in schema:
        return {"default": literal(schema["default"])}
    return {}


def _parameter(name: str, said: str, facts: dict[str, str]) -> str:
    attributes = "".join(f' {fact}="{_text(value)}"' for fact, value in facts.items())
    head = f'<parameter name="{_text(name)}"{attributes}'
    return f"{head}>{_text(said)}</parameter>" if said else f"{head}/>"


def _element(tag: str, text: str) -> str:
    return f"<{tag}>{_text(text)}</{tag}>"


def _text(value: str) -> str:
    return escape(visible(value))
