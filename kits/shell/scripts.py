"""What bash reads: each command sourced from a file, its report on a pipe of its own."""

import os
import re
from contextlib import suppress
from pathlib import Path
from shlex import quote

from attrs import field, frozen

BASH = "/bin/bash"

#: What the driver calls, with names that no alias stands for; see ``Scripts.mend``.
_BUILTINS = (
    *("builtin", ".", "alias", "cd", "compgen", "declare", "enable", "exit", "export", "printf"),
    *("pwd", "trap", "umask", "unset"),
)

#: Names in the private folder of a shell.
COMMAND, OUTPUT, STATUS, CONTROL, LATE = "command", "output", "status", "control", "late"
_STEP, _REPORT, _FAREWELL, _STATE, _RESTORE = "step", "report", "farewell", "state", "restore"
#: Those that are written once.
SCRIPTS = (_STEP, _REPORT, _FAREWELL)

_LONE_LINE_FEED = re.compile(r"(?<!\r)\n")
#: What another bash must be able to change, and what would change how it reads.
_READ_ONLY = re.compile(rb"(?m)^declare -(\w*)r(\w*) ")
_POSIX_MODE = re.compile(rb"(?m)^declare -- POSIXLY_CORRECT=.*\n")


@frozen
class State:
    """What another bash needs to go on as this one.

    Attributes:
        cwd: the folder, absolute.
        script: sets the options of ``shopt``, the umask, the variables, at least those that are
            exported, the functions and the aliases.
    """

    cwd: str
    script: bytes = field(default=b"", repr=False)


@frozen
class Report:
    """What bash tells when a command has ended.

    Attributes:
        ended_shell: bash itself is ending, by ``exit`` or ``set -e``.
        exit_code: the command's.
        state: as it is now; ``None`` if it could not be told.
    """

    ended_shell: bool
    exit_code: int
    state: State | None


