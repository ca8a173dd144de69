"""A command line to try, in a folder of its own."""

import json
import sys

import pytest
from attrs import frozen

from qitos_like.cli.main import run

TOOLS = '''
"""Tools of a user."""
import os
from typing import Annotated, Literal

from qitos_like import ToolSet, Unavailable, err, tool

print("loaded")


@tool(tags=["greeting"], timeout_s=5, usage="Be polite.")
def greet(name: Annotated[str, "who"], times: int = 1, loud: bool = False) -> str:
    """Greet somebody."""
    text = " ".join([f"hello {name}"] * times)
    return text.upper() if loud else text


@tool
def echo(text: str | None = None, number: int | str = 0, mode: Literal[1, 2] = 1, **more: int):
    """Give back what came."""
    return {"text": text, "number": number, "mode": mode, **more}


@tool(available=lambda: Unavailable("KEY is not set"))
def hidden() -> str:
    """Never."""
    return ""


@tool
def refuse() -> object:
    """Refuse."""
    return err("ask first", "needs_approval")


@tool
def fail() -> str:
    """Fail."""
    raise ValueError("no luck")
'''


@frozen
class Ran:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def data(self):
        return json.loads(self.out)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with ``mine.py``; modules of it are forgotten afterwards."""
    (tmp_path / "mine.py").write_text(TOOLS)
    (tmp_path / "README.md").write_text("# Title\n\nText.\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


@pytest.fixture
def cli(folder, capsys):
    """Runs a command in the folder."""

    def run_command(*arguments):
        code = run(arguments)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run_command
