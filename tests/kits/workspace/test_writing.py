"""A write is whole or has not happened, and leaves nothing beside the file."""

import os
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from pathlib import Path

import pytest

from kits.workspace import Workspace, WorkspaceError, staged, walk

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="dropping root needs root")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture(name="workspace")
def workspace_(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"old")
    with Workspace(tmp_path) as workspace:
        yield workspace


def test_the_pieces_are_written_in_order_and_the_new_facts_returned(workspace):
    facts = workspace.write_bytes("a.txt", b"one ", memoryview(b"two "), b"three")

    assert b"one two three" == (workspace.root / "a.txt").read_bytes()
    assert facts.st_ino == (workspace.root / "a.txt").stat().st_ino


def test_large_content_is_written_whole(workspace):
    body = os.urandom(9 << 20)

    workspace.write_bytes("a.txt", body[:5], memoryview(body)[5:])

    assert body == (workspace.root / "a.txt").read_bytes()


def test_missing_folders_are_made(workspace):
    workspace.write_bytes("x/y/z.txt", b"new")

    assert b"new" == (workspace.root / "x/y/z.txt").read_bytes()


def test_a_new_file_has_the_mode_that_the_umask_leaves(workspace):
    old = os.umask(0o027)
    try:
        workspace.write_bytes("new.txt", b"")
    finally:
        os.umask(old)

    assert 0o640 == stat.S_IMODE((workspace.root / "new.txt").stat().st_mode)


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o4755])
def test_the_mode_of_a_file_stays(workspace, mode):
    (workspace.root / "a.txt").chmod(mode)

    workspace.write_bytes("a.txt", b"new")

    assert mode == stat.S_IMODE((workspace.root / "a.txt").stat().st_mode)


@needs_root
def test_the_owner_of_a_file_stays(workspace):
    os.chown(workspace.root / "a.txt", 1234, 4321)

    workspace.write_bytes("a.txt", b"new")

    facts = (workspace.root / "a.txt").stat()
    assert (1234, 4321) == (facts.st_uid, facts.st_gid)


def test_where_the_owner_cannot_stay_the_set_id_bits_go(workspace, as_another_user):
    path = workspace.root / "a.txt"
    os.chown(path, 1234, 1234)
    path.chmod(0o6666)
    workspace.root.chmod(0o777)

    as_another_user(lambda: workspace.write_bytes("a.txt", b"new"))

    assert (b"new", 0o666) == (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))


def test_the_attributes_of_a_file_stay(workspace):
    path = workspace.root / "a.txt"
    try:
        os.setxattr(path, "user.note", b"mine")
    except (OSError, AttributeError):
        pytest.skip("there are no extended attributes here")

    workspace.write_bytes("a.txt", b"new")

    assert (b"new", b"mine") == (path.read_bytes(), os.getxattr(path, "user.note"))


@pytest.mark.parametrize(
    "path", ["x/y/" + "n" * 300, "x/" + "n" * 300 + "/y", "x/../x/y/.vscode/settings.json"]
)
def test_folders_that_were_made_for_nothing_are_gone(workspace, path):
    with pytest.raises(WorkspaceError):
        workspace.write_bytes(path, b"new")

    assert ["a.txt"] == names(workspace.root)


def test_folders_of_content_that_is_not_committed_are_gone(workspace):
    with workspace.stage("x/y/z.txt", [b"new"]):
        assert (workspace.root / "x/y").is_dir()

    assert ["a.txt"] == names(workspace.root)


def test_a_path_that_ends_as_a_folder_is_not_written(workspace):
    with pytest.raises(WorkspaceError, match="names a folder"):
        workspace.write_bytes("new/", b"x")

    assert ["a.txt"] == names(workspace.root)


def test_a_link_is_not_removed_in_place_of_its_file(workspace):
    (workspace.root / "link").symlink_to("a.txt")

    with pytest.raises(WorkspaceError, match="is a link to 'a.txt'"):
        workspace.remove("link")

    assert ["a.txt", "link"] == names(workspace.root)


def test_a_file_below_a_linked_folder_can_be_removed(workspace):
    workspace.write_bytes("d/b.txt", b"x")
    (workspace.root / "link").symlink_to("d")

    workspace.remove("link/b.txt")

    assert [] == names(workspace.root / "d")


def test_another_name_of_a_file_keeps_its_bytes(workspace):
    os.link(workspace.root / "a.txt", workspace.root / "other.txt")

    workspace.write_bytes("a.txt", b"new")

    assert b"old" == (workspace.root / "other.txt").read_bytes()


def test_an_exclusive_write_refuses_what_exists(workspace):
    with pytest.raises(WorkspaceError, match="exists already") as caught:
        workspace.write_bytes("a.txt", b"new", exclusive=True)

    assert "input_invalid" == caught.value.code
    assert b"old" == (workspace.root / "a.txt").read_bytes()


def test_an_exclusive_write_refuses_what_appears_at_the_last_moment(workspace):
    with workspace.stage("new.txt", [b"mine"], exclusive=True) as content:
        (workspace.root / "new.txt").write_bytes(b"theirs")

        with pytest.raises(WorkspaceError, match="exists already"):
            content.commit()

    assert b"theirs" == (workspace.root / "new.txt").read_bytes()


def test_staged_content_that_is_not_committed_leaves_nothing(workspace):
    with workspace.stage("a.txt", [b"new"]):
        pass

    assert ["a.txt"] == names(workspace.root)
    assert b"old" == (workspace.root / "a.txt").read_bytes()


