"""create and write_file, and what must have been read before."""

import pytest

from kits import EditToolSet, FileStore, FileToolSet, Workspace, WorkspaceError
from qitos_like import ToolContext


@pytest.fixture(name="files")
def files_(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"one\ntwo\n")
    return FileToolSet(tmp_path)


@pytest.fixture(name="path")
def path_(tmp_path):
    return tmp_path / "a.txt"


def stale(act, *args, **options):
    with pytest.raises(WorkspaceError) as caught:
        act(*args, **options)
    assert "stale_write" == caught.value.code
    return caught.value


def test_a_new_file_is_written_exactly_as_given(files, tmp_path):
    result = files.create("x/y.txt", "a\r\nb\tc")

    assert b"a\r\nb\tc" == (tmp_path / "x/y.txt").read_bytes()
    assert "Created x/y.txt (2 lines, 6 bytes); no newline at the end" == result.value
    assert {"path": "x/y.txt", "created": True, "lines": 2, "bytes": 6}.items() <= (
        result.structured.items()
    )


def test_an_empty_file_can_be_made(files):
    assert "Created b.txt (0 lines, 0 bytes)" == files.create("b.txt", "").value


def test_a_file_that_exists_is_not_created(files, path):
    with pytest.raises(WorkspaceError, match="exists already") as caught:
        files.create("a.txt", "new")

    assert "input_invalid" == caught.value.code
    assert b"one\ntwo\n" == path.read_bytes()


def test_a_text_that_declares_its_encoding_is_written_in_it(files, path):
    files.create("b.py", "# coding: latin-1\nx = '\u00e9'\n")

    assert b"# coding: latin-1\nx = '\xe9'\n" == path.with_name("b.py").read_bytes()
    with pytest.raises(WorkspaceError, match="has no"):
        files.create("c.py", "# coding: latin-1\n\u2192\n")
    assert not path.with_name("c.py").exists()


def test_a_lone_surrogate_is_refused_before_the_file_is_touched(files, path):
    files.view("a.txt")

    for act, name in ((files.create, "b.txt"), (files.write_file, "a.txt")):
        with pytest.raises(WorkspaceError, match="lone surrogate"):
            act(name, "\ud83c")
    assert [path] == list(path.parent.iterdir())
    assert b"one\ntwo\n" == path.read_bytes()


def test_a_file_that_was_not_read_is_not_overwritten(files, path):
    error = stale(files.write_file, "a.txt", "new\n")

    assert "has not been read" in str(error)
    assert "View it first" in error.hint
    assert b"one\ntwo\n" == path.read_bytes()


def test_a_file_that_was_read_in_part_can_be_overwritten(files, path):
    files.view("a.txt", [1, 1])

    result = files.write_file("a.txt", "new\n")

    assert "Overwrote a.txt (1 line, 4 bytes)" == result.value
    assert "-one\n-two\n+new\n" in result.structured["diff"]
    assert b"new\n" == path.read_bytes()


def test_a_new_file_needs_no_reading(files, path):
    assert files.write_file("b.txt", "x\n").value.startswith("Created")
    assert files.write_file("b.txt", "y\n").value.startswith("Overwrote")


def test_the_mark_of_an_overwritten_file_stays(files, path):
    path.write_bytes("\ufeffold".encode("utf-16-le"))
    files.view("a.txt")

    files.write_file("a.txt", "new")

    assert "\ufeffnew".encode("utf-16-le") == path.read_bytes()


def test_a_change_from_outside_is_told_with_a_diff_and_the_next_try_goes_through(files, path):
    files.view("a.txt")
    path.write_bytes(b"one\nTWO\n")

    error = stale(files.write_file, "a.txt", "new\n")

    assert "\n-two\n+TWO\n" in str(error)
    assert "\n-two\n+TWO\n" in error.structured["diff"]
    assert b"one\nTWO\n" == path.read_bytes()
    files.write_file("a.txt", "new\n")
    assert b"new\n" == path.read_bytes()


