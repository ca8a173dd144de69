"""``doctor``: what works on this machine, and how to get the rest."""

import platform
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import click
from attrs import asdict, frozen

from qitos_like.errors import ConfigError
from qitos_like.load.layers import shown
from qitos_like.load.plugins import find_installed

from . import codes, project
from .console import say_json, say_table
from .options import json_option

_KITS = Path(__file__).parents[2] / "kits"
#: By extra: the module that it brings, and what that is for.
_EXTRAS = (
    ("rich", "rich", "tables on terminals"),
    ("fast", "jsonschema_rs", "arguments checked faster by schemas written by hand"),
    ("shell", "tree_sitter_bash", "rules that allow several commands in one text"),
    ("dask", "distributed", "tools whose code runs on a cluster"),
    ("openai", "openai", "models of OpenAI's APIs"),
    ("anthropic", "anthropic", "models of Anthropic's API"),
)


@frozen
class Finding:
    """One thing that was looked at.

    Attributes:
        what: its name.
        state: ``ok``, ``missing`` (something is lost) or ``wrong`` (something does not work).
        note: what was found, and what to do.
    """

    what: str
    state: str
    note: str


@click.command()
@json_option
def doctor(*, as_json: bool) -> int:
    """Tell what works here, and how to get the rest.

    The exit code is 1 if something is wrong; what is only missing is no error.
    """
    found = [finding for look in _LOOKS for finding in look()]
    if as_json:
        say_json([asdict(finding) for finding in found])
    else:
        rows = [(each.what, each.state, each.note) for each in found]
        say_table(("WHAT", "STATE", ""), rows, numeric=set())
    return codes.TOOL_ERROR if any(each.state == "wrong" for each in found) else codes.OK


def _python() -> Iterator[Finding]:
    text = f"{platform.python_version()} on {platform.system()}, {sys.executable}"
    yield Finding("python", "ok", text)
    yield Finding("qitos-like", "ok", version("qitos-like"))


def _extras() -> Iterator[Finding]:
    for extra, module, purpose in _EXTRAS:
        if find_spec(module):
            yield Finding(extra, "ok", f"{version(module)}: {purpose}")
        else:
            yield Finding(extra, "missing", f"{purpose}: pip install 'qitos-like[{extra}]'")


def _kits() -> Iterator[Finding]:
    """The kits and what they can use here.

    A package of that name which is another's takes the place of ours; it is not loaded.
    """
    spec = find_spec("kits")
    found = Path(spec.origin).parent if spec and spec.origin else None
    if found is None:
        yield Finding("kits", "wrong", "it is not there: install qitos-like again")
    elif found != _KITS:
        message = f"another package has that name: {found}; uninstall or rename it"
        yield Finding("kits", "wrong", message)
    else:
        if sys.platform == "win32":
            yield Finding("kits", "missing", "they need a POSIX host: use WSL")
            return
        yield Finding("kits", "ok", str(found))
        for each in import_module("kits").capabilities():
            yield Finding(each.name, "ok" if each.works else "missing", each.note)


def _plugins() -> Iterator[Finding]:
    names = ", ".join(plugin.id for plugin in find_installed())
    yield Finding("plugins", "ok", names or "none is installed")


def _config() -> Iterator[Finding]:
    try:
        layers = project.settings().layers
    except ConfigError as error:
        for problem in error.problems:
            yield Finding("config", "wrong", problem)
        return
    for layer in layers:
        trusted = "" if layer.is_trusted else ", not trusted: only deny and ask count"
        file = shown(layer.file) if layer.file else layer.name
        yield Finding("config", "ok", f"{layer.kind}: {file}{trusted}")
    if not layers:
        yield Finding("config", "ok", "no file: the tools are the coding kit's")


_LOOKS = (_python, _kits, _extras, _plugins, _config)
