"""How much of its tools an agent may use as long as its executor lives."""

from collections.abc import Iterable
from threading import Lock

from attrs import field, frozen

from qitos_like.core.entry import Entry
from qitos_like.core.results import Err, ErrorCode
from qitos_like.core.selection import matches


@frozen
class Limit:
    """How much may be used of some tools together.

    Attributes:
        tools: which, as in ``registry.select``: ``web.*``, ``tag:paid``.
        calls: how many calls.
        seconds: how much time they may take.
        cost_usd: how much they may cost, where they say.

    Raises:
        ValueError: it limits nothing, or by what is no amount.

    >>> Limit("web.*", calls=10).tools
    'web.*'
    """

    tools: str
    calls: int | None = field(default=None, kw_only=True)
    seconds: float | None = field(default=None, kw_only=True)
    cost_usd: float | None = field(default=None, kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Something has to be limited, and by an amount."""
        amounts = {"calls": self.calls, "seconds": self.seconds, "cost_usd": self.cost_usd}
        if all(amount is None for amount in amounts.values()):
            message = f"the limit for {self.tools} limits nothing: give calls, seconds or cost_usd"
            raise ValueError(message)
        for name, amount in amounts.items():
            if amount is not None and not _is_amount(amount):
                message = f"{name} of the limit for {self.tools} is no amount: {amount!r}"
                raise ValueError(message)


def _is_amount(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


class Limits:
    """The limits of one executor, and what was used so far.

    Raises:
        TypeError: one is no ``Limit``.
    """

    def __init__(self, limits: Iterable[Limit] = ()) -> None:
        self._used = [_Used(limit) for limit in limits]
        self._lock = Lock()

    @property
    def are_there(self) -> bool:
        """Whether anything is limited."""
        return bool(self._used)

    def take(self, entry: Entry) -> Err | None:
        """Count a call that is about to run; the refusal if a limit is reached."""
        with self._lock:
            used = self._about(entry)
            for each in used:
                reached = each.reached()
                if reached:
                    message = f"{entry.name} was not run: {reached}"
                    hint = "go on without it"
                    return Err(ErrorCode.OVER_BUDGET, message, hint=hint, retryable=False)
            for each in used:
                each.calls += 1
        return None

    def spend(self, entry: Entry, seconds: float, cost_usd: float | None) -> None:
        """Count what a call took and cost."""
        with self._lock:
            for each in self._about(entry):
                each.seconds += seconds
                each.cost_usd += cost_usd or 0.0

    def _about(self, entry: Entry) -> list["_Used"]:
        return [each for each in self._used if matches(entry, each.limit.tools)]


class _Used:
    """What was used of one limit."""

    def __init__(self, limit: Limit) -> None:
        given: object = limit  # callers without types pass texts
        if not isinstance(given, Limit):
            message = f"a limit is a Limit, not {given!r}: Limit('web.*', calls=10)"
            raise TypeError(message)
        self.limit = limit
        self.calls = 0
        self.seconds = 0.0
        self.cost_usd = 0.0

    def reached(self) -> str:
        """Which limit is reached, in words; empty if none is."""
        limit = self.limit
        rows = (
            (limit.calls, self.calls, "{:,} of {:,} calls"),
            (limit.seconds, self.seconds, "{:.1f} of {:g} s"),
            (limit.cost_usd, self.cost_usd, "{:.4f} of {:g} US dollars"),
        )
        for most, used, words in rows:
            if most is not None and used >= most:
                return f"{words.format(used, most)} of {limit.tools} are used, 0 left"
        return ""
