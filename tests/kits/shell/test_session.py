"""One session: what persists, what cannot break it, how it ends."""

import os

import pytest

from kits.shell.capture import Capture
from kits.shell.scripts import State
from kits.shell.session import Session

RESTARTED = "the shell was restarted, its folder and environment are as before"

SURVIVED = {
    "exit": ("exit 3", 3),
    "exit in a function": ("f() { exit 4; }; f", 4),
    "set -e": ("set -e; false; echo never", 1),
    "set -u": ("set -u; echo $no_such_name", 1),
    "exec of a program": ("exec sh -c 'exit 5'", 5),
    "exec of no program": ("exec /no/such/program", 127),
    "kill -9 of the shell": ("kill -9 $$", 137),
    "kill of the shell": ("kill $$", 143),
    "open quote": ("echo 'open", 2),
    "open command substitution": ("echo $(echo", 2),
    "open heredoc": ("cat <<END\nnever closed", 0),
    "syntax error": ("if then", 2),
    "open condition": ("[[ a", 2),
    "open process substitution": ("cat <(echo", 2),
    "arithmetic error": ("declare -i x=1/0", 1),
    "error of an expansion": ("echo ${no_such_name?gone}", 1),
    "syntax error in eval": ("eval '('", 2),
    "exec >/dev/null": ("exec >/dev/null 2>&1", 0),
    "exec <file": ("exec </etc/passwd", 0),
    "closed outputs": ("exec 1>&- 2>&-", 0),
    "return": ("return 9", 9),
    "break outside a loop": ("break 5", 0),
    "an EXIT trap": ("trap 'echo bye' EXIT; exit 6", 6),
    "an ignored EXIT trap": ("trap '' EXIT; exit 6", 6),
    "a DEBUG trap": ("trap 'false' DEBUG; exit 2", 2),
    "posix mode": ("set -o posix; exit 8", 8),
    "noclobber": ("set -C", 0),
    "no globbing": ("set -f", 0),
    "another IFS": ("IFS=/", 0),
    "builtins hidden by functions": ("printf() { :; }; pwd() { :; }; exit() { :; }", 0),
    "unset PATH": ("unset PATH", 0),
    "read from stdin": ("cat; read x", 1),
    "terminal asked for": ("read x </dev/tty", 1),
    "its folder removed": ('rm -r "${BASH_SOURCE%/*}"; (exit 7)', 7),
    "its pipes removed": ('rm "${BASH_SOURCE%/*}"/*; (exit 7)', 7),
    "trailing backslash": ("echo a \\", 0),
    "comment at the end": ("true # done", 0),
    "carriage returns": ("true\r\n", 0),
    "only a background job": ("sleep 30 &", 0),
    "own job control": ("set -m; sleep 30 & sh -c 'exit 3'", 3),
    "closing all descriptors": ('for fd in {3..254}; do eval "exec $fd>&-"; done', 0),
}


@pytest.mark.parametrize(("command", "exit_code"), SURVIVED.values(), ids=SURVIVED)
def test_a_session_survives(command, exit_code, shell):
    shell.run_command("mkdir -p inner; cd inner; export KEPT=yes; said() { echo fun; }")

    assert exit_code == shell.run_command(command, 20).structured["exit_code"]

    after = shell.run_command("/bin/echo $KEPT; command pwd; said", 20)
    assert after.structured["exit_code"] == 0
    assert after.structured["output"].startswith("yes\n")
    assert after.structured["output"].endswith("/inner\nfun\n")


def test_folder_variables_and_functions_persist(shell):
    shell.run_command(
        "mkdir deep; cd deep; plain=1; export OUT=2; f() { echo f$1; }; shopt -s nullglob"
    )

    result = shell.run_command("pwd; echo $plain $OUT; f 3; echo *.none")

    assert result.structured["output"].endswith("/deep\n1 2\nf3\n\n")
    assert "deep" == result.structured["cwd"]


