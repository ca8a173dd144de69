"""A plugin tried out in a process of its own, so that nothing of it is left in this one."""

import json
import os
import subprocess
import sys
import traceback
from functools import partial
from pathlib import Path

from attrs import asdict, frozen

from qitos_like.core.jsontypes import Json
from qitos_like.core.registry import ToolRegistry

from .dropins import find_dropins
from .importing import import_module
from .lint import findings
from .plugins import Plugin, activate, find_installed

_SECONDS = 60
_CHILD = "import sys; from qitos_like.load.probe import child; child(sys.argv[1])"


@frozen(kw_only=True)
class Report:
    """What a plugin would register.

    Attributes:
        tools: by name, what is said of them.
        findings: what its authors should mend.
        error: why it is broken, with the traceback; ``None`` if it is not.
    """

    tools: dict[str, str]
    findings: tuple[str, ...] = ()
    error: str | None = None


def probe(plugin: Plugin) -> Report:
    """What a plugin would register; its code runs in a child process."""
    asked = json.dumps({"id": plugin.id, "where": plugin.where, "path": [*filter(None, sys.path)]})
    command = [sys.executable, "-P", "-c", _CHILD, asked]
    try:
        ran = subprocess.run(  # noqa: S603 - this Python, and code of ours
            command, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return Report(tools={}, error=f"it was not done within {_SECONDS} s")
    try:
        facts: Json = json.loads(ran.stdout)
    except ValueError:
        error = ran.stderr.strip() or f"the process ended with {ran.returncode}"
        return Report(tools={}, error=error)
    return Report(**{**facts, "findings": tuple(facts["findings"])})


def child(asked: str) -> None:
    """Try a plugin out and print a report; what the plugin prints goes to stderr."""
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    facts = json.loads(asked)
    sys.path[:] = facts["path"]
    with answer:
        json.dump(asdict(_tried(facts["id"], facts["where"])), answer)
    os._exit(0)  # threads that the plugin has left do not hold this process


def _tried(name: str, where: str) -> Report:
    try:
        entries = activate(_same(name, where))
    except (Exception, SystemExit):  # user code: whatever a plugin does is what is reported
        return Report(tools={}, error=traceback.format_exc())
    registry = ToolRegistry(entries)
    return Report(
        tools={entry.name: entry.spec.description for entry in registry},
        findings=tuple(map(str, findings(registry))),
    )


def _same(name: str, where: str) -> Plugin:
    """The plugin that the parent has found: installed, a drop-in file, or else a module."""
    beside = Path(where).parent
    found = [*find_installed(), *(find_dropins(beside) if beside.is_dir() else ())]
    module = Plugin(id=name, namespace="", load=partial(import_module, name), where=where)
    return next((each for each in found if (each.id, each.where) == (name, where)), module)
