"""The last step: what a model is shown of a result, in its share of the turn's budget."""

import logging
from collections.abc import Sequence

from attrs import evolve, frozen

from qitos_like.core.results import Err, ErrorCode, Ok, ToolResult
from qitos_like.core.spec import ToolSpec
from qitos_like.core.traits import Serializer

from . import serialise
from .budget import Budget
from .cut import Count, cut
from .failures import describe

ERROR_LIMIT = 4_000

_log = logging.getLogger("qitos_like")


@frozen
class Rendered:
    """A result and all of its text.

    Attributes:
        result: what the tool produced; an ``Err`` if it has no text.
        text: the text, whole.
    """

    result: ToolResult
    text: str


def render(result: ToolResult, spec: ToolSpec | None) -> Rendered:
    """The whole text of a result; one that cannot be shown becomes an error of its own."""
    try:
        if isinstance(result, Err):
            return _of_error(result)
        return _of_value(result, "auto" if spec is None else spec.result_serializer)
    except serialise.NotJsonError as error:
        reason = str(error)
    except Exception as error:  # user code: a value's own __str__, fields and iteration
        _log.debug("a result cannot be shown", exc_info=True)
        reason = describe(error)
    message = f"{'it' if spec is None else spec.name} ran, but its result cannot be shown: {reason}"
    return _of_error(Err(ErrorCode.EXECUTION_FAILED, message, retryable=False))


def limit(spec: ToolSpec | None, budget: Budget) -> int:
    """What one result may measure when nothing else is in its turn."""
    own = None if spec is None else spec.max_result_chars
    return min(budget.per_result if own is None else own, budget.per_turn)


def fit(rendered: Sequence[Rendered], limits: Sequence[int], budget: Budget) -> list[str]:
    """The texts of a turn, each within its limit and all within the turn's budget."""
    caps = [
        own if each.result.ok else min(own, ERROR_LIMIT)
        for each, own in zip(rendered, limits, strict=True)
    ]
    count = _safe(budget.count)
    sizes = [min(count(each.text), cap) for each, cap in zip(rendered, caps, strict=True)]
    shares = budget.shares(sizes) if sum(sizes) > budget.per_turn else caps
    return [cut(each.text, share, count) for each, share in zip(rendered, shares, strict=True)]


def _of_error(error: Err) -> Rendered:
    said = str(error.error)  # what a tool made itself may hold anything
    text = f"{said}\n{error.hint}" if error.hint else said
    return Rendered(evolve(error, error=said), serialise.wellformed(text))


def _of_value(result: Ok, serializer: Serializer) -> Rendered:
    value = result.value
    if type(value) is str and serializer != "json" and result.structured is None:
        return Rendered(result, serialise.wellformed(value))
    text = "" if value is None and result.parts else serialise.text(value, serializer)
    given = value if result.structured is None else result.structured
    if given is not value or serialise.is_structured(value):
        result = evolve(result, structured=serialise.data(given))
    return Rendered(result, text)


def _safe(count: Count) -> Count:
    """The counter, which counts characters where it raises."""
    if count is len:
        return count

    def guarded(text: str) -> int:
        try:
            return count(text)
        except Exception:  # user code: a counter that fails must not cost a result
            _log.warning("the budget's count raised", exc_info=True)
            return len(text)

    return guarded
