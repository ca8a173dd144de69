"""The toolset: what a model sees, what it may ask for, whose shell it gets."""

import threading
from time import monotonic, sleep

import pytest
from attrs import frozen

from kits.caps import Caps
from kits.shell.toolset import ShellToolSet
from kits.workspace import Workspace, WorkspaceError
from qitos_like.core.context import ToolContext
from qitos_like.core.marks import CommandArg
from qitos_like.core.permission import ToolPermission
from qitos_like.core.registry import ToolRegistry


@pytest.fixture
def entry(shell):
    registry = ToolRegistry()
    registry.register_toolset(shell)
    return registry["shell.run_command"]


def test_the_schema_says_the_default_and_the_longest_time(tmp_path):
    toolset = ShellToolSet(tmp_path, timeout=30, caps=Caps(command_timeout_s=90))
    registry = ToolRegistry()
    registry.register_toolset(toolset)
    spec = registry["shell.run_command"].spec

    timeout = spec.input_schema["properties"]["timeout"]
    assert ("number", 30) == (timeout["type"], timeout["default"])
    assert timeout["description"].startswith("seconds, at most 90;")
    assert ["command"] == list(spec.required)


def test_it_needs_to_run_commands_and_runs_alone(entry):
    wanted = ToolPermission(command=True, filesystem_read=True, filesystem_write=True)
    assert wanted == entry.spec.permissions
    assert not entry.spec.parallel_safe
    assert "command" == entry.tool.signature.marked(CommandArg)


def test_the_executor_waits_longer_than_any_command(entry):
    assert entry.spec.timeout_s > 600


def test_it_is_available_where_bash_is(entry):
    assert entry.unavailable() is None


def test_it_starts_in_the_workspace(tmp_path):
    (tmp_path / "inner").mkdir()
    for home in (str(tmp_path / "inner"), Workspace(tmp_path / "inner")):
        shell = ShellToolSet(home)
        assert f"{tmp_path}/inner\n" == shell.run_command("pwd").structured["output"]
        shell.teardown()


def test_a_workspace_that_is_no_folder_is_refused(tmp_path):
    with pytest.raises(NotADirectoryError, match="nope"):
        ShellToolSet(tmp_path / "nope")


def test_a_folder_outside_is_shown_whole(shell):
    result = shell.run_command("cd /")

    assert "/" == result.structured["cwd"]
    assert "[cwd: /]" == result.value


def test_the_facts_stand_beside_the_text(shell):
    facts = shell.run_command("echo hi; false").structured

    assert 0 < facts.pop("duration_s") < 20
    expected = {
        "output": "hi\n",
        "exit_code": 1,
        "timed_out": False,
        "signal": None,
        "cwd": ".",
        "truncated": False,
        "artifact": None,
    }
    assert expected == facts


TEXTS = {
    "silence": ("true", "[no output]"),
    "output": ("echo a; echo b", "a\nb\n"),
    "output without newline": ("printf a", "a"),
    "failure": ("echo a; (exit 7)", "a\n[exit code 7]"),
    "failure without newline": ("printf a; (exit 7)", "a\n[exit code 7]"),
    "silent failure": ("false", "[exit code 1]"),
    "signal": ("(ulimit -c 0; kill -KILL $BASHPID)", "Killed"),
}


@pytest.mark.parametrize(("command", "text"), TEXTS.values(), ids=TEXTS)
def test_one_line_tells_what_is_unusual(command, text, shell):
    if command.startswith("("):
        result = shell.run_command(command)
        assert "SIGKILL" == result.structured["signal"]
        assert "[exit code 137 (SIGKILL)]" == result.value.rpartition("\n")[2]
        return
    assert text == shell.run_command(command).value


def test_a_timeout_keeps_what_came_out(shell):
    result = shell.run_command("echo begun; sleep 30; echo never", 0.4)

    assert ("timeout", False) == (result.code, result.retryable)
    assert result.error.startswith(
        "begun\n[timed out after 0.4 s, stopped with all it had started;"
    )
    assert "600 s" in result.hint
    facts = result.structured
    assert ("begun\n", True, 130, "SIGINT") == (
        facts["output"],
        facts["timed_out"],
        facts["exit_code"],
        facts["signal"],
    )


