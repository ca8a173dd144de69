"""Edits that are stopped half-way: the old file or the new, whole, and nothing beside it."""

import os
import re
import resource
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from kits import CodingToolSet, WorkspaceError

BODY = b"x" * 99 + b"\n"
LINES = 30_000

EDITING = """
    import sys
    from kits import CodingToolSet
    kit = CodingToolSet(sys.argv[1])
    number = int(sys.argv[2])
    print("ready", flush=True)
    while True:
        kit.str_replace("big.txt", f"<{number}>", f"<{number + 1}>")
        number += 1
"""


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    "kills",
    [
        pytest.param(20, marks=pytest.mark.timeout(120)),
        pytest.param(200, marks=[pytest.mark.stress, pytest.mark.timeout(900)]),
    ],
)
def test_a_killed_edit_leaves_the_old_file_or_the_new(tmp_path, kills):
    path = tmp_path / "big.txt"
    path.write_bytes(b"<0>\n" + BODY * LINES)
    number = seen = 0
    for kill in range(kills):
        command = [sys.executable, "-c", textwrap.dedent(EDITING), tmp_path, str(number)]
        child = subprocess.Popen(command, stdout=subprocess.PIPE)
        child.stdout.readline()
        time.sleep(0.002 * (kill % 25))
        child.send_signal(signal.SIGKILL)
        child.communicate()

        data = path.read_bytes()
        number = int(re.match(rb"<(\d+)>\n", data)[1])
        assert data == b"<%d>\n" % number + BODY * LINES
        seen = max(seen, number)

    assert seen
    CodingToolSet(tmp_path).str_replace("big.txt", f"<{number}>", "<end>")
    assert ["big.txt"] == names(tmp_path)


PATCH = """\
*** Begin Patch
*** Update File: small.txt
-small
+SMALL
*** Add File: new.txt
+new
*** Update File: big.txt
-<0>
+<1>
*** End Patch"""


@pytest.fixture(name="change_in", params=["str_replace", "apply_patch", "write_file", "MultiEdit"])
def change_in_(request):
    """A change of a large file in a folder, by one of the tools."""

    def change_in(folder):
        kit = CodingToolSet(folder, enable_patch=True, ledger="off")
        modern = CodingToolSet(folder, expose_modern_names=True)
        edits = [{"old_string": "<0>", "new_string": "<1>"}]
        acts = {
            "str_replace": lambda: kit.str_replace("big.txt", "<0>", "<1>"),
            "apply_patch": lambda: kit.apply_patch(PATCH),
            "write_file": lambda: kit.write_file("big.txt", "y" * 3_000_000),
            "MultiEdit": lambda: modern.MultiEdit("big.txt", edits),
        }
        return acts[request.param]

    return change_in


def filled(folder):
    (folder / "big.txt").write_bytes(b"<0>\n" + BODY * LINES)
    (folder / "small.txt").write_bytes(b"small\n")
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_limit_of_file_size_changes_nothing(tmp_path, change_in, as_another_user):
    before = filled(tmp_path)
    change = change_in(tmp_path)
    tmp_path.chmod(0o777)
    for path in tmp_path.iterdir():
        path.chmod(0o666)

    def act():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        change()

    assert "file too large" in as_another_user(act)
    assert before == {path.name: path.read_bytes() for path in tmp_path.iterdir()}


@pytest.fixture(name="small_disk")
def small_disk_(tmp_path):
    """A disk with room for the large file, but not for two of it."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no tmpfs can be mounted here")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="mounting needs root")
def test_a_full_disk_changes_nothing(small_disk, change_in):
    before = filled(small_disk)

    with pytest.raises(WorkspaceError, match="no space left") as caught:
        change_in(small_disk)()

    assert "execution_failed" == caught.value.code
    assert before == {path.name: path.read_bytes() for path in small_disk.iterdir()}
