"""What a running tool is given."""

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import Literal, Protocol, TypeVar, get_args

from attrs import field, frozen

from .action import Action, ActionResult
from .given import one_of

T = TypeVar("T")

#: Who a progress message is for: the framework alone, the person who waits, or a dashboard.
Audience = Literal["internal", "user", "dashboard"]


@frozen
class Progress:
    """A step of long work; a generator tool yields it, ``context.emit`` makes it.

    Attributes:
        message: what is being done.
        percent: 0 to 100, or ``None`` if unknown.
        audience: who should see it; most steps are ``internal``.

    Raises:
        ValueError: there is no such audience.

    >>> Progress("half-way", 50)
    Progress(message='half-way', percent=50, audience='internal')
    """

    message: str
    percent: float | None = None
    audience: Audience = field(default="internal", validator=one_of(get_args(Audience)))


class Services(Mapping[type, object]):
    """What the host passed to the executor, looked up by type.

    >>> Services([3])[int]
    3
    """

    def __init__(self, services: Iterable[object] = ()) -> None:
        self._by_type: dict[type, object] = {}
        for service in services:
            self._by_type[type(service)] = service

    def __getitem__(self, kind: type[T]) -> T:
        """The service of this type, or the first one of a subclass.

        Raises:
            KeyError: the host passed none.
        """
        exact = self._by_type.get(kind)
        if isinstance(exact, kind):
            return exact
        for service in self._by_type.values():
            if isinstance(service, kind):
                return service
        known = ", ".join(sorted(known.__name__ for known in self._by_type)) or "none"
        message = f"no service of type {kind.__name__} was passed to the executor (has: {known})"
        raise KeyError(message)

    def __iter__(self) -> Iterator[type]:
        """The types of the services, in the order they were passed."""
        return iter(self._by_type)

    def __len__(self) -> int:
        """How many services there are."""
        return len(self._by_type)


class ParentTurn(Protocol):
    """The turn a tool runs in; nested actions share its executor, permissions and budget."""

    async def run(self, action: Action) -> ActionResult:
        """Run one nested action."""
        ...

    async def run_turn(self, actions: Iterable[Action]) -> list[ActionResult]:
        """Run nested actions as a turn; one answer each, in order."""
        ...


@frozen(kw_only=True)
class ToolContext:
    """What a running tool is given: eight fields and three methods.

    As it stands it is good for calling a tool directly; the runner hands out a subclass whose
    methods reach its sinks and its cancellation.

    Attributes:
        action: the call being answered.
        workspace: the object that decides paths, from the environment.
        deadline: when the answer is due, on the ``time.monotonic`` clock; ``None`` for never.
        budget_chars: how many characters of the result the model will be shown.
        parent: the turn, for nested actions.
        state: lives as long as the executor; ledgers and shells are kept here, by key.
        services: what the host passed to the executor, by type.
        user: whatever the host passed as ``user``.

    >>> ToolContext().raise_if_cancelled()
    """

    action: Action | None = None
    workspace: object = None
    deadline: float | None = None
    budget_chars: int = 30_000
    parent: ParentTurn | None = None
    state: MutableMapping[object, object] = field(factory=dict)
    services: Services = field(factory=Services)
    user: object = None

    def emit(
        self, message: str, percent: float | None = None, audience: Audience = "internal"
    ) -> None:
        """Report progress; without a runner it goes nowhere."""

    @property
    def is_watched(self) -> bool:
        """Whether anybody sees what ``emit`` and ``output`` tell; else that can be left out."""
        return False

    def output(self, text: str) -> None:
        """Show text as it comes, such as a command's; it is no part of the result."""

    def raise_if_cancelled(self) -> None:
        """Return unless the call was cancelled; sync tools call this in long loops."""
