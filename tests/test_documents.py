"""The documents are true: their Python and console blocks run, their links and targets exist.

The blocks of a page run in order, in one module and one empty folder. A ``text`` block right
after a ``python`` block is what that prints; in a ``console`` block each line after ``$`` is run
and the lines below are its output. ``...`` stands for any text.
"""

import contextlib
import doctest
import io
import itertools
import os
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest

from tests.architecture.source import ROOT

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
LINK = re.compile(r"\]\((?!\w+:|#)([^)#]+)")
TARGET = re.compile(r"\bmake ([a-z]+)\b")

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def blocks(page):
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def agree(expected, actual):
    return doctest.OutputChecker().check_output(expected, actual, doctest.ELLIPSIS)


def outputs_of(page):
    """Each Python block with what it has to print, or ``None``."""
    found = [*blocks(page), ("", "")]
    for (kind, code), (after, text) in itertools.pairwise(found):
        if kind == "python":
            yield code, text if after == "text" else None


@pytest.fixture
def module(request, monkeypatch):
    """A module of its own for the blocks of a page, since classes are looked up in theirs."""
    module = types.ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", module)
    return module


@every_page
def test_the_python_of_a_page_runs(page, module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    for code, expected in outputs_of(page):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(code, page.name, "exec"), vars(module))
        assert expected is None or agree(expected, printed.getvalue()), printed.getvalue()


@every_page
def test_the_commands_of_a_page_run(page, tmp_path):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

    for kind, text in blocks(page):
        for command, expected in COMMAND.findall(text) if kind == "console" else ():
            run = subprocess.run(
                ["bash", "-c", command],
                cwd=tmp_path,
                env={**os.environ, "PATH": path, "NO_COLOR": "1", "COLUMNS": "100"},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=30,
                check=False,
            )
            assert agree(expected, run.stdout), run.stdout


@every_page
def test_the_links_of_a_page_lead_somewhere(page):
    targets = LINK.findall(page.read_text(encoding="utf-8"))

    assert [] == [target for target in targets if not (page.parent / target).exists()]


@every_page
def test_the_make_targets_of_a_page_exist(page):
    known = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    code = " ".join(re.findall(r"`[^`]+`", page.read_text(encoding="utf-8")))

    assert set() == set(TARGET.findall(code)) - known
