"""``why``: which rule decides over a call, and where it is written."""

import click

from qitos_like.core.action import Action
from qitos_like.core.jsontypes import Json
from qitos_like.run.executor import ActionExecutor
from qitos_like.run.preview import Preview

from . import arguments, codes, completing, project
from .console import say, say_json
from .options import agent_option, entry_named, from_option, json_option, tools_from


@click.command()
@click.argument("name", shell_complete=completing.tools)
@click.argument("pairs", nargs=-1, metavar="[KEY=VALUE]...", shell_complete=completing.pairs)
@from_option
@agent_option
@json_option
def why(
    name: str,
    pairs: tuple[str, ...],
    *,
    source: str | None,
    agent: str | None,
    as_json: bool,
) -> int:
    """Tell which rule decides over a call.

    The exit code is 0 if it is allowed, 3 if not, or if a person has to be asked:

    qitos-like why coding.run_command command='git push'
    """
    registry = tools_from(source, agent)
    entry = entry_named(registry, name)
    args = arguments.parse(pairs, entry.spec.input_schema)
    with ActionExecutor(registry, policy=project.policy()) as executor:
        preview = executor.preview(Action(entry.name, args))
    if as_json:
        say_json(_facts(preview))
    else:
        say(_told(preview))
    return _CODES[preview.effect]


_CODES = {
    "allow": codes.OK,
    "ask": codes.REFUSED,
    "deny": codes.REFUSED,
    "refuse": codes.TOOL_ERROR,
}


def _told(preview: Preview) -> str:
    rule = preview.rule
    if rule is None:
        return f"{preview.effect}: {preview.reason}"
    return f"{preview.effect}: by the rule {rule}{f', {rule.source}' if rule.source else ''}"


def _facts(preview: Preview) -> dict[str, Json]:
    rule = preview.rule
    return {
        "tool": preview.name,
        "effect": preview.effect,
        "reason": preview.reason,
        "rule": str(rule) if rule else None,
        "source": rule.source if rule else None,
    }
