"""undo_edit: bytes and mode, step by step."""

import stat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kits import EditToolSet, FileStore, FileToolSet, PatchToolSet, Workspace, WorkspaceError
from kits.files.history import MAX_BYTES, History, Step


@pytest.fixture(name="path")
def path_(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\r\n")
    return path


@pytest.fixture(name="store")
def store_(path):
    return FileStore(Workspace(path.parent), undo=True)


def test_each_undo_takes_back_one_edit_and_the_last_deletes_a_new_file(store, path):
    patches = PatchToolSet(store)
    FileToolSet(store).create("b.txt", "1")
    FileToolSet(store).write_file("b.txt", "2")
    EditToolSet(store).str_replace("b.txt", "2", "3")

    seen = []
    for _ in range(2):
        assert "b.txt is as before its last edit" == patches.undo_edit("b.txt").value
        seen.append(path.with_name("b.txt").read_text())
    assert "b.txt is deleted: it was new" == patches.undo_edit("b.txt").value

    assert ["2", "1"] == seen
    assert not path.with_name("b.txt").exists()
    with pytest.raises(WorkspaceError, match="no edit of 'b.txt' to undo") as caught:
        patches.undo_edit("b.txt")
    assert "input_invalid" == caught.value.code


def test_undo_restores_bytes_and_mode(store, path):
    path.chmod(0o640)
    EditToolSet(store).str_replace("a.txt", "one", "two")
    path.chmod(0o755)

    result = PatchToolSet(store).undo_edit("a.txt")

    assert (b"one\r\n", 0o640) == (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
    assert "-two\r\n+one\r\n" in result.structured["diff"]


def test_undo_brings_back_what_a_patch_deleted_and_moved(store, path):
    path.chmod(0o600)
    patches = PatchToolSet(store)
    patches.apply_patch("*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n-one\n+two")

    patches.undo_edit("b.txt")
    patches.undo_edit("a.txt")

    assert [path] == list(path.parent.iterdir())
    assert (b"one\r\n", 0o600) == (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))


def test_a_change_since_the_edit_is_told_before_it_is_lost(store, path):
    EditToolSet(store).str_replace("a.txt", "one", "two")
    path.write_bytes(b"three\r\n")
    patches = PatchToolSet(store)

    with pytest.raises(WorkspaceError, match="has changed since") as caught:
        patches.undo_edit("a.txt")

    assert "stale_write" == caught.value.code
    assert b"three\r\n" == path.read_bytes()
    patches.undo_edit("a.txt")
    assert b"one\r\n" == path.read_bytes()


def test_a_file_that_is_gone_comes_back(store, path):
    EditToolSet(store).str_replace("a.txt", "one", "two")
    path.unlink()

    PatchToolSet(store).undo_edit("a.txt")

    assert b"one\r\n" == path.read_bytes()


def test_a_new_file_that_is_gone_stays_gone(store, path):
    FileToolSet(store).create("b.txt", "1")
    path.with_name("b.txt").unlink()

    assert "deleted" in PatchToolSet(store).undo_edit("b.txt").value


def test_a_store_that_keeps_nothing_undoes_nothing(path):
    store = FileStore(Workspace(path.parent))
    EditToolSet(store).str_replace("a.txt", "one", "two")

    with pytest.raises(WorkspaceError, match="no edit"):
        PatchToolSet(store).undo_edit("a.txt")


def test_twenty_steps_are_kept(store, path):
    edit, patches = EditToolSet(store), PatchToolSet(store)
    path.write_bytes(b"<0>")
    for number in range(25):
        edit.str_replace("a.txt", f"<{number}>", f"<{number + 1}>")
    for _ in range(20):
        patches.undo_edit("a.txt")

    assert b"<5>" == path.read_bytes()
    with pytest.raises(WorkspaceError, match="no edit"):
        patches.undo_edit("a.txt")


def test_steps_take_no_more_room_than_they_may():
    history = History()
    for number in range(3):
        history.push(f"/{number}", Step(bytes(MAX_BYTES // 2), 0o644))
    found = [history.pop(f"/{number}") for number in range(3)]

    assert [False, True, True] == [step is not None for step in found]


def test_a_step_that_has_no_room_leaves_that_of_others():
    history = History()
    history.push("/a", Step(b"a", 0o644))
    history.push("/large", Step(b"small", 0o644))
    history.push("/large", Step(bytes(MAX_BYTES + 1), 0o644))

    assert (b"a", None) == (history.pop("/a").data, history.pop("/large"))


def test_the_least_recently_edited_file_loses_its_steps_first():
    history = History()
    for name in ("/a", "/b", "/a", "/c"):
        history.push(name, Step(bytes(MAX_BYTES // 4), 0o644))
    history.push("/d", Step(b"x", 0o644))

    assert history.pop("/b") is None
    assert history.pop("/a") is not None


TEXTS = st.text(st.sampled_from("ab\n\r\t\u2028\x0c\u00e9"), max_size=20)


@settings(max_examples=50)
@given(
    before=st.binary(max_size=40).filter(lambda data: b"\0" not in data),
    texts=st.lists(TEXTS, min_size=1, max_size=5),
)
def test_undoing_every_edit_gives_the_first_bytes(tmp_path_factory, before, texts):
    path = tmp_path_factory.mktemp("w") / "a.txt"
    path.write_bytes(before)
    store = FileStore(Workspace(path.parent, durable=False), undo=True)
    FileToolSet(store).view("a.txt")
    for text in texts:
        FileToolSet(store).write_file("a.txt", text)
    for _ in texts:
        PatchToolSet(store).undo_edit("a.txt")

    assert before == path.read_bytes()
