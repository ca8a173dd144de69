"""Exceptions as ``Err`` values; the one place that words them for a model."""

import asyncio
from collections.abc import Iterator

from qitos_like.core.results import Err, ErrorCode, ToolError

_SHOWN_CAUSES = 5


class Stopped(BaseException):
    """Raised by ``context.raise_if_cancelled()``.

    Not an ``Exception``, so that a tool's ``except Exception`` does not keep it going.
    """


def failure(error: BaseException, name: str) -> Err:
    """What a model is told when a tool raises."""
    if isinstance(error, ToolError):
        return Err(error.code, _text(error) or type(error).__name__, hint=error.hint)
    for kind, code, message in _ROWS:
        if isinstance(error, kind):
            return Err(code, message.format(name=name, error=describe(error)))
    return Err(ErrorCode.EXECUTION_FAILED, f"{name} failed: {describe(error)}")


def is_unforeseen(error: Err, name: str) -> bool:
    """Whether a tool raised what is not meant for a model, or did not end in time."""
    if error.code in {ErrorCode.TIMEOUT, ErrorCode.CANCELLED}:
        return True
    return error.code == ErrorCode.EXECUTION_FAILED and error.error.startswith(
        (f"{name} failed: ", f"{name} tried to ", f"{name} called itself ", f"{name} ran, but ")
    )


def describe(error: BaseException) -> str:
    """The exception's kind and text, or those of the exceptions that it groups."""
    leaves = list(_leaves(error))
    shown = [_one(leaf) for leaf in leaves[:_SHOWN_CAUSES]]
    if len(leaves) > _SHOWN_CAUSES:
        shown.append(f"and {len(leaves) - _SHOWN_CAUSES} more")
    return "; ".join(shown)


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error


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
