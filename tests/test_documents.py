"""The documents are true: their Python and console blocks run, their links and targets exist.

The blocks of a page run in order, in one module and one empty folder. A ``text`` block right
after a ``python`` block is what that prints; a block that begins with ``# name.py`` or another
file's name is stored under it too. In a ``console`` block each line after ``$`` is run and the lines below
are its output. ``...`` stands for any text.
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
FILE = re.compile(r"# (\S+\.\w+)\n")
TEST = re.compile(r"\]\((tests/[^)#]+\.py)#?([^)]*)\)")
LINK = re.compile(r"\]\((?!\w+:|#)([^)#]+)")
TARGET = re.compile(r"^make ([a-z]+)\b", re.MULTILINE)

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def blocks(page):
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def agree(expected, actual):
    return doctest.OutputChecker().check_output(expected, actual, doctest.ELLIPSIS)


@pytest.fixture
def module(monkeypatch):
    """A module of its own for the blocks of a page, since classes are looked up in theirs."""
    module = types.ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", module)
    return module


def store(text):
    """A block as the file that it is named after, if it is."""
    named = FILE.match(text)
    if named:
        path = Path(named[1])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def run_python(code, module):
    """What a Python block prints."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(code, "page", "exec"), vars(module))
    return printed.getvalue()


def run_command(command):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    run = subprocess.run(
        ["bash", "-c", command],
        env={**os.environ, "PATH": path, "NO_COLOR": "1", "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=30,
        check=False,
    )
    return run.stdout


@pytest.mark.timeout(180)  # a page may have twenty commands
@every_page
def test_the_blocks_of_a_page_run(page, module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    for (kind, text), (after, expected) in itertools.pairwise([*blocks(page), ("", "")]):
        store(text)
        if kind == "python":
            printed = run_python(text, module)
            assert after != "text" or agree(expected, printed), printed
        for command, said in COMMAND.findall(text) if kind == "console" else ():
            printed = run_command(command)
            assert agree(said, printed), printed


@every_page
def test_the_links_of_a_page_lead_somewhere(page):
    targets = LINK.findall(page.read_text(encoding="utf-8"))

    assert [] == [target for target in targets if not (page.parent / target).exists()]


def test_what_the_comparison_says_of_us_is_shown_by_tests():
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = page.partition("| case |")[2].partition("\n\n")[0].splitlines()[2:]
    links = [TEST.findall(row) for row in rows]

    assert all(links)
    assert [] == [
        (file, name)
        for row in links
        for file, name in row
        if not re.search(rf"^(?:async )?def {name}\(", (ROOT / file).read_text(), re.MULTILINE)
    ]


@every_page
def test_the_make_targets_of_a_page_exist(page):
    known = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    code = "\n".join(re.findall(r"`([^`]+)`", page.read_text(encoding="utf-8")))

    assert set() == set(TARGET.findall(code)) - known
