"""How much of a model's context a tool takes."""

import json

from qitos_like.core.describe import tool_lines
from qitos_like.core.spec import ToolSpec


def prompt_chars(spec: ToolSpec) -> int:
    """Characters of the tool's lines in a system prompt."""
    return len("\n".join(tool_lines(spec)))


def schema_chars(spec: ToolSpec) -> int:
    """Characters of the tool as a provider's API takes it, minified."""
    tool = {"name": spec.name, "description": spec.description, "input_schema": spec.input_schema}
    return len(json.dumps(tool, ensure_ascii=False, separators=(",", ":"), default=str))
