"""The frame that the benchmarks are measured with."""

import subprocess
import sys
from itertools import count

from benchmarks.__main__ import TABLES
from benchmarks.measure import Case, Row, shown, side_by_side
from tests.architecture.source import ROOT


def test_a_row_is_a_median_and_its_ratio_to_the_first_case():
    slow = count(10, 2)
    cases = [Case("limit", lambda: 2.0), Case("ours", lambda: float(next(slow)))]

    assert [Row("limit", 2.0, 1.0), Row("ours", 14.0, 7.0)] == side_by_side(cases, rounds=3)


def test_a_table_lines_its_columns_up():
    assert "  a     2000.00 ms      1.00" == shown([Row("a", 2.0, 1.0)])


def test_an_unknown_table_is_named_with_those_there_are():
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks", "nope"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert (2, f"no table nope; there are: {', '.join(TABLES)}\n") == (run.returncode, run.stderr)
