"""What a shell may complete: tools, agents, arguments. Nothing that a project names is run for it.

Turned on by ``eval "$(_QITOS_LIKE_COMPLETE=bash_source qitos-like)"``, as click does it.
"""

import io
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr

import click
from click.shell_completion import CompletionItem

from qitos_like.core.entry import Entry
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.shapes import literal
from qitos_like.errors import QitosLikeError
from qitos_like.load.assembly import names_tools
from qitos_like.load.config import read_settings
from qitos_like.load.plugins import find_installed
from qitos_like.load.settings import Said
from qitos_like.load.source import TOOLSETS, NamedToolset

from . import shells

_VARIABLE = "_QITOS_LIKE_COMPLETE"
_KITS = "kits:"
#: What no shell takes for anything but a word; other names have to be typed.
_WORD = re.compile(r"[\w.:@/+-]+=?", re.ASCII)

Items = list[CompletionItem]


def is_asked_for() -> bool:
    """Whether a shell runs this to complete a line."""
    return _VARIABLE in os.environ


def answer(commands: click.Command, program: str) -> None:
    """Tell the shell, and end the process; a person who types is not disturbed by warnings.

    Raises:
        SystemExit: always.
    """
    shells.teach()
    with redirect_stderr(io.StringIO()):
        commands.main([], prog_name=program, complete_var=_VARIABLE)


def tools(context: click.Context, _: click.Parameter, typed: str) -> Items:
    """Names of tools."""
    return _words(_tools(context), typed)


def agents(context: click.Context, _: click.Parameter, typed: str) -> Items:
    """Names of the configuration's agents."""
    said = _said(context)
    return _words(said.settings.agents if said else (), typed)


def sources(_: click.Context, __: click.Parameter, typed: str) -> Items:
    """Toolsets that have a name; else files."""
    return _words(TOOLSETS, typed) or [CompletionItem(typed, type="file")]


def plugins(_: click.Context, __: click.Parameter, typed: str) -> Items:
    """Plugins that are installed."""
    return _words((each.id for each in find_installed()), typed)


def files(_: click.Context, __: click.Parameter, typed: str) -> Items:
    """Files."""
    return [CompletionItem(typed, type="file")]


def pairs(context: click.Context, _: click.Parameter, typed: str) -> Items:
    """The arguments of the tool of this line as ``key=``, and after that what the key may be.

    Bash takes ``=`` for a word of its own.
    """
    entry = _tools(context).get(context.params.get("name") or "")
    properties: Schema = entry.spec.input_schema.get("properties", {}) if entry else {}
    given = list(context.params.get("pairs") or ())
    if given and given[-1] == "=":
        return _values(properties.get(given[-2] if len(given) > 1 else ""), "", typed)
    if given and given[-1] in properties and given[-2:-1] != ["="]:
        return _values(properties[given[-1]], "", typed)
    key, equals, value = typed.partition("=")
    if equals:
        return _values(properties.get(key), f"{key}=", value)
    named = {each.partition("=")[0] for each in given}
    return _words((f"{key}=" for key in properties if key not in named), typed)


def _values(schema: Json, key: str, typed: str) -> Items:
    """The values that a schema lists; else files."""
    found = _words(_listed(schema), typed)
    if not found:
        return [CompletionItem(typed, type="file")]
    return [CompletionItem(f"{key}{each.value}") for each in found]


def _listed(schema: Json) -> Iterator[str]:
    if not isinstance(schema, dict):
        return
    for value in schema.get("enum", ()):
        yield value if isinstance(value, str) else literal(value)
    if schema.get("type") == "boolean":
        yield from ("true", "false")
    for member in schema.get("anyOf", ()):
        yield from _listed(member)


def _tools(context: click.Context) -> dict[str, Entry]:
    """The tools that can be known without running what is not ours, by name."""
    source = context.params.get("source")
    if source is not None:
        return _kit(TOOLSETS[source].use, source) if source in TOOLSETS else {}
    said = _said(context)
    if said is None:
        return {}
    if not names_tools(said):
        return _kit(TOOLSETS["coding"].use, "coding")
    found: dict[str, Entry] = {}
    for name, table in said.settings.toolsets.items():
        use = table.get("use", name)
        known = TOOLSETS.get(use) if isinstance(use, str) else None
        found |= _kit(known.use if known else use, name)
    return found


def _kit(use: Json, namespace: str) -> dict[str, Entry]:
    """The tools of a kit; nothing in the current folder can stand in for one."""
    if not isinstance(use, str) or not use.startswith(_KITS):
        return {}
    try:
        made = NamedToolset(use).load()(workspace_root=".")
        registry = ToolRegistry().register_toolset(made, namespace)
    except (QitosLikeError, AttributeError, TypeError):
        return {}
    return {entry.name: entry for entry in registry}


def _said(context: click.Context) -> Said | None:
    """The settings; none if they cannot be meant."""
    try:
        return read_settings(context.find_root().params.get("config"))
    except (QitosLikeError, OSError):
        return None


def _words(values: Iterable[str], typed: str) -> Items:
    fitting = dict.fromkeys(value for value in values if value.startswith(typed))
    return [CompletionItem(value) for value in fitting if _WORD.fullmatch(value)]
