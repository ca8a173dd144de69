"""A plugin tried out in a process of its own, so that nothing of it is left in this one."""

import json
import os
import signal
import subprocess
import sys
import traceback
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock, Timer, get_ident
from typing import IO

from attrs import asdict, frozen

from qitos_like.core.jsontypes import Json
from qitos_like.core.registry import ToolRegistry

from .dropins import find_dropins
from .importing import import_module
from .lint import findings
from .plugins import Plugin, activate, find_installed

_SECONDS = 60.0
#: How long the child has to say itself where it stands, before it is ended unheard.
_GRACE_S = 10.0
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


def probe(plugin: Plugin, limit_s: float = _SECONDS) -> Report:
    """What a plugin would register; its code runs in a child process.

    Whatever it has started ends with it. One that is not done in time is broken, and the report
    says where it stands.
    """
    about = {"id": plugin.id, "where": plugin.where, "limit_s": limit_s}
    asked = json.dumps({**about, "path": [*filter(None, sys.path)]})
    # Files, since a pipe would be held open by what the plugin has started.
    with TemporaryFile() as answer, TemporaryFile() as told:
        code = _run([sys.executable, "-P", "-c", _CHILD, asked], limit_s, answer=answer, told=told)
        answer.seek(0)
        told.seek(0)
        try:
            facts: Json = json.loads(answer.read())
        except ValueError:
            if code is None:
                return _late(limit_s)
            error = told.read().decode(errors="replace").strip()
            return Report(tools={}, error=error or f"the process ended with {code}")
    return Report(**{**facts, "findings": tuple(facts["findings"])})


def _run(command: list[str], limit_s: float, *, answer: IO[bytes], told: IO[bytes]) -> int | None:
    """The exit code of a command; ``None`` if it had to be ended."""
    process = subprocess.Popen(  # noqa: S603 - this Python, and code of ours
        command, stdin=subprocess.DEVNULL, stdout=answer, stderr=told, start_new_session=True
    )
    try:
        return process.wait(limit_s + _GRACE_S)
    except subprocess.TimeoutExpired:
        return None
    finally:
        _end(process)


def _late(limit_s: float, stack: str = "") -> Report:
    return Report(tools={}, error=f"{stack}it was not done within {limit_s:g} s")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and all of its group."""
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def child(asked: str) -> None:
    """Try a plugin out and print a report; what the plugin prints goes to stderr."""
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    facts = json.loads(asked)
    sys.path[:] = facts["path"]
    answering = Lock()
    plugged = get_ident()

    def tell(report: Report) -> None:
        with answering:  # who comes second waits here for the end
            with answer:
                json.dump(asdict(report), answer)
            os._exit(0)  # threads that the plugin has left do not hold this process

    def give_up() -> None:
        stack = traceback.format_stack(sys._current_frames()[plugged])  # noqa: SLF001 - its door
        tell(_late(facts["limit_s"], "".join(["It stands here:\n", *stack])))

    timer = Timer(facts["limit_s"], give_up)
    timer.daemon = True
    timer.start()
    tell(_tried(facts["id"], facts["where"]))


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
