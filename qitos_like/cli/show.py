"""``show``: everything about one tool."""

import json
from collections.abc import Callable

import click
from attrs import fields

from qitos_like.core.describe import tool_lines
from qitos_like.core.entry import Entry
from qitos_like.core.jsontypes import Json
from qitos_like.core.permission import ToolPermission
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.traits import Traits
from qitos_like.render.dialects import DIALECTS, dialect

from . import completing
from .console import note, say, say_json
from .options import agent_option, entry_named, from_option, json_option, tools_from


@click.command()
@click.argument("name", shell_complete=completing.tools)
@click.option(
    "--as", "form", type=click.Choice(["prompt", "schema", *DIALECTS]), help="Only this form."
)
@from_option
@agent_option
@json_option
def show(
    name: str, form: str | None, *, source: str | None, agent: str | None, as_json: bool
) -> None:
    """Show everything about one tool."""
    registry = tools_from(source, agent)
    entry = entry_named(registry, name)
    if as_json:
        say_json(_facts(entry))
    elif form in DIALECTS:
        _say_exported(registry.select(entry.name), form)
    else:
        say(_FORMS[form](entry))


def _say_exported(registry: ToolRegistry, provider: str) -> None:
    """What a provider is sent for these tools, and beside it what that loses."""
    wire = dialect(provider)
    say_json(wire.tools(registry))
    for lost in wire.report(registry):
        note(f"note: {lost}")
    for entry in registry:
        reason = entry.unavailable()
        if reason:
            note(f"note: {entry.name} is not sent: {reason}")


def _prompt(entry: Entry) -> str:
    return "\n".join(tool_lines(entry.spec))


def _schema(entry: Entry) -> str:
    return json.dumps(entry.spec.input_schema, ensure_ascii=False, indent=2, default=str)


def _sheet(entry: Entry) -> str:
    traits = {name: value for name, value in _traits(entry).items() if name not in _IN_PROMPT}
    facts = {"from": str(entry.origin), **traits, "unavailable": entry.unavailable()}
    lines = [f"{name}: {_told(value)}" for name, value in facts.items() if value is not None]
    return "\n".join([_prompt(entry), "", *lines])


_FORMS: dict[str | None, Callable[[Entry], str]] = {
    None: _sheet,
    "prompt": _prompt,
    "schema": _schema,
}
_IN_PROMPT = {"usage", "examples"}
#: Traits that are no JSON data, and how they are shown.
_SPELLED: dict[str, Callable[[Json], Json]] = {
    "permissions": lambda required: list(ToolPermission().missing(required)),
    "aliases": lambda aliases: [alias.name for alias in aliases],
}


def _facts(entry: Entry) -> dict[str, Json]:
    return {
        "name": entry.name,
        "description": entry.spec.description,
        "origin": str(entry.origin),
        "unavailable": entry.unavailable(),
        "input_schema": entry.spec.input_schema,
        "traits": _traits(entry),
    }


def _traits(entry: Entry) -> dict[str, Json]:
    """What is said of the tool beyond the defaults; what is code is left out."""
    plain, said = Traits(), {}
    for attribute in fields(Traits):
        value = getattr(entry.spec, attribute.name)
        if value != getattr(plain, attribute.name) and not callable(value):
            said[attribute.name] = _SPELLED.get(attribute.name, _as_it_is)(value)
    return said


def _as_it_is(value: Json) -> Json:
    return value


def _told(value: Json) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value) if isinstance(value, str | int) else json.dumps(value, default=str)
