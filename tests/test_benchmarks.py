"""The frame that the benchmarks are measured with."""

import shutil
import subprocess
import sys
from itertools import count

import pytest

from benchmarks import searching
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


@pytest.mark.skipif(not shutil.which("rg"), reason="needs rg")
def test_searches_are_measured_each_beside_its_limit():
    forest = searching.Forest(files=60, size=60_000, in_folder=2, needles=3)

    rows = searching.rows(forest, rounds=1)

    limits = [row.name for row in rows if row.name.startswith("limit: ")]
    assert ["limit: literal", "limit: no match", "limit: glob", "limit: capped"] == limits
    assert all(row.ratio == 1.0 for row in rows if row.name in limits)
    assert "  qitos_like without rg, glob" in [row.name for row in rows]
