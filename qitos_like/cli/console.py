"""Writing to the terminal: data to stdout, everything else to stderr."""

import json
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from typing import TextIO

import click

from qitos_like.core.jsontypes import Json
from qitos_like.core.safe_text import plain

WIDTH = 80
MAX_WIDTH = 100
#: What the last column of a table needs to be read.
_READABLE = 24


def say(text: str = "", **style: Json) -> None:
    """Data, with a final newline; colours go to terminals alone.

    Raises:
        ClickException: it cannot be written.
    """
    _write(_styled(text.removesuffix("\n"), sys.stdout, style))


def note(text: str, **style: Json) -> None:
    """What is no data; nobody may be there to read it."""
    with suppress(OSError):
        click.echo(_styled(text, sys.stderr, style), err=True)


def settle() -> None:
    """Let go of what is written to stdout and cannot get there, now and at exit."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say_json(value: Json, *, indent: int | None = 2) -> None:
    """Data as JSON; what JSON does not know is its ``str``, what stdout cannot hold is escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=str)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=indent, default=str)
    say(text)


def tolerate(stream: TextIO | None) -> None:
    """Have a stream write what its encoding lacks as escapes, as Python's stderr does."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


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
    fixed = sum(
        2 + max(map(len, column)) for column in list(zip(headings, *rows, strict=True))[:-1]
    )
    console = Console(highlight=False, markup=False)
    if console.width - fixed < _READABLE:
        return False
    table = Table(box=None, pad_edge=False, header_style="bold")
    for index, heading in enumerate(headings):
        table.add_column(
            heading,
            justify="right" if index in numeric else "left",
            no_wrap=index < len(headings) - 1,
            overflow="fold",
        )
    for row in rows:
        table.add_row(*map(plain, row))
    with console.capture() as shown:
        console.print(table)
    _write(shown.get().removesuffix("\n"))
    return True


def _styled(text: str, stream: TextIO | None, style: Json) -> str:
    """Text in a style; a terminal is not steered by what models, tools and files say."""
    shown = plain(text) if is_terminal(stream) else text
    return click.style(shown, **style) if shown and style else shown


def _write(text: str) -> None:
    try:
        click.echo(text)
    except OSError as error:
        settle()
        if isinstance(error, BrokenPipeError):  # whoever read this has seen enough
            return
        message = f"the output cannot be written: {error.strerror}"
        raise click.ClickException(message) from error
