"""``check``: what the authors of tools should mend."""

import click
from attrs import asdict

from qitos_like.load.lint import findings

from . import codes
from .console import note, say, say_json
from .options import json_option, source_argument, tools_from


@click.command("check")
@source_argument
@json_option
def check(source: str | None, *, as_json: bool) -> int:
    """Find what the tools' authors should mend.

    That is missing texts, vague types, unreadable names, permissions that are not declared; the exit
    code is 1 if there are any.
    """
    registry = tools_from(source)
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
