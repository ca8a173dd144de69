"""When a tool's code is run again: where that may help, and can do no harm."""

import random
from time import monotonic

from qitos_like.core.results import Err, ErrorCode, ToolResult
from qitos_like.core.spec import ToolSpec

#: The same call can only end in the same way, or somebody said no.
_FINAL = frozenset(
    {
        ErrorCode.CANCELLED,
        ErrorCode.DENIED,
        ErrorCode.INPUT_INVALID,
        ErrorCode.NEEDS_APPROVAL,
        ErrorCode.OVER_BUDGET,
        ErrorCode.STALE_WRITE,
        ErrorCode.UNKNOWN_TOOL,
    }
)
_FIRST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 5.0


def pause_s(
    result: ToolResult, spec: ToolSpec, *, attempts: int, deadline: float | None
) -> float | None:
    """How long to wait before the next attempt; ``None`` if there should be none.

    Each pause is about twice as long as the one before, and none goes beyond the deadline.
    """
    if attempts > spec.max_retries or not _may_help(result, spec):
        return None
    longest = min(_FIRST_PAUSE_S * float(1 << min(attempts - 1, 16)), _LONGEST_PAUSE_S)
    pause = longest * random.uniform(0.5, 1.0)  # noqa: S311 (no secret: calls are to spread out)
    if deadline is not None and monotonic() + pause >= deadline:
        return None
    return pause


def _may_help(result: ToolResult, spec: ToolSpec) -> bool:
    if not isinstance(result, Err) or result.retryable is False or result.code in _FINAL:
        return False
    # What ran into a timeout may have been done all the same.
    return result.code is not ErrorCode.TIMEOUT or not writes(spec)


def writes(spec: ToolSpec) -> bool:
    """Whether a call may leave traces, so that it must not be repeated unasked."""
    permissions = spec.permissions
    return bool(spec.writes) or permissions.filesystem_write or permissions.command