def test_the_text_of_a_timeout_is_short(shell):
    result = shell.run_command("seq 100000; sleep 30", 1)

    assert len(result.error) < 4_000
    assert 10_000 < len(result.structured["output"]) < 16_100


def test_variables_of_before_a_timeout_are_kept(shell):
    shell.run_command("export A=1; mkdir x; cd x")
    shell.run_command("export A=2; cd ..; sleep 30", 0.3)

    assert "1 x\n" == shell.run_command("echo $A ${PWD##*/}").structured["output"]


def test_a_timeout_beyond_the_longest_is_shortened_and_said(tmp_path):
    shell = ShellToolSet(tmp_path, caps=Caps(command_timeout_s=1))

    result = shell.run_command("sleep 30", 5)
    quick = shell.run_command("true", 5)
    shell.teardown()

    assert "timed out after 1 s" in result.error
    assert "[the timeout was shortened to 1 s]" == quick.value


REFUSED = {
    "no time": ("true", 0, "no time to run in"),
    "negative time": ("true", -5, "no time to run in"),
    "no number": ("true", float("nan"), "no time to run in"),
    "NUL": ("echo a\0b", 5, "NUL"),
    "lone surrogate": ("echo \ud800", 5, "lone surrogate"),
}


@pytest.mark.parametrize(("command", "timeout", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_argument_is_refused_with_its_reason(command, timeout, reason, shell):
    with pytest.raises(WorkspaceError, match=reason) as caught:
        shell.run_command(command, timeout)

    assert "input_invalid" == caught.value.code


def test_odd_commands_run_as_they_are(output):
    assert "é → 🙂\n" == output("echo 'é → 🙂'")
    assert "" == output("")
    assert "" == output("\n\n# nothing")
    assert "1\n" * 3000 == output("echo 1\n" * 3000)


def test_a_command_may_be_longer_than_the_arguments_of_a_program(shell, output):
    assert "200001\n" == output(f"echo {'x' * 200_000} | wc -c")
    assert 126 == shell.run_command(f"/bin/echo {'x' * 200_000}").structured["exit_code"]
    assert "alive\n" == output("echo alive")


def test_each_executor_has_a_shell_of_its_own(shell):
    first, second = ToolContext(), ToolContext()
    shell.run_command("export WHO=first", context=first)
    shell.run_command("export WHO=second", context=second)

    assert "first\n" == shell.run_command("echo $WHO", context=first).structured["output"]
    assert "second\n" == shell.run_command("echo $WHO", context=second).structured["output"]
    assert "\n" == shell.run_command("echo $WHO").structured["output"]


def test_commands_of_one_shell_come_one_after_the_other(shell):
    def work(number):
        shell.run_command(
            f"n=$(cat count 2>/dev/null); sleep 0.01; echo $((n + 1)) >count; : {number}"
        )

    threads = [threading.Thread(target=work, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert "12\n" == shell.run_command("cat count").structured["output"]


@frozen(kw_only=True)
class Cancellable(ToolContext):
    cancelled: threading.Event

    def raise_if_cancelled(self):
        if self.cancelled.is_set():
            raise InterruptedError


def test_cancelling_stops_what_runs_and_what_waits(shell):
    shell.run_command("export A=1")
    context = Cancellable(cancelled=threading.Event())
    raised = []

    def work():
        try:
            shell.run_command("echo begun; touch begun; sleep 30", context=context)
        except InterruptedError as error:
            raised.append(error)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    begun = monotonic()
    while shell.run_command("ls begun").structured["exit_code"] and monotonic() - begun < 10:
        sleep(0.02)
    context.cancelled.set()
    for thread in threads:
        thread.join(10)

    assert 2 == len(raised)
    assert monotonic() - begun < 15
    again = shell.run_command("echo again", context=ToolContext(state=context.state))
    assert "again\n" == again.structured["output"]


def test_a_command_ends_before_the_deadline_of_its_call(shell):
    begun = monotonic()
    context = ToolContext(deadline=begun + 6.5)

    result = shell.run_command("echo begun; sleep 30", context=context)

    assert "begun\n" == result.structured["output"]
    assert monotonic() < begun + 6.5
