"""What of the kits works on this machine, and what the rest would give."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from attrs import frozen

from kits import programs
from kits.workspace import DEFAULT_PROTECTED

from .sandbox import SandboxError, choose
from .scripts import BASH

_VERSION_S = 10.0


@frozen
class Capability:
    """Something that the kits can use.

    Attributes:
        name: what it is called.
        works: whether it does, here.
        note: what is there; or what is lost without it, and how to get it.
    """

    name: str
    works: bool
    note: str


def capabilities() -> tuple[Capability, ...]:
    """What the kits can use here; programs are tried.

    >>> [each.name for each in capabilities()]
    ['bash', 'rg', 'git', 'bwrap', 'subreaper']
    """
    return (
        *_programs(),
        _sandbox(),
        Capability(
            "subreaper",
            sys.platform == "linux",
            "no command leaves a process behind, not even a daemon"
            if sys.platform == "linux"
            else "only Linux has it: a daemon that a command starts may be found too late",
        ),
    )


#: By program: what it is used for, and what is to be done, or is different, without it.
_PROGRAMS = {
    "bash": ("run_command runs it", "run_command needs it: install bash"),
    "rg": (
        "grep and glob run it",
        "grep and glob give the same answers without it, later: install ripgrep",
    ),
    "git": (
        "checkpoints leave alone what ignore rules name",
        "checkpoints copy every file without it, ignored ones too: install git",
    ),
}


def _programs() -> Iterator[Capability]:
    for name, (use, without) in _PROGRAMS.items():
        path = BASH if name == "bash" else programs.find(name)
        told = _version(path) if path and os.access(path, os.X_OK) else None
        yield Capability(name, told is not None, f"{use}: {path}, {told}" if told else without)


def _version(path: str) -> str | None:
    """The first line of what a program tells of itself; ``None`` if it does not run."""
    with suppress(OSError, subprocess.SubprocessError):
        command = [path, "--version"]
        told = subprocess.run(command, capture_output=True, timeout=_VERSION_S, check=True)
        return told.stdout.decode("utf-8", "replace").splitlines()[0]
    return None


def _sandbox() -> Capability:
    with tempfile.TemporaryDirectory(prefix="qitos-") as folder:
        try:
            choose("bwrap", Path(folder), protected=DEFAULT_PROTECTED, network=False)
        except SandboxError as error:
            advice = "sandbox='bwrap' needs it: install bubblewrap, and let users make namespaces"
            return Capability("bwrap", works=False, note=f"{error}; {advice}")
    return Capability("bwrap", works=True, note="commands can run in a sandbox: sandbox='bwrap'")
