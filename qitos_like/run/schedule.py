"""Which actions may run at the same time, over all turns of one executor.

Actions keep the order in which they come. One waits for the earlier ones that it conflicts with:
a barrier with every other, the rest by the resources that they read and write. An action that is
nested in another may use what that holds; it waits for what runs, not for what only waits, since
that may wait for its own parent.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from threading import Lock

from .ticket import EVERYTHING, Access, Queue, Ticket, Users


class Schedule:
    """Starts actions as the earlier ones end, at most so many of each depth at once.

    Raises:
        ValueError: not even one may run.

    >>> schedule = Schedule(16)
    >>> edit = Access(writes=["file:a"])
    >>> first, second = (schedule.enter(edit, print) for _ in range(2))
    >>> first.is_started, second.is_started
    (True, False)
    >>> schedule.leave(first), second.is_started
    <BLANKLINE>
    (None, True)
    """

    def __init__(self, max_concurrency: int) -> None:
        if max_concurrency < 1:
            message = f"max_concurrency is {max_concurrency}: at least one action has to run"
            raise ValueError(message)
        self._most = max_concurrency
        self._lock = Lock()
        self._queues: defaultdict[str, Queue] = defaultdict(Queue)
        self._users: defaultdict[str, Users] = defaultdict(Users)
        self._running: defaultdict[int, int] = defaultdict(int)
        self._ready: defaultdict[int, deque[Ticket]] = defaultdict(deque)
        #: The only action there is, which has no need to be in the tables above.
        self._alone: Ticket | None = None
        self._enlisted = 0

    def enter(
        self,
        access: Access,
        on_start: Callable[[], None] | None = None,
        parent: Ticket | None = None,
    ) -> Ticket:
        """Take the next place.

        Args:
            access: what the action touches.
            on_start: called when it may run, in the thread where another ended; not called
                if it may run at once, which its ticket says.
            parent: the action that it is nested in.
        """
        ticket = Ticket(access, on_start, parent)
        with self._lock:
            if self._alone is None and self._enlisted == 0:
                ticket.is_started = True
                self._alone = ticket
                return ticket
            if self._alone is not None:
                alone, self._alone = self._alone, None
                self._enlist(alone)
            self._enlist(ticket)
        return ticket

    def when_started(self, ticket: Ticket, call: Callable[[], None]) -> None:
        """Call this when the action may run, which may be now."""
        with self._lock:
            ticket.on_start = call
            has_started = ticket.is_started
        if has_started:
            call()

    def leave(self, ticket: Ticket) -> None:
        """Give up the place: the action is over, or was not run."""
        with self._lock:
            if ticket is self._alone:
                ticket.is_over = True
                self._alone = None
                return
            started = () if ticket.is_over else tuple(self._freed(ticket))
        for each in started:
            if each.on_start is not None:
                each.on_start()

    def _enlist(self, ticket: Ticket) -> None:
        """Put it where it meets the others, behind those that it waits for."""
        ticket.enlist()
        self._enlisted += 1
        if ticket.parent is None:
            for name, writes in ticket.claims.items():
                ticket.blockers.update(self._queues[name].enter(ticket, writes=writes))
        else:
            ticket.blockers |= set(filter(ticket.conflicts, ticket.parent.nested))
            ticket.parent.nested[ticket] = None
        if ticket.blockers:
            _follow(ticket)
        else:
            self._admit(ticket)

    def _freed(self, ticket: Ticket) -> Iterator[Ticket]:
        """End it; what may run now."""
        ticket.is_over = True
        self._forget(ticket)
        for follower in ticket.followers:
            follower.blockers.discard(ticket)
            # What this waited for, if it never ran, still goes before what waited for this.
            for blocker in ticket.blockers - follower.blockers:
                follower.blockers.add(blocker)
                blocker.followers.append(follower)
            if self._admit(follower):
                yield follower
        ready = self._ready[ticket.depth]
        while ready and self._running[ticket.depth] < self._most:
            waiting = ready.popleft()
            if self._admit(waiting):
                yield waiting

    def _forget(self, ticket: Ticket) -> None:
        self._enlisted -= 1
        if ticket.parent is not None:
            del ticket.parent.nested[ticket]
        for name in ticket.claims:
            _discard(self._queues, name, ticket)
            _discard(self._users, name, ticket)
        if ticket.is_started:
            self._running[ticket.depth] -= 1

    def _admit(self, ticket: Ticket) -> bool:
        """Start it, unless something is in its way or there is no free place."""
        if ticket.is_over or ticket.blockers:
            return False
        for name, writes in ticket.claims.items():
            users = self._users.get(name)
            if users is not None:
                ticket.blockers.update(users.against(ticket, writes=writes))
        if ticket.blockers:
            _follow(ticket)
            return False
        if self._running[ticket.depth] >= self._most:
            self._ready[ticket.depth].append(ticket)
            return False
        ticket.is_started = True
        self._running[ticket.depth] += 1
        for name, writes in ticket.claims.items():
            self._users[name].add(ticket, writes=writes)
        return True


def _discard(
    table: defaultdict[str, Queue] | defaultdict[str, Users], name: str, ticket: Ticket
) -> None:
    """Take a ticket out; what nobody uses any more is forgotten, but for what all use."""
    use = table.get(name)
    if use is not None:
        use.discard(ticket)
        if use.is_empty and not name.startswith(EVERYTHING):
            del table[name]


def _follow(ticket: Ticket) -> None:
    for blocker in ticket.blockers:
        blocker.followers.append(ticket)
