"""Whether a result is what the tool's ``output_schema`` promises."""

import logging

import attrs
from attrs import evolve, frozen

from qitos_like.core.jsontypes import Json
from qitos_like.core.raised import contained
from qitos_like.core.results import Err, ErrorCode, Ok, ToolResult
from qitos_like.core.schema.problems import ArgumentsError, Problem

from . import serialise
from .failures import Fault
from .large import is_large
from .validation import Validation

_MAX_DEPTH = 200
_SHOWN_PROBLEMS = 20

_log = logging.getLogger("qitos_like")


@frozen(eq=False)
class Promise:
    """What one tool says of its results.

    Attributes:
        name: the tool's, for error texts.
        validation: the check by its schema.
    """

    name: str
    validation: Validation

    def kept(self, result: ToolResult) -> ToolResult:
        """A success with its data, or an error where that breaks the promise."""
        if isinstance(result, Err):
            return result
        try:
            data = contained(_data, result)
        except Exception:  # user code: a value's own fields; the next step says what is wrong
            _log.debug("a result is no data", exc_info=True)
            return result
        problems = self._problems(data)
        return self._broken(problems) if problems else evolve(result, structured=data)

    def _problems(self, data: Json) -> list[Problem]:
        if _is_deep(data):  # a validator recurses as deep as its data
            return [Problem("$", f"nested deeper than {_MAX_DEPTH} levels")]
        try:
            return self.validation.problems(data)
        except ArgumentsError as error:
            return list(error.problems)

    def _broken(self, problems: list[Problem]) -> Err:
        shown = problems[:_SHOWN_PROBLEMS]
        message = f"{self.name} ran, but its result is not what its output schema promises:"
        return Fault(
            ErrorCode.EXECUTION_FAILED,
            "\n".join([message, *map(str, shown)]),
            retryable=False,
            structured={"problems": [attrs.asdict(problem) for problem in shown]},
        )


def _data(result: Ok) -> Json:
    given = result.value if result.structured is None else result.structured
    return serialise.both(given)[1] if is_large(given) else serialise.data(given)


def _is_deep(data: Json) -> bool:
    level: list[Json] = [data]
    for _ in range(_MAX_DEPTH):
        level = [part for each in level for part in _parts(each)]
        if not level:
            return False
    return True


def _parts(data: Json) -> list[Json]:
    if isinstance(data, dict):
        return list(data.values())
    return data if isinstance(data, list) else []
