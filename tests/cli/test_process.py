"""The command line as a process: entry points, pipes, Ctrl-C."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

FULL = Path("/dev/full")
MODULE = [sys.executable, "-m", "qitos_like"]


def run(*arguments, **options):
    return subprocess.run(
        [*MODULE, *arguments], capture_output=True, text=True, timeout=30, check=False, **options
    )


def test_the_module_is_the_command_line(tmp_path):
    ran = run("--version", cwd=tmp_path)

    assert (0, "qitos-like 0.1.0\n") == (ran.returncode, ran.stdout)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["list"], 0), (["call", "coding.view", "path=nope"], 1), (["call", "nope"], 2)],
    ids=["ok", "tool's error", "usage"],
)
def test_the_exit_code_reaches_the_shell(arguments, code, tmp_path):
    assert code == run(*arguments, cwd=tmp_path).returncode


def test_a_reader_that_leaves_early_is_no_error(tmp_path):
    (tmp_path / "long.txt").write_text("line\n" * 1_900)
    process = subprocess.Popen(
        [*MODULE, "call", "coding.view", "path=long.txt"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.close()
    _, complaint = process.communicate(timeout=30)

    assert (0, b"") == (process.returncode, complaint)


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full")
@pytest.mark.parametrize("arguments", [["list"], ["--help"], ["nope", "--json"]], ids=" ".join)
def test_output_that_cannot_be_written_is_said(tmp_path, arguments):
    with FULL.open("w") as full:
        ran = subprocess.run(
            [*MODULE, *arguments],
            check=False,
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=30,
        )

    said = "No such command" if "nope" in arguments else "No space left on device"
    assert (2, True) == (ran.returncode, f"{said}" in ran.stderr)
    assert [1, 0] == [ran.stderr.count(word) for word in ("Error: ", "Traceback")]


@pytest.mark.parametrize(
    ("options", "written"),
    [
        ([], b"\xfc \\u2026 \\U0001f600\n"),
        (["--json"], b'"text": "\\u00fc \\u2026 \\ud83d\\ude00"'),
    ],
    ids=["text", "JSON"],
)
def test_what_the_output_cannot_hold_is_escaped(tmp_path, options, written):
    (tmp_path / "say.py").write_text(
        "from qitos_like import tool\n@tool\ndef say(text: str) -> str:\n    'Say.'\n    return text\n"
    )
    ran = subprocess.run(
        [*MODULE, "call", "say", "text=\u00fc \u2026 \U0001f600", "--from", "say.py", *options],
        capture_output=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"},
        timeout=30,
    )

    assert (0, True) == (ran.returncode, written in ran.stdout)


def test_a_closed_output_is_no_error(tmp_path):
    ran = subprocess.run(
        ["sh", "-c", '"$0" -m qitos_like list >&-', sys.executable],
        check=False,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=30,
    )

    assert (0, "8 tools") == (ran.returncode, ran.stderr[:7])


def test_no_colour_goes_into_a_pipe(tmp_path):
    assert "\x1b" not in run("demo", cwd=tmp_path).stdout


def test_what_is_typed_in_another_alphabet_arrives(tmp_path):
    (tmp_path / "файл.txt").write_text("привет", encoding="utf-8")
    environment = {**os.environ, "LC_ALL": "C"}

    assert "привет" in run("call", "view", "path=файл.txt", cwd=tmp_path, env=environment).stdout


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell")
def test_ctrl_c_leaves_no_process(tmp_path):
    process = subprocess.Popen(
        [*MODULE, "call", "coding.run_command", "command=setsid sleep 987 & sleep 986"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    sleepers = until(lambda: sleeping(process.pid), lambda found: len(found) == 2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    _, alive = psutil.wait_procs(sleepers, timeout=10)

    assert (130, "", "Stopped.") == (process.returncode, out, err.strip())
    assert [] == alive


def sleeping(pid):
    family = psutil.Process(pid).children(recursive=True)
    return [each for each in family if each.name() == "sleep"]


def until(look, is_enough):
    """What is seen once it is enough; what is there after a while at the latest."""
    for _ in range(200):
        seen = look()
        if is_enough(seen):
            break
        time.sleep(0.05)
    return seen
