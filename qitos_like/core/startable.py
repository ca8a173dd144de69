"""``Startable``: what is set up and torn down as a whole, also by ``with``."""

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

from . import _lazy
from .lifecycle import Lifecycle, run_now, start_all, stop_all


class Startable(ABC):
    """Holds what has to be started before it is used, and to be stopped afterwards."""

    @abstractmethod
    def _lifecycles(self) -> list[Lifecycle]:
        """Each once, in the order of their start."""

    async def setup(self, holder: object = None) -> None:
        """Start every toolset and tool that has a ``setup``, for a holder; once for each.

        Raises:
            LifecycleError: one raised; what was started here is stopped again.
        """
        await start_all(self._lifecycles(), self if holder is None else holder)

    async def teardown(self, holder: object = None) -> None:
        """Stop, in reverse, what only this holder has started; without a holder, everything.

        Raises:
            LifecycleError: with all that was raised; each was stopped all the same.
        """
        await stop_all(self._lifecycles(), holder)

    def __enter__(self) -> Self:
        """Set up, where no setup waits for an event loop."""
        run_now(self.setup(), "use 'async with registry'")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Tear down."""
        run_now(self.teardown(), "use 'async with registry'")

    async def __aenter__(self) -> Self:
        """Set up."""
        await self.setup()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Tear down, also where what was done in between was cancelled."""
        with _lazy.shielded()():
            await self.teardown()
