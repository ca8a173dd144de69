"""What is around a run: tools set up before it, everything closed after it."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import anyio

from qitos_like.core.environment import Environment
from qitos_like.core.registry import ToolRegistry
from qitos_like.errors import LifecycleError
from qitos_like.run.executor import ActionExecutor

from .stream import Watch

_log = logging.getLogger("qitos_like")


@asynccontextmanager
async def prepared(
    registry: ToolRegistry, given: ActionExecutor | Environment | None, watch: Watch | None
) -> AsyncIterator[ActionExecutor]:
    """An executor over tools that are set up; afterwards all is closed, whatever happened.

    Raises:
        LifecycleError: the setup of a toolset failed.
    """
    async with AsyncExitStack() as stack:
        run = object()  # another run on the same registry keeps what this one lets go of
        stack.push_async_callback(_shielded, partial(_teardown, registry.teardown, run))
        await registry.setup(run)
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
