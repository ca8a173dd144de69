"""Running a tool's code in a process of its own, where it can be killed."""

import asyncio
import os
import pickle
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from attrs import frozen

from qitos_like.core.base import BaseTool
from qitos_like.core.results import Err, ErrorCode, ToolError, ToolResult

from . import hosts
from .call import Call, FunctionCall
from .failures import Stopped, describe
from .invoke import Invoker

_POLL_S = 0.02


@frozen
class Code:
    """A tool's code with its arguments; all of it has to be picklable, and the value too.

    Attributes:
        name: the tool's, for texts.
        tool: has the code.
        positional, named: what it is called with.
    """

    name: str
    tool: BaseTool
    positional: Sequence[object]
    named: Mapping[str, object]

    def call(self) -> object:
        """Call the code, here."""
        return self.tool.run(*self.positional, **self.named)


def run(code: Code, call: Call) -> ToolResult:
    """What the code comes to in a fresh process; blocks until it is over, or the call is stopped.

    Raises:
        ToolError: it cannot be sent there, or the process died.
        Stopped: it was told to stop, and was killed.
    """
    context = get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_begin, args=(there, code), daemon=True)
    with here:
        with there:
            _start(process, code)
        try:
            while not here.poll(_POLL_S):
                if call.is_stopped:
                    raise Stopped
            return _received(here, process, code)
        finally:
            _kill(process)


def _start(process: BaseProcess, code: Code) -> None:
    try:
        process.start()
    except Exception as error:  # user code: what a tool and its arguments do when pickled
        message = f"{code.name} cannot run in a process of its own: {describe(error)}"
        raise ToolError(message) from error


def _received(here: Connection, process: BaseProcess, code: Code) -> ToolResult:
    try:
        result: ToolResult = pickle.loads(here.recv_bytes())  # noqa: S301 (from our own process)
    except EOFError:
        process.join(1)
        message = f"the process of {code.name} died with exit code {process.exitcode}"
        raise ToolError(message) from None
    return result


def _kill(process: BaseProcess) -> None:
    """End the process and those that it started."""
    if process.pid is None:
        return
    with suppress(ProcessLookupError, PermissionError, AttributeError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()


def _begin(there: Connection, code: Code) -> None:
    """Lead a group of processes, where there are such, and serve."""
    with suppress(AttributeError):
        os.setsid()
    _serve(there, code)


def _serve(there: Connection, code: Code) -> None:
    """Run the code, and tell what came of it."""
    result = asyncio.run(_outcome(code))
    try:
        message = pickle.dumps(result)
    except Exception as error:  # user code: what a value does when it is pickled
        text = f"{code.name} ran, but its result cannot leave its process: {describe(error)}"
        message = pickle.dumps(Err(ErrorCode.EXECUTION_FAILED, text, retryable=False))
    there.send_bytes(message)


async def _outcome(code: Code) -> ToolResult:
    call = FunctionCall(code.name, code.call, is_async=False)
    return await Invoker(1).invoke(call, hosts.current())