@frozen
class Scripts:
    """The files that drive one bash.

    Redirections stand beside the command, not in the shell, so that ``exec >file`` in a command
    lasts as long as the command; a report that cannot be delivered ends bash with the right code.
    What bash writes beside a command is kept apart: traps of the user's run at our commands too, and
    only what an EXIT trap writes is of interest.

    Attributes:
        folder: the private folder, with the pipes.
        nonce: frames reports, so that nothing else is taken for one.
        name: what bash calls the command in its messages.
    """

    folder: Path
    nonce: bytes
    name: str = field(init=False)
    _lines: bytes = field(init=False, repr=False)
    _state: str = field(init=False, repr=False)

    @name.default
    def _named(self) -> str:
        return str(self.folder / COMMAND)

    @_lines.default
    def _usual(self) -> bytes:
        # An expansion, since what stands before a command is a command of its own for `$?`.
        report = f'{self._source(_REPORT)} "$(({self._code}=$?))"'
        leave = f'\\builtin exit "${self._code}"'
        return f"{self._source(_STEP)}\n\n{report} || {leave}\n".encode()

    @_state.default
    def _state_file(self) -> str:
        return str(self.folder / _STATE)

    def write(self) -> None:
        """Write the files that stay the same."""
        command, output = self._quoted(COMMAND), self._quoted(OUTPUT)
        # The exit code of the command before, which neither ends bash nor is trapped here.
        code = f'(( ! {self._code} )) || ( \\builtin exit "${self._code}" ) && :\n'
        step = f"{code}{self._source(COMMAND)} </dev/null >{output} 2>&1\n"
        (self.folder / _STEP).write_text(step)
        # Bash 5.2 may crash after a syntax error, so that one ends it, here where nothing is lost.
        is_error = f"(( $1 == 1 || $1 == 2 )) && ! {BASH} -n {command}"
        leave = f'{is_error} 2>/dev/null && \\builtin exit "$1"\n'
        (self.folder / _REPORT).write_text(leave + self._report("end"))
        # A bash that is killed while it takes over what another had must not tell a half of it.
        is_new = f"[[ ${{BASH_SOURCE[*]}} == *{self._quoted(_RESTORE)}* ]]"
        (self.folder / _FAREWELL).write_text(
            f"{is_new} && \\builtin return\n" + self._report("exit")
        )

    def write_restore(self, state: State, root: str) -> None:
        """Write what a new bash reads first.

        Args:
            state: of its predecessor; its folder gives way to ``root`` where it is gone.
            root: the folder of the workspace.
        """
        # An EXIT trap of the user's runs after the command's redirections are undone.
        farewell = f'{self._source(_FAREWELL)} "$?"'
        begin = (
            f"exec >>{self._quoted(LATE)} 2>&1\n"
            f"trap {quote(farewell)} EXIT\n"
            "BASH_ARGV0=bash\n"
            "shopt -s expand_aliases\n"
        )
        forget = b"unset -v $(compgen -e)" if state.script else b""
        go = f"\\builtin cd -- {quote(state.cwd)} || \\builtin cd -- {quote(root)}"
        end = os.fsencode(f"{{ {go}; }} >/dev/null 2>&1\n")
        script = _POSIX_MODE.sub(b"", _READ_ONLY.sub(rb"declare -\1\2 ", state.script))
        lines = [begin.encode(), forget, script, end]
        (self.folder / _RESTORE).write_bytes(b"\n".join(lines))

    def write_command(self, command: str) -> None:
        """Write the next command.

        One whose lines all end as on Windows was written there, and bash would take each carriage
        return for a part of the last word.

        Raises:
            OSError: a command removed the folder, or put a link in the file's place.
        """
        if "\r" in command and not _LONE_LINE_FEED.search(command):
            command = command.replace("\r\n", "\n").removesuffix("\r")
        if not command.endswith("\n"):  # else the text of a heredoc that is open would grow
            command += "\n"
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        with open(os.open(self.name, flags, 0o600), "wb") as file:  # noqa: PTH123 - by a handle
            file.write(command.encode())

    def lines(self, *, first: bool) -> bytes:
        """What to write to bash so that it runs the command.

        The report has a line of its own, behind an empty one: some errors make bash leave the
        whole line they are in, or skip the next.
        """
        return f"{self._source(_RESTORE)}\n".encode() + self._lines if first else self._lines

    def mend(self) -> bytes:
        """What to write to a bash that has run a command and cannot tell so.

        In its POSIX mode, which an assignment turns on, bash finds special builtins such as
        ``unset`` before functions of that name.
        """
        names = " ".join(_BUILTINS)
        return (
            f"POSIXLY_CORRECT=\n\\unset -f {names}\n\\unset -v POSIXLY_CORRECT\n"
            f"\\enable {names}\n[[ ${{{self._code}@a}} != *r* ]] || \\builtin exit\n"
            f'{self._source(_REPORT)} "${self._code}"\n'
        ).encode()

    def parse(self, data: bytes) -> Report | None:
        """The report in what came over the status pipe; ``None`` while it is incomplete."""
        found = re.search(rb"%s (end|exit) ([0-9]{1,3})\n\Z" % self.nonce, data)
        if found is None:
            return None
        return Report(found[1] == b"exit", int(found[2]), self._read_state())

    def _read_state(self) -> State | None:
        """What bash wrote down; ``None`` if it could not, or a command has removed it."""
        with suppress(OSError):
            with open(self._state, "rb") as file:  # noqa: PTH123 - pathlib takes longer
                cwd, _, script = file.read().partition(b"\n\0")
            if cwd.startswith(b"/") and script.endswith(b"# %s\n" % self.nonce):
                return State(os.fsdecode(cwd), script)
        return None

    def _report(self, kind: str) -> str:
        status, nonce = self._quoted(STATUS), self.nonce.decode()
        options = """\\builtin printf 'shopt -s %s 2>/dev/null\\n' "${BASHOPTS//:/ }\""""
        parts = ("\\builtin pwd", "\\builtin printf '\\0'", options, "\\builtin umask -p")
        more = ("\\builtin declare -f", "\\builtin alias -p", f"\\builtin printf '# %s\\n' {nonce}")
        state = "; ".join((*parts, *self._variables(kind), *more))
        return (
            f"{{ {state}; }} 2>/dev/null >|{self._quoted(_STATE)}\n"
            f"[[ -p {status} ]] && \\builtin printf '%s %s %s\\n' {nonce} {kind} \"$1\" "
            f'2>/dev/null >{status} || \\builtin exit "$1"\n'
        )

    def _variables(self, kind: str) -> tuple[str, ...]:
        """Commands that tell variables: all may be much, so that only a bash that ends does it.

        Within a function, all would be its own instead of those that they hide.
        """
        if kind == "end":
            return ("\\builtin export -p",)
        told = "\\builtin local >/dev/null && \\builtin export -p || \\builtin declare -p"
        code = f'\\builtin printf -v {self._code} %s "$1"'
        return code, told, f"\\builtin declare -p {self._code}"

    @property
    def _code(self) -> str:
        """A variable that commands do not know; one that is read-only ends bash."""
        return f"_qitos_like_{self.nonce.decode()}"

    def _source(self, name: str) -> str:
        return f"\\builtin . {self._quoted(name)}"

    def _quoted(self, name: str) -> str:
        return quote(str(self.folder / name))
