"""``Shell``: a bash that keeps its folder, variables and functions from command to command."""

import threading
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Self

from attrs import field, frozen

from .capture import Capture
from .jobs import Jobs
from .listening import Listener
from .sandbox import Sandbox
from .scripts import State
from .session import Ended, Session

_LOCK_INTERVAL_S = 0.05
#: For a command whose end nobody can tell.
_LOST = Ended(report=None, wait_status=None, stopped_by=None, lost=True)


@frozen
class Outcome:
    """What became of one command.

    Attributes:
        script_name: what bash calls the command in its messages.
        output: stdout and stderr, in order.
        earlier: what background processes wrote since the command before.
        exit_code: 128 and the signal's number if a signal ended it.
        timed_out: it took too long and was stopped.
        signal: the name of the signal that ended it.
        cwd: the absolute folder that the next command starts in.
        duration_s: seconds.
        restarted: bash ended with it; the next command has a new one, with the folder, the
            exported variables and the functions as they were; and all variables, if bash could
            still tell them.
    """

    script_name: str
    output: Capture = field(repr=False)
    earlier: Capture = field(repr=False)
    exit_code: int
    timed_out: bool
    signal: str | None
    cwd: str
    duration_s: float
    restarted: bool


class Shell:
    r"""One bash under a supervisor, started with the first command; one command at a time.

    It may be used from any thread. What commands started ends with ``close``, with the object,
    and with this process, however that ends.

    Attributes:
        jobs: its commands in the background.

    Args:
        root: the folder to start in.
        env: the environment.
        sandbox: where it runs; ``None`` for the host itself.

    >>> with Shell(Path("/"), {"NAME": "x"}) as shell:
    ...     shell.run("cd /usr; echo $NAME; exit 3").exit_code, shell.run("pwd").output.head()
    (3, b'/usr\n')
    """

    def __init__(self, root: Path, env: Mapping[str, str], sandbox: Sandbox | None = None) -> None:
        self._root = root
        self._sandbox = sandbox
        self._env = env
        self._lock = threading.Lock()
        self._session: Session | None = None
        self._closing: Callable[[], object] | None = None
        self._state = State(str(root))
        self._since = Capture()
        self.jobs = Jobs(root, env, sandbox)

    @property
    def state(self) -> State:
        """What the next command starts with."""
        return self._state

    @property
    def cwd(self) -> str:
        """The absolute folder that the next command starts in."""
        return self._state.cwd

    def run(
        self, command: str, timeout_s: float = 120, listener: Listener | None = None
    ) -> Outcome:
        """Run a command, waiting for those before it.

        Args:
            command: bash code, of any number of lines.
            timeout_s: after so many seconds everything the shell has started is stopped.
            listener: takes the output; what its look raises stops the command and is raised here.

        Raises:
            OSError: there is no bash, or it cannot be started.
        """
        listener = listener or Listener()
        listener.look()
        while not self._lock.acquire(timeout=_LOCK_INTERVAL_S):
            listener.look()
        try:
            return self._run(command, timeout_s, listener)
        finally:
            self._lock.release()

    def close(self) -> None:
        """Kill what runs; a command after it has a new bash, as after ``exit``."""
        session = self._session
        if session:
            session.kill()
        with self._lock:
            self._let_go()
        self.jobs.close()

    def __enter__(self) -> Self:
        """The shell itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def _run(self, command: str, timeout_s: float, listener: Listener) -> Outcome:
        begun = monotonic()
        earlier = self._since
        session = self._begun_session(command, listener)
        in_time = None
        try:
            in_time = session.wait(timeout_s, listener.look)
            restarted = in_time and not session.has_read
            if restarted:  # what came before has ended bash, a moment too late to be seen
                session = self._begun_session(command, listener)
                in_time = session.wait(timeout_s, listener.look)
        finally:
            if not in_time:
                session.stop()
            self._since = Capture()
            session.divert(self._since)
        ended = session.ended() or _LOST
        if in_time and ended.wait_status is not None:
            listener.feed(session.late_output())
        listener.end()
        if in_time and ended.report and ended.report.state:  # a sandbox has bash end by itself
            self._state = ended.report.state
        return Outcome(
            script_name=session.script_name,
            output=listener.capture,
            earlier=earlier,
            exit_code=ended.exit_code,
            timed_out=not in_time,
            signal=ended.signal,
            cwd=self.cwd,
            duration_s=monotonic() - begun,
            restarted=restarted or ended.lost or ended.wait_status is not None,
        )

    def _begun_session(self, command: str, listener: Listener) -> Session:
        """The session in which the command has begun; a new one where the old one is broken."""
        session = self._usable_session()
        listener.begin(session.script_name)
        try:
            session.begin(command, self._state, listener)
        except OSError:
            self._let_go()
            session = self._usable_session()
            listener.begin(session.script_name)
            session.begin(command, self._state, listener)
        return session

    def _usable_session(self) -> Session:
        if self._session and self._session.usable:
            return self._session
        self._let_go()
        self._session = Session(self._root, self._env, self._sandbox)
        # Also when the object is forgotten, and when the interpreter exits.
        self._closing = weakref.finalize(self, self._session.close)
        return self._session

    def _let_go(self) -> None:
        closing, self._closing, self._session = self._closing, None, None
        if closing:
            closing()
