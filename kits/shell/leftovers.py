"""Processes that no supervisor looks after any more, found by a mark in their environment."""

from contextlib import suppress
from time import monotonic

import psutil

#: The variable that every process below a shell inherits.
MARK = "QITOS_LIKE_SHELL"

_WAIT_S = 2.0


def kill(mark: str) -> None:
    """Kill every process that bears this mark.

    For the case that the supervisor itself was killed, and for systems without a subreaper.
    """
    deadline = monotonic() + _WAIT_S
    while (found := _marked(mark)) and monotonic() < deadline:
        for process in found:
            with suppress(psutil.Error):
                process.kill()


def _marked(mark: str) -> list[psutil.Process]:
    return [process for process in psutil.process_iter() if _bears(process, mark)]


def _bears(process: psutil.Process, mark: str) -> bool:
    try:
        return process.environ().get(MARK) == mark
    except (psutil.Error, OSError):  # gone, or another user's
        return False
