"""The command line as a person sees it."""

import re
import sys

import psutil
import pytest

pytest.importorskip("pty", reason="no terminals to be had on this platform")

from tests.cli.terminal import terminal

MODULE = [sys.executable, "-m", "qitos_like"]
SLEEP = "command=setsid sleep 985 & echo begun; sleep 984"


def test_ctrl_c_on_a_terminal_leaves_no_process(tmp_path):
    with terminal([*MODULE, "call", "coding.run_command", SLEEP], tmp_path) as shown:
        shown.wait("coding.run_command: 1 s")
        family = psutil.Process(shown.process.pid).children(recursive=True)
        shown.type("\x03")
        code = shown.end()
    _, alive = psutil.wait_procs(family, timeout=10)

    assert 130 == code
    assert "Stopped." in shown.shown
    assert [] == alive
    assert family


def test_the_seconds_are_counted_and_go_away(tmp_path):
    command = [*MODULE, "call", "coding.run_command", "command=sleep 2.5; echo done"]
    with terminal(command, tmp_path) as shown:
        assert 0 == shown.end()

    assert "coding.run_command: 2 s" in shown.shown
    assert "done" == shown.shown.rpartition("\r\x1b[K")[2].strip()


def test_a_terminal_that_cannot_erase_is_not_counted_on(tmp_path):
    command = [*MODULE, "call", "coding.run_command", "command=sleep 1.5; echo done"]
    with terminal(command, tmp_path, TERM="dumb") as shown:
        shown.end()

    assert "done" == shown.shown.strip()


def test_an_agent_asks_and_the_line_makes_room(tmp_path):
    (tmp_path / "a.toml").write_text('[agents.helper]\nmodel = "script:s.jsonl"\n')
    (tmp_path / "s.jsonl").write_text(
        '{"actions": [{"name": "coding.run_command", "args": {"command": "sleep 1.5"}}]}\n'
        '{"final_answer": "It is done."}\n'
    )
    with terminal([*MODULE, "--config", "a.toml", "run", "helper", "Do it."], tmp_path) as shown:
        shown.wait("[n]: ")
        before = len(shown.shown)
        shown.type("y\n")
        code = shown.end()

    assert 0 == code
    assert "helper: 1 s" in shown.shown[before:]
    assert "It is done." in shown.shown


def test_ctrl_c_ends_a_question_and_the_run(tmp_path):
    (tmp_path / "a.toml").write_text('[agents.helper]\nmodel = "script:s.jsonl"\n')
    (tmp_path / "s.jsonl").write_text(
        '{"actions": [{"name": "coding.run_command", "args": {"command": "touch done"}}]}\n'
    )
    with terminal([*MODULE, "--config", "a.toml", "run", "helper", "Do it."], tmp_path) as shown:
        shown.wait("[n]: ")
        shown.type("\x03")
        code = shown.end()

    assert (130, False) == (code, (tmp_path / "done").exists())
    assert "stopped: cancelled" in shown.shown


@pytest.mark.parametrize("columns", [80, 200])
@pytest.mark.parametrize("command", [["list"], ["doctor"], ["demo"], ["--help"]], ids=" ".join)
def test_what_is_shown_fits_the_terminal(tmp_path, command, columns):
    with terminal([*MODULE, *command], tmp_path, columns=columns) as shown:
        shown.end()
    lines = [re.sub(r"\x1b\[[0-9;]*[mK]", "", line) for line in shown.shown.splitlines()]

    assert lines
    assert max(map(len, lines)) <= columns


def test_the_help_fits_one_screen(tmp_path):
    with terminal([*MODULE, "--help"], tmp_path) as shown:
        shown.end()

    assert len(shown.shown.splitlines()) <= 24
