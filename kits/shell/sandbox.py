"""Commands in a sandbox of bubblewrap: an allow-list of what they see of this machine.

They see system folders and the tool chains in use, which they cannot write; a home, ``/tmp`` and
``/run`` of their own, which are empty and go with the shell; and the workspace, whose protected
paths they cannot write. They see no other process, and have no network unless it is granted.
"""

import os
import subprocess
import sys
import warnings
from collections.abc import Iterable, Iterator
from glob import has_magic
from pathlib import Path
from typing import Literal, get_args

from attrs import frozen

from kits import programs
from qitos_like import QitosLikeError, QitosLikeWarning
from qitos_like.core.given import check_word

from .placeholders import COMMONDIR

#: Where commands run: as they are, in a sandbox, or in one where that is possible.
SandboxMode = Literal["none", "bwrap", "auto"]

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store")
#: As container runtimes do (OCI runtime specification, maskedPaths and readonlyPaths).
_KERNEL_READ_ONLY = ("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger")
_KERNEL_HIDDEN = tuple(
    f"/proc/{name}"
    for name in ("acpi", "kcore", "keys", "latency_stats", "sched_debug", "scsi", "timer_list")
)
_OWN = ("/tmp", "/run", "/var/tmp")  # noqa: S108 - they are empty in there
#: Of the settings of the machine those that programs need, none that holds secrets.
_SETTINGS = tuple(
    f"/etc/{name}"
    for name in (
        *(
            "alternatives",
            "bash.bashrc",
            "ca-certificates",
            "ca-certificates.conf",
            "crypto-policies",
        ),
        *("fonts", "gitconfig", "group", "host.conf", "hosts", "inputrc", "java-17-openjdk"),
        *("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "locale.alias", "locale.conf", "localtime"),
        *(
            "login.defs",
            "machine-id",
            "magic",
            "mime.types",
            "nsswitch.conf",
            "os-release",
            "passwd",
        ),
        *("pki", "profile", "profile.d", "protocols", "resolv.conf", "services", "ssl", "timezone"),
        *("terminfo", "xml"),
    )
)
#: Variables that name the home of a tool chain.
_TOOL_CHAINS = (
    *("CONDA_PREFIX", "GOROOT", "JAVA_HOME", "NVM_DIR", "PYENV_ROOT", "RBENV_ROOT", "RUSTUP_HOME"),
    *("SDKMAN_DIR", "VIRTUAL_ENV", "VOLTA_HOME"),
)
_ISOLATION = (
    *(
        "--unshare-user-try",
        "--unshare-ipc",
        "--unshare-pid",
        "--unshare-uts",
        "--unshare-cgroup-try",
    ),
    *("--die-with-parent", "--new-session", "--cap-drop", "ALL"),
)
_PROBE_S = 20.0


class SandboxError(QitosLikeError):
    """A sandbox that was asked for cannot start; commands are then not run at all."""


class SandboxWarning(QitosLikeWarning):
    """Commands run without a sandbox, since none works here."""


@frozen
class Sandbox:
    """Bubblewrap, and what it shows of this machine.

    Attributes:
        program: its path.
        root: the workspace's folder.
        protected: patterns of paths in it that are not written.
        network: whether commands reach the network.
        home: the user's home, which they do not see.
        readable: more folders that they see, and do not write.
    """

    program: str
    root: Path
    protected: tuple[str, ...]
    network: bool
    home: Path
    readable: tuple[Path, ...] = ()

    def command(self, folder: Path) -> list[str]:
        """What comes before the program to run.

        Args:
            folder: the shell's private folder.
        """
        return [
            *(self.program, *_ISOLATION, *(() if self.network else ("--unshare-net",))),
            *_flat(_system_mounts()),
            *("--proc", "/proc", "--dev", "/dev"),
            *_flat(_kernel_mounts()),
            *_flat(("--tmpfs", path) for path in (*_OWN, str(self.home))),
            *_flat(_read_only(path) for path in self._tool_chains()),
            *_flat(_read_only(path) for path in self._readable()),
            *_writable(self.root),
            *_flat(self._protecting_mounts()),
            *_writable(folder),
            *("--chdir", str(self.root), "--"),
        ]

    def make_placeholders(self) -> list[Path]:
        """Make the protected paths that do not exist, so that commands cannot.

        They are folders whatever they should be, since git adds no empty folder; but for one, which
        git would not read.

        Returns:
            What was made, to be removed when no sandbox needs it any more, if it is as it was made.
        """
        made: list[Path] = []
        special, content = self.root / COMMONDIR[0], COMMONDIR[1]
        for path in self._protected_paths():
            for each in (*self._above(path), path):
                if not os.path.lexists(each):
                    each.write_bytes(content) if each == special else each.mkdir()
                    made.append(each)
        return made

    def why_not(self) -> str | None:
        """Why it does not work here; ``None`` if it does."""
        for path in self._protected_paths():
            link = next((each for each in (*self._above(path), path) if each.is_symlink()), None)
            if link:
                return f"{link} is a link, which cannot be protected"
        probe = [*self.command(self.root), "true"]
        try:
            tried = subprocess.run(
                probe, capture_output=True, timeout=_PROBE_S, check=False, stdin=subprocess.DEVNULL
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        if tried.returncode == 0:
            return None
        return tried.stderr.decode("utf-8", "replace").strip() or f"exit code {tried.returncode}"

    def _protected_paths(self) -> Iterator[Path]:
        """What is protected at the top of the workspace; a file in place of a folder stands for it.

        Of patterns with wildcards, what there is now.
        """
        for path in map(self.root.joinpath, self.protected):
            if has_magic(str(path.relative_to(self.root))) and not path.exists():
                yield from self.root.glob(str(path.relative_to(self.root)))
                continue
            in_place = [each for each in self._above(path) if each.is_file()]
            yield in_place[0] if in_place else path

    def _protecting_mounts(self) -> Iterator[tuple[str, ...]]:
        """A mount cannot be renamed: so the folders above a protected path are mounts too."""
        above = {each for path in self._protected_paths() for each in self._above(path)}
        for folder in sorted(above):
            if folder.is_dir():
                yield _writable(folder)
        for path in sorted(set(self._protected_paths())):
            if path.exists():
                yield _read_only(path)

    def _above(self, path: Path) -> list[Path]:
        """The folders between the workspace and a path, the highest first."""
        inner = [each for each in path.parents if each.is_relative_to(self.root)]
        return [each for each in reversed(inner) if each != self.root]

    def _readable(self) -> Iterator[Path]:
        """Those folders, without what commands do not see."""
        hidden = {*map(Path, (*_OWN, *_SYSTEM, "/dev", "/proc", "/sys")), self.home}
        for path in sorted(self.readable):
            yield from _outside(path, hidden)

    def _tool_chains(self) -> Iterator[Path]:
        """The programs and libraries in use that are in no system folder."""
        named = [os.environ[name] for name in _TOOL_CHAINS if name in os.environ]
        on_path = os.environ.get("PATH", "").split(os.pathsep)
        found = {Path(each) for each in (*named, *on_path, sys.prefix, sys.base_prefix) if each}
        for path in sorted(found):
            hidden = (self.root, self.home)
            shows_too_much = any(each.is_relative_to(path.resolve()) for each in hidden)
            is_there = any(path.is_relative_to(each) for each in (*_SYSTEM, self.root))
            if path.is_absolute() and path.is_dir() and not shows_too_much and not is_there:
                yield path


def choose(
    mode: SandboxMode,
    root: Path,
    *,
    protected: Iterable[str],
    network: bool,
    readable: Iterable[Path] = (),
) -> Sandbox | None:
    """The sandbox to run commands in; ``None`` to run them as they are.

    Args:
        mode: which.
        root: the workspace's folder.
        protected: patterns of paths in it that are not written.
        network: whether commands reach the network.
        readable: more folders that they see, and do not write.

    Raises:
        SandboxError: one was asked for, and does not work here.
        ValueError: there is no such mode.

    Warns:
        SandboxWarning: one was wanted where it is possible, and it is not.
    """
    check_word("sandbox", mode, get_args(SandboxMode))
    if mode == "none":
        return None
    program = programs.find("bwrap")
    if program:
        sandbox = Sandbox(
            program, root, tuple(protected), network, home=Path.home(), readable=tuple(readable)
        )
        reason = sandbox.why_not()
        if reason is None:
            return sandbox
        message = f"bubblewrap does not work here: {reason}"
    else:
        message = "bubblewrap is not installed (its program is called bwrap)"
    if mode == "bwrap":
        raise SandboxError(message)
    warnings.warn(f"{message}; commands run without a sandbox", SandboxWarning, stacklevel=3)
    return None


def _outside(path: Path, hidden: set[Path]) -> Iterator[Path]:
    """The path, or as much below it as is none of what is hidden."""
    if path in hidden or path.is_symlink():
        return
    if not any(each.is_relative_to(path) for each in hidden):
        yield path
        return
    for each in sorted(path.iterdir()):
        yield from _outside(each, hidden)


def _system_mounts() -> Iterator[tuple[str, ...]]:
    for path in map(Path, _SYSTEM):
        if path.is_symlink():
            yield "--symlink", str(path.readlink()), str(path)
        elif path.is_dir():
            yield _read_only(path)
    for path in map(Path, _SETTINGS):
        if path.exists():
            yield "--ro-bind", str(path.resolve()), str(path)


def _kernel_mounts() -> Iterator[tuple[str, ...]]:
    """The kernel's settings, which belong to the machine, and root may write them by its number."""
    for path in map(Path, _KERNEL_READ_ONLY):
        if path.exists():
            yield _read_only(path)
    for path in map(Path, _KERNEL_HIDDEN):
        if path.is_dir():
            yield "--tmpfs", str(path)
        elif path.exists():
            yield "--ro-bind", os.devnull, str(path)


def _read_only(path: Path) -> tuple[str, ...]:
    return "--ro-bind", str(path), str(path)


def _writable(path: Path) -> tuple[str, ...]:
    return "--bind", str(path), str(path)


def _flat(mounts: Iterable[tuple[str, ...]]) -> list[str]:
    return [part for mount in mounts for part in mount]
