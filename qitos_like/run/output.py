"""The last step: what a model is shown of a result, in its share of the turn's budget."""

import logging
from collections.abc import Sequence
from typing import Protocol

from attrs import evolve

from qitos_like.core.action import ActionResult
from qitos_like.core.jsontypes import Json
from qitos_like.core.raised import contained, describe
from qitos_like.core.results import Err, ErrorCode, Ok, ToolResult
from qitos_like.core.spec import ToolSpec
from qitos_like.core.traits import Serializer

from . import serialise
from .budget import ERROR_LIMIT, Budget
from .cut import Count, cut
from .failures import Fault
from .keeping import Keeper
from .large import MOST_CHARS
from .untrusted import Block

#: What comes of tools alone: successes, and failures of their own.
_OF_TOOLS = frozenset({None, ErrorCode.EXECUTION_FAILED})

_log = logging.getLogger("qitos_like")


#: An action's result with all of its text, before the turn's budget is shared, and its tool's spec.
Answer = tuple[ActionResult, ToolSpec | None]


class Render(Protocol):
    """As ``render``."""

    def __call__(
        self, result: ToolResult, spec: ToolSpec | None, *, in_steps: bool = False
    ) -> tuple[ToolResult, str]:
        """The result and its text."""
        ...


def render(
    result: ToolResult, spec: ToolSpec | None, *, in_steps: bool = False
) -> tuple[ToolResult, str]:
    """A result and its whole text; one that cannot be shown becomes an error of its own.

    Args:
        result: what came of an action.
        spec: its tool, if it was found.
        in_steps: whether other threads should run meanwhile, since the result is large.
    """
    try:
        if isinstance(result, Err):
            return contained(_of_error, result)
        serializer = "auto" if spec is None else spec.result_serializer
        value = result.value
        if type(value) is str and serializer != "json" and result.structured is None:
            return result, value if value.isascii() else serialise.wellformed(value)
        of_value = _of_large if in_steps else _of_value
        return contained(of_value, result, serializer)
    except serialise.NotJsonError as error:
        reason = str(error)
    except Exception as error:  # user code: a value's own __str__, fields and iteration
        _log.debug("a result cannot be shown", exc_info=True)
        reason = describe(error)
    message = f"{'it' if spec is None else spec.name} ran, but its result cannot be shown: {reason}"
    return _of_error(Fault(ErrorCode.EXECUTION_FAILED, message, retryable=False))


def short_text(result: ToolResult) -> str | None:
    """The text of a result that is nothing but a text, as ``render`` shows it; or else nothing."""
    value = result.value if type(result) is Ok else None
    if type(value) is not str or len(value) > MOST_CHARS or not value.isascii():
        return None
    return value if result.structured is None else None


def limit(spec: ToolSpec | None, budget: Budget) -> int:
    """What one result may measure when nothing else is in its turn."""
    own = None if spec is None else spec.max_result_chars
    return budget.limit if own is None else min(own, budget.per_turn)


def fit(answers: Sequence[Answer], budget: Budget, keeper: Keeper) -> list[ActionResult]:
    """What the model is shown of a turn: each text within its limit, and all within the budget."""
    count = len if budget.count is len else _safe(budget.count)
    left, least, results = budget.per_turn, budget.least, []
    for answer, spec in answers:
        size = count(answer.text)
        left -= size
        is_usual = spec is not None and spec.max_result_chars is None and not spec.output_untrusted
        if left < 0 or size > least or not is_usual:
            return _fitted(answers, budget, keeper)
        results.append(answer)
    return results


def _fitted(answers: Sequence[Answer], budget: Budget, keeper: Keeper) -> list[ActionResult]:
    """The same where some may have to be cut or marked."""
    count = _safe(budget.count)
    caps = [_cap(answer, spec, budget) for answer, spec in answers]
    sizes = [count(answer.text) for answer, _ in answers]
    wanted = [*map(min, sizes, caps)]
    shares = budget.shares(wanted) if sum(wanted) > budget.per_turn else caps
    return [
        _shown(answer, count, keeper, share=share)
        for answer, share in zip(answers, shares, strict=True)
    ]


def _cap(answer: ActionResult, spec: ToolSpec | None, budget: Budget) -> int:
    """What it may measure when nothing else is in its turn."""
    own = None if spec is None else spec.max_result_chars
    cap = budget.limit if own is None else min(own, budget.per_turn)
    return min(cap, ERROR_LIMIT) if isinstance(answer.result, Err) else cap


def _shown(whole: Answer, count: Count, keeper: Keeper, *, share: int) -> ActionResult:
    answer, spec = whole
    text, result = answer.text, answer.result
    # What was refused has a text of our own; a hook may have the tool's from another time.
    is_foreign = answer.attempts > 0 or answer.code in _OF_TOOLS
    is_untrusted = spec is not None and spec.output_untrusted and is_foreign
    block = Block(spec.name) if spec is not None and is_untrusted else None
    room = share if block is None else max(share - block.size(count), 0)
    if count(text) > room:
        kept = keeper.keep(text, spec)
        text = cut(text, room, count, note=kept.note)
        if isinstance(result, Ok) and kept.name is not None:
            result = evolve(result, artifact=kept.name)
    if block is None and text is answer.text:
        return answer
    return evolve(answer, result=result, text=text if block is None else block.around(text))


def _of_error(error: Err) -> tuple[Err, str]:
    """An error and its text; what a tool made itself may hold anything."""
    said = str(error.error) or f"it failed, and did not say why ({error.code})"
    hint = None if error.hint is None else str(error.hint)
    text = f"{said}\n{hint}" if hint else said
    shown = evolve(error, error=said, hint=hint, structured=_facts(error.structured))
    return shown, serialise.wellformed(text)


def _facts(structured: Json) -> Json:
    """An error's facts as plain data; none where they have no form, since the text counts."""
    try:
        return None if structured is None else contained(serialise.data, structured)
    except Exception:  # user code: what a tool put there, with its own fields and iteration
        _log.warning("the facts of an error cannot be shown", exc_info=True)
        return None


def _of_value(result: Ok, serializer: Serializer) -> tuple[Ok, str]:
    value = result.value
    text = "" if value is None and result.parts else serialise.text(value, serializer)
    given = value if result.structured is None else result.structured
    if given is not value or serialise.is_structured(value):
        result = evolve(result, structured=serialise.data(given))
    return result, text


def _of_large(result: Ok, serializer: Serializer) -> tuple[Ok, str]:
    if serializer == "str" or result.structured is not None or isinstance(result.value, str):
        return _of_value(result, serializer)
    text, data = serialise.both(result.value)
    return (evolve(result, structured=data) if isinstance(data, dict) else result), text


def _safe(count: Count) -> Count:
    """The counter, which counts characters where it fails."""

    def guarded(text: str) -> int:
        try:
            size = count(text)
            if size >= 0:  # which is wrong of NaN too, and raises for what is no number
                return size
            _log.warning("the budget's count is %r of %d characters", size, len(text))
        except Exception:  # user code: a counter that fails must not cost a result
            _log.warning("the budget's count raised", exc_info=True)
        return len(text)

    return guarded
