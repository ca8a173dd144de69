"""One supervisor with one bash at a time below it, and the wires to both."""

import os
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic

from attrs import frozen

from . import leftovers, placeholders, supervisor
from .capture import Sink
from .pipes import Pipes
from .reader import Reader
from .sandbox import Sandbox
from .scripts import BASH, CONTROL, LATE, Report, Scripts, State

#: A stop takes at most the two graces and the time for killing; after this the supervisor is lost.
_STOP_LIMIT_S = 2 * supervisor.GRACE_S + supervisor.KILL_LIMIT_S + 2.0
_LOOK_INTERVAL_S = 0.05
#: What a shell tells of a process that a signal ended: 128 and the signal's number.
_SIGNAL_BASE = 128
#: What an EXIT trap writes is seldom more than a line.
_LATE_LIMIT = 64 * 1024
_BASH = (BASH, "--noprofile", "--norc")


@frozen
class Ended:
    """How a command ended.

    Attributes:
        report: what bash told; ``None`` if it could not.
        wait_status: how bash ended; ``None`` if it goes on.
        stopped_by: the signal that ended everything, at a timeout.
        lost: the supervisor was killed.
    """

    report: Report | None
    wait_status: int | None
    stopped_by: str | None
    lost: bool

    @property
    def exit_code(self) -> int:
        """The command's; 128 and the signal's number if a signal ended it."""
        if self.stopped_by:
            return _SIGNAL_BASE + signal.Signals[self.stopped_by]
        if self.report and not self.report.ended_shell:
            return self.report.exit_code
        if self.wait_status is None:  # the supervisor was killed, and we know no more
            return _SIGNAL_BASE + signal.SIGKILL
        code = os.waitstatus_to_exitcode(self.wait_status)
        return code if code >= 0 else _SIGNAL_BASE - code

    @property
    def signal(self) -> str | None:
        """The name of the signal that ended the command."""
        number = self.exit_code - _SIGNAL_BASE
        if number <= 0:
            return None
        try:
            return signal.Signals(number).name
        except ValueError:
            return None


