"""A cluster of Dask that runs the code of tools, with the extra ``dask``."""

from concurrent.futures import CancelledError, Executor, Future
from threading import Lock
from uuid import uuid4

from qitos_like.core.jsontypes import Json
from qitos_like.errors import MissingExtraError

from .call import Call
from .remote import Code, served


class RanBeforeError(Exception):
    """Code that must not be run twice was given to a second worker."""


def is_dask(given: object) -> bool:
    """Whether this is a client or a cluster, known by what it has, or an address."""
    return isinstance(given, str) or hasattr(given, "get_executor") or hasattr(given, "get_client")


class DaskWorkers:
    """The workers of a cluster.

    Dask gives the work of a worker that died to another. Code that writes is not run again by
    that: it leaves a mark when it begins.

    Args:
        given: a client, a cluster or the address of a scheduler.

    Raises:
        ValueError: it is a client that has to be awaited.
        MissingExtraError: it is an address, and the extra is not installed.
    """

    def __init__(self, given: Json) -> None:
        self._is_given = hasattr(given, "get_executor")
        self._given = given
        self._client: Json = _connected(given) if isinstance(given, str) else None
        self._marks: dict[Future[object], str] = {}
        self._lock = Lock()
        if self._is_given and given.asynchronous:
            message = "the client of Dask has to be one that is not asynchronous"
            raise ValueError(message)

    def send(self, code: Code, call: Call) -> "Future[object]":  # noqa: ARG002 (a protocol's)
        """Start it on some worker.

        Raises:
            ToolError: it cannot be sent.
            RuntimeError: no work is taken.
        """
        from distributed.protocol.pickle import dumps  # noqa: PLC0415 (an extra)

        sent = code.pickled("on its backend", dumps)
        executor: Executor = self._connection().get_executor(pure=False)
        if not code.writes:
            return executor.submit(served, sent)
        mark = f"qitos-like-{uuid4().hex}"
        future: Future[object] = executor.submit(served_once, mark, sent)
        self._marks[future] = mark
        return future

    def is_death(self, error: BaseException) -> bool:
        """Whether workers died of it, or the cluster is gone."""
        from distributed import KilledWorker  # noqa: PLC0415 (an extra)

        return isinstance(error, CancelledError | RanBeforeError | KilledWorker)

    def settle(self, future: "Future[object]") -> None:
        """Take its mark away."""
        mark = self._marks.pop(future, None)
        if mark is not None and self._connection().status == "running":
            _mark(mark, self._connection()).clear()

    def forget(self) -> None:
        """Close the client, if it was made here."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None and not self._is_given:
            client.close()

    def _connection(self) -> Json:
        with self._lock:
            if self._client is None:
                self._client = self._given if self._is_given else _connected(self._given)
            return self._client


def served_once(mark: str, sent: bytes) -> bytes:
    """``served``, by the first worker that comes to it.

    Raises:
        RanBeforeError: another one did.
    """
    begun = _mark(mark)
    if begun.is_set():
        raise RanBeforeError
    begun.set()
    return served(sent)


def _mark(name: str, client: Json = None) -> Json:
    from distributed import Event  # noqa: PLC0415 (an extra)

    event: Json = Event
    return event(name, client=client)


def _connected(given: Json) -> Json:
    """A client of a cluster or an address.

    Raises:
        MissingExtraError: the extra is not installed.
    """
    try:
        from distributed import Client  # noqa: PLC0415 (an extra)
    except ImportError as error:
        feature = "a cluster of Dask"
        raise MissingExtraError(feature, "dask") from error
    client: Json = Client
    return client(given, set_as_default=False)
