"""What several commands take, and the registry they get from it."""

import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import TypeVar

import click

from qitos_like.core.entry import Entry
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.results import Err
from qitos_like.load.source import registry_of
from qitos_like.run.find import Found, find

from . import completing, project

C = TypeVar("C", bound=Callable[..., object])


def json_option(command: C) -> C:
    """Add ``--json``, which arrives as ``as_json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def from_option(command: C) -> C:
    """Add ``--from SOURCE``, which arrives as ``source``."""
    return click.option(
        "--from",
        "source",
        metavar="SOURCE",
        help="Where the tools are.",
        shell_complete=completing.sources,
    )(command)


def source_argument(command: C) -> C:
    """Add ``[SOURCE]``, which arrives as ``source``."""
    return click.argument("source", required=False, shell_complete=completing.sources)(command)


def agent_option(command: C) -> C:
    """Add ``--agent NAME``, which arrives as ``agent``."""
    return click.option(
        "--agent",
        metavar="NAME",
        help="An agent of the config.",
        shell_complete=completing.agents,
    )(command)


def tools_from(source: str | None, agent: str | None = None) -> ToolRegistry:
    """The registry of a SOURCE, or of the configuration.

    What their code prints goes to stderr, since stdout is for data.

    Raises:
        UsageError: an agent of the configuration is to have the tools of a SOURCE.
        ConfigError: the configuration cannot be meant, or has no such agent.
        SourceError: the SOURCE has no tools.
        RegistrationError: one of its tools is refused.
    """
    if source is not None and agent is not None:
        message = "an agent has the tools of the configuration: leave SOURCE or --agent out"
        raise click.UsageError(message)
    with redirect_stdout(sys.stderr):
        if source is None:
            return project.config().registry(agent)
        return registry_of(source)


def entry_named(registry: ToolRegistry, name: str) -> Entry:
    """The tool of this name, spelled in any way that a model may spell it.

    Raises:
        UsageError: there is none; the text names near ones.
    """
    entry = registry.get(name)
    found = Found(entry) if entry else find(registry, name)
    if isinstance(found, Err):
        message = f"{found.error}; {found.hint}"
        raise click.UsageError(message)
    return found.entry
