"""Output: all of it, in order, readable, in bounded memory."""

import resource
import subprocess
import sys
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kits.caps import Caps
from kits.shell import text
from kits.shell.capture import Capture
from kits.shell.toolset import ShellToolSet
from qitos_like import ArtifactStore
from qitos_like.core.context import Services, ToolContext

CLEANED = {
    "plain": (b"a\n  b\n\nc", "a\n  b\n\nc"),
    "colours": (b"\x1b[1;31mred\x1b[0m \x1b[38;5;1mx\x1b[m", "red x"),
    "title": (b"\x1b]0;title\x07text\x1b]8;;http://x\x1b\\link", "textlink"),
    "unfinished title": (b"\x1b]0;title\nnext", "\nnext"),
    "cursor": (b"\x1b[2J\x1b[Htop\x1b[K\x1b7\x1b8\x1b(B\x1b=", "top"),
    "8-bit control sequence": ("\x9b31mred".encode(), "red"),
    "escape at the end": (b"end\x1b", "end"),
    "progress by the cursor": (b"\x1b[2K\x1b[1G1%\x1b[2K\x1b[G2%\x1b[0G3%\n", "3%\n"),
    "progress": (b"\r 1%\r 2%\r100%\ndone", "100%\ndone"),
    "progress that returns": (b"1%\r2%\r", "2%"),
    "coloured progress": (b"\x1b[33m1%\r\x1b[K\x1b[33m2%\n", "2%\n"),
    "windows line ends": (b"a\r\nb\r\r\nc", "a\nb\nc"),
    "spinner": (b"work |\b/\b-\b done\n", "work  done\n"),
    "bold by a printer": (b"B\bBo\bold\n\b\bx\n", "Bold\nx\n"),
    "not UTF-8": (b"caf\xe9 \xff", "caf\\xe9 \\xff"),
    "NUL": (b"a\0b", "a\0b"),
    "UTF-8": ("naïve → 🙂".encode(), "naïve → 🙂"),
}


@pytest.mark.parametrize(("data", "shown"), CLEANED.values(), ids=CLEANED)
def test_output_is_shown_as_a_terminal_would(data, shown):
    assert shown == text.clean(data)


@given(st.binary())
def test_cleaning_never_fails_and_adds_no_line(data):
    assert text.clean(data).count("\n") == data.count(b"\n")


@given(st.lists(st.binary(max_size=20)), st.integers(0, 30), st.integers(1, 30))
def test_a_capture_keeps_both_ends_and_counts_the_rest(pieces, head_bytes, tail_bytes):
    capture, whole = Capture(head_bytes, tail_bytes), b"".join(pieces)
    for piece in pieces:
        capture.feed(piece)
    head, tail = capture.head(), capture.tail()

    assert whole.startswith(head)
    assert whole[len(head) :].endswith(tail)
    assert len(whole) == len(head) + capture.dropped + len(tail)
    assert len(head) == min(len(whole), head_bytes)
    assert len(tail) >= min(len(whole) - len(head), tail_bytes)


