"""Commands in the background, each in a bash of its own that ends with the agent's shell."""

import threading
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic

from attrs import define, field, frozen

from kits.errors import invalid

from .capture import Log
from .sandbox import Sandbox
from .scripts import State
from .session import Ended, Session

#: Up to where some bytes can be told before others follow them.
Certain = Callable[[bytes], int]

MAX_RUNNING = 16
_PREFIX = "bg"


@frozen
class News:
    """What a job has written since a mark.

    Attributes:
        output: the bytes.
        missed: how many bytes before them are not kept any more.
        mark: where the next news begin.
        ended: how it ended; ``None`` while it runs.
        script_name: what bash calls the command in its messages.
        seconds: how long it has been running, or ran.
    """

    output: bytes = field(repr=False)
    missed: int
    mark: int
    ended: Ended | None
    script_name: str
    seconds: float


@define(eq=False)
class _Job:
    session: Session
    log: Log
    begun: float
    told: int = 0
    ended: Ended | None = None
    seconds: float = 0.0


class Jobs:
    """The background commands of one shell, by their ids.

    Args:
        root: the folder of the workspace.
        env: the environment.
        sandbox: where they run.
    """

    def __init__(self, root: Path, env: Mapping[str, str], sandbox: Sandbox | None) -> None:
        self._root = root
        self._env = env
        self._sandbox = sandbox
        self._jobs: dict[str, _Job] = {}
        self._lock = threading.Lock()

    def start(self, command: str, state: State) -> str:
        """Start a command; its id.

        Args:
            command: bash code.
            state: the folder, variables and functions that it starts with.

        Raises:
            WorkspaceError: too many run already.
            OSError: it cannot be started.
        """
        with self._lock:
            running = sum(self._look(job).ended is None for job in self._jobs.values())
            if running >= MAX_RUNNING:
                message = f"{running} commands run in the background, which is the most"
                raise invalid(message, hint="Stop one, or wait for one to end.")
            job = _Job(Session(self._root, self._env, self._sandbox), Log(), monotonic())
            weakref.finalize(job, job.session.close)
            job.session.begin(command, state, job.log)
            name = f"{_PREFIX}{len(self._jobs) + 1}"
            self._jobs[name] = job
            return name

    def news(self, name: str, certain: Certain = len, since: int | None = None) -> News:
        """What a job has written since a mark; without one, since the last news.

        Args:
            name: its id.
            certain: of what a job that goes on has written, up to where it can be told.
            since: the mark.

        Raises:
            WorkspaceError: there is no such job.
        """
        with self._lock:
            return self._news(self._job(name), certain, since)

    def stop(self, name: str) -> News:
        """Stop a job and all it started; what it has written since the last news.

        Raises:
            WorkspaceError: there is no such job.
        """
        with self._lock:
            job = self._job(name)
            if self._look(job).ended is None:
                job.session.stop()
            return self._news(job, len, None)

    def close(self) -> None:
        """Kill all; their ids are forgotten."""
        with self._lock:
            for job in self._jobs.values():
                job.session.kill()
            for job in self._jobs.values():
                job.session.close()
            self._jobs.clear()

    def _job(self, name: str) -> _Job:
        job = self._jobs.get(name)
        if job is None:
            known = ", ".join(self._jobs) or "none"
            message = f"there is no background command {name!r}; known: {known}"
            raise invalid(message)
        return job

    def _news(self, job: _Job, certain: Certain, since: int | None) -> News:
        self._look(job)  # first: what it wrote last is read after it ended
        mark = job.told if since is None else max(since, 0)
        start, output = job.log.since(mark)
        if job.ended is None:
            output = output[: certain(output)]
        job.told = start + len(output)
        name = job.session.script_name
        return News(output, start - min(mark, start), job.told, job.ended, name, job.seconds)

    def _look(self, job: _Job) -> _Job:
        """See whether it has ended; what it left running ends with it."""
        if job.ended is None:
            job.seconds = monotonic() - job.begun
            job.session.nudge()
            job.ended = job.session.ended()
            if job.ended is not None:
                job.session.close()
        return job
