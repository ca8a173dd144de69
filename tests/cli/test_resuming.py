"""A run that waits for a person: kept, answered, gone on with."""

import io
import json
import sys
from pathlib import Path

import click
import pytest

from qitos_like.agent.decision import Decision
from qitos_like.agent.step import Step
from qitos_like.cli.asking import ask
from qitos_like.cli.steps import write_step
from qitos_like.core.action import Action, ActionResult
from qitos_like.core.results import Ok

FULL = Path("/dev/full")
CONFIG = """
[toolsets.coding]
[agents.writer]
model = "script:script.jsonl"
[agents.other]
"""
ONE, TWO = (
    {"name": "coding.create", "args": {"path": f"{name}.txt", "file_text": "x"}, "id": name}
    for name in ("one", "two")
)
REST = "--model", "script:rest.jsonl"


class Typed(io.StringIO):
    """What somebody types on a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def run(folder, cli, monkeypatch):
    """Runs the agent where nobody can be asked; its script writes two files at once."""
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    (folder / "qitos-like.toml").write_text(CONFIG)
    (folder / "script.jsonl").write_text(json.dumps({"actions": [ONE, TWO]}))
    (folder / "rest.jsonl").write_text(json.dumps({"final_answer": "Both are there."}))
    return lambda *arguments: cli("--config", "qitos-like.toml", "run", "writer", *arguments)


@pytest.fixture
def kept(run, folder):
    """The run, kept in a file."""
    assert 3 == run("Write.", "--save", "kept.json").code
    return folder


def written(folder):
    return sorted(path.name for path in folder.glob("*.txt"))


def test_without_a_file_it_says_how_to_keep_the_run(run):
    ran = run("Write.")

    assert (3, True) == (ran.code, "with --save FILE it would be kept" in ran.err)


def test_what_is_kept_says_how_to_go_on(run, folder):
    ran = run("Write.", "--save", "kept run.json")

    assert (3, []) == (ran.code, written(folder))
    assert ran.err.splitlines()[-1] == (
        "go on with: qitos-like --config qitos-like.toml run writer --resume 'kept run.json' "
        "--allow one --allow two"
    )


@pytest.mark.parametrize("option", ["--save", "--trace"])
@pytest.mark.parametrize("file", ["missing/kept.json", "README.md/kept.json", "."])
def test_a_file_that_cannot_be_written_is_told_before_the_run(run, folder, option, file):
    ran = run("Write.", option, file)

    assert (2, True) == (ran.code, f"Error: Invalid value for '{option}': " in ran.err)


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full")
def test_a_run_that_cannot_be_kept_after_all_is_told(run):
    ran = run("Write.", "--save", FULL)

    assert (3, True) == (ran.code, "Error: it cannot be kept: " in ran.err)


def test_what_is_allowed_runs_and_the_rest_does_not(kept, run):
    ran = run("--resume", "kept.json", "--allow", "one", "--deny", "two", *REST)

    assert (0, "Both are there.\n", ["one.txt"]) == (ran.code, ran.out, written(kept))


def test_what_has_no_answer_waits_on_in_the_same_file(kept, run):
    first = run("--resume", "kept.json", "--allow", "one", *REST)
    second = run("--resume", "kept.json", "--allow", "two", *REST)

    assert (3, 0) == (first.code, second.code)
    assert "--resume kept.json --allow two" in first.err
    assert ["one.txt", "two.txt"] == written(kept)


@pytest.mark.parametrize(
    ("typed", "code", "files"),
    [
        ("y\nn\n", 0, ["one.txt"]),
        ("n\na\n", 0, ["two.txt"]),
        ("", 130, []),
        ("y\n", 130, []),
    ],
    ids=["first", "second", "stopped", "stopped half-way"],
)
def test_a_terminal_is_asked(kept, run, monkeypatch, typed, code, files):
    monkeypatch.setattr(sys, "stdin", Typed(typed))
    ran = run("--resume", "kept.json", *REST)

    assert (code, files) == (ran.code, written(kept))
    assert "coding.create needs filesystem_write" in ran.err


def test_the_trace_goes_on(run, kept):
    run("--resume", "kept.json", "--allow", "one", "--allow", "two", "--trace", "t.jsonl", *REST)

    records = [json.loads(line) for line in (kept / "t.jsonl").read_text().splitlines()]
    assert [("step", "person"), ("step", "model"), ("end", None)] == [
        (record["type"], record.get("by")) for record in records
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("",), "give a TASK, or a run that was kept: --resume FILE"),
        (("Write.", "--max-cost-usd", "nan"), "nan is no amount"),
        ((), "give a TASK, or a run that was kept: --resume FILE"),
        (("Write.", "--allow", "one"), "add --resume FILE"),
        (("Write.", "--resume", "kept.json"), "has its TASK and its --max-steps"),
        (("--resume", "kept.json", "--max-steps", "3"), "has its TASK and its --max-steps"),
        (("--resume", "none.json"), "'none.json' does not exist"),
        (("--resume", "script.jsonl"), "script.jsonl holds no saved run"),
        (("--resume", "kept.json", "--allow", "tow"), "nothing waits as 'tow', only one, two"),
        (("--resume", "README.md"), "README.md holds no saved run"),
    ],
    ids=[
        "no word",
        "no amount",
        "nothing",
        "answer",
        "task",
        "steps",
        "no file",
        "script",
        "id",
        "text",
    ],
)
def test_what_does_not_go_together_is_told(kept, run, arguments, said):
    ran = run(*arguments)

    assert (2, True) == (ran.code, said in ran.err), ran.err


def test_a_run_is_gone_on_with_by_an_agent_that_has_its_tools(kept, cli):
    named = ("--config", "qitos-like.toml", "run", "other")
    ran = cli(*named, "--resume", "kept.json", "--allow", "one", "--deny", "two", *REST)

    assert 0 == ran.code


def test_what_is_asked_cannot_steer_the_terminal(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", Typed("y\n"))
    with click.Context(click.Command("run")) as context:
        context.color = True  # as on a terminal
        ask("coding.run_command", "it asks", "rm -rf /\x1b[2K\rls\u202e")

    told = capsys.readouterr().err
    assert "rm -rf /\nls<U+202E>" in told
    assert "\x1b" not in told


def test_what_is_told_of_a_step_cannot_steer_the_terminal():
    action = Action("view\x1b[2K", {"path": "\x1b]0;title\x07a"})
    result = ActionResult(action=action, result=Ok("x"), text="\x1b[31mred\x1b[2J\rgone")
    lines = []

    def write(line, **style):
        lines.append(line)

    write_step(
        Step(index=0, decision=Decision.act([action], "I \x1b[1mlook"), results=[result]), write
    )

    assert [] == [line for line in lines if "\x1b" in line or "\r" in line]
    assert ["1. I look", "   | red", "   | gone"] == [lines[1], *lines[3:]]
