"""Writing to the terminal: data to stdout, everything else to stderr."""

import json
import os
import shutil
import sys
from collections.abc import Sequence
from typing import TextIO

import click

from qitos_like.core.jsontypes import Json

WIDTH = 80
MAX_WIDTH = 100


def say(text: str = "", **style: Json) -> None:
    """Data, with a final newline; colours go to terminals alone.

    Raises:
        ClickException: it cannot be written.
    """
    plain = text.removesuffix("\n")
    try:
        click.echo(click.style(plain, **style) if plain and style else plain)
    except OSError as error:
        # What is left, and the flush at exit, go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # whoever read this has seen enough
            return
        message = f"the output cannot be written: {error.strerror}"
        raise click.ClickException(message) from error


def note(text: str) -> None:
    """What is no data."""
    click.echo(text, err=True)


def say_json(value: Json, *, indent: int | None = 2) -> None:
    """Data as JSON; what JSON does not know is its ``str``."""
    say(json.dumps(value, ensure_ascii=False, indent=indent, default=str))


def say_table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, numeric: set[int]) -> None:
    """Rows under headings, the last column as wide as it may be.

    Args:
        headings: one per column.
        rows: the cells, as many in each row.
        numeric: the columns that are aligned to the right.
    """
    if is_terminal(sys.stdout) and _rich_table(headings, rows, numeric):
        return
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for row in (headings, *rows):
        cells = [
            cell.rjust(width) if index in numeric else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        say("  ".join(cells).rstrip())


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person sees what is written; a stream that was closed is none."""
    return stream is not None and stream.isatty()


def width() -> int:
    """How many columns a text may take: the terminal's, within what reads well."""
    return min(shutil.get_terminal_size((WIDTH, 24)).columns, MAX_WIDTH)


def _rich_table(headings: Sequence[str], rows: Sequence[Sequence[str]], numeric: set[int]) -> bool:
    """Print a table with rich, unless that extra is not installed."""
    try:
        from rich.console import Console  # noqa: PLC0415
        from rich.table import Table  # noqa: PLC0415
    except ImportError:
        return False
    table = Table(box=None, pad_edge=False, header_style="bold")
    for index, heading in enumerate(headings):
        table.add_column(
            heading,
            justify="right" if index in numeric else "left",
            no_wrap=index < len(headings) - 1,
        )
    for row in rows:
        table.add_row(*row)
    console = Console(highlight=False, markup=False)
    with console.capture() as shown:
        console.print(table)
    say(shown.get())
    return True
