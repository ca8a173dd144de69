"""Final answers of a type: given by calling a tool, so that they are checked like arguments."""

from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager

from attrs import evolve, frozen

from qitos_like.core.action import ActionResult
from qitos_like.core.decorator import tool
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.results import Err
from qitos_like.run.find import find

from .model import Model, Reply, Request, complete, connected

NAME = "final_answer"
#: What a model is told that answers in prose.
_INSIST = f"Give your answer by calling {NAME}; when it has been accepted, you are done."


def answer_tool(output_type: object) -> Callable[..., object]:
    """The tool that takes the final answer."""

    def final_answer(answer: object) -> object:
        """Give the final answer, which ends the task; call nothing beside it."""
        return answer

    final_answer.__annotations__["answer"] = output_type
    return tool(name=NAME)(final_answer)


def answer_in(results: Iterable[ActionResult], registry: ToolRegistry) -> ActionResult | None:
    """The result that holds the answer, if it was given and accepted."""
    return next((each for each in results if each.ok and _is_answer(each, registry)), None)


def _is_answer(result: ActionResult, registry: ToolRegistry) -> bool:
    found = find(registry, result.action.name)  # models spell names in more than one way
    return not isinstance(found, Err) and found.entry.name == NAME


@frozen
class Insisting:
    """A model whose answers in prose do not count."""

    model: Model

    def connected(self) -> AbstractAsyncContextManager[None]:
        """The connections of the model itself."""
        return connected(self.model)

    async def complete(self, request: Request) -> Reply:
        """The model's reply.

        Raises:
            Exception: whatever the model fails with.
        """
        reply = await complete(self.model, request)
        if reply.actions or reply.unusable is not None or reply.refusal is not None:
            return reply
        return evolve(reply, unusable=_INSIST)
