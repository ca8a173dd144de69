"""Running a tool's code in a process of its own, where it can be killed."""

import os
import signal
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from qitos_like.core.raised import describe
from qitos_like.core.results import ToolError, ToolResult

from .call import Call
from .failures import Stopped
from .remote import Code, received, served

_POLL_S = 0.02
_WHERE = "in a process of its own"


def run(code: Code, call: Call) -> ToolResult:
    """What the code comes to in a fresh process; blocks until it is over, or is told to stop.

    Raises:
        ToolError: it cannot be sent there.
        Stopped: it was told to stop, and was killed.
    """
    context = get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_begin, args=(there, code.pickled(_WHERE)), daemon=True)
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
    except Exception as error:  # the machine's limits, and what a main module does when imported
        message = f"{code.name} cannot run {_WHERE}: {describe(error)}"
        raise ToolError(message) from error


def _received(here: Connection, process: BaseProcess, code: Code) -> ToolResult:
    try:
        return received(here.recv_bytes())
    except EOFError:
        process.join(1)
        return code.lost(f"the process of {code.name} died with exit code {process.exitcode}")


def _kill(process: BaseProcess) -> None:
    """End the process and those that it started."""
    if process.pid is None:
        return
    with suppress(ProcessLookupError, PermissionError, AttributeError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()


def _begin(there: Connection, sent: bytes) -> None:
    """Lead a group of processes, where there are such, and serve."""
    with suppress(AttributeError):
        os.setsid()
    there.send_bytes(served(sent))
