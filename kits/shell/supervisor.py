"""A process of our own above each bash, so that nothing a command starts can outlive it.

Run as a script, never imported by the host:
``python -I -S supervisor.py FOLDER HANDLE PROGRAM ARGUMENT...``, where the handle is that of
``placeholders``, or -1.
On Linux it is the child subreaper: what a command starts stays below it in the tree of processes,
after ``setsid`` and double forks too. It obeys one-byte requests on its standard input, a socket,
and answers there in lines:

    s + 8 digits + environment   start the program with this NUL-separated environment
    t                            stop everything: interrupt, terminate, kill -> ``stopped SIGINT``
    end of file                  the host is gone: kill everything, remove FOLDER, exit

``exited 256`` tells, at any time, that the program ended, with its wait status.
"""

import ctypes
import fcntl
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

SOCKET_FD = 0
#: What a file has that only stands for a protected path; see ``placeholders``.
_PLACEHOLDER = b".\n"
#: How long an interrupt, and then a termination, may take.
GRACE_S = 0.3
#: A process that cannot be killed, for example one of another user, is given up after this.
KILL_LIMIT_S = 5.0

_POLL_S = 0.005
#: The end of a child is told by a signal; this is for the case that one is lost.
_REAP_S = 2.0
_PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
_LENGTH_DIGITS = 8
_OURS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Supervisor:
    """The tree of processes below this one, and the program on top of it.

    Args:
        argv: the program to start and its arguments; the first is a path.
    """

    def __init__(self, argv: list[str]) -> None:
        self._argv = argv
        self._program: int | None = None
        self._is_stopping = False
        self._requests: dict[bytes, Callable[[], None]] = {b"s": self._start, b"t": self._stop}

    def serve(self, wakeup: int) -> None:
        """Obey until the host closes its end; ``wakeup`` is readable after a child ended."""
        while True:
            patience = _REAP_S if self._program else None
            ready, _, _ = select.select([SOCKET_FD, wakeup], [], [], patience)
            if wakeup in ready:
                os.read(wakeup, 4096)
            self._reap()
            if SOCKET_FD in ready:
                request = _read(1)
                if not request:
                    return
                self._requests[request]()

    def kill_all(self) -> None:
        """Kill until nothing is left; frozen first, so that nothing forks meanwhile."""
        self._is_stopping = True
        deadline = time.monotonic() + KILL_LIMIT_S
        while (living := self._living()) and time.monotonic() < deadline:
            _send(living, signal.SIGSTOP)
            _send(living | self._living(), signal.SIGKILL)
            self._reap()
            time.sleep(_POLL_S)
        self._reap()

    def _start(self) -> None:
        self._is_stopping = False
        length = int(_read_exactly(_LENGTH_DIGITS))
        pairs = _read_exactly(length).split(b"\0") if length else []
        self._program = os.posix_spawn(
            self._argv[0],
            self._argv,
            dict(pair.split(b"=", 1) for pair in pairs),
            file_actions=[(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in range(3)],
            setpgroup=0,
            setsigmask=(),
            setsigdef=signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP},
        )

    def _stop(self) -> None:
        """The program is frozen first, so that it does not go on with its next command."""
        self._is_stopping = True
        program = {self._program} if self._program else set[int]()
        _send(program, signal.SIGSTOP)
        used = signal.SIGKILL
        for number in (signal.SIGINT, signal.SIGTERM):
            others = self._living() - program
            if others:
                used = number
                _send(others, number)
                self._wait_for(others)
        if self._living() - program:
            used = signal.SIGKILL
        self.kill_all()
        _say(f"stopped {used.name}")
        if self._program:  # it cannot be killed, and no other takes its place
            sys.exit()

    def _wait_for(self, pids: set[int]) -> None:
        deadline = time.monotonic() + GRACE_S
        while pids & self._living() and time.monotonic() < deadline:
            self._reap()
            time.sleep(_POLL_S)

    def _reap(self) -> None:
        with suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED)
                if pid == 0:
                    return
                if os.WIFSTOPPED(status):
                    self._go_on(pid)
                elif pid == self._program:
                    self._program = None
                    _say(f"exited {status}")

    def _go_on(self, pid: int) -> None:
        """A program that has stopped itself has nobody else who lets it go on."""
        if pid == self._program and not self._is_stopping:
            _send([pid], signal.SIGCONT)

    def _living(self) -> set[int]:
        """Everything below this process that is no zombie."""
        below: dict[int, list[tuple[int, str]]] = {}
        for pid, parent, state in process_table():
            below.setdefault(parent, []).append((pid, state))
        found, folders = set(), [os.getpid()]
        while folders:
            for pid, state in below.get(folders.pop(), ()):
                folders.append(pid)
                if state != "Z":
                    found.add(pid)
        return found


