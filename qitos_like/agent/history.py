"""How much of a conversation a model is shown again."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager

from attrs import evolve, field, frozen

from qitos_like.core.action import ActionResult
from qitos_like.core.results import Ok

from .model import Message, Model, Reply, Request, Results, complete, connected

#: Makes of all messages those that a model is shown.
History = Callable[[Sequence[Message]], Sequence[Message]]
_SHORT_CHARS = 200


@frozen
class ElideOldResults:
    """Keeps the last results as they are, and a line of each older one.

    Short results stay, and so does what the model itself said.

    Attributes:
        keep: how many results stay whole.

    >>> ElideOldResults(keep=5)([])
    []
    """

    keep: int = field(default=5, kw_only=True)

    def __call__(self, messages: Sequence[Message]) -> Sequence[Message]:
        """The messages with the older results elided."""
        left = self.keep
        shown: list[Message] = []
        for message in reversed(messages):
            if isinstance(message, Results):
                whole = min(left, len(message.results))
                left -= whole
                shown.append(Results(_elided(message.results, whole)))
            else:
                shown.append(message)
        return shown[::-1]


@frozen
class Remembering:
    """A model that is shown its history in another form."""

    model: Model
    history: History

    def connected(self) -> AbstractAsyncContextManager[None]:
        """The connections of the model itself."""
        return connected(self.model)

    async def complete(self, request: Request) -> Reply:
        """The model's reply to what it is shown.

        Raises:
            Exception: whatever the model or the history fails with.
        """
        messages = tuple(self.history(request.messages))
        return await complete(self.model, evolve(request, messages=messages))


def _elided(results: Sequence[ActionResult], whole: int) -> Iterator[ActionResult]:
    old = len(results) - whole
    for position, result in enumerate(results):
        yield result if position >= old else _line(result)


def _line(result: ActionResult) -> ActionResult:
    if len(result.text) <= _SHORT_CHARS and not result.parts:
        return result
    lines = result.text.count("\n") + 1
    text = f"[{lines:,} lines of an older result are left out; call again if you need them]"
    kept = evolve(result.result, parts=()) if isinstance(result.result, Ok) else result.result
    return evolve(result, result=kept, text=text)
