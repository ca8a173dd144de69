"""Who is told of a run as it goes on: its trace, and those who asked for its steps."""

import logging
from collections.abc import Callable

from attrs import frozen

from .step import Step
from .stream import Watch
from .trace import Record, TraceFile, step_record

_log = logging.getLogger("qitos_like")


@frozen(eq=False)
class Recording:
    """Tells of the runs of one engine; none of those who are told can break a run.

    Attributes:
        trace: has a line for each part of a run.
        on_step: called with each step as it ends.
    """

    trace: TraceFile | None
    on_step: Callable[[Step], object] | None

    def begin(self, record: Record) -> None:
        """A run begins.

        Raises:
            OSError: the trace cannot be begun.
        """
        if self.trace is not None:
            self.trace.write(record)

    def step(self, watch: Watch | None, step: Step) -> None:
        """A step has ended, of a run that somebody may watch."""
        self._write(step_record(step))
        if watch is not None:
            watch.on_step(step)
        if self.on_step is None:
            return
        try:
            self.on_step(step)
        except Exception:  # user code: who watches a run cannot break it
            _log.warning("on_step raised", exc_info=True)

    def end(self, record: Record) -> None:
        """A run is over."""
        self._write(record)

    def _write(self, record: Record) -> None:
        """Add to the trace; a disk that is full by now costs lines of it, not the run."""
        if self.trace is None:
            return
        try:
            self.trace.write(record)
        except OSError:
            _log.warning("the trace cannot be written", exc_info=True)
