"""The default text that shows tools to a model in a system prompt.

A heading per namespace with the toolset's instructions, then a signature line per tool, and a
line under it for what a parameter's name and type do not say.
"""

from collections.abc import Iterator

from .detail import Group, Sheet
from .jsontypes import Json, Schema
from .safe_text import clean, unposed
from .shapes import PLAIN, Speller, bounds, key, literal, rest
from .spec import ToolSpec

_INDENT = "  "
#: Most properties are of a plain type and say little more: these are spelled without a search.
_FEW = frozenset({"type", "description", "default"})


def text(sheet: Sheet) -> str:
    """The tools of a sheet as text; the same tools give the same bytes."""
    blocks = [_block(group) for group in sheet.groups]
    if sheet.left_out:
        blocks.append(f"(Left out for length: {', '.join(sheet.left_out)}.)")
    return "\n\n".join(blocks)


def tool_lines(spec: ToolSpec) -> list[str]:
    """One tool: its signature line, its usage and its parameters' lines."""
    return spec.kept(_tool_text).split("\n")


def _block(group: Group) -> str:
    if group.hidden and not group.specs:
        return _hidden(group)
    lines = [f"## {group.namespace}"] if group.namespace else []
    lines += group.instructions
    if group.instructions:
        lines.append("")
    lines += [spec.kept(_tool_text) for spec in group.specs]
    if group.hidden:
        lines.append(_hidden(group))
    return "\n".join(lines)


def _hidden(group: Group) -> str:
    count = len(group.hidden)
    tools = "1 tool, not shown" if count == 1 else f"{count} tools, not shown"
    return f"{group.namespace}.*: {tools}" if group.namespace else f"and {tools}"


def instructions_text(value: object) -> str:
    """A toolset's instructions on one line."""
    return unposed(clean(str(value or "")))


def _tool_text(spec: ToolSpec) -> str:
    schema = spec.input_schema
    speller = Speller(schema)
    required = schema.get("required", ())
    parameters: list[str] = []
    lines: list[str] = []
    for name, value in schema.get("properties", {}).items():
        shown = name if name.isidentifier() and name.isascii() else key(name)
        members, told = parameter(shown, value, speller)
        lines += told
        default = value.get("default") if type(value) is dict else None
        parameters.append(shown + _typed(members, default, is_required=name in required))
    if schema.get("additionalProperties", False) is not False:
        parameters.append(f"**: {speller.spell(schema['additionalProperties'])}")
    head = f"{spec.name}({', '.join(parameters)})"
    below = [unposed(clean(spec.usage))] if spec.usage else []
    below += lines
    below += [f"also: {literal(more)}" for more in [rest(schema)] if more]
    below += [f"example: {literal(example)}" for example in spec.examples]
    if spec.description:
        head += f" - {clean(spec.description)}"
    return f"\n{_INDENT}".join([head, *below])


def parameter(name: str, schema: Json, speller: Speller) -> tuple[list[str], list[str]]:
    """The alternatives of a parameter's type, and a line for all that has more to say."""
    short = _short(schema)
    if not short:
        lines = list(_lines(name, schema, speller))
        return speller.members(schema), lines
    described = clean(schema.get("description", ""))
    return short, [f"{name}: {described}"] if described else []


def _short(schema: Json) -> list[str]:
    """The alternatives of a schema that says only a plain type, a text and a default; or none."""
    if type(schema) is not dict or not _FEW.issuperset(schema):
        return []
    kind = schema.get("type")
    if isinstance(kind, str):
        return [PLAIN[kind]] if kind in PLAIN else []
    return [PLAIN[each] for each in kind] if kind and PLAIN.keys() >= set(kind) else []


def _typed(members: list[str], default: Json, *, is_required: bool) -> str:
    """What follows a parameter's name: left out is what null means, where nothing else is said."""
    if is_required:
        return f": {' | '.join(members)}"
    if default is not None:
        return f": {' | '.join(members)} = {literal(default)}"
    kinds = [member for member in members if member != "null"] or members
    return f": {kinds[0]}?" if len(kinds) == 1 else f": ({' | '.join(kinds)})?"


def _lines(
    path: str, schema: Json, speller: Speller, *, around: tuple[int, ...] = ()
) -> Iterator[str]:
    """A line for a parameter and each part of it that has a text or bounds.

    ``around`` holds the ids of the schemas this one stands in: a recursive one is told once.
    """
    if not isinstance(schema, dict):
        return
    said = _said(schema)
    if said:
        yield f"{path}: {said}"
    target = speller.resolve(schema)
    if target is not schema:
        if id(target) in around:
            return
        around = (*around, id(target))
        said = "; ".join(_demands(target)) if isinstance(target, dict) else ""
        if said:
            yield f"{path}: {said}"
    for suffix, inner in _inner(target, speller):
        yield from _lines(f"{path}{suffix}", inner, speller, around=around)


def _said(schema: Schema) -> str:
    described = clean(str(schema.get("description", "")))
    return "; ".join([described, *_demands(schema)] if described else _demands(schema))


def _demands(schema: Schema) -> list[str]:
    demands = bounds(schema)
    demands += [f"e.g. {literal(example)}" for example in schema.get("examples", ())]
    return demands + [f"also {literal(more)}" for more in [rest(schema)] if more]


def _inner(schema: Json, speller: Speller) -> Iterator[tuple[str, Json]]:
    """The schemas directly inside one, each with what its path adds."""
    if not isinstance(schema, dict):
        return
    for name, value in schema.get("properties", {}).items():
        yield f".{key(name)}", value
    yield "[]", schema.get("items")
    yield ".*", schema.get("additionalProperties")
    for index, item in enumerate(schema.get("prefixItems", ())):
        yield f"[{index}]", item
    members = [*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())]
    several = sum(member != {"type": "null"} for member in members) > 1
    for member in members:
        yield f" ({speller.spell(member)})" if several and bounds(member) else "", member
