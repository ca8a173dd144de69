"""``describe``: the text that a system prompt would hold."""

from functools import partial

import click

from qitos_like.core.registry import Renderer
from qitos_like.render import json, xml

from .console import say, say_json
from .options import agent_option, json_option, source_argument, tools_from

_STYLES = {"json": json, "xml": xml}


@click.command()
@source_argument
@click.option("--style", type=click.Choice(["text", *_STYLES]), default="text", help="The form.")
@click.option("--budget", type=click.IntRange(min=1), metavar="CHARS", help="How long at most.")
@agent_option
@json_option
def describe(
    source: str | None, *, style: str, budget: int | None, agent: str | None, as_json: bool
) -> None:
    """Print what a system prompt says of the tools."""
    form = _STYLES.get(style)
    renderer: Renderer | None = partial(form, budget_chars=budget) if form else None
    text = tools_from(source, agent).get_tool_descriptions(renderer, budget_chars=budget)
    if as_json:
        say_json({"text": text, "chars": len(text)})
    else:
        say(text)
