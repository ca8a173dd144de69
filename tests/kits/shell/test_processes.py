"""No process outlives its command's timeout, its shell, or the program that used it."""

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from time import monotonic, sleep

import psutil
import pytest

from kits import SandboxError
from kits.shell import sandbox, supervisor
from kits.shell.leftovers import MARK
from kits.shell.listening import Listener
from kits.shell.shell import Shell
from kits.shell.toolset import ShellToolSet
from qitos_like.core.context import ToolContext

#: Each goes on until it is stopped, with TAG in the command line of all it starts.
SHAPES = {
    "plain": "sleep TAG",
    "background child": "sleep TAG & sleep TAG & wait",
    "setsid": "setsid sleep TAG & setsid setsid sleep TAG; sleep TAG",
    "double fork": "( ( sleep TAG & ) & ); sh -c 'setsid sleep TAG & exit'; sleep TAG",
    "ignored signals": "bash -c 'trap \"\" TERM INT HUP; while :; do sleep 0.TAG; done'",
    "stopped": "sleep TAG & kill -STOP $!; wait",
    "pipeline": "sleep TAG | sleep TAG | cat",
    "subshell and loop": "( while :; do sleep 0.TAG; done )",
    "builtin loop": ": TAG; while :; do :; done",
    "fork after fork": "f() { sleep TAG & f; }; f",
}


@pytest.fixture
def tag():
    """A number that stands in no other command line."""
    return str(2_000_000_000 + int.from_bytes(os.urandom(4)))


def running(text):
    """The processes with this text in their command line."""
    processes = psutil.process_iter(["cmdline", "status"])
    return [each for each in processes if text in " ".join(each.info["cmdline"] or [])]


def open_handles():
    return len(list(Path("/proc/self/fd").iterdir()))


def wait_until(condition, seconds=20):
    deadline = monotonic() + seconds
    while not condition() and monotonic() < deadline:
        sleep(0.02)
    return condition()


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_a_timeout_leaves_no_process(shape, shell, tag):
    result = shell.run_command("echo begun; " + shape.replace("TAG", tag), 0.4)

    assert "begun\n" == result.structured["output"]
    assert result.structured["timed_out"]
    assert [] == running(tag)
    assert "next\n" == shell.run_command("echo next").structured["output"]


def five_shapes(count):
    names = ["plain", "background child", "setsid", "double fork", "ignored signals"]
    return [SHAPES[names[number % 5]] for number in range(count)]


@pytest.mark.timeout(120)
def test_fifty_timed_out_commands_leave_no_process(tmp_path, tag):
    time_out_all(tmp_path, tag, shapes=five_shapes(50))


@pytest.mark.stress
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("mode", ["none", "bwrap"])
def test_a_thousand_timed_out_commands_leave_no_process(mode, tmp_path, tag):
    try:
        box = sandbox.choose(mode, tmp_path, protected=(), network=False)
    except SandboxError as error:
        pytest.skip(str(error))
    time_out_all(tmp_path, tag, shapes=five_shapes(1000), box=box)


@pytest.mark.stress
@pytest.mark.timeout(1200)
def test_a_thousand_stopped_background_commands_leave_no_process(tmp_path, tag):
    toolset = ShellToolSet(tmp_path, background=True)
    handles = None
    for shape in five_shapes(1000):
        name = toolset.run_command(shape.replace("TAG", tag), background=True).structured["id"]
        toolset.stop_command(name)
        handles = handles or open_handles()

    assert [] == running(tag)
    assert open_handles() <= handles
    toolset.teardown()


def time_out_all(folder, tag, shapes, box=None):
    """Eight shells side by side, since most of the time is waiting."""
    left = iter(shapes)
    lock = threading.Lock()
    ended = []

    def work():
        with Shell(folder, dict(os.environ), box) as shell:
            while True:
                with lock:
                    shape = next(left, None)
                if shape is None:
                    return
                outcome = shell.run(shape.replace("TAG", tag), 0.1)
                ended.append(
                    outcome if outcome.timed_out else (shape, outcome, outcome.output.head())
                )

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(shapes) == len(ended)
    assert [] == [each for each in ended if isinstance(each, tuple)]
    assert [] == running(tag)


def test_closing_leaves_no_process_no_folder_and_no_thread(tmp_path, tag):
    gc.collect()  # what other tests have forgotten is not counted
    threads, handles = threading.active_count(), open_handles()
    shell = Shell(tmp_path, dict(os.environ))
    shell.run(f"setsid sleep {tag} & ( ( trap '' TERM; sleep {tag} ) & ) ; echo")
    folder = Path(shell.run("true").script_name).parent
    assert running(tag)

    shell.close()

    assert [] == running(tag)
    assert not folder.exists()
    assert threads == threading.active_count()
    assert handles == open_handles()
    shell.close()


