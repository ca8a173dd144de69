"""``check``: what the authors of tools should mend."""

import click
from attrs import asdict

from qitos_like.core.registry import ToolRegistry
from qitos_like.load.lint import findings
from qitos_like.load.source import TOOLSETS

from . import codes
from .console import note, say, say_json
from .options import json_option, source_argument, tools_from


@click.command("check")
@source_argument
@json_option
def check(source: str | None, *, as_json: bool) -> int:
    """Find what the tools' authors should mend.

    That is missing texts, vague types, unreadable names, permissions that are not declared; the exit
    code is 1 if there are any. Without a SOURCE the coding kit's own tools are left out.
    """
    registry = tools_from(source)
    if source is None:
        registry = _without_ours(registry)
    found = findings(registry)
    if as_json:
        say_json([asdict(finding) for finding in found])
    else:
        for finding in found:
            say(str(finding))
        tools = "1 tool" if len(registry) == 1 else f"{len(registry)} tools"
        count = "1 finding" if len(found) == 1 else f"{len(found)} findings"
        note(f"{tools}, {count}")
    return codes.TOOL_ERROR if found else codes.OK


def _without_ours(registry: ToolRegistry) -> ToolRegistry:
    """The tools of this project's authors."""
    ours = tuple(named.load() for named in TOOLSETS.values())
    kept = ToolRegistry(entry for entry in registry if type(entry.toolset) not in ours)
    left_out = len(registry) - len(kept)
    if left_out:
        note(f"{left_out} tools of the coding kit are left out: see qitos-like check coding")
    return kept
