"""Where runs of lines stand in a file."""

from collections.abc import Callable, Sequence

Form = Callable[[bytes], bytes]


class Runs:
    """A file's lines in one form, to find others of that form in.

    >>> Runs([b"a", b"b ", b"a", b"b"], bytes.rstrip).places([b"a", b"b"])
    [0, 2]
    """

    def __init__(self, lines: Sequence[bytes], form: Form) -> None:
        self._form = form
        self._same: dict[bytes, bytes] = {}  # equal lines as one object are compared fast
        self._lines = [self._same.setdefault(line, line) for line in map(form, lines)]
        self._places: dict[bytes, list[int]] = {}
        for at, line in enumerate(self._lines):
            self._places.setdefault(line, []).append(at)

    def is_at(self, wanted: Sequence[bytes], at: int) -> bool:
        """Whether the wanted lines stand at line ``at``, counted from 0."""
        return at >= 0 and self._lines[at : at + len(wanted)] == self._formed(wanted)

    def places(self, wanted: Sequence[bytes], first: int = 0) -> list[int]:
        """The lines, from ``first`` on, at which the wanted ones stand; there is at least one."""
        formed = self._formed(wanted)
        found = [self._places.get(line, []) for line in formed]
        rarest = min(range(len(found)), key=lambda index: len(found[index]))
        starts = (at - rarest for at in found[rarest])
        stop = len(formed)
        return [at for at in starts if at >= first and self._lines[at : at + stop] == formed]

    def _formed(self, wanted: Sequence[bytes]) -> list[bytes]:
        return [self._same.get(line, line) for line in map(self._form, wanted)]