def test_a_file_that_is_removed_is_gone(workspace):
    workspace.remove("a.txt")

    assert [] == names(workspace.root)


@pytest.mark.parametrize("replaces", [True, False], ids=["replace", "create"])
def test_without_anonymous_files_a_write_is_the_same(workspace, replaces):
    name = "a.txt" if replaces else "new.txt"
    fd = os.open(workspace.root, os.O_RDONLY)
    like = (workspace.root / "a.txt").stat() if replaces else None

    with staged.stage(
        walk.Spot(fd, name, (name,)), [b"new"], like=like, anonymous=False
    ) as content:
        content.commit()

    assert b"new" == (workspace.root / name).read_bytes()
    assert {"a.txt", name} == set(names(workspace.root))


def test_without_anonymous_files_what_is_not_committed_leaves_nothing(workspace):
    fd = os.open(workspace.root, os.O_RDONLY)

    staged.stage(walk.Spot(fd, "b", ("b",)), [b"new"], like=None, anonymous=False).close()

    assert ["a.txt"] == names(workspace.root)


@pytest.mark.parametrize("place", ["/dev/shm", "."], ids=["another disk", "the same disk"])
def test_ranges_of_files_are_copied(workspace, place):
    if not Path(place).is_dir():
        pytest.skip(f"there is no {place}")
    folder = workspace.root if place == "." else place
    with tempfile.NamedTemporaryFile(dir=folder) as source:
        source.write(b"0123456789" * 300_000)
        source.flush()
        parts = (
            staged.FileRange(source.fileno(), 5, 10),
            b"-",
            staged.FileRange(source.fileno(), 3, 2_500_000),
        )

        workspace.write_bytes("a.txt", *parts)

    expected = b"5678901234-" + (b"3456789012" * 250_000)
    assert expected == (workspace.root / "a.txt").read_bytes()


def test_a_range_that_became_shorter_is_refused(workspace):
    with (
        (workspace.root / "a.txt").open("rb") as source,
        pytest.raises(WorkspaceError, match="stale file handle"),
    ):
        workspace.write_bytes("b.txt", staged.FileRange(source.fileno(), 0, 100))

    assert ["a.txt"] == names(workspace.root)


def test_what_a_dead_process_left_is_swept_by_the_next_write(workspace):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    token = "0123456789abcdef"
    left, alive = f".qitos-{dead.pid}-{token}.tmp", f".qitos-{os.getpid()}-{token}.tmp"
    for name in (left, alive, ".qitos-notes.tmp"):
        (workspace.root / name).write_bytes(b"")

    workspace.write_bytes("a.txt", b"new")

    assert {"a.txt", alive, ".qitos-notes.tmp"} == set(names(workspace.root))


def test_a_full_disk_leaves_the_old_file_and_nothing_else(workspace, as_another_user):
    workspace.root.chmod(0o777)
    (workspace.root / "a.txt").chmod(0o666)

    def act():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))
        workspace.write_bytes("a.txt", bytes(1 << 20))

    assert "file too large" in as_another_user(act)
    assert ["a.txt"] == names(workspace.root)
    assert b"old" == (workspace.root / "a.txt").read_bytes()


@pytest.mark.parametrize("name", ["a.txt", "new.txt", "folder/new.txt"])
def test_another_user_cannot_write_to_a_read_only_folder(workspace, as_another_user, name):
    workspace.root.chmod(0o555)
    (workspace.root / "a.txt").chmod(0o666)

    said = as_another_user(lambda: workspace.write_bytes(name, b"new"))

    assert f"WorkspaceError(\"'{name}': permission denied\")" == said
    assert ["a.txt"] == names(workspace.root)
    assert b"old" == (workspace.root / "a.txt").read_bytes()


def test_another_user_cannot_replace_a_read_only_file(workspace, as_another_user):
    workspace.root.chmod(0o777)
    (workspace.root / "a.txt").chmod(0o444)

    said = as_another_user(lambda: workspace.write_bytes("a.txt", b"new"))

    assert "permission denied" in said
    assert ["a.txt"] == names(workspace.root)
    assert b"old" == (workspace.root / "a.txt").read_bytes()


KILLED = """
    import sys
    from kits.workspace import Workspace
    workspace = Workspace(sys.argv[1])
    contents = [b"A" * 3_000_000, b"B" * 4_000_000]
    while True:
        for content in contents:
            workspace.write_bytes("big.bin", content)
            print("written", flush=True)
"""


@pytest.mark.timeout(120)
def test_a_killed_write_leaves_the_old_file_or_the_new_and_nothing_else(tmp_path):
    wholes = {b"A" * 3_000_000, b"B" * 4_000_000}
    (tmp_path / "big.bin").write_bytes(b"A" * 3_000_000)
    for round_number in range(20):
        child = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(KILLED), tmp_path], stdout=subprocess.PIPE
        )
        child.stdout.readline()
        time.sleep(0.001 * round_number)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()

        assert (tmp_path / "big.bin").read_bytes() in wholes

    Workspace(tmp_path).write_bytes("small.txt", b"")
    assert {"big.bin", "small.txt"} == set(names(tmp_path))


def test_the_lock_of_a_file_is_one_however_it_is_named(workspace):
    (workspace.root / "link").symlink_to("a.txt")
    entered = threading.Event()

    def other():
        with workspace.locked("./A.txt", "link"):
            entered.set()

    with workspace.locked("a.txt", "b.txt"):
        thread = threading.Thread(target=other)
        thread.start()
        assert not entered.wait(0.05)
    thread.join()
    assert entered.is_set()
