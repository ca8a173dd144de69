"""Where the code of tools runs other than here: a pool of threads or processes, or a cluster."""

from collections.abc import Callable, Iterable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from threading import Lock
from typing import Self

from qitos_like.core.context import Progress
from qitos_like.core.entry import Entry
from qitos_like.core.jsontypes import Json
from qitos_like.core.raised import describe
from qitos_like.core.results import Err, ErrorCode
from qitos_like.core.selection import matches

from .call import Call
from .carrying import carried
from .dask_workers import DaskWorkers, is_dask
from .failures import Stopped
from .invoke import settled
from .remote import Code, Workers, received, served

_POLL_S = 0.02

#: An executor of the host's; what makes one when it is needed, and another if that breaks; or a
#: client, a cluster or an address of Dask.
Pool = Executor | Callable[[], Executor] | Json


class Backend:
    """Where the code of some tools runs; everything else of a call stays with its executor.

    Args:
        pool: an executor of ``concurrent.futures``, which stays open; a function that makes one; or
            a client, a cluster or the address of a cluster of Dask.
        tools: patterns of the tools whose code runs there, as in ``registry.select``.

    Raises:
        TypeError: it is nothing of that.
        ValueError: it is a client of Dask that has to be awaited.
        MissingExtraError: it is an address, and the extra ``dask`` is not installed.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from qitos_like import ActionExecutor, ToolRegistry
    >>> registry = ToolRegistry()
    >>> @registry.tool
    ... def double(number: int) -> int:
    ...     '''Twice a number.'''
    ...     return 2 * number
    >>> backend = Backend(lambda: ThreadPoolExecutor(2), tools=["double"])
    >>> with backend, ActionExecutor(registry, backend=backend) as executor:
    ...     executor("double", number=2).value
    4
    """

    def __init__(self, pool: Pool, *, tools: Iterable[str] = ("*",)) -> None:
        self._tools = tuple(tools)
        self._workers = _workers_of(pool)

    def takes(self, entry: Entry) -> bool:
        """Whether a tool's code runs here."""
        return any(matches(entry, pattern) for pattern in self._tools)

    def run(self, code: Code, call: Call) -> object:
        """What the code comes to; blocks until it is over, or the call is told to stop.

        Raises:
            ToolError: it cannot be sent there.
            Stopped: the call was told to stop; code that cannot be stopped is left behind.
        """
        future = self._sent(code, call)
        if isinstance(future, Err):
            return future
        try:
            outcome = _awaited(future, call)
        except Exception as error:  # a tool's own, or of whoever runs it
            if not self._workers.is_death(error):
                raise
            self._workers.forget()
            return code.lost(f"the worker that ran {code.name} died")
        finally:
            self._workers.settle(future)
        return received(outcome) if isinstance(outcome, bytes) else outcome

    def close(self) -> None:
        """Close what was made here; what was given stays open."""
        self._workers.forget()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _sent(self, code: Code, call: Call) -> "Future[object] | Err":
        """The code on its way, to new workers where others have broken before it began."""
        try:
            try:
                return self._workers.send(code, call)
            except BrokenExecutor:
                self._workers.forget()
                return self._workers.send(code, call)
        except RuntimeError as error:  # a broken executor is one
            message = f"{code.name} did not run, since its backend takes no work: {describe(error)}"
            return Err(ErrorCode.EXECUTION_FAILED, message, retryable=False)


def backend_of(given: "Backend | Pool | None") -> Backend | None:
    """A backend of what a host gave.

    Raises:
        TypeError: as ``Backend``.
        ValueError: as ``Backend``.
        MissingExtraError: as ``Backend``.
    """
    return given if given is None or isinstance(given, Backend) else Backend(given)


def _workers_of(pool: Pool) -> Workers:
    if isinstance(pool, Executor):
        return _Pool(lambda: pool, is_given=True)
    if is_dask(pool):
        return DaskWorkers(pool)
    if callable(pool):
        return _Pool(pool, is_given=False)
    message = (
        "a backend is an executor of concurrent.futures, a function that makes one, or a client, a "
        f"cluster or an address of Dask; not {pool!r}"
    )
    raise TypeError(message)


class _Pool:
    """An executor of ``concurrent.futures``."""

    def __init__(self, make: Callable[[], Executor], *, is_given: bool) -> None:
        self._make = make
        self._is_given = is_given
        self._made: Executor | None = None
        self._lock = Lock()

    def send(self, code: Code, call: Call) -> "Future[object]":
        with self._lock:
            pool = self._made = self._made or self._make()
        if isinstance(pool, ThreadPoolExecutor):
            return pool.submit(carried().run, settled, _Forwarding(code, call))
        return pool.submit(served, code.pickled("on its backend"))

    def is_death(self, error: BaseException) -> bool:
        return isinstance(error, BrokenExecutor | CancelledError)

    def settle(self, future: "Future[object]") -> None:
        """There is nothing to do."""

    def forget(self) -> None:
        with self._lock:
            pool, self._made = self._made, None
        if pool is not None and not self._is_given:
            pool.shutdown(wait=False, cancel_futures=True)


class _Forwarding(Call):
    """The call of code in another thread of this process, which its own call hears of."""

    __slots__ = ("_call", "_code")

    def __init__(self, code: Code, call: Call) -> None:
        self.name = code.name
        self.is_async = False
        self.timeout_s = self.deadline = None  # who waits for it looks at the time
        self._code = code
        self._call = call

    @property
    def is_stopped(self) -> bool:  # type: ignore[override]  # it is the other's to say
        return self._call.is_stopped

    def code(self) -> object:
        return self._code.call()

    def report(self, progress: Progress) -> None:
        self._call.report(progress)


def _awaited(future: "Future[object]", call: Call) -> object:
    """What comes of it.

    Raises:
        Stopped: nobody waits for it any more.
    """
    while not wait_for([future], _POLL_S).done:
        if call.is_stopped:
            if not future.cancel():
                call.leave()
            raise Stopped
    return future.result()