@given(st.text("ab\n"), st.text("ab\n"), st.integers(0, 5), st.integers(8, 40))
def test_an_excerpt_keeps_both_ends_and_says_what_is_missing(head, tail, dropped, max_chars):
    shown = text.excerpt(head, tail, dropped, max_chars=max_chars)
    if not shown.left_out:
        assert head + tail == shown.text
        return
    first, _, last = shown.text.partition(f"[... {shown.left_out:,} characters left out ...]\n")
    kept = len(first) + len(last)

    assert (head if dropped else head + tail).startswith(first.removesuffix("\n"))
    assert (tail if dropped else head + tail).endswith(last)
    assert shown.left_out in {len(head) + dropped + len(tail) - kept + extra for extra in (0, 1)}
    assert kept <= max_chars + 1
    assert len(shown.text) <= max(max_chars, max_chars // 2 + 50)


def test_the_tail_gets_the_larger_part():
    lines = "".join(f"line {number}\n" for number in range(10_000))

    first, last = text.excerpt(lines, "").text.split("[... ")

    assert 5_000 < len(first) < len(last) < 11_000
    assert first.endswith("\n")
    assert last.endswith("left out ...]\n" + last.partition("...]\n")[2])
    assert lines.endswith(last.partition("...]\n")[2])


def test_long_output_is_cut_and_says_so(shell):
    result = shell.run_command("seq 100000")

    assert result.structured["truncated"]
    assert 15_900 < len(result.structured["output"]) <= 16_000
    assert result.structured["output"].startswith("1\n2\n")
    assert result.structured["output"].endswith("\n99999\n100000\n")
    assert result.value.endswith(" characters left out]")
    left_out = int(result.value.rpartition("\n[")[2].split()[0].replace(",", ""))
    shown = result.structured["output"].replace(f"[... {left_out:,} characters left out ...]\n", "")
    assert 588_895 == len(shown) + left_out


@pytest.fixture
def kept(shell):
    """Runs a command where artifacts are kept, and gives its result and the artifact's text."""
    store = ArtifactStore()

    def run(command):
        result = shell.run_command(command, context=ToolContext(services=Services([store])))
        assert result.artifact == result.structured["artifact"]
        return result, result.artifact and store.path(result.artifact).read_text()

    yield run
    store.close()


def test_the_whole_of_a_cut_output_is_kept(kept):
    result, text = kept("seq 10000; echo done")

    assert "".join(f"{number}\n" for number in range(1, 10_001)) + "done\n" == text
    assert result.value.endswith(f" characters left out, whole: {result.artifact}]")


def test_what_is_shown_whole_is_not_kept(kept):
    assert (None, None) == (kept("seq 10")[0].artifact, kept("seq 10")[1])


def test_a_smaller_cap_shows_less(tmp_path):
    shell = ShellToolSet(tmp_path, caps=Caps(command_chars=100))

    assert len(shell.run_command("seq 1000").structured["output"]) < 150
    shell.teardown()


def test_three_megabytes_on_one_line_are_cut(output):
    shown = output("head -c 3000000 /dev/zero | tr '\\0' x")

    assert 16_000 == len(shown)
    assert f"{3_000_000 - shown.count('x'):,} characters left out" in shown


def test_stdout_and_stderr_come_in_order(output):
    assert "1\n2\n3\n4\n" == output("echo 1; echo 2 >&2; sh -c 'echo 3; echo 4 >&2'")


def test_python_does_not_hold_its_output_back(output):
    code = "import sys; print(1); print(2, file=sys.stderr); print(3)"

    assert "1\n2\n3\n" == output(f"{sys.executable} -c '{code}'")


def test_a_large_output_is_whole_up_to_what_is_kept(output):
    assert "x" * 15_000 == output("head -c 15000 /dev/zero | tr '\\0' x")


MEMORY = """
    import os, sys
    from pathlib import Path
    from kits.shell.shell import Shell
    import resource

    def peak():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    with Shell(Path("."), dict(os.environ)) as shell:
        shell.run("yes | head -c 3000000")
        before = peak()
        outcome = shell.run("yes | head -c SIZE", 1000)
        assert SIZE == len(outcome.output.head() + outcome.output.tail()) + outcome.output.dropped
        print(peak() - before)
"""


def growth_kib(size):
    """By how much a host's memory grows over a command with so much output."""
    code = textwrap.dedent(MEMORY).replace("SIZE", str(size))
    unit = 1024 if sys.platform == "darwin" else 1
    return int(subprocess.check_output([sys.executable, "-c", code])) // unit


def test_200_megabytes_of_output_need_little_memory():
    assert growth_kib(200_000_000) < 8 * 1024


@pytest.mark.stress
@pytest.mark.timeout(600)
def test_10_gigabytes_of_output_need_little_memory():
    assert growth_kib(10_000_000_000) < 32 * 1024


def test_a_thousand_commands_keep_memory_and_handles_flat(shell):
    shell.run_command("true")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    count = "for pid in $PPID $$; do ls /proc/$pid/fd >list; wc -l <list; done"
    handles = shell.run_command(count)
    for number in range(1000):
        shell.run_command(f"echo {number}")
    after = shell.run_command(count)

    assert handles.structured["output"] == after.structured["output"]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8 * 1024