def test_equal_bytes_are_never_stale(files, path):
    files.view("a.txt")
    path.unlink()
    path.write_bytes(b"one\ntwo\n")

    files.write_file("a.txt", "new\n")

    assert b"new\n" == path.read_bytes()


def test_a_change_of_a_large_file_is_told_without_a_diff_and_needs_another_view(files, path):
    path.write_bytes(b"x\n" * 600_000)
    files.view("a.txt")
    path.write_bytes(b"y\n" * 600_000)

    error = stale(files.write_file, "a.txt", "new\n")

    assert "View it again" in error.hint
    assert error.structured["diff"] is None


def test_a_file_too_large_to_hash_is_known_by_its_facts(files, path):
    path.write_bytes(b"x\n" * 5_000_000)
    files.view("a.txt", [1, 2])
    path.write_bytes(b"y\n" * 5_000_000)

    stale(files.write_file, "a.txt", "new\n")
    files.write_file("a.txt", "new\n")


def test_a_long_diff_is_shortened(files, path):
    path.write_bytes(b"".join(b"old line %d\n" % number for number in range(1_000)))
    files.view("a.txt")
    path.write_bytes(b"".join(b"new line %d\n" % number for number in range(1_000)))

    text = str(stale(files.write_file, "a.txt", "x"))

    assert "more characters; view the file]" in text
    assert len(text) < 4_000


def test_an_insertion_wants_what_was_read_to_be_unchanged(files, path):
    edit = EditToolSet(files.store)
    edit.insert("a.txt", 1, "unread is fine")
    path.write_bytes(b"zero\none\ntwo\n")

    stale(edit.insert, "a.txt", 1, "x")
    edit.insert("a.txt", 1, "x")

    assert b"zero\nx\none\ntwo\n" == path.read_bytes()


def test_a_replacement_in_a_changed_file_applies_and_says_so(files, path):
    edit = EditToolSet(files.store)
    files.view("a.txt")
    path.write_bytes(b"zero\none\ntwo\n")

    result = edit.str_replace("a.txt", "two", "TWO")

    assert "a.txt has changed since it was read" in result.value.splitlines()[-1]
    assert b"zero\none\nTWO\n" == path.read_bytes()
    assert "has changed" not in edit.str_replace("a.txt", "TWO", "two").value


def test_strict_wants_every_changed_file_to_have_been_read(path):
    store = FileStore(Workspace(path.parent), ledger="strict")
    path.write_bytes(b"one\n")
    files, edit = FileToolSet(store), EditToolSet(store)

    stale(edit.str_replace, "a.txt", "one", "two")
    stale(edit.insert, "a.txt", 0, "x")
    files.view("a.txt")
    edit.str_replace("a.txt", "one", "two")


def test_off_wants_nothing(files, path):
    files = FileToolSet(path.parent, ledger="off")

    files.write_file("a.txt", "new\n")
    path.write_bytes(b"changed\n")
    files.write_file("a.txt", "newer\n")

    assert b"newer\n" == path.read_bytes()


def test_each_executor_has_a_ledger_of_its_own(files):
    mine, theirs = ToolContext(), ToolContext()
    files.view("a.txt", context=mine)

    stale(files.write_file, "a.txt", "x", context=theirs)
    stale(files.write_file, "a.txt", "x")
    files.write_file("a.txt", "x", context=mine)


def test_a_file_too_large_to_edit_is_refused(files, path):
    with path.open("wb") as file:
        file.truncate((1 << 30) + 1)

    with pytest.raises(WorkspaceError, match="too large to edit"):
        EditToolSet(files.store).insert("a.txt", 0, "x")


def test_lines_of_other_encodings_are_counted_as_text(files, tmp_path):
    (tmp_path / "u.txt").write_bytes("\ufeffone\n".encode("utf-16-le"))
    files.view("u.txt")

    result = files.write_file("u.txt", "\u4e0a\ntwo\n")

    assert "Overwrote u.txt (2 lines, 14 bytes)" == result.value
    assert result.structured["diff"].endswith("-one\n+\u4e0a\n+two\n")
