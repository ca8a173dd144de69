"""The ``qitos-like`` command: its subcommands, and what becomes of errors.

Exit codes: 0 ok, 1 a tool's error, 2 usage, config or an unknown tool, 3 denied or needing
approval, 130 stopped by Ctrl-C. A mistake of the user is a sentence, never a traceback.
"""

import logging
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import version

import click

from qitos_like.errors import QitosLikeError

from . import codes, completing
from .call import call
from .check import check
from .console import note, say_json, settle, tolerate
from .demo import demo
from .describe import describe
from .doctor import doctor
from .list_tools import list_tools
from .plugins import plugins
from .run_agent import run_agent
from .show import show
from .trace import trace
from .trust import trust
from .why import why

PROGRAM = "qitos-like"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit with its code."""
    tolerate(sys.stdout)
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the process's own arguments if none are given."""
    if completing.is_asked_for():
        completing.answer(commands, PROGRAM)
    given = sys.argv[1:] if arguments is None else list(arguments)
    with _told():
        code: object = codes.OK
        try:
            code = commands.main(given, prog_name=PROGRAM, standalone_mode=False)
        except click.ClickException as error:
            error.show()
            return _misused(given, error.format_message())
        except BrokenPipeError:  # click's own help, of which somebody has seen enough
            settle()
        except (QitosLikeError, OSError) as error:
            settle()
            note(f"Error: {error}")
            return _misused(given, str(error))
        except click.Abort:
            note("Stopped.")
            return codes.STOPPED
    return code if isinstance(code, int) else codes.OK


def _misused(arguments: Sequence[str], message: str) -> int:
    """The exit code of a command that was not run; who wants JSON is told the reason as JSON."""
    if "--json" in arguments:
        with suppress(click.ClickException):  # stdout is what cannot be written
            say_json({"error": message})
    return codes.USAGE


class _Commands(click.Group):
    """The group; its help lists the commands in the order a new user meets them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        return list(self.commands)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(version(PROGRAM), message="%(prog)s %(version)s")
@click.option(
    "--config",
    metavar="FILE",
    help="The project's file; it is trusted.",
    shell_complete=completing.files,
)
@click.pass_context
def commands(context: click.Context, config: str | None) -> None:
    """Tools for LLM agents: those of qitos-like.toml, else the coding kit, or of a SOURCE, which is a
    toolset (coding), a module, a file (tools.py) or an object in it (tools.py:registry).
    """  # noqa: D205 (the help of all commands fits one screen)
    context.obj = config
    if "NO_COLOR" in os.environ:  # https://no-color.org
        context.color = False


for _command in (
    demo,
    list_tools,
    show,
    describe,
    call,
    check,
    why,
    run_agent,
    trace,
    plugins,
    trust,
    doctor,
):
    commands.add_command(_command)


class _Lines(logging.Handler):
    """What the library logs, a line each, without tracebacks."""

    def emit(self, record: logging.LogRecord) -> None:
        note(f"{record.levelname.capitalize()}: {record.getMessage()}")


@contextmanager
def _told() -> Iterator[None]:
    """Show what the library logs, and at the end its warnings, as lines on stderr."""
    log, lines = logging.getLogger("qitos_like"), _Lines()
    log.addHandler(lines)
    try:
        with warnings.catch_warnings(record=True) as caught:
            yield
    finally:
        log.removeHandler(lines)
        for warning in caught:
            note(f"Warning: {warning.message}")
