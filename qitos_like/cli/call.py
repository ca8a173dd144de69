"""``call``: run one tool, as a model would."""

from typing import BinaryIO

import click

from qitos_like.core.action import Action, ActionResult
from qitos_like.core.jsontypes import Json
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.results import Err
from qitos_like.run.executor import ActionExecutor
from qitos_like.run.find import find

from . import arguments, codes, completing, project
from .console import note, say, say_json
from .options import agent_option, from_option, json_option, tools_from
from .waiting import Waiting


@click.command()
@click.argument("name", shell_complete=completing.tools)
@click.argument("pairs", nargs=-1, metavar="[KEY=VALUE]...", shell_complete=completing.pairs)
@click.option(
    "--args", "file", type=click.File("rb"), metavar="FILE", help="JSON arguments; - for stdin."
)
@from_option
@agent_option
@json_option
def call(
    name: str,
    pairs: tuple[str, ...],
    *,
    file: BinaryIO | None,
    source: str | None,
    agent: str | None,
    as_json: bool,
) -> int:
    """Run one tool and print its result.

    A value is text where the tool takes text, else JSON:

    qitos-like call coding.view path=README.md view_range='[1, 9]'
    """
    registry = tools_from(source, agent)
    action = Action(name, _text_of(file, pairs) if file else parsed(registry, name, pairs))
    with ActionExecutor(registry, policy=project.policy()) as executor, Waiting(name) as waiting:
        executor.subscribe(waiting.progress)
        result = executor.run_sync(action)
    if as_json:
        say_json(_facts(result))
    else:
        (say if result.ok else note)(result.text)
    return codes.of_result(result.result)


def _text_of(file: BinaryIO, pairs: tuple[str, ...]) -> str:
    if pairs:
        message = "give the arguments as key=value or by --args, not both"
        raise click.UsageError(message)
    try:
        return file.read().decode()
    except UnicodeDecodeError as error:
        message = f"--args: not UTF-8: {error}"
        raise click.UsageError(message) from error


def parsed(registry: ToolRegistry, name: str, pairs: tuple[str, ...]) -> dict[str, Json]:
    """``key=value`` pairs as arguments of the tool of this name, if there is one."""
    found = find(registry, name)  # what cannot be found, the executor answers
    schema = {} if isinstance(found, Err) else found.entry.spec.input_schema
    return arguments.parse(pairs, schema)


def _facts(result: ActionResult) -> dict[str, Json]:
    return {
        "name": result.action.name,
        "ok": result.ok,
        "code": result.code,
        "text": result.text,
        "error": result.error,
        "hint": result.hint,
        "structured": result.structured,
        "repairs": list(result.repairs),
        "duration_s": round(result.duration_s, 6),
    }
