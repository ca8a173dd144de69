"""Why a message ended: the words of the providers, and of the servers that speak as they do."""

from qitos_like.core.jsontypes import Json
from qitos_like.errors import ModelError

#: What a model is told whose message ended at the limit of output tokens.
CUT_OFF = (
    "Your message was cut off at the limit of output tokens, so nothing of it was done. "
    "Say less at once: make smaller calls, or answer more briefly."
)
_NO_CALL = "You meant to call a tool, but no call arrived: call it again, or answer the task."
#: What is not whole, by what the model is told.
_BROKEN = {
    **dict.fromkeys(
        ("length", "model_length", "max_tokens", "max_output_tokens"),
        CUT_OFF,
    ),
    "model_context_window_exceeded": CUT_OFF,
    "malformed_function_call": _NO_CALL,
    "unexpected_tool_call": _NO_CALL,
}
_CALLED = frozenset({"tool_calls", "tool_call", "function_call", "tool_use"})
_FILTERED = frozenset({
    *("content_filter", "content_filtered", "guardrail_intervened", "sensitive", "refusal"),
    *("safety", "recitation", "prohibited_content", "blocklist", "spii", "error_toxic"),
})  # fmt: skip
_FAILED = frozenset({
    *("error", "network_error", "insufficient_system_resource"),
    *("abort", "aborted", "cancelled", "canceled"),
})  # fmt: skip


def is_filtered(reason: object) -> bool:
    """Whether a provider's filter or the model itself refused.

    >>> is_filtered("SAFETY"), is_filtered("stop")
    (True, False)
    """
    return _word(reason) in _FILTERED


def check_whole(reason: object, error: Json = None) -> None:
    """Refuse a message that ended by a failure.

    Args:
        reason: why it ended.
        error: what the server says of it beside.

    Raises:
        ModelError: it failed.
    """
    if error or _word(reason) in _FAILED:
        message = f"the completion ended with {reason!r}{f': {error}' if error else ''}"
        raise ModelError(message)


def broken(reason: object) -> str | None:
    """What a model is told of a message that is not whole; its last call is not either."""
    return _BROKEN.get(_word(reason))


def without_call(reason: object) -> str | None:
    """What a model is told whose message has no call, though it ended for one."""
    return _NO_CALL if _word(reason) in _CALLED else None


def _word(reason: object) -> str:
    return str(reason or "").lower().replace("-", "_")
