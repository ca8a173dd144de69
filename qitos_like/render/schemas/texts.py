"""The texts that go to a provider: a tool's description, and those inside its schema."""

from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.safe_text import hides, visible
from qitos_like.core.schema.definitions import mapped
from qitos_like.core.shapes import literal
from qitos_like.core.spec import ToolSpec


def description(spec: ToolSpec) -> str:
    """What a provider's one text of a tool says: its description, usage and examples."""
    if not spec.usage and not spec.examples:
        return visible(spec.description)
    examples = [f"Example: {literal(example)}" for example in spec.examples]
    said = (spec.description, spec.usage, *examples)
    return "\n\n".join(visible(text) for text in said if text)


def parted_at(text: str, most: int) -> tuple[str, str]:
    """A text in two, the first with at most so many characters, at the end of a line or of a word."""
    if len(text) <= most:
        return text, ""
    found = (text.rfind(mark, most // 2, most) for mark in ("\n\n", "\n", " "))
    at = next((at for at in found if at > 0), most)
    return text[:at].rstrip(), text[at:].lstrip()


def cleaned(schema: Schema) -> Schema:
    """The schema with nothing in its texts that hides or steers; itself if there is nothing."""
    return schema if is_open(repr(schema)) or not hides(_texts(schema)) else _cleaned(schema)


def is_open(text: str) -> bool:
    """Whether data hides nothing, by its text in which what cannot be printed is escaped."""
    return text.isascii() and "\\" not in text and "\x7f" not in text


def _cleaned(schema: Schema) -> Schema:
    changed = mapped(schema, _cleaned)
    for keyword in ("description", "title", "$comment"):
        if isinstance(changed.get(keyword), str):
            changed[keyword] = visible(changed[keyword])
    return changed


def _texts(value: Json) -> str:
    """All texts in a schema, data included, one after the other."""
    if isinstance(value, str):
        return value
    parts = value.values() if isinstance(value, dict) else value
    return "".join(map(_texts, parts)) if isinstance(value, dict | list) else ""
