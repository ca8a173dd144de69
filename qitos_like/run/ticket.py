"""The place of one action in a schedule, and who uses a resource."""

from collections.abc import Callable, Collection, Iterable, Mapping

from attrs import field, frozen

#: What a barrier writes and every other action of its depth reads, with the depth at the end.
EVERYTHING = "*"


def _names(names: Iterable[str]) -> frozenset[str]:
    return frozenset(names)


@frozen(eq=False)
class Access:
    """What an action touches.

    Attributes:
        reads: resources that it shares with other readers.
        writes: resources that it has to itself.
        is_barrier: whether it runs alone.
    """

    reads: frozenset[str] = field(default=frozenset(), converter=_names)
    writes: frozenset[str] = field(default=frozenset(), converter=_names)
    is_barrier: bool = False
    _claims: dict[int, Mapping[str, bool]] = field(factory=dict, init=False, repr=False)

    def claims(self, depth: int) -> Mapping[str, bool]:
        """By resource, whether it is written."""
        claims = self._claims.get(depth)
        if claims is None:
            claims = self._claims[depth] = {
                f"{EVERYTHING}{depth}": self.is_barrier,
                **dict.fromkeys(self.reads, False),
                **dict.fromkeys(self.writes, True),
            }
        return claims


class Ticket:
    """The place of one action in a schedule.

    Attributes:
        access: what the action touches.
        parent: the action that it is nested in.
        depth: how deep; 0 for what a model asked for.
        is_started: whether it may run.
        is_over: whether it has left the schedule.
        on_start: called when it may run, if it had to wait.
        claims: by resource, whether it is written.
        blockers: those that it waits for.
        followers: those that wait for it.
        nested: those that are nested in it and not over.
    """

    __slots__ = (
        "access",
        "blockers",
        "claims",
        "depth",
        "followers",
        "is_over",
        "is_started",
        "nested",
        "on_start",
        "parent",
    )

    def __init__(
        self, access: Access, on_start: Callable[[], None] | None, parent: "Ticket | None"
    ) -> None:
        self.access = access
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.is_started = False
        self.is_over = False
        self.on_start = on_start
        self.nested: dict[Ticket, None] = {}

    def enlist(self) -> None:
        """Make what others find it by; one that nobody meets goes without."""
        self.claims = self.access.claims(self.depth)
        self.blockers: set[Ticket] = set()
        self.followers: list[Ticket] = []

    def conflicts(self, other: "Ticket") -> bool:
        """Whether both use a resource, and one of them writes it."""
        theirs = other.claims
        return any(
            name in theirs and (writes or theirs[name]) for name, writes in self.claims.items()
        )

    def is_within(self, other: "Ticket") -> bool:
        """Whether it is the other, or nested in it."""
        return self is other or (self.parent is not None and self.parent.is_within(other))


class Queue:
    """Who has asked for one resource last: a writer, and the readers after it."""

    def __init__(self) -> None:
        self._writer: Ticket | None = None
        self._readers: dict[Ticket, None] = {}

    @property
    def is_empty(self) -> bool:
        """Whether nobody asks for it any more."""
        return self._writer is None and not self._readers

    def enter(self, ticket: Ticket, *, writes: bool) -> Collection[Ticket]:
        """Those that go first."""
        writer = () if self._writer is None else (self._writer,)
        if not writes:
            self._readers[ticket] = None
            return writer
        before = tuple(self._readers) or writer
        self._writer, self._readers = ticket, {}
        return before

    def discard(self, ticket: Ticket) -> None:
        """It is over, or does not ask any more."""
        self._readers.pop(ticket, None)
        if self._writer is ticket:
            self._writer = None


class Users:
    """Who uses one resource now."""

    def __init__(self) -> None:
        self._readers: dict[Ticket, None] = {}
        self._writers: dict[Ticket, None] = {}

    @property
    def is_empty(self) -> bool:
        """Whether nobody does."""
        return not self._readers and not self._writers

    def add(self, ticket: Ticket, *, writes: bool) -> None:
        """It uses the resource from now on."""
        (self._writers if writes else self._readers)[ticket] = None

    def discard(self, ticket: Ticket) -> None:
        """It does not any more."""
        self._readers.pop(ticket, None)
        self._writers.pop(ticket, None)

    def against(self, ticket: Ticket, *, writes: bool) -> Collection[Ticket]:
        """Those that the ticket cannot join; what it is nested in lets it."""
        users = [*self._writers, *self._readers] if writes else self._writers
        return [user for user in users if not ticket.is_within(user)] if users else ()
