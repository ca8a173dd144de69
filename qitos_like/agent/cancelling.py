"""Cancelling what runs now, from any thread."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import get_ident

import anyio
from anyio.from_thread import run_sync as run_in_loop
from anyio.lowlevel import EventLoopToken, current_token
from attrs import field, frozen


class Cancellable:
    """The scopes that run now; each is left quietly when it is cancelled.

    >>> Cancellable().cancel()
    """

    def __init__(self) -> None:
        self._entered: list[_Entered] = []

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Work that ``cancel`` stops; what follows the ``with`` then goes on."""
        with anyio.CancelScope() as scope:
            entered = _Entered(scope)
            self._entered.append(entered)
            try:
                yield
            finally:
                self._entered.remove(entered)

    def cancel(self) -> None:
        """Stop the work that is inside a scope now."""
        for entered in tuple(self._entered):
            entered.cancel()


@frozen(eq=False)
class _Entered:
    scope: anyio.CancelScope
    token: EventLoopToken = field(factory=current_token)
    thread: int = field(factory=get_ident)

    def cancel(self) -> None:
        if get_ident() == self.thread:
            self.scope.cancel()
            return
        with suppress(anyio.RunFinishedError):  # it was over a moment ago
            run_in_loop(self.scope.cancel, token=self.token)
