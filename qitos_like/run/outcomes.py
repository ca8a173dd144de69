"""What a tool's code came to, and the result that makes of it."""

import logging
from collections.abc import Sequence
from time import monotonic

from attrs import frozen

from qitos_like.core.results import Err, ErrorCode, Ok, ToolError, ToolResult, ok_of

from .call import Call
from .failures import Stopped, failure

#: How long a tool that was told to stop may take to do so, before it is left behind.
GRACE_S = 0.05

_RESULTS = (Ok, Err)

_log = logging.getLogger("qitos_like")


@frozen(eq=False)
class Raised:
    """The code raised an exception.

    Attributes:
        error: which.
    """

    error: BaseException


@frozen(eq=False)
class Late:
    """The time was over.

    Attributes:
        ended: what the code came to in the moment after, if it stopped.
    """

    ended: Sequence[object] = ()


#: What code comes to is one of these, or what it returned.
_UNRETURNED = (Raised, Late)


def result_of(outcome: object, call: Call) -> ToolResult:
    """The result of a call from what its code came to."""
    if call.deadline is not None:
        _warn_if_late(outcome, call.deadline, call.name)
    if not isinstance(outcome, _UNRETURNED):
        return outcome if isinstance(outcome, _RESULTS) else ok_of(outcome)
    if isinstance(outcome, Late):
        return _own_error(outcome, call) or _timeout(outcome, call)
    if _saw_its_deadline(outcome, call):
        return _timeout(Late([outcome]), call)
    _log.debug("%s raised", call.name, exc_info=outcome.error)
    return failure(outcome.error, call.name)


def _warn_if_late(outcome: object, deadline: float, name: str) -> None:
    """Tell of code that kept the one who waits for it from waking at the deadline."""
    if monotonic() > deadline + GRACE_S and not isinstance(outcome, Late):
        _log.warning("%s was late: it blocked the event loop, or others did", name)


def _saw_its_deadline(outcome: Raised, call: Call) -> bool:
    """Whether the code stopped itself at its deadline, before who waits for it woke."""
    return (
        isinstance(outcome.error, Stopped)
        and call.deadline is not None
        and monotonic() >= call.deadline
    )


def _timeout(late: Late, call: Call) -> Err:
    return Err(
        ErrorCode.TIMEOUT,
        f"{call.name} did not finish within {call.timeout_s:g} s",
        hint="ask for less at a time"
        if late.ended
        else "it may still be at work; ask for less at a time",
        structured={"timeout_s": call.timeout_s},
    )


def _own_error(late: Late, call: Call) -> Err | None:
    """What a tool that was told to stop has to say itself, such as its output so far."""
    for outcome in late.ended:
        if isinstance(outcome, Err):
            return outcome
        if isinstance(outcome, Raised) and isinstance(outcome.error, ToolError):
            return failure(outcome.error, call.name)
    return None
