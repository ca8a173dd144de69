"""Timing things beside each other, so that a noisy machine is as noisy for all of them."""

import gc
import re
import resource
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from attrs import frozen


@frozen
class Case:
    """One thing to measure.

    Attributes:
        name: how its row begins.
        seconds: does the work once and says how long it took.
    """

    name: str
    seconds: Callable[[], float]


@frozen
class Row:
    """One line of a table.

    Attributes:
        name: what was measured.
        median_s: the median time in seconds.
        ratio: that divided by the limit's; the limit is the first case.
    """

    name: str
    median_s: float
    ratio: float


def side_by_side(cases: Sequence[Case], rounds: int = 15) -> list[Row]:
    """Measure each case once a round, after one round that does not count.

    What other tables and their libraries left behind is not looked at when garbage is collected.
    """
    gc.collect()
    gc.freeze()
    times: dict[str, list[float]] = {case.name: [] for case in cases}
    for number in range(rounds + 1):
        for case in cases:
            taken = case.seconds()
            if number:
                times[case.name].append(taken)
    limit = median(times[cases[0].name])
    return [Row(name, median(taken), median(taken) / limit) for name, taken in times.items()]


def peak_kib() -> int:
    """The most memory this process has had, in KiB.

    ``ru_maxrss`` of Linux begins with what the process that started this one had.
    """
    status = Path("/proc/self/status")
    match = re.search(r"VmHWM:\s*(\d+)", status.read_text()) if status.exists() else None
    return int(match[1]) if match else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def shown(rows: Sequence[Row]) -> str:
    """The rows as a table."""
    width = max(len(row.name) for row in rows)
    return "\n".join(
        f"  {row.name:{width}}  {row.median_s * 1000:10.2f} ms  {row.ratio:8.2f}" for row in rows
    )