def test_a_shell_that_cannot_start_leaves_nothing(tmp_path):
    gc.collect()
    handles = open_handles()
    for _ in range(3):
        with pytest.raises(FileNotFoundError, match="gone"):
            Shell(tmp_path / "gone", dict(os.environ)).run("true")

    assert handles == open_handles()


def test_a_forgotten_shell_is_closed(tmp_path, tag):
    shell = Shell(tmp_path, dict(os.environ))
    shell.run(f"sleep {tag} &")

    del shell
    gc.collect()

    assert [] == running(tag)


def test_a_shell_goes_with_the_state_it_lives_in(tmp_path, tag):
    toolset, context = ShellToolSet(tmp_path), ToolContext()
    toolset.run_command(f"sleep {tag} &", context=context)

    del context
    gc.collect()

    assert [] == running(tag)


HOST = """
    import os, signal, sys
    from pathlib import Path
    from kits.shell.shell import Shell

    shell = Shell(Path("."), dict(os.environ))
    shell.run("sleep TAG & setsid sleep TAG & echo")
    print("ready", flush=True)
    END
"""
ENDS = {
    "returns": ("", 0),
    "raises": ("raise SystemExit(3)", 3),
    "is killed": ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
    "is terminated": ("os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM),
    "exits at once": ("os._exit(0)", 0),
}


@pytest.mark.parametrize(("end", "exit_code"), ENDS.values(), ids=ENDS)
def test_nothing_outlives_a_program_that(end, exit_code, tag):
    code = textwrap.dedent(HOST).replace("TAG", tag).replace("END", end)

    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)

    assert (exit_code, b"ready\n", b"") == (ended.returncode, ended.stdout, ended.stderr)
    assert wait_until(lambda: not running(tag))


def test_signals_that_the_host_has_blocked_are_not_missed(tmp_path):
    ended = []

    def work():
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        with Shell(tmp_path, dict(os.environ)) as shell:
            ended.append(shell.run("exit 3", 20))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

    assert (3, False) == (ended[0].exit_code, ended[0].timed_out)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_reader_that_fails_ends_the_command_and_no_more(tmp_path):
    class Failing(Listener):
        def feed(self, data):
            raise ValueError

    with Shell(tmp_path, dict(os.environ)) as shell:
        failed = shell.run("echo one; sleep 20", 20, Failing())
        after = shell.run("echo two", 20)

    assert (False, True) == (failed.timed_out, failed.restarted)
    assert (0, b"two\n") == (after.exit_code, after.output.head())


def test_a_killed_supervisor_takes_nothing_with_it(shell, tag):
    shell.run_command(f"export A=1; setsid sleep {tag} &")
    shell.run_command("kill -9 $PPID; sleep 20", 20)

    assert "1\n" == shell.run_command("echo $A").structured["output"]
    assert [] == running(tag)


def test_a_command_cannot_end_the_supervisor_by_its_group(shell):
    result = shell.run_command("trap '' TERM; kill -TERM 0 $PPID; kill -INT $PPID; echo alive")

    assert "alive\n" == result.structured["output"]


def test_commands_bear_the_mark_of_their_shell(output):
    assert 17 == len(output(f"echo ${MARK}"))


@pytest.mark.skipif(not os.access("/bin/ps", os.X_OK), reason="needs /bin/ps")
def test_both_ways_to_list_processes_agree():
    ours = os.getpid()
    child = subprocess.Popen(["sleep", "20"])
    try:
        by_proc = {row[:2] for row in supervisor.from_proc()}
        by_ps = {row[:2] for row in supervisor.from_ps()}
    finally:
        child.kill()
        child.wait()

    assert {(child.pid, ours), (ours, os.getppid())} <= by_proc & by_ps


def test_a_command_keeps_the_default_signals(output):
    status = output("cat /proc/self/status")
    masks = dict(line.split(":\t") for line in status.splitlines() if line.startswith("Sig"))

    # Signals 32 and 33 are the C library's own.
    assert 0 == int(masks["SigIgn"], 16) & ~(3 << 31)
    assert 0 == int(masks["SigBlk"], 16)


def test_commands_inherit_no_handle(output):
    assert "0 1 2 3\n" == output("echo $(ls /proc/self/fd)")
