"""``trace``: reading the record of a run."""

import json
from collections.abc import Iterator

import click

from qitos_like.agent.saving import step_of
from qitos_like.agent.trace import Record
from qitos_like.core.safe_text import visible

from .console import note, say, say_json
from .options import json_option
from .steps import MAX_LINES, time, write_step


@click.group()
def trace() -> None:
    """Read what an agent did; --json too."""


@trace.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--whole", is_flag=True, help="All lines of each result.")
@json_option
def show(file: str, *, whole: bool, as_json: bool) -> None:
    """Show the steps, results and times of a run.

    A FILE may hold several runs, one after the other.
    """
    records = list(_records(file))
    if not records:
        note(f"{file} holds no run")
    if as_json:
        say_json(records)
        return
    for number, record in enumerate(records, start=1):
        try:
            _SHOWN[record["type"]](record, None if whole else MAX_LINES)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            message = f"{file}, line {number}: no record of a run ({error!r})"
            raise click.UsageError(message) from error


def _records(file: str) -> Iterator[Record]:
    with open(file, "rb") as lines:  # noqa: PTH123 (line by line)
        for number, line in enumerate(lines, start=1):
            try:
                record = json.loads(line)
            except (ValueError, RecursionError) as error:
                message = f"{file}, line {number}: no JSON ({error})"
                raise click.UsageError(message) from error
            kind = record.get("type") if isinstance(record, dict) else None
            if not isinstance(kind, str) or kind not in _SHOWN:
                message = f"{file}, line {number}: no record of a run"
                raise click.UsageError(message)
            yield record


def _run(record: Record, max_lines: int | None) -> None:  # noqa: ARG001 (as the others)
    say(visible(f"{record['agent']}, {record['started_at']}"), bold=True)
    say(visible(f"Task: {record['task']}"))


def _step(record: Record, max_lines: int | None) -> None:
    write_step(step_of(record), say, max_lines=max_lines)


def _end(record: Record, max_lines: int | None) -> None:  # noqa: ARG001 (as the others)
    usage, cost = record["usage"], record["cost_usd"]
    facts = [
        f"stopped: {record['stop_reason']}",
        f"{record['steps']} steps",
        time(record["duration_s"]),
        f"{usage['input_tokens']:,} tokens in, {usage['output_tokens']:,} out",
    ]
    if cost is not None:
        facts.append(f"${cost:.4f}")
    say()
    say(", ".join(facts), bold=True)
    if record["error"]:
        say(visible(record["error"]), fg="red")


_SHOWN = {"run": _run, "step": _step, "end": _end}
