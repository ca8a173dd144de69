"""The last step: what a model is shown of a result, in its share of the turn's budget."""

import logging
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from attrs import evolve

from qitos_like.core.results import Err, ErrorCode, Ok, ToolResult
from qitos_like.core.spec import ToolSpec
from qitos_like.core.traits import Serializer

from . import serialise
from .budget import Budget
from .cut import Count, cut
from .failures import describe
from .keeping import Keeper
from .untrusted import Block

ERROR_LIMIT = 4_000

_log = logging.getLogger("qitos_like")


class Rendered(NamedTuple):
    """A result and all of its text.

    Attributes:
        result: what the tool produced; an ``Err`` if it has no text.
        text: the text, whole.
        spec: the tool, if it was found.
        is_untrusted: whether the text may come from outside.
    """

    result: ToolResult
    text: str
    spec: ToolSpec | None = None
    is_untrusted: bool = False


class Render(Protocol):
    """As ``render``."""

    def __call__(
        self, result: ToolResult, spec: ToolSpec | None, *, has_run: bool = False
    ) -> Rendered:
        """The whole text of a result."""
        ...


def render(result: ToolResult, spec: ToolSpec | None, *, has_run: bool = False) -> Rendered:
    """The whole text of a result; one that cannot be shown becomes an error of its own.

    Args:
        result: what came of an action.
        spec: its tool, if it was found.
        has_run: whether the tool's code has run, so that the text may come from outside.
    """
    is_untrusted = has_run and spec is not None and spec.output_untrusted
    try:
        if isinstance(result, Err):
            shown, text = _of_error(result)
            return Rendered(shown, text, spec, is_untrusted)
        value, text = _of_value(result, "auto" if spec is None else spec.result_serializer)
        return Rendered(value, text, spec, is_untrusted)
    except serialise.NotJsonError as error:
        reason = str(error)
    except Exception as error:  # user code: a value's own __str__, fields and iteration
        _log.debug("a result cannot be shown", exc_info=True)
        reason = describe(error)
    message = f"{'it' if spec is None else spec.name} ran, but its result cannot be shown: {reason}"
    failed = Err(ErrorCode.EXECUTION_FAILED, message, retryable=False)
    return Rendered(*_of_error(failed), spec)


def limit(spec: ToolSpec | None, budget: Budget) -> int:
    """What one result may measure when nothing else is in its turn."""
    own = None if spec is None else spec.max_result_chars
    return budget.limit if own is None else min(own, budget.per_turn)


def fit(
    rendered: Sequence[Rendered], budget: Budget, keeper: Keeper
) -> list[tuple[ToolResult, str]]:
    """What the model is shown of a turn: each text within its limit, and all within the budget."""
    count = _safe(budget.count)
    sizes, caps, wanted = [], [], 0
    for each in rendered:
        size, cap = count(each.text), _cap(each, budget)
        sizes.append(size)
        caps.append(cap)
        wanted += min(size, cap)
    shares = caps if wanted <= budget.per_turn else budget.shares([*map(min, sizes, caps)])
    return [
        (each.result, each.text)
        if sizes[index] <= shares[index] and not each.is_untrusted
        else _shown(each, count, keeper, share=shares[index])
        for index, each in enumerate(rendered)
    ]


def _cap(rendered: Rendered, budget: Budget) -> int:
    own = limit(rendered.spec, budget)
    return min(own, ERROR_LIMIT) if isinstance(rendered.result, Err) else own


def _shown(
    rendered: Rendered, count: Count, keeper: Keeper, *, share: int
) -> tuple[ToolResult, str]:
    result, text, spec = rendered.result, rendered.text, rendered.spec
    block = Block(spec.name) if spec is not None and rendered.is_untrusted else None
    room = share if block is None else max(share - block.size(count), 0)
    if count(text) > room:
        kept = keeper.keep(text, spec)
        text = cut(text, room, count, note=kept.note)
        if isinstance(result, Ok) and kept.name is not None:
            result = evolve(result, artifact=kept.name)
    return result, text if block is None else block.around(text)


def _of_error(error: Err) -> tuple[Err, str]:
    said = str(error.error)  # what a tool made itself may hold anything
    text = f"{said}\n{error.hint}" if error.hint else said
    return evolve(error, error=said), serialise.wellformed(text)


def _of_value(result: Ok, serializer: Serializer) -> tuple[Ok, str]:
    value = result.value
    if type(value) is str and serializer != "json" and result.structured is None:
        return result, serialise.wellformed(value)
    text = "" if value is None and result.parts else serialise.text(value, serializer)
    given = value if result.structured is None else result.structured
    if given is not value or serialise.is_structured(value):
        result = evolve(result, structured=serialise.data(given))
    return result, text


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
