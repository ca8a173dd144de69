"""One lock per file, so that parallel edits of it come one after the other."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from weakref import WeakValueDictionary


class _FileLock:
    """A lock that a weak table can hold."""

    def __init__(self) -> None:
        self.lock = threading.RLock()


class FileLocks:
    """Locks by name, made when needed and forgotten when free.

    >>> with FileLocks().hold("b", "a", "b"):
    ...     pass
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._locks: WeakValueDictionary[str, _FileLock] = WeakValueDictionary()

    @contextmanager
    def hold(self, *names: str) -> Iterator[None]:
        """Hold the locks of all names; always taken in one order, so that none waits in a ring."""
        with self._guard:
            held = [self._locks.setdefault(name, _FileLock()) for name in sorted(set(names))]
        with ExitStack() as stack:
            for each in held:
                stack.enter_context(each.lock)
            yield