class Session:
    """A supervised bash; used by one thread at a time.

    Args:
        root: the folder to start in.
        env: the environment of the first bash.
        sandbox: where bash runs; ``None`` for no other place than ours.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(self, root: Path, env: Mapping[str, str], sandbox: Sandbox | None = None) -> None:
        self._root = root
        self._mark = secrets.token_hex(8)
        self._pipes = Pipes()
        self._scripts = Scripts(self._pipes.folder, secrets.token_hex(8).encode())
        self._scripts.write()
        self._env = b"\0".join(
            os.fsencode(f"{name}={value}")
            for name, value in {**env, leftovers.MARK: self._mark}.items()
        )
        self._words, theirs = socket.socketpair()
        try:
            with theirs:
                self._supervisor = _supervise(self._pipes.folder, root, sandbox, words=theirs)
        except OSError:
            self._words.close()
            self._pipes.close()
            raise
        self._reader = Reader(self._pipes, self._scripts, self._words)
        self._nudges: Iterator[bytes] = iter(())
        self._late_path = str(self._pipes.folder / LATE)
        self._late_bytes = 0
        self._given_bytes = 0

    @property
    def usable(self) -> bool:
        """Whether it can take another command."""
        alive = not self._reader.lost and self._supervisor.poll() is None
        return alive and self._pipes.are_there()

    @property
    def script_name(self) -> str:
        """What bash calls the command in its messages."""
        return self._scripts.name

    def begin(self, command: str, state: State, sink: Sink) -> None:
        """Start a command, and a bash first if there is none.

        Args:
            command: the text.
            state: for a new bash.
            sink: takes the output, until another takes its place.

        Raises:
            OSError: the private folder or the supervisor is gone.
        """
        self._scripts.write_command(command)
        self._nudges = self._words_to_nudge()
        self._late_bytes = self._late_size()
        first = self._reader.wait_status is not None
        self._reader.begin(sink)
        if first:
            self._pipes.discard_control()
            self._scripts.write_restore(state, str(self._root))
            self._reader.started()
            self._words.sendall(b"s%08d%s" % (len(self._env), self._env))
        lines = self._scripts.lines(first=first)
        self._given_bytes = len(lines)
        self._pipes.write_control(lines)

    @property
    def has_read(self) -> bool:
        """Whether bash has read anything of the command; else it ended before."""
        return self._pipes.control_bytes < self._given_bytes

    def nudge(self) -> None:
        """See to it that a bash that has read all it was given, and told nothing, does tell.

        A command can take from bash what it tells by. An empty line that bash reads proves that
        this is so; then it is mended, and at last given up.
        """
        if self._pipes.control_bytes:
            return
        self._reader.read_status()
        if self.ended():
            return
        nudge = next(self._nudges, None)
        if nudge is None:
            self.stop()
        else:
            self._pipes.write_control(nudge)

    def _words_to_nudge(self) -> Iterator[bytes]:
        yield b"\n"
        yield self._scripts.mend()
        yield b"\n"

    def late_output(self) -> bytes:
        """What bash wrote as it ended, which is what an EXIT trap wrote."""
        with suppress(OSError), open(self._late_path, "rb") as file:  # noqa: PTH123 - as text
            file.seek(self._late_bytes)
            lines = file.read(_LATE_LIMIT).splitlines(keepends=True)
            own = (b"bash: line ", os.fsencode(self._pipes.folder))
            return b"".join(line for line in lines if not line.startswith(own))
        return b""

    def _late_size(self) -> int:
        """How much of what bash writes beside commands is of no interest; not much is kept."""
        try:
            size = os.stat(self._late_path).st_size  # noqa: PTH116 - once a command
            if size > _LATE_LIMIT:
                os.truncate(self._late_path, 0)
                return 0
        except OSError:
            return 0
        return size

    def divert(self, sink: Sink) -> None:
        """Give what background processes write from now on to ``sink``."""
        self._reader.divert(sink)

    def wait(self, timeout_s: float, look: Callable[[], None]) -> bool:
        """Whether the command ended within the time.

        Args:
            timeout_s: seconds.
            look: called again and again, while the output is read on; it may raise to end this.
        """
        deadline = monotonic() + timeout_s
        while True:
            left = deadline - monotonic()
            with self._reader.news:
                if self._reader.news.wait_for(self._has_ended, min(left, _LOOK_INTERVAL_S)):
                    return True
            if left <= 0:
                return False
            look()
            self.nudge()

    def stop(self) -> None:
        """Stop everything that bash has started, and bash: interrupt, terminate, kill."""
        try:
            self._words.sendall(b"t")
        except OSError:  # the supervisor is gone, which ends the waiting
            return
        with self._reader.news:
            stopped = self._reader.news.wait_for(self._is_stopped, _STOP_LIMIT_S)
        if not stopped:
            self._supervisor.kill()
            self._reader.join()

    def ended(self) -> Ended | None:
        """How the command ended; ``None`` while it runs."""
        reader = self._reader
        with reader.news:
            if not self._has_ended():
                return None
            return Ended(reader.report, reader.wait_status, reader.stopped_by, reader.lost)

    def kill(self) -> None:
        """Have everything killed, at once; a command that is waited for ends with it."""
        with suppress(OSError):  # it is closed, or the supervisor is gone
            self._words.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Kill everything below the supervisor, and let it go; again does nothing."""
        self.kill()
        try:
            code = self._supervisor.wait(_STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            self._supervisor.kill()
            code = self._supervisor.wait()
        self._reader.join()
        self._words.close()
        self._pipes.close()
        if code != 0 or sys.platform != "linux":
            leftovers.kill(self._mark)

    def _has_ended(self) -> bool:
        reader = self._reader
        reported = reader.report is not None and not reader.report.ended_shell
        return reader.lost or reported or reader.wait_status is not None

    def _is_stopped(self) -> bool:
        return self._reader.lost or self._reader.stopped_by is not None


def _supervise(
    folder: Path, root: Path, sandbox: Sandbox | None, *, words: socket.socket
) -> "subprocess.Popen[bytes]":
    held = [placeholders.hold(root, sandbox.make_placeholders)] if sandbox else []
    command = [sys.executable, "-I", "-S", supervisor.__file__, str(folder), str([*held, -1][0])]
    inside = sandbox.command(folder) if sandbox else []
    try:
        return subprocess.Popen(
            [*command, *inside, *_BASH, str(folder / CONTROL)],
            stdin=words.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=root,
            start_new_session=True,
            pass_fds=held,
        )
    finally:
        for handle in held:
            os.close(handle)
