"""``plugins``: what is installed and what is enabled, and whether one works."""

import click
from attrs import asdict

from qitos_like.core.jsontypes import Json
from qitos_like.load.assembly import named_plugins
from qitos_like.load.plugins import Plugin, find_installed
from qitos_like.load.probe import probe
from qitos_like.run.tables import unknown

from . import codes, completing, project
from .console import note, say, say_json, say_table
from .options import json_option


@click.group()
def plugins() -> None:
    """List plugins, or try one out; --json on both."""


@plugins.command("list")
@json_option
def list_plugins(*, as_json: bool) -> None:
    """List what is installed and what is enabled.

    None of it is run.
    """
    rows = _rows()
    if as_json:
        say_json(rows)
        return
    cells = [(row["name"], "on" if row["enabled"] else "off", row["where"]) for row in rows]
    say_table(("PLUGIN", "", "WHERE"), cells, numeric=set())
    if not all(row["enabled"] for row in rows):
        note("enable one with [plugins] enabled = [...] in qitos-like.toml")


@plugins.command("check")
@click.argument("name", shell_complete=completing.plugins)
@json_option
def check_plugin(name: str, *, as_json: bool) -> int:
    """Tell what a plugin would register, and what is wrong.

    It is activated in a process of its own; the exit code is 1 if it is broken.
    """
    report = probe(_named(name))
    if as_json:
        say_json(asdict(report))
    elif report.error is not None:
        note(report.error.rstrip())
        note(f"Error: {name} is broken")
    else:
        for tool, text in report.tools.items():
            say(f"{tool}: {(text.splitlines() or ['(no description)'])[0]}")
        for finding in report.findings:
            note(finding)
    return codes.OK if report.error is None else codes.TOOL_ERROR


def _rows() -> list[dict[str, Json]]:
    named = [plugin for _, plugin in named_plugins(project.settings())]
    enabled = {(plugin.id, plugin.where) for plugin in named}
    off = [each for each in find_installed() if (each.id, each.where) not in enabled]
    return [
        {"name": each.id, "enabled": each in named, "where": each.where, "version": each.version}
        for each in (*named, *off)
    ]


def _named(name: str) -> Plugin:
    """The plugin of this name, first of those that the configuration names.

    Raises:
        UsageError: there is none.
    """
    known = [*(plugin for _, plugin in named_plugins(project.settings())), *find_installed()]
    for plugin in known:
        if plugin.id == name:
            return plugin
    raise click.UsageError(unknown("plugin", name, [each.id for each in known]))
