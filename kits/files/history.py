"""What files were before an agent's last edits of them."""

from collections import OrderedDict, deque
from threading import Lock

from attrs import field, frozen

MAX_STEPS = 20
MAX_BYTES = 64 << 20


@frozen
class Step:
    """A file as it was before one edit.

    Attributes:
        data: its bytes; ``None`` if it did not exist.
        mode: its permission bits; ``None`` if it did not exist.
    """

    data: bytes | None = field(repr=False)
    mode: int | None

    @property
    def size(self) -> int:
        """How many bytes are kept for it."""
        return len(self.data or b"")


class History:
    """The steps of one agent, by the file's absolute path: 20 a file, 64 MB together.

    >>> history = History()
    >>> history.push("/a", Step(b"before", 0o644))
    >>> history.pop("/a").data
    b'before'
    """

    def __init__(self) -> None:
        self._steps: OrderedDict[str, deque[Step]] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def push(self, name: str, step: Step) -> None:
        """Remember what the file was; the oldest steps go where there is no room."""
        if step.size > MAX_BYTES:  # it would push out those of all other files
            self.forget(name)
            return
        with self._lock:
            steps = self._steps.setdefault(name, deque())
            steps.append(step)
            self._steps.move_to_end(name)
            self._size += step.size
            if len(steps) > MAX_STEPS:
                self._drop(name)
            while self._size > MAX_BYTES:
                self._drop(next(iter(self._steps)))

    def last(self, name: str) -> Step | None:
        """What the file was before the last edit; ``None`` if nothing is known."""
        steps = self._steps.get(name)
        return steps[-1] if steps else None

    def pop(self, name: str) -> Step | None:
        """The same, and that edit is forgotten."""
        with self._lock:
            steps = self._steps.get(name)
            if not steps:
                return None
            step = steps.pop()
            self._size -= step.size
            return step

    def forget(self, name: str) -> None:
        """Nothing of the file can be taken back any more."""
        with self._lock:
            for step in self._steps.pop(name, ()):
                self._size -= step.size

    def _drop(self, name: str) -> None:
        """Forget the oldest step of a file; with its last one, the file."""
        steps = self._steps[name]
        if steps:
            self._size -= steps.popleft().size
        if not steps:
            del self._steps[name]
