"""What all commands have in common: help, errors, warnings, terminals."""

import io
import os
import runpy
import sys

import pytest

from qitos_like.cli.console import say_table
from qitos_like.cli.main import commands, main


class Terminal(io.StringIO):
    """A terminal, as far as ``isatty`` tells."""

    def isatty(self):
        return True


def stdout_as_terminal(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stdout", stream)
    return stream


def test_help_fits_one_screen(cli):
    ran = cli("--help")

    assert (0, True) == (ran.code, len(ran.out.splitlines()) <= 24)
    assert "..." not in ran.out.partition("Commands:")[2]


@pytest.mark.parametrize("name", list(commands.commands))
def test_every_command_has_help_and_json(cli, name):
    ran = cli(name, "--help")

    assert (0, True) == (ran.code, "--json" in ran.out)
    assert [] == [line for line in ran.out.splitlines() if len(line) > 80]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["lst"], "Did you mean 'list'?"),
        (["list", "--jsn"], "Did you mean '--json'?"),
        (["show"], "Missing argument 'NAME'"),
        (["show", "coding.view", "--as", "xlm"], "xlm"),
    ],
    ids=["command", "option", "argument", "choice"],
)
def test_a_wrong_usage_is_told_and_exits_with_2(cli, arguments, said):
    ran = cli(*arguments)

    assert (2, "") == (ran.code, ran.out)
    assert said in ran.err


def test_the_exit_code_is_the_processs(folder, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["list", "nope"])

    assert 2 == caught.value.code


def test_the_module_runs_the_command_line(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["qitos-like", "--version"])

    with pytest.raises(SystemExit) as caught:
        runpy.run_module("qitos_like", run_name="__main__")

    assert (0, True) == (caught.value.code, capsys.readouterr().out.startswith("qitos-like "))


def test_an_interrupt_is_no_traceback(cli, folder):
    (folder / "slow.py").write_text("raise KeyboardInterrupt")

    ran = cli("list", "slow.py")

    assert (130, "Stopped.") == (ran.code, ran.err.strip())


def test_a_warning_is_a_line(cli, folder):
    (folder / "odd.py").write_text(
        "from qitos_like import tool\n@tool(available=lambda: 1 / 0)\ndef f() -> None:\n    'Do.'\n"
    )

    ran = cli("list", "odd.py")

    assert "raised ZeroDivisionError" in ran.out
    assert "Warning: availability check of f raised" in ran.err.splitlines()


def test_a_terminal_gets_a_table_of_its_width(cli, monkeypatch):
    terminal = stdout_as_terminal(monkeypatch)
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm")

    cli("list", "coding")

    lines = terminal.getvalue().splitlines()
    assert "\x1b[1m" in lines[0]
    assert 60 >= max(map(len, lines[1:]))


def test_a_table_is_plain_where_its_last_column_would_not_be_read(cli, monkeypatch):
    terminal = stdout_as_terminal(monkeypatch)
    monkeypatch.setenv("COLUMNS", "40")

    cli("list", "coding")

    assert "coding.insert " in terminal.getvalue()
    assert "…" not in terminal.getvalue()
    assert "\x1b" not in terminal.getvalue()


STEERING = "\x1b]0;title\x07\x1b[2Jred"


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_what_tools_say_does_not_steer_a_terminal(cli, folder, monkeypatch, stream):
    (folder / "odd.py").write_text(
        "from qitos_like import err, tool\n@tool\ndef f(fails: bool) -> object:\n"
        f"    'Do.'\n    return err({STEERING!r}) if fails else {STEERING!r}\n"
    )
    terminal = Terminal()
    monkeypatch.setattr(sys, stream, terminal)
    monkeypatch.setenv("TERM", "dumb")

    cli("call", "f", f"fails={str(stream == 'stderr').lower()}", "--from", "odd.py")

    assert "red\n" == terminal.getvalue()


def test_no_color_is_obeyed(cli, monkeypatch):
    terminal = stdout_as_terminal(monkeypatch)
    monkeypatch.setenv("NO_COLOR", "1")

    cli("list", "coding")

    assert "\x1b[3" not in terminal.getvalue()


def test_a_pipe_that_nobody_reads_any_more_ends_quietly(cli, monkeypatch):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        ran = cli("list", "mine")

    assert (0, False) == (ran.code, "Broken" in ran.err)


def test_without_rich_tables_are_plain(monkeypatch):
    terminal = stdout_as_terminal(monkeypatch)
    monkeypatch.setitem(sys.modules, "rich.console", None)

    say_table(("A", "B"), [("1", "x"), ("22", "y")], numeric={0})

    assert " A  B\n 1  x\n22  y\n" == terminal.getvalue()


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "nope"],
        ["list", "nope"],
        ["why", "nope"],
        ["run", "nope", "task"],
        ["trace", "show", "nope"],
        ["plugins", "check", "nope"],
        ["trust", "nope"],
        ["describe", "--style", "nope"],
        ["call"],
    ],
    ids=" ".join,
)
def test_who_wants_json_is_told_mistakes_as_json_too(cli, arguments):
    ran = cli(*arguments, "--json")

    assert (2, ["error"]) == (ran.code, list(ran.data))
    assert ran.data["error"] in ran.err
