"""Asking on the terminal, and what is asked for: all but reading, unless a rule decides."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from attrs import frozen

from qitos_like.core.permission import ToolPermission
from qitos_like.core.safe_text import visible
from qitos_like.run.approvals import Approval, ApprovalRequest
from qitos_like.run.policy import PermissionPolicy, Verdict
from qitos_like.run.subject import Subject

from .console import note
from .waiting import Waiting

_READING = ToolPermission(filesystem_read=True)


@frozen
class Careful(PermissionPolicy):
    """The rules of the configuration; what none decides may only read, and else is asked for."""

    def decide(self, subject: Subject) -> Verdict:
        """What holds for a call."""
        verdict = super().decide(subject)
        beyond = _READING.missing(subject.entry.spec.permissions)
        if verdict.effect != "allow" or verdict.rule is not None or not beyond:
            return verdict
        return Verdict("ask", f"{subject.entry.name} needs {', '.join(beyond)}")


class Asking:
    """Asks on the terminal.

    Attributes:
        stop: called when the user has had enough.
    """

    def __init__(self, waiting: Waiting) -> None:
        """Take the line that has to go while the user is asked."""
        self._waiting = waiting
        self.stop: Callable[[], object] = bool

    async def approve(self, request: ApprovalRequest) -> Approval:
        """What the user says; asked in the main thread, where Ctrl-C is heard."""
        try:
            with self._waiting.aside():
                return ask(request.spec.name, request.reason, request.preview)
        except click.Abort:
            self.stop()
            return _DENIED


def ask(name: str, reason: str, preview: str) -> Approval:
    """What the user says to a call.

    Raises:
        Abort: nothing any more.
    """
    # A model wrote the preview: nothing in it may steer the terminal, and so hide what is asked.
    note(visible(f"\n{name}: {reason}\n{preview}"))
    with _heard():
        answer = click.prompt(
            "Allow it? yes, no, always (the same call)",
            type=click.Choice(["y", "n", "a"]),
            default="n",
            err=True,
        )
    return _ANSWERS[answer]


@contextmanager
def _heard() -> Iterator[None]:
    """Ctrl-C ends the question; the event loop that waits for it would only take a note."""
    before = signal.getsignal(signal.SIGINT)
    if before == signal.SIG_IGN or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


_DENIED = Approval.deny("the user said no")
_ANSWERS = {"y": Approval.once(), "n": _DENIED, "a": Approval.for_run()}
