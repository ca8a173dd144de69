"""The default text that shows tools to a model in a system prompt.

A heading per namespace with the toolset's instructions, then a signature line per tool, and a
line under it for what a parameter's name and type do not say.
"""

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

from .entry import Entry
from .jsontypes import Json
from .shapes import Speller, bounds
from .spec import ToolSpec

_INDENT = "  "


def text(entries: Iterable[Entry]) -> str:
    """The entries as text; the same entries give the same bytes.

    Tools without a namespace come first, then each namespace where its first tool stands.
    """
    groups: dict[str, list[Entry]] = {"": []}
    for entry in entries:
        groups.setdefault(entry.namespace, []).append(entry)
    blocks = (_block(namespace, group) for namespace, group in groups.items() if group)
    return "\n\n".join(blocks)


def tool_lines(spec: ToolSpec) -> list[str]:
    """One tool: its signature line, its usage and its parameters' lines."""
    schema = spec.input_schema
    speller = Speller(schema)
    required = schema.get("required", ())
    parameters = [
        _parameter(name, value, required=name in required, speller=speller)
        for name, value in schema.get("properties", {}).items()
    ]
    if _takes_more(schema):
        parameters.append(_rest(schema.get("additionalProperties"), speller))
    head = f"{spec.name}({', '.join(parameters)})"
    lines = [f"{head} - {clean(spec.description)}" if spec.description else head]
    if spec.usage:
        lines.append(_INDENT + clean(spec.usage))
    lines += [_INDENT + line for line in _texts(schema, speller)]
    return lines + [f"{_INDENT}example: {_json(example)}" for example in spec.examples]


def clean(value: str) -> str:
    """Text on one line, without control characters, so that nothing can pose as a heading."""
    kept = "".join(
        " " if unicodedata.category(character) in {"Cc", "Zl", "Zp"} else character
        for character in value
    )
    return " ".join(kept.split())


def _block(namespace: str, entries: list[Entry]) -> str:
    lines = [f"## {namespace}"] if namespace else []
    lines += dict.fromkeys(filter(None, map(_instructions, entries)))
    if lines and len(lines) > bool(namespace):
        lines.append("")
    for entry in entries:
        lines += tool_lines(entry.spec)
    return "\n".join(lines)


def _instructions(entry: Entry) -> str:
    instructions = getattr(entry.toolset, "instructions", None)
    return clean(str(instructions() or "")) if callable(instructions) else ""


def _parameter(name: str, schema: Json, *, required: bool, speller: Speller) -> str:
    shown = speller.spell(schema)
    if required:
        return f"{name}: {shown}"
    has_default = isinstance(schema, Mapping) and "default" in schema
    if has_default and schema["default"] is not None:
        return f"{name}: {shown} = {_json(schema['default'])}"
    return f"{name}: {_optional(shown)}"


def _optional(shown: str) -> str:
    """``int | null`` as ``int?``: left out is what null means."""
    members = [member for member in shown.split(" | ") if member != "null"]
    joined = " | ".join(members)
    return f"({joined})?" if len(members) > 1 else f"{joined}?"


def _takes_more(schema: Mapping[str, Json]) -> bool:
    return schema.get("additionalProperties", False) is not False


def _rest(schema: Json, speller: Speller) -> str:
    return f"**: {speller.spell(schema)}"


def _texts(
    schema: Json, speller: Speller, *, prefix: str = "", around: tuple[int, ...] = ()
) -> Iterator[str]:
    """A line for each parameter, nested ones by their path, that has a text or bounds.

    ``around`` holds the ids of the schemas this one stands in: a recursive one is told once.
    """
    if not isinstance(schema, Mapping) or id(schema) in around:
        return
    around = (*around, id(schema))
    for name, value in schema.get("properties", {}).items():
        path = f"{prefix}{name}"
        said = _said(value)
        if said:
            yield f"{path}: {said}"
        for suffix, inner in _inner(speller.resolve(value), speller):
            yield from _texts(inner, speller, prefix=f"{path}{suffix}.", around=around)


def _said(schema: Json) -> str:
    if not isinstance(schema, Mapping):
        return ""
    described = clean(str(schema.get("description", "")))
    return "; ".join(filter(None, [described, *bounds(schema)]))


def _inner(schema: Json, speller: Speller) -> Iterator[tuple[str, Json]]:
    """The object schemas inside one, each with what its path adds."""
    if not isinstance(schema, Mapping):
        return
    if "properties" in schema:
        yield "", schema
    if isinstance(schema.get("items"), Mapping):
        yield "[]", speller.resolve(schema["items"])
    for member in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        resolved = speller.resolve(member)
        if isinstance(resolved, Mapping) and resolved.get("type") != "null":
            yield from _inner(resolved, speller)


def _json(value: Json) -> str:
    return clean(json.dumps(value, ensure_ascii=False, default=str))
