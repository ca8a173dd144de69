"""A tool's code on its way to another process, and what comes back of it."""

import asyncio
import pickle
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Protocol

from attrs import frozen

from qitos_like.core.base import BaseTool
from qitos_like.core.context import ToolContext
from qitos_like.core.raised import describe
from qitos_like.core.results import Err, ErrorCode, ToolError, ToolResult

from . import hosts
from .call import Call, FunctionCall
from .failures import Fault
from .invoke import Invoker


@frozen
class Code:
    """A tool's code with its arguments; to be sent, all of it has to be picklable.

    Attributes:
        name: the tool's, for texts.
        tool: has the code.
        positional, named: what it is called with.
        writes: whether it must not be run twice.
    """

    name: str
    tool: BaseTool
    positional: Sequence[object]
    named: Mapping[str, object]
    writes: bool = False

    def call(self) -> object:
        """Call the code, here."""
        return self.tool.run(*self.positional, **self.named)

    def pickled(self, where: str, dumps: Callable[[object], bytes] = pickle.dumps) -> bytes:
        """The whole as bytes.

        Raises:
            ToolError: it cannot be sent.
        """
        if any(isinstance(each, ToolContext) for each in (*self.positional, *self.named.values())):
            message = (
                f"{self.name} cannot run {where}: it takes a ToolContext, which stays with its "
                "executor"
            )
            raise ToolError(message)
        try:
            return dumps(self)
        except Exception as error:  # user code: what a tool and its arguments do when pickled
            message = f"{self.name} cannot run {where}: {describe(error)}"
            raise ToolError(message) from error

    def lost(self, message: str) -> Err:
        """What a model is told when whoever ran it is gone."""
        hint = "it may have been done in part: look before you call it again"
        return Fault(
            ErrorCode.EXECUTION_FAILED,
            message,
            hint=hint if self.writes else None,
            retryable=False if self.writes else None,
        )


class Workers(Protocol):
    """Who runs code elsewhere."""

    def send(self, code: Code, call: Call) -> "Future[object]":
        """Start it; the future has the value, or the bytes of a result.

        Raises:
            ToolError: it cannot be sent.
            RuntimeError: no work is taken.
        """
        ...

    def is_death(self, error: BaseException) -> bool:
        """Whether a future's error says that a worker died."""
        ...

    def settle(self, future: "Future[object]") -> None:
        """Tidy up after what was sent, whatever became of it."""
        ...

    def forget(self) -> None:
        """Let go of what was made here; the next work has another."""
        ...


def served(sent: bytes) -> bytes:
    """Run what was sent, and send what comes of it."""
    code: Code = pickle.loads(sent)  # noqa: S301 (from our own executor)
    return answer_of(code)


def answer_of(code: Code) -> bytes:
    """Run the code in a loop of its own; the result as bytes."""
    result = asyncio.run(_outcome(code))
    try:
        return pickle.dumps(result)
    except Exception as error:  # user code: what a value does when it is pickled
        text = f"{code.name} ran, but its result cannot leave its process: {describe(error)}"
        return pickle.dumps(Fault(ErrorCode.EXECUTION_FAILED, text, retryable=False))


def received(answer: bytes) -> ToolResult:
    """The result that was sent.

    Raises:
        ToolError: it cannot be read here.
    """
    try:
        result: ToolResult = pickle.loads(answer)  # noqa: S301 (from our own process)
    except Exception as error:  # user code: what a value does when it is made again
        message = f"the result cannot be read: {describe(error)}"
        raise ToolError(message) from error
    return result


async def _outcome(code: Code) -> ToolResult:
    call = FunctionCall(code.name, code.call, is_async=False)
    return await Invoker(1).invoke(call, hosts.current())
