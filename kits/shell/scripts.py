"""What bash reads: each command sourced from a file, its report on a pipe of its own."""

from pathlib import Path
from shlex import quote

from attrs import field, frozen

BASH = "/bin/bash"

#: Names in the private folder of a shell.
COMMAND, OUTPUT, STATUS, CONTROL = "command", "output", "status", "control"
_STEP, _REPORT, _FAREWELL, _RESTORE = "step", "report", "farewell", "restore"


@frozen
class Report:
    """What bash tells when a command has ended.

    Attributes:
        ended_shell: bash itself is ending, by ``exit`` or ``set -e``.
        exit_code: the command's.
        cwd: the folder it is in.
        state: a script that gives another bash the exported variables, the functions, and what
            ``shopt`` has set.
    """

    ended_shell: bool
    exit_code: int
    cwd: str
    state: bytes = field(repr=False)


@frozen
class Scripts:
    """The files that drive one bash.

    Redirections stand beside the command, not in the shell, so that ``exec >file`` in a command
    lasts as long as the command; a report that cannot be delivered ends bash with the right code.

    Attributes:
        folder: the private folder, with the pipes.
        nonce: frames reports, so that nothing else is taken for one.
    """

    folder: Path
    nonce: str

    @property
    def name(self) -> str:
        """What bash calls the command in its messages."""
        return str(self.folder / COMMAND)

    def write(self) -> None:
        """Write the files that stay the same."""
        command, output = self._quoted(COMMAND), self._quoted(OUTPUT)
        (self.folder / _STEP).write_text(f". {command} </dev/null >{output} 2>&1\n")
        # Bash 5.2 may crash after a syntax error, so that one ends it, here where nothing is lost.
        is_error = f"(( _qitos_like_code == 1 || _qitos_like_code == 2 )) && ! {BASH} -n {command}"
        leave = f"{is_error} 2>/dev/null && builtin exit $_qitos_like_code\n"
        (self.folder / _REPORT).write_text(leave + self._report("end"))
        (self.folder / _FAREWELL).write_text(f"_qitos_like_code=$?\n{self._report('exit')}")

    def write_restore(self, state: bytes, cwd: str, root: str) -> None:
        """Write what a new bash reads first.

        Args:
            state: of its predecessor; empty for none.
            cwd: the folder to go to; ``root`` where it is gone.
            root: the folder of the workspace.
        """
        # An EXIT trap of the user's runs after the command's redirections are undone.
        begin = f"exec >{self._quoted(OUTPUT)}\ntrap '. {self._quoted(_FAREWELL)}' EXIT"
        lines = [begin.encode()]
        if state:
            lines += [b"unset -v $(builtin compgen -e)", state]
        go = f"builtin cd -- {quote(cwd)} || builtin cd -- {quote(root)}"
        lines.append(f"{{ {go}; }} >/dev/null 2>&1\n".encode("utf-8", "surrogateescape"))
        (self.folder / _RESTORE).write_bytes(b"\n".join(lines))

    def write_command(self, command: str) -> None:
        """Write the next command.

        Raises:
            FileNotFoundError: somebody removed the folder.
        """
        with (self.folder / COMMAND).open("wb") as file:
            file.write(command.encode("utf-8", "surrogateescape") + b"\n")

    def lines(self, *, first: bool) -> bytes:
        """What to write to bash so that it runs the command.

        The report has a line of its own, behind an empty one: some errors make bash leave the
        whole line they are in, or skip the next.
        """
        restore = f". {self._quoted(_RESTORE)}\n" if first else ""
        report = f"_qitos_like_code=$?; . {self._quoted(_REPORT)} || exit $_qitos_like_code"
        return f"{restore}. {self._quoted(_STEP)}\n\n{report}\n".encode()

    def parse(self, data: bytes) -> Report | None:
        """The report in what came over the status pipe; ``None`` while it is incomplete."""
        end = f"\0{self.nonce}\n".encode()
        start = f"{self.nonce}\0".encode()
        if not data.endswith(end) or start not in data:
            return None
        kind, code, cwd, state = data.rpartition(start)[2].removesuffix(end).split(b"\0", 3)
        return Report(
            kind == b"exit", int(code), cwd.decode("utf-8", "surrogateescape")[:-1], state
        )

    def _report(self, kind: str) -> str:
        status = self._quoted(STATUS)
        frame = f"builtin printf '\\0%s\\n' {self.nonce}"
        facts = f"builtin printf '%s\\0' {self.nonce} {kind} $_qitos_like_code; builtin pwd"
        state = "builtin printf '\\0'; builtin export -p; builtin declare -f; builtin shopt -p"
        return (
            f"[[ -p {status} ]] && {{ {facts}; {state}; {frame}; }} 2>/dev/null >{status} "
            "|| builtin exit $_qitos_like_code\n"
        )

    def _quoted(self, name: str) -> str:
        return quote(str(self.folder / name))
