"""Commands in the background."""

import gc
import os
import re
from time import monotonic, sleep

import psutil
import pytest

from kits.errors import WorkspaceError
from kits.shell.capture import Log
from kits.shell.jobs import MAX_RUNNING
from kits.shell.modern import ModernShellToolSet
from kits.shell.toolset import ShellToolSet
from qitos_like import ActionExecutor, ToolRegistry
from qitos_like.core.context import ToolContext


@pytest.fixture
def shell(tmp_path):
    toolset = ShellToolSet(tmp_path, background=True)
    yield toolset
    toolset.teardown()


@pytest.fixture
def tag():
    return str(2_000_000_000 + int.from_bytes(os.urandom(4)))


def running(text):
    processes = psutil.process_iter(["cmdline"])
    return [each for each in processes if text in " ".join(each.info["cmdline"] or [])]


def start(shell, command, **options):
    return shell.run_command(command, background=True, **options).structured["id"]


def until(shell, name, condition, seconds=20):
    """All that comes until the facts are as they should be."""
    deadline, output = monotonic() + seconds, ""
    while monotonic() < deadline:
        facts = shell.command_output(name).structured
        output += facts["output"]
        if condition(facts, output):
            return facts, output
        sleep(0.02)
    pytest.fail(f"after {seconds} s: {facts} {output!r}")


def has_ended(facts, _output):
    return not facts["running"]


def test_it_starts_and_the_shell_goes_on(shell):
    result = shell.run_command("until [ -e go ]; do sleep 0.02; done; echo gone", background=True)

    assert ("[bg1 runs in the background]", {"id": "bg1"}) == (result.value, result.structured)
    assert "next\n" == shell.run_command("echo next; touch go").structured["output"]
    facts, output = until(shell, "bg1", has_ended)
    assert ("gone\n", 0) == (output, facts["exit_code"])


def test_it_starts_where_the_shell_is(shell):
    shell.run_command("mkdir deep; cd deep; export A=1; f() { echo fun; }")

    _, output = until(shell, start(shell, "echo ${PWD##*/} $A; f; export A=2; cd /"), has_ended)

    assert "deep 1\nfun\n" == output
    assert "1 deep\n" == shell.run_command("echo $A ${PWD##*/}").structured["output"]


def test_each_answer_gives_what_is_new(shell):
    name = start(shell, "echo one; until [ -e go ]; do sleep 0.02; done; echo two; exit 3")

    first, output = until(shell, name, lambda _facts, output: output == "one\n")
    assert first["running"]
    assert first["exit_code"] is None
    shell.run_command("touch go")
    last, output = until(shell, name, has_ended)
    assert ("two\n", 3) == (output, last["exit_code"])
    assert "[bg1 ended, exit code 3]" == shell.command_output(name).value


def test_output_since_a_mark_is_given_again(shell):
    name = start(shell, "echo one; echo two")
    until(shell, name, has_ended)

    again = shell.command_output(name, 4)
    assert "two\n[bg1 ended, exit code 0]" == again.value
    assert 8 == again.structured["since"]
    assert "one\ntwo\n" == shell.command_output(name, 0).structured["output"]
    assert "one\ntwo\n" == shell.command_output(name, -1).structured["output"]


PIECES = """until [ -e 1 ]; do sleep 0.02; done; printf 'caf\\303'
until [ -e 2 ]; do sleep 0.02; done; printf '\\251 tok-9'
until [ -e 3 ]; do sleep 0.02; done; printf '8765 \\033[1mup\\033[0m on \\033[31'
until [ -e 4 ]; do sleep 0.02; done; printf 'mred'"""


def test_what_comes_in_pieces_is_told_whole(tmp_path):
    shell = ShellToolSet(tmp_path, background=True, env={"GIVEN_TOKEN": "tok-98765"})
    name = start(shell, PIECES)
    for piece, awaited in enumerate(["caf", "é ", "[secret GIVEN_TOKEN] up on "], start=1):
        shell.run_command(f"touch {piece}")
        until(shell, name, lambda _facts, output, awaited=awaited: output == awaited)
    shell.run_command("touch 4")

    assert "red" == until(shell, name, has_ended)[1]
    shell.teardown()


def test_what_runs_says_how_to_go_on(shell):
    name = start(shell, "echo one; sleep 300")
    until(shell, name, lambda _facts, output: output == "one\n")

    text = shell.command_output(name, 0).value

    assert text.startswith("one\n[bg1 has been running for ")
    assert text.endswith(" s; go on with since=4]")


