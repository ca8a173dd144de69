"""A patch is done whole or changes nothing, however odd it is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kits import PatchToolSet, Workspace, WorkspaceError


def tree(folder):
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def codex(*lines):
    return "\n".join(["*** Begin Patch", *lines, "*** End Patch"])


def test_a_failure_at_the_last_moment_takes_everything_back(tmp_path, as_another_user):
    tmp_path.chmod(0o777)
    (tmp_path / "a.txt").write_text("a\n")
    (tmp_path / "a.txt").chmod(0o666)
    (tmp_path / "closed").mkdir(mode=0o755)
    (tmp_path / "closed" / "b.txt").write_text("b\n")
    (tmp_path / "closed" / "b.txt").chmod(0o666)
    patch = codex(
        "*** Update File: a.txt",
        "-a",
        "+A",
        "*** Add File: c.txt",
        "+c",
        "*** Delete File: closed/b.txt",
    )
    toolset = PatchToolSet(tmp_path)

    said = as_another_user(lambda: toolset.apply_patch(patch))

    assert "permission denied" in said
    assert {"a.txt": b"a\n", "closed/b.txt": b"b\n"} == tree(tmp_path)


def test_a_move_that_fails_leaves_no_copy(tmp_path, as_another_user):
    tmp_path.chmod(0o777)
    (tmp_path / "a.txt").write_text("a\n")
    (tmp_path / "a.txt").chmod(0o444)
    toolset = PatchToolSet(tmp_path)

    said = as_another_user(
        lambda: toolset.apply_patch(codex("*** Update File: a.txt", "*** Move to: b.txt"))
    )

    assert "permission denied" in said
    assert "could not be taken back" not in said
    assert {"a.txt": b"a\n"} == tree(tmp_path)


def test_a_line_of_blanks_is_read_in_no_time(tmp_path):
    patch = codex(f"*** Update File: {' ' * 100_000}a.txt{' ' * 100_000}b", "-a", "+b")

    with pytest.raises(WorkspaceError, match="too long"):
        PatchToolSet(tmp_path).apply_patch(patch)


LINES = [
    *["*** Begin Patch", "*** Update File: a.txt", "*** Add File: n.txt", "*** Move to: m.txt"],
    *["*** End of File", "*** End Patch", "*** Update File: ", "*** Update File: ../x", "text"],
    *["@@", "@@ one", "@@ -1,3 +1,3 @@", "@@ -2 +2 @@", "@@@ -1 -1 +1 @@@", "@@ -99 +1 @@"],
    *[" one", "-two", "+TWO", " three", "", "+", "-", "+x", "one", "+++ b/a.txt", "-- ", "2.39"],
    *["diff --git a/a.txt b/a.txt", "diff --git a/a.txt b/q.txt", "--- a/a.txt", "+++ b/n.txt"],
    *["rename from a.txt", "rename to r.txt", "new file mode 100644", "new mode 100755"],
    *["new mode 9", "index 1..2 120000", "\\ No newline at end of file", "--- /dev/null", "\r"],
]
BEGINNINGS = ["", "*** Begin Patch\n*** Update File: a.txt\n", "--- a/a.txt\n+++ b/a.txt\n"]


@settings(max_examples=500, deadline=None)
@given(st.sampled_from(BEGINNINGS), st.lists(st.sampled_from(LINES), min_size=1, max_size=10))
def test_no_line_of_an_odd_patch_is_lost(tmp_path_factory, beginning, lines):
    folder = tmp_path_factory.mktemp("w")
    (folder / "a.txt").write_text("one\ntwo\nthree\n")
    before = tree(folder)

    try:
        PatchToolSet(Workspace(folder, durable=False)).apply_patch(beginning + "\n".join(lines))
    except WorkspaceError:
        assert before == tree(folder)
    else:
        after = b"".join(tree(folder).values()).decode()
        added = [line[1:] for line in lines if line.startswith("+") and line[1:3] != "++"]
        assert [] == [line for line in added if line not in after]
