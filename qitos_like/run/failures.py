"""Exceptions as ``Err`` values; the one place that words them for a model."""

import asyncio

from qitos_like.core.results import Err, ErrorCode, ToolError, ToolResult

_SHOWN_CAUSES = 5


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
        return Err(_code(error), _text(error) or type(error).__name__, hint=error.hint)
    for kind, code, message in _ROWS:
        if isinstance(error, kind):
            return Fault(code, message.format(name=name, error=describe(error)))
    return Fault(ErrorCode.EXECUTION_FAILED, f"{name} failed: {describe(error)}")


def is_unforeseen(result: ToolResult) -> bool:
    """Whether a tool raised or returned what is not meant for a model, or did not end in time."""
    in_time = result.ok or result.code not in {ErrorCode.TIMEOUT, ErrorCode.CANCELLED}
    return isinstance(result, Fault) or not in_time


def describe(error: BaseException) -> str:
    """The exception's kind and text, or those of the exceptions that it groups."""
    try:
        leaves = _leaves(error)
        shown = [_one(leaf) for leaf in leaves[:_SHOWN_CAUSES]]
    except Exception as raised:  # user code: what an exception does when it is looked at
        return f"an exception that cannot be told ({type(raised).__name__})"
    if len(leaves) > _SHOWN_CAUSES:
        shown.append(f"and {len(leaves) - _SHOWN_CAUSES} more")
    return "; ".join(shown)


def _leaves(error: BaseException) -> list[BaseException]:
    """The exceptions of a group, however deep they are, in their order."""
    leaves, waiting = [], [error]
    while waiting:
        each = waiting.pop()
        if isinstance(each, BaseExceptionGroup):
            waiting += reversed(each.exceptions)
        else:
            leaves.append(each)
    return leaves


def _code(error: ToolError) -> ErrorCode:
    try:
        return ErrorCode(error.code)
    except ValueError:  # a subclass has codes of its own
        return ErrorCode.EXECUTION_FAILED


def _one(error: BaseException) -> str:
    kind, text = type(error).__name__, _text(error)
    return f"{kind}: {text}" if text else kind


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as raised:  # user code: an exception's __str__
        return f"(its __str__ raised {type(raised).__name__})"


#: Exceptions that end more than a call everywhere else, and what a model is told of each.
_ROWS: tuple[tuple[type[BaseException], ErrorCode, str], ...] = (
    (asyncio.CancelledError, ErrorCode.CANCELLED, "{name} cancelled itself"),
    (Stopped, ErrorCode.CANCELLED, "{name} stopped because its call was cancelled"),
    (SystemExit, ErrorCode.EXECUTION_FAILED, "{name} tried to end the program ({error})"),
    (RecursionError, ErrorCode.EXECUTION_FAILED, "{name} called itself too deep ({error})"),
)
