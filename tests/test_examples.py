"""Every example runs alone and prints what is stored beside it."""

import subprocess
import sys

import pytest

from tests.architecture.source import ROOT

FOLDER = ROOT / "examples"
EXAMPLES = sorted(FOLDER.glob("*.py"))
MIN_LINES, MAX_LINES = 15, 60


def stored(example):
    return FOLDER / "output" / f"{example.stem}.txt"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_prints_what_is_stored(example, tmp_path):
    run = subprocess.run(
        [sys.executable, "-W", "error", example],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={"PYTHONIOENCODING": "utf-8", "PATH": "/usr/bin:/bin"},
        timeout=30,
        check=False,
    )

    assert "" == run.stderr
    assert stored(example).read_text(encoding="utf-8") == run.stdout
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short(example):
    lines = len(example.read_text(encoding="utf-8").splitlines())

    assert MIN_LINES <= lines <= MAX_LINES


def test_no_stored_output_is_without_its_example():
    outputs = set((FOLDER / "output").iterdir())

    assert {stored(example) for example in EXAMPLES} == outputs
