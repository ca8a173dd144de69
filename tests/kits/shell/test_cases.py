"""The shell's cases of ``tests/data``, each a session of its own."""

import json
from pathlib import Path
from time import monotonic

import psutil
import pytest

from kits.shell.toolset import ShellToolSet

DATA = Path(__file__).parents[2] / "data"
CASES = [
    case
    for name in ("shell.json", "shell-more.json")
    for case in json.loads((DATA / name).read_text())["cases"]
]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_a_session_gives_what_its_case_says(case, tmp_path, monkeypatch):
    for step in case["steps"]:
        for name, value in step.get("env", {}).items():
            monkeypatch.setenv(name, value)
    shell = ShellToolSet(tmp_path)
    try:
        for step in case["steps"]:
            run_step(shell, step)
    finally:
        shell.teardown()


def run_step(shell, step):
    begun = monotonic()
    result = shell.run_command(step["command"], step.get("timeout", 20))
    duration_s = monotonic() - begun
    text = result.value if result.ok else result.error
    facts = result.structured

    assert step.get("timed_out", False) == facts["timed_out"]
    assert (not step.get("timed_out", False)) == result.ok
    if step.get("exit_code") == "nonzero":
        assert facts["exit_code"] != 0
    else:
        assert step.get("exit_code", facts["exit_code"]) == facts["exit_code"]
    assert step.get("output", facts["output"]) == facts["output"]
    assert step.get("output_contains", "") in facts["output"]
    assert step.get("text_contains", "") in text
    places = [text.index(word) for word in step.get("text_order", [])]
    assert sorted(places) == places
    # A busy machine is no failure; what hangs takes 20 s and more.
    assert duration_s < step.get("within_s", 20) + 5
    if "no_process" in step:
        assert step["no_process"] not in commands_running()


def commands_running():
    return [" ".join(process.info["cmdline"] or []) for process in psutil.process_iter(["cmdline"])]
