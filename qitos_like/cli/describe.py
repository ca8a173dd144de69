"""``describe``: the text that a system prompt would hold."""

import click

from .console import say, say_json
from .options import json_option, source_argument, tools_from


@click.command()
@source_argument
@json_option
def describe(source: str, *, as_json: bool) -> None:
    """Print what a system prompt says of the tools."""
    text = tools_from(source).get_tool_descriptions()
    if as_json:
        say_json({"text": text, "chars": len(text)})
    else:
        say(text)