def test_stopping_ends_all_it_started(shell, tag):
    name = start(shell, f"echo one; setsid sleep {tag} & sleep {tag}")
    until(shell, name, lambda _facts, output: output == "one\n" and len(running(tag)) == 2)

    facts = shell.stop_command(name).structured

    assert (False, 143, "SIGTERM") == (facts["running"], facts["exit_code"], facts["signal"])
    assert [] == running(tag)
    assert facts["exit_code"] == shell.stop_command(name).structured["exit_code"]


def test_it_cannot_hide_that_it_has_ended(shell):
    facts, output = until(shell, start(shell, "builtin() { :; }; echo one"), has_ended)

    assert ("one\n", 0) == (output, facts["exit_code"])


def test_what_it_left_ends_with_it(shell, tag):
    until(shell, start(shell, f"sleep {tag} & echo"), has_ended)

    assert [] == running(tag)


ENDS = {
    "teardown": lambda shell, _context: shell.teardown(),
    "restart": lambda shell, context: shell.restart(context),
    "oblivion": lambda _shell, context: context.state.clear(),
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_all_end_with_their_shell(end, shell, tag):
    context = ToolContext()
    for _ in range(2):
        start(shell, f"sleep {tag}", context=context)

    end(shell, context)
    gc.collect()

    assert [] == running(tag)


def test_a_timeout_in_the_shell_leaves_it_alone(shell, tag):
    name = start(shell, f"sleep {tag}")

    shell.run_command("sleep 300", 0.3)

    assert shell.command_output(name).structured["running"]
    assert [] != running(tag)


def test_an_unknown_id_names_those_there_are(shell):
    with pytest.raises(WorkspaceError, match="no background command 'bg7'; known: none"):
        shell.command_output("bg7")
    start(shell, "sleep 300")
    with pytest.raises(WorkspaceError, match="known: bg1"):
        shell.stop_command("bg7")


def test_too_many_at_once_are_refused(shell):
    names = [start(shell, "sleep 300") for _ in range(MAX_RUNNING)]

    with pytest.raises(WorkspaceError, match="16 commands run in the background"):
        start(shell, "sleep 300")
    shell.stop_command(names[0])
    assert "bg17" == start(shell, "sleep 300")


def test_a_long_output_is_cut_and_what_is_lost_is_told(shell):
    name = start(shell, "yes | head -c 3000000; echo end")
    until(shell, name, has_ended)

    facts = shell.command_output(name, 0).structured

    assert facts["output"].startswith("[... 1,951,428 bytes were not kept ...]\n")
    assert facts["output"].endswith("y\nend\n")
    assert facts["truncated"]
    assert len(facts["output"]) < 16_200


def test_a_log_keeps_the_last_bytes():
    log = Log(kept_bytes=5)
    for piece in (b"abc", b"defg", b"h"):
        log.feed(piece)

    assert (3, b"defgh") == log.since(0)
    assert (6, b"gh") == log.since(6)
    assert (8, b"") == log.since(99)


def test_without_the_option_nothing_is_offered(tmp_path):
    [only] = ShellToolSet(tmp_path).tools()

    assert ["command", "timeout"] == list(only.spec.input_schema["properties"])


CALLS = {
    "classic": ("run_command", "background", "command_output", "id", "stop_command", "id"),
    "modern": ("Bash", "run_in_background", "BashOutput", "bash_id", "KillShell", "shell_id"),
}


@pytest.mark.parametrize("names", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("listed", [lambda shell: shell, ModernShellToolSet], ids=CALLS)
def test_both_vocabularies_are_understood(names, listed, shell, tag):
    run, background, output, which, stop, target = names
    with ActionExecutor(ToolRegistry().register_toolset(listed(shell), namespace="")) as execute:
        started = execute(run, command=f"(echo one; sleep {tag})", **{background: True})
        assert "bg1" == started.structured["id"]
        deadline = monotonic() + 20
        text = ""
        while not running(tag) and monotonic() < deadline:
            sleep(0.01)
        while "one" not in text and monotonic() < deadline:  # what was shown is not shown again
            text = execute(output, **{which: "bg1"}).text
        assert re.match(r"one\n\[bg1 has been running for \d+ s", text)
        assert (listed is ModernShellToolSet) == text.endswith(" s]")  # it has no since
        ended = execute(stop, **{target: "bg1"}).text
        assert re.fullmatch(r"\[bg1 ended, exit code \d+ \(SIG(INT|TERM)\)\]", ended)
