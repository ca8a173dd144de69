"""``list``: the tools, and how much of a model's context they take."""

import click

from qitos_like.core.entry import Entry
from qitos_like.core.jsontypes import Json
from qitos_like.core.registry import ToolRegistry

from .console import note, say_json, say_table
from .options import agent_option, json_option, source_argument, tools_from
from .sizes import prompt_chars, schema_chars


@click.command("list")
@source_argument
@agent_option
@json_option
def list_tools(source: str | None, *, agent: str | None, as_json: bool) -> None:
    """List the tools and their sizes.

    Sizes are characters: as prompt text, and as a provider's API takes them.
    """
    registry = tools_from(source, agent)
    rows = [_row(entry) for entry in registry]
    if as_json:
        say_json(rows)
        return
    say_table(
        ("TOOL", "PROMPT", "SCHEMA", "DESCRIPTION"),
        [
            (row["name"], f"{row['prompt_chars']:,}", f"{row['schema_chars']:,}", _summary(row))
            for row in rows
        ],
        numeric={1, 2},
    )
    note(_total(registry, rows))


def _row(entry: Entry) -> dict[str, Json]:
    return {
        "name": entry.name,
        "description": entry.spec.description,
        "origin": str(entry.origin),
        "prompt_chars": prompt_chars(entry.spec),
        "schema_chars": schema_chars(entry.spec),
        "unavailable": entry.unavailable(),
    }


def _summary(row: dict[str, Json]) -> str:
    lines = row["description"].splitlines() or ["(no description)"]
    return f"unavailable: {row['unavailable']}" if row["unavailable"] else str(lines[0])


def _total(registry: ToolRegistry, rows: list[dict[str, Json]]) -> str:
    text = len(registry.get_tool_descriptions())
    schemas = sum(row["schema_chars"] for row in rows)
    count = "1 tool" if len(rows) == 1 else f"{len(rows)} tools"
    return f"{count}: {text:,} characters as prompt text, {schemas:,} as JSON Schemas"
