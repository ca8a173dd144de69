"""What is around a run: its time, tools set up before it, everything closed after it."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from time import monotonic

import anyio
from attrs import asdict, field, frozen

from qitos_like.core.context import ParentTurn
from qitos_like.core.environment import Environment
from qitos_like.core.redaction import Redaction
from qitos_like.core.registry import ToolRegistry
from qitos_like.errors import LifecycleError
from qitos_like.run.executor import ActionExecutor
from qitos_like.run.nesting import Nested

from .nested import Acting, NestedActing
from .stream import Watch

#: By what a run acts: an executor, a tool's turn, or an executor of its own for an environment.
Given = ActionExecutor | Nested | Environment | None

_log = logging.getLogger("qitos_like")


@frozen(kw_only=True)
class Limits:
    """How long a run may go on.

    Raises:
        ValueError: a limit is below zero, or no number; nothing would ever reach that.
    """

    time_s: float | None
    cost_usd: float | None

    def __attrs_post_init__(self) -> None:
        """Check the limits."""
        for name, limit in asdict(self).items():
            if limit is not None and not limit >= 0:
                message = f"max_{name} has to be zero or more, not {limit!r}"
                raise ValueError(message)


@frozen
class Clock:
    """When a run began, for people and for durations."""

    at: datetime = field(factory=partial(datetime.now, UTC))
    monotonic_s: float = field(factory=monotonic)


def only_one(
    environment: Environment | None, executor: ActionExecutor | None, parent: ParentTurn | None
) -> Given:
    """What a run acts by, of which at most one is given.

    Raises:
        TypeError: more than one is, or the parent is none.
    """
    if sum(each is not None for each in (environment, executor, parent)) > 1:
        message = "executors and parents have an environment of their own: give one or the other"
        raise TypeError(message)
    if parent is not None and not isinstance(parent, Nested):
        message = f"a parent is the context.parent of a running tool, not {parent!r}"
        raise TypeError(message)
    return executor or parent or environment


def redaction_of(given: Given) -> Redaction:
    """What is hidden from the trace of a run."""
    return given.redaction if isinstance(given, ActionExecutor | Nested) else Redaction()


@asynccontextmanager
async def prepared(
    registry: ToolRegistry, given: Given, watch: Watch | None
) -> AsyncIterator[Acting]:
    """An executor over tools that are set up; afterwards all is closed, whatever happened.

    Raises:
        LifecycleError: the setup of a toolset failed.
    """
    async with AsyncExitStack() as stack:
        run = object()  # another run on the same registry keeps what this one lets go of
        stack.push_async_callback(_shielded, partial(_teardown, registry.teardown, run))
        await registry.setup(run)
        if isinstance(given, Nested):
            yield NestedActing(given, registry)
            return
        if isinstance(given, ActionExecutor):
            executor = given
        else:
            executor = ActionExecutor(registry, environment=given)
            stack.push_async_callback(_shielded, executor.aclose)
        if watch is not None:
            stack.callback(executor.subscribe(watch.on_event))
        yield executor


async def _teardown(teardown: Callable[[object], Awaitable[None]], run: object) -> None:
    try:
        await teardown(run)
    except LifecycleError:
        _log.warning("the run is over, and its toolsets are not all torn down", exc_info=True)


async def _shielded(work: Callable[[], Awaitable[None]]) -> None:
    """Tidying up is not cancelled with what it tidies."""
    with anyio.CancelScope(shield=True):
        await work()
