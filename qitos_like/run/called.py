"""What an executor's tools were called with, for looking back."""

from collections import deque
from collections.abc import Mapping
from functools import partial

from attrs import field, frozen

from qitos_like.core.jsontypes import Json
from qitos_like.core.results import Err, ErrorCode, ToolResult

from . import jsontext
from .plan import Ready

_KEPT = 1_000
_REFUSED = frozenset({ErrorCode.DENIED, ErrorCode.NEEDS_APPROVAL, ErrorCode.OVER_BUDGET})


@frozen
class Called:
    """One call.

    Attributes:
        name: the tool's qualified name.
        args: as they were accepted.
    """

    name: str
    args: Mapping[str, Json]


@frozen(eq=False)
class Calls:
    """The last calls of one executor, in the order in which they ended."""

    #: Arguments that were accepted as they came stay text, which costs no collection of garbage.
    _latest: deque[tuple[str, Mapping[str, Json] | str]] = field(
        factory=partial(deque, maxlen=_KEPT), init=False
    )

    def note(self, plan: Ready, result: ToolResult, attempts: int) -> None:
        """Keep a call, unless it was refused before the tool ran."""
        if attempts or not isinstance(result, Err) or result.code not in _REFUSED:
            args, prepared, arguments = plan.action.args, plan.prepared, plan.arguments
            is_as_sent = type(args) is str and prepared.is_plain and not arguments.repairs
            self._latest.append((prepared.name, args if is_as_sent else arguments.given))

    def latest(self) -> tuple[Called, ...]:
        """The calls that are kept, the latest last."""
        return tuple(Called(name, _read(args)) for name, args in self._latest)


def _read(args: Mapping[str, Json] | str) -> Mapping[str, Json]:
    if not isinstance(args, str):
        return args
    read: Mapping[str, Json] = jsontext.parse(args) if args.strip() else {}
    return read
