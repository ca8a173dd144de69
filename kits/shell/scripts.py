"""What bash reads: each command sourced from a file, its report on a pipe of its own."""

import os
from contextlib import suppress
from pathlib import Path
from shlex import quote

from attrs import field, frozen

BASH = "/bin/bash"

_CODE = '"$_qitos_like_code"'

#: Names in the private folder of a shell.
COMMAND, OUTPUT, STATUS, CONTROL = "command", "output", "status", "control"
_STEP, _REPORT, _FAREWELL, _STATE, _RESTORE = "step", "report", "farewell", "state", "restore"


@frozen
class State:
    """What another bash needs to go on as this one.

    Attributes:
        cwd: the folder, absolute.
        script: sets the exported variables, the functions and the options of ``shopt``.
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
        report = f". {self._quoted(_REPORT)} || builtin exit {_CODE}"
        return f". {self._quoted(_STEP)}\n\n_qitos_like_code=$?; {report}\n".encode()

    @_state.default
    def _state_file(self) -> str:
        return str(self.folder / _STATE)

    def write(self) -> None:
        """Write the files that stay the same."""
        command, output = self._quoted(COMMAND), self._quoted(OUTPUT)
        (self.folder / _STEP).write_text(f". {command} </dev/null >{output} 2>&1\n")
        # Bash 5.2 may crash after a syntax error, so that one ends it, here where nothing is lost.
        is_error = f"(( _qitos_like_code == 1 || _qitos_like_code == 2 )) && ! {BASH} -n {command}"
        leave = f"{is_error} 2>/dev/null && builtin exit {_CODE}\n"
        (self.folder / _REPORT).write_text(leave + self._report("end"))
        (self.folder / _FAREWELL).write_text(f"_qitos_like_code=$?\n{self._report('exit')}")

    def write_restore(self, state: State, root: str) -> None:
        """Write what a new bash reads first.

        Args:
            state: of its predecessor; its folder gives way to ``root`` where it is gone.
            root: the folder of the workspace.
        """
        # An EXIT trap of the user's runs after the command's redirections are undone.
        begin = f"exec >{self._quoted(OUTPUT)}\ntrap '. {self._quoted(_FAREWELL)}' EXIT"
        forget = b"unset -v $(builtin compgen -e)" if state.script else b""
        go = f"builtin cd -- {quote(state.cwd)} || builtin cd -- {quote(root)}"
        end = os.fsencode(f"{{ {go}; }} >/dev/null 2>&1\n")
        lines = [begin.encode(), forget, state.script, end]
        (self.folder / _RESTORE).write_bytes(b"\n".join(lines))

    def write_command(self, command: str) -> None:
        """Write the next command.

        Raises:
            FileNotFoundError: somebody removed the folder.
        """
        with open(self.name, "wb") as file:  # noqa: PTH123 - pathlib takes longer
            file.write(command.encode() + b"\n")

    def lines(self, *, first: bool) -> bytes:
        """What to write to bash so that it runs the command.

        The report has a line of its own, behind an empty one: some errors make bash leave the
        whole line they are in, or skip the next.
        """
        return f". {self._quoted(_RESTORE)}\n".encode() + self._lines if first else self._lines

    def parse(self, data: bytes) -> Report | None:
        """The report in what came over the status pipe; ``None`` while it is incomplete."""
        line = data.rpartition(self.nonce)[2]
        if line == data or not line.endswith(b"\n"):
            return None
        kind, code = line.split()
        return Report(kind == b"exit", int(code), self._read_state())

    def _read_state(self) -> State | None:
        """What bash wrote down; ``None`` if it could not, or a command has removed it."""
        with suppress(OSError):
            with open(self._state, "rb") as file:  # noqa: PTH123 - pathlib takes longer
                cwd, _, script = file.read().partition(b"\n\0")
            if script.endswith(b"# %s\n" % self.nonce):
                return State(os.fsdecode(cwd), script)
        return None

    def _report(self, kind: str) -> str:
        status, nonce = self._quoted(STATUS), self.nonce.decode()
        options = """builtin printf 'shopt -s %s 2>/dev/null\\n' "${BASHOPTS//:/ }\""""
        state = (
            "builtin pwd; builtin printf '\\0'; builtin export -p; builtin declare -f; "
            f"{options}; builtin printf '# %s\\n' {nonce}"
        )
        return (
            f"{{ {state}; }} 2>/dev/null >|{self._quoted(_STATE)}\n"
            f"[[ -p {status} ]] && builtin printf '%s %s %s\\n' {nonce} {kind} {_CODE} "
            f"2>/dev/null >{status} || builtin exit {_CODE}\n"
        )

    def _quoted(self, name: str) -> str:
        return quote(str(self.folder / name))