def process_table() -> Iterable[tuple[int, int, str]]:
    """The process id, the parent's, and the state's letter of every process."""
    return from_proc() if sys.platform == "linux" else from_ps()


def from_proc() -> Iterable[tuple[int, int, str]]:
    """The table as Linux shows it."""
    for name in os.listdir("/proc"):  # noqa: PTH208 - 200 processes, several times in a stop
        if name.isdigit():
            with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                # The name of the program, in brackets, may hold anything.
                state, parent = file.read().rpartition(b")")[2].split()[:2]
                yield int(name), int(parent), state.decode()


def from_ps() -> Iterable[tuple[int, int, str]]:
    """The table as every other system shows it."""
    with os.popen("/bin/ps -A -o pid= -o ppid= -o state=") as listed:  # noqa: S605 - no input
        for line in listed.read().splitlines():
            pid, parent, state = line.split()[:3]
            yield int(pid), int(parent), state[0]


def _send(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _say(line: str) -> None:
    with suppress(OSError):  # the host is gone: the next read says so
        os.write(SOCKET_FD, f"{line}\n".encode())


def _read(count: int) -> bytes:
    """Up to so many bytes from the host; none if it is gone."""
    try:
        return os.read(SOCKET_FD, count)
    except ConnectionError:
        return b""


def _read_exactly(count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = _read(count - len(data))
        if not more:
            sys.exit()
        data += more
    return data


def _become_subreaper() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _remove_placeholders(held: int) -> None:
    """Remove what is listed in a file, if nobody else holds a lock on it."""
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return
    made = os.pread(held, os.fstat(held).st_size, 0).split(b"\0")
    for path in sorted(filter(None, made), reverse=True):  # what is in a folder goes before it
        _remove_placeholder(path)
    with suppress(OSError):
        os.unlink(os.readlink(f"/proc/self/fd/{held}"))  # noqa: PTH108, PTH115


def _remove_placeholder(path: bytes) -> None:
    try:
        os.rmdir(path)  # noqa: PTH106
    except NotADirectoryError:
        with suppress(OSError), open(path, "rb") as file:  # noqa: PTH123
            if file.read() == _PLACEHOLDER:
                os.unlink(path)  # noqa: PTH108
    except OSError:  # it is of use now, or gone
        return


def _remove(folder: str) -> None:
    with suppress(OSError):
        for name in os.listdir(folder):  # noqa: PTH208 - pathlib takes longer to load than all else
            os.unlink(f"{folder}/{name}")  # noqa: PTH108
        os.rmdir(folder)  # noqa: PTH106


def main(folder: str, held: str, *argv: str) -> None:
    """Serve one host until it is gone."""
    if int(held) >= 0:
        fcntl.fcntl(int(held), fcntl.F_SETFD, fcntl.FD_CLOEXEC)
    for number in _OURS:  # a command's `kill 0` or `kill $PPID` must not end us
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())  # the host's thread may have blocked some
    readable, writable = os.pipe()
    os.set_blocking(writable, False)
    signal.set_wakeup_fd(writable, warn_on_full_buffer=False)
    _become_subreaper()
    supervisor = Supervisor(list(argv))
    try:
        supervisor.serve(readable)
    finally:
        supervisor.kill_all()
        if int(held) >= 0:
            _remove_placeholders(int(held))
        _remove(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