def test_a_command_whose_shell_is_just_dying_runs_at_most_once_and_says_so(shell, output):
    told = []
    for _ in range(20):
        shell.run_command("(kill -9 $$) & true")
        facts = shell.run_command("echo on >>ran; echo on").structured
        told.append((facts["exit_code"], facts["output"]))

    # A kill that comes after its shell is gone may say so among the output of the next command.
    assert {(0, True), (137, False), (137, True)} >= {(c, "on\n" in o) for c, o in told}
    assert [c for c, _ in told].count(0) <= len(output("cat ran").split()) <= 20


def test_an_unset_variable_stays_unset_when_the_shell_is_restarted(output):
    output("unset HOME; exit")

    assert "unset\n" == output("echo ${HOME-unset}")


def test_values_of_any_kind_survive_a_restart(output):
    output("export ODD=$'a\\nb \\'\"$`\\\\é'; exit")

    assert "a\nb '\"$`\\é" == output('printf %s "$ODD"')


def test_a_restart_is_told(shell):
    assert f"[exit code 3; {RESTARTED}]" == shell.run_command("exit 3").value


def test_a_new_folder_is_told_once(shell):
    first = shell.run_command("mkdir a; cd a").value

    assert "[cwd: a]" == first
    assert "[no output]" == shell.run_command("true").value


def test_a_removed_folder_gives_way_to_the_workspace(shell):
    shell.run_command("mkdir gone; cd gone")
    shell.run_command("rmdir ../gone; exit")

    assert "." == shell.run_command("true").structured["cwd"]


def test_output_that_looks_like_a_report_is_output(shell):
    result = shell.run_command("printf '\\0end\\0' ; echo '[exit code 9]'")

    assert 0 == result.structured["exit_code"]
    assert "\0end\0[exit code 9]\n" == result.structured["output"]


def test_it_is_bash_with_no_startup_files(output, tmp_path):
    (tmp_path / ".bashrc").write_text("echo startup\n")

    assert "bash 1\n" == output(f"HOME={tmp_path} exec bash -c 'echo ${{BASH##*/}} $((1))'")


def test_messages_of_bash_name_no_file_of_ours(output):
    assert "bash: line 2: nope: command not found\n" == output("true\nnope")


def test_output_of_background_processes_comes_with_the_next_command(shell):
    shell.run_command("{ sleep 0.1; echo late; touch done; } & echo now")

    result = shell.run_command("until [ -e done ]; do sleep 0.02; done; echo next")

    assert "late\nnext\n" == result.structured["output"]


def test_output_between_commands_is_told_apart(shell, tmp_path):
    shell.run_command("{ until [ -e go ]; do sleep 0.02; done; echo late; touch done; } & true")
    (tmp_path / "go").touch()
    while not (tmp_path / "done").exists():
        pass

    result = shell.run_command("echo next")

    assert "next\n" == result.structured["output"]
    assert "[from background processes, before:\nlate\n]\nnext\n" == result.value


def test_a_background_process_outlives_its_shell_and_ends_with_the_session(shell, output):
    pid = int(output("sleep 300 & echo $!"))
    shell.run_command("exit 1")

    assert 0 == shell.run_command(f"kill -0 {pid}").structured["exit_code"]

    shell.teardown()
    assert 1 == shell.run_command(f"kill -0 {pid}").structured["exit_code"]


def test_a_torn_down_shell_starts_again_where_it_was(shell):
    shell.run_command("mkdir x; cd x; export A=1")
    shell.teardown()

    assert "1 x\n" == shell.run_command("echo $A ${PWD##*/}").structured["output"]


def test_options_of_the_shell_survive_a_restart(output):
    output("shopt -s extglob nullglob; exit")

    assert "extglob on\n\n" == output("shopt extglob | tr -s '\\t ' ' '; echo *.none")


def test_a_bash_that_is_killed_as_it_takes_over_tells_no_half_of_a_state(tmp_path):
    session = Session(tmp_path, {"PATH": os.environ["PATH"]})
    half = State(str(tmp_path), b"export HALF=1\nkill $$\nexport WHOLE=1\n")
    session.begin("echo never", half, Capture())

    assert session.wait(20, lambda: None)
    ended = session.ended()
    assert (143, None) == (ended.exit_code, ended.report)
    session.close()
