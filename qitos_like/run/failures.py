"""Exceptions as ``Err`` values, for a model."""

import asyncio

from qitos_like.core.raised import contained, describe, text_of
from qitos_like.core.results import Err, ErrorCode, ToolError, ToolResult


class Stopped(BaseException):
    """Raised by ``context.raise_if_cancelled()``.

    Not an ``Exception``, so that a tool's ``except Exception`` does not keep it going.
    """


class Fault(Err):
    """A failure that nobody wrote for a model: an exception, or a result that is none.

    >>> Fault("execution_failed", "half failed: ZeroDivisionError").code
    <ErrorCode.EXECUTION_FAILED: 'execution_failed'>
    """

    __slots__ = ()


def failure(error: BaseException, name: str) -> Err:
    """What a model is told when a tool raises."""
    if isinstance(error, ToolError):
        try:
            return contained(_own, error)
        except Exception as raised:  # user code: a subclass with properties of its own
            message = f"{name} failed, and how cannot be told: {describe(raised)}"
            return Fault(ErrorCode.EXECUTION_FAILED, message)
    for kind, code, message in _ROWS:
        if isinstance(error, kind):
            return Fault(code, message.format(name=name, error=describe(error)))
    return Fault(ErrorCode.EXECUTION_FAILED, f"{name} failed: {describe(error)}")


def is_unforeseen(result: ToolResult) -> bool:
    """Whether a tool raised or returned what is not meant for a model, or did not end in time."""
    in_time = result.ok or result.code not in {ErrorCode.TIMEOUT, ErrorCode.CANCELLED}
    return isinstance(result, Fault) or not in_time


def _own(error: ToolError) -> Err:
    """What a tool has to say itself."""
    return Err(_code(error), text_of(error) or type(error).__name__, hint=error.hint)


def _code(error: ToolError) -> ErrorCode:
    try:
        return ErrorCode(error.code)
    except ValueError:  # a subclass has codes of its own
        return ErrorCode.EXECUTION_FAILED


#: Exceptions that end more than a call everywhere else, and what a model is told of each.
_ROWS: tuple[tuple[type[BaseException], ErrorCode, str], ...] = (
    (asyncio.CancelledError, ErrorCode.CANCELLED, "{name} cancelled itself"),
    (Stopped, ErrorCode.CANCELLED, "{name} stopped because its call was cancelled"),
    (SystemExit, ErrorCode.EXECUTION_FAILED, "{name} tried to end the program ({error})"),
    (RecursionError, ErrorCode.EXECUTION_FAILED, "{name} called itself too deep ({error})"),
)
