"""apply_patch: every form of a patch, all of it or nothing."""

import os
import shutil
import stat
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kits import FileStore, FileToolSet, PatchToolSet, Workspace, WorkspaceError
from kits.text import diff

TWICE = b"class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 1\n"


@pytest.fixture(name="patched")
def patched_(tmp_path):
    """Apply a patch to files; the files after."""

    def patched(files, patch):
        for name, content in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(content)
        PatchToolSet(tmp_path).apply_patch(patch)
        return tree(tmp_path)

    return patched


@pytest.fixture(name="refused")
def refused_(tmp_path, patched):
    """The refusal of a patch, which changed nothing."""

    def refused(files, patch):
        with pytest.raises(WorkspaceError) as caught:
            patched(files, patch)
        assert files == tree(tmp_path)
        return caught.value

    return refused


def tree(folder):
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def codex(*lines):
    return "\n".join(["*** Begin Patch", *lines, "*** End Patch"])


def update(*lines):
    return codex("*** Update File: a.txt", *lines)


@pytest.mark.parametrize(
    ("before", "lines", "after"),
    [
        (b"one\ntwo\nthree\n", ["@@", " one", "-two", "+TWO", " three"], b"one\nTWO\nthree\n"),
        (b"one\ntwo\n", ["-two", "+TWO"], b"one\nTWO\n"),
        (b"one\ntwo\n", ["@@ one", "+mid"], b"one\nmid\ntwo\n"),
        (b"one\n", ["+end"], b"one\nend\n"),
        (b"one", ["+end"], b"one\nend"),
        (b"", ["+new"], b"new\n"),
        (b"a\nb\nc\nd\n", ["@@", "-a", "+A", "@@", "-c", "-d"], b"A\nb\n"),
        (b"a\nb\nc\n", ["@@", "-a", "+A", " b", "-c", "+C", "+D"], b"A\nb\nC\nD\n"),
        (b"a\nx\na\n", ["@@", "-a", "+b", "*** End of File"], b"a\nx\nb\n"),
        (
            TWICE,
            ["@@ class A:", "@@     def g(self):", "-        return 1", "+        return 2"],
            TWICE[:-2] + b"2\n",
        ),
        (TWICE, ["@@ def g(self):", "-        return 1", "+        return 2"], TWICE[:-2] + b"2\n"),
        (
            TWICE,
            ["@@ def f(self):", " ", "-    def g(self):", "+    def h(self):"],
            TWICE.replace(b"g(", b"h("),
        ),
        (TWICE, ["@@ -6,1 +6,1 @@", "-        return 1", "+        return 2"], TWICE[:-2] + b"2\n"),
        (b"a \nb\t\n", [" a", "-b", "+B"], b"a \nB\n"),
        (b"a\r\nb\r\nc\r\n", [" a", "-b", "+B", "+D"], b"a\r\nB\r\nD\r\nc\r\n"),
        (b"a\r\nb\nc\n", ["-a", "-b", "+A", "+B"], b"A\r\nB\nc\n"),
        (b"a\nb", ["-b", "+B", "+C"], b"a\nB\nC"),
        (b"a\nb", ["-b"], b"a\n"),
        (b"a\nb", ["-a", "+A"], b"A\nb"),
        (b"\xef\xbb\xbfa\n", ["-a", "+b"], b"\xef\xbb\xbfb\n"),
        (b"caf\xe9\nx\n", ["-x", "+y"], b"caf\xe9\ny\n"),
        (
            "\ufeffa\r\nb\r\n".encode("utf-16-le"),
            ["-b", "+\u4e2d"],
            "\ufeffa\r\n\u4e2d\r\n".encode("utf-16-le"),
        ),
        (b"a\n\nb\n", [" a", "", "-b", "+c"], b"a\n\nc\n"),
        (b"a\nb\n", ["@@", "-a", "+A", "", "@@", "-b", "+B", ""], b"A\nB\n"),
    ],
    ids=ascii,
)
def test_an_update_changes_its_lines_and_no_other_byte(patched, before, lines, after):
    assert {"a.txt": after} == patched({"a.txt": before}, update(*lines))


@pytest.mark.parametrize(
    "wrap",
    [
        lambda patch: f"apply_patch <<'EOF'\n{patch}\nEOF\n",
        lambda patch: f"\n\n  {patch}  \n\n",
        lambda patch: patch.replace("\n", "\r\n"),
        lambda patch: "\n".join(f"    {line}" for line in patch.split("\n")),
        lambda patch: f"```\n{patch}\n```",
        lambda patch: patch.removesuffix("\n*** End Patch"),
    ],
    ids=["heredoc", "blank lines", "CRLF", "indent", "fence", "no end"],
)
def test_what_is_around_a_patch_does_not_matter(patched, wrap):
    patch = update("@@", " one", "-two", "+TWO")

    assert {"a.txt": b"one\nTWO\n"} == patched({"a.txt": b"one\ntwo\n"}, wrap(patch))


def test_files_are_added_deleted_updated_and_moved_at_once(tmp_path, patched):
    patch = codex(
        "*** Add File: new/deep.txt",
        "+hello",
        "+world",
        "",
        "*** Delete File: gone.txt",
        "*** Update File: a.txt",
        "-one",
        "+ONE",
        "*** Update File: old.sh",
        "*** Move to: bin/new.sh",
        "-echo a",
        "+echo b",
    )
    (tmp_path / "old.sh").touch(mode=0o750)

    files = patched({"gone.txt": b"bye\n", "a.txt": b"one\n", "old.sh": b"echo a\n"}, patch)

    expected = {"new/deep.txt": b"hello\nworld\n", "a.txt": b"ONE\n", "bin/new.sh": b"echo b\n"}
    assert expected == files
    assert 0o750 == stat.S_IMODE((tmp_path / "bin/new.sh").stat().st_mode)


def test_the_answer_has_a_line_for_each_file(tmp_path):
    (tmp_path / "a.txt").write_text("one\n")
    (tmp_path / "b.txt").write_text("one\n")
    patch = codex(
        "*** Add File: c.txt",
        "+1",
        "+2",
        "*** Delete File: b.txt",
        "*** Update File: a.txt",
        "*** Move to: d.txt",
        "-one",
        "+ONE",
        "+TWO",
    )

    result = PatchToolSet(tmp_path).apply_patch(patch)

    assert "A c.txt (+2 -0)\nD b.txt (+0 -1)\nR a.txt -> d.txt (+2 -1)" == result.value
    [added, _, moved] = result.structured["files"]
    assert ("A", 2) == (added["status"], added["added"])
    assert ("a.txt", "d.txt") == (moved["old_path"], moved["path"])
    assert "\n-one\n+ONE\n+TWO\n" in moved["diff"]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["-zero", "+x"], "the hunk was not found"),
        (["-one", "+x", "@@", "-zero", "+y"], "hunk 2 of 2 was not found"),
        (["-two", "+x", "@@", "-one", "+y"], "hunk 2 of 2 was not found"),
        (["-same", "+x"], "the hunk fits at 2 places, lines 3, 4"),
        (["@@ nowhere", "+x"], "the header 'nowhere' of the hunk was not found"),
        (["@@ same", "+x"], "the header 'same' of the hunk fits at 2 places, lines 4, 5"),
        (["-one", "+x", "*** End of File"], "was not found"),
        (["- one ", "+x"], "only whitespace differs from line 1"),
        (["*one"], "line 3 of the patch is '*one'"),
        ([], "without a change"),
        (["*** Frobnicate File: a.txt"], "expected a line behind"),
    ],
    ids=repr,
)
def test_a_hunk_that_does_not_fit_is_explained(refused, lines, said):
    error = refused({"a.txt": b"one\ntwo\nsame\nsame\n"}, update(*lines))

    assert said in str(error)
    assert "input_invalid" == error.code


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        (codex(), "has no section"),
        (codex("one"), "line 2 of the patch is 'one'"),
        (codex("*** Add File: a.txt", "+x"), "exists already"),
        (codex("*** Update File: b.txt", "*** Move to: a.txt", "-b", "+x"), "exists already"),
        (codex("*** Delete File: c.txt"), "does not exist"),
        (codex("*** Delete File: b.txt", "x"), "expected nothing behind"),
        (codex("*** Add File: c.txt", "x"), "expected a line of the new file"),
        (codex("*** Add File: c.txt", "+x", "*** Add File: ./c.txt", "+y"), "exists already"),
        (
            codex("*** Delete File: b.txt", "*** Update File: b.txt", "-b", "+c"),
            "deleted by the same",
        ),
        (codex("*** Add File: ../c.txt", "+x"), "outside the workspace"),
        (codex("*** Add File: .git/config", "+x"), "protected"),
        (codex("*** Add File: c.txt", "+x", "*** Delete File: .mcp.json"), "protected"),
        (codex("*** Add File: c.txt", "+x", "*** Update File: a.txt", "-nothing"), "not found"),
        (codex("*** Add File: c.txt", "+\ud83c"), "lone surrogate"),
        ("what is this", "neither"),
        ("", "neither"),
    ],
    ids=ascii,
)
def test_a_patch_that_cannot_be_applied_whole_changes_nothing(refused, patch, said):
    files = {"a.txt": b"a\n", "b.txt": b"b\n", ".mcp.json": b"{}"}

    assert said in str(refused(files, patch))


def test_a_missing_file_names_near_ones(refused):
    error = refused({"notes.txt": b"x\n"}, codex("*** Update File: note.txt", "-x", "+y"))

    assert "notes.txt" in error.hint


def test_two_sections_of_one_file_follow_each_other(patched):
    patch = codex("*** Update File: a.txt", "-b", "+B", "*** Update File: ./a.txt", "-a", "+A")

    assert {"a.txt": b"A\nB\n"} == patched({"a.txt": b"a\nb\n"}, patch)


def test_a_file_may_be_deleted_and_written_anew(patched):
    patch = codex("*** Delete File: a.txt", "*** Add File: a.txt", "+new")

    assert {"a.txt": b"new\n"} == patched({"a.txt": b"old\n"}, patch)


def test_a_file_added_and_deleted_leaves_nothing(patched):
    patch = codex("*** Add File: b.txt", "+x", "*** Delete File: b.txt")

    assert {"a.txt": b"a"} == patched({"a.txt": b"a"}, patch)


def test_a_file_moved_onto_itself_is_updated(patched):
    patch = codex("*** Update File: a.txt", "*** Move to: ./a.txt", "-a", "+b")

    assert {"a.txt": b"b\n"} == patched({"a.txt": b"a\n"}, patch)


def test_a_binary_file_can_be_deleted_and_moved_but_not_changed(patched, refused):
    move = codex("*** Update File: a.bin", "*** Move to: b.bin")

    assert {"b.bin": b"\0\1"} == patched({"a.bin": b"\0\1"}, move)
    assert "binary" in str(refused({"b.bin": b"\0\1"}, codex("*** Update File: b.bin", "-a", "+b")))
    assert {} == patched({}, codex("*** Delete File: b.bin"))


def test_what_changed_since_it_was_read_is_said(tmp_path):
    store = FileStore(Workspace(tmp_path), undo=True)
    (tmp_path / "a.txt").write_text("one\n")
    FileToolSet(store).view("a.txt")
    (tmp_path / "a.txt").write_text("one\ntwo\n")

    result = PatchToolSet(store).apply_patch(update("-two", "+TWO"))

    assert "a.txt has changed since it was read" in result.value


UNIFIED = {
    "plain": "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n",
    "prefixes": "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n",
    "times": "--- a.txt\t2024-01-01 00:00\n+++ a.txt\t2024-01-02 00:00\n@@ -2 +2 @@\n-two\n+TWO\n",
    "text around": "Here it is:\n\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n\nDone.\n",
    "git": "diff --git a/a.txt b/a.txt\nindex 1..2 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@ x\n one\n-two\n+TWO\n",
    "wrong numbers": "--- a/a.txt\n+++ b/a.txt\n@@ -7,9 +7,9 @@\n one\n-two\n+TWO\n",
    "blank lines behind": "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n\n",
}


@pytest.mark.parametrize("patch", UNIFIED.values(), ids=UNIFIED.keys())
def test_a_unified_diff_is_applied(patched, patch):
    assert {"a.txt": b"one\nTWO\n"} == patched({"a.txt": b"one\ntwo\n"}, patch)


def test_a_unified_diff_is_placed_by_its_line_among_several(patched):
    patch = "--- a/a.txt\n+++ b/a.txt\n@@ -3 +3 @@\n-x\n+y\n"

    assert {"a.txt": b"x\nx\ny\nx\n"} == patched({"a.txt": b"x\nx\nx\nx\n"}, patch)


def test_lines_that_look_like_headers_are_lines(patched):
    patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n x\n"

    assert {"a.txt": b"++ new\nx\n"} == patched({"a.txt": b"-- old\nx\n"}, patch)


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        ("--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n", "not all of its lines"),
        ("diff --git a/a.txt b/a.txt\nBinary files a/a.txt and b/a.txt differ\n", "binary file"),
        ("--- a/a.txt\n+++ b/a.txt\n@@ -9 +9 @@\n-x\n+y\n", "not found"),
    ],
    ids=repr,
)
def test_a_unified_diff_that_cannot_be_applied_changes_nothing(refused, patch, said):
    assert said in str(refused({"a.txt": b"one\ntwo\n"}, patch))


needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture(name="repository")
def repository_(tmp_path):
    """A repository beside the workspace, and a way to call git in it."""
    folder = tmp_path / "repository"
    folder.mkdir()

    def git(*arguments):
        config = ["-c", "user.name=n", "-c", "user.email=e", "-c", "core.autocrlf=false"]
        command = ["git", *config, *arguments]
        return subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout

    git("init", "-q")
    return folder, git


@needs_git
def test_all_that_git_says_of_files_is_done(repository, tmp_path):
    folder, git = repository
    before = {
        "edit.txt": b"1\n2\n3\n4\n5\n6\n7\n8\n9\n",
        "gone.txt": b"x\n",
        "empty-gone": b"",
        "move.txt": b"same\n" * 9,
        "run.sh": b"echo\n",
        "open.txt": b"a\nb",
        os.fsdecode('caf\u00e9 "q"\t.txt'.encode()): b"odd\n",
    }
    work = tmp_path / "work"
    work.mkdir()
    for name, content in before.items():
        for place in (folder, work):
            (place / name).write_bytes(content)
    git("add", "-A")
    git("commit", "-qm", "x")
    (folder / "edit.txt").write_bytes(b"1\n2\nthree\n4\n5\n6\n7\n8\nnine\nten")
    (folder / "gone.txt").unlink()
    (folder / "empty-gone").unlink()
    (folder / "move.txt").rename(folder / "moved.txt")
    (folder / "run.sh").chmod(0o755)
    (folder / "open.txt").write_bytes(b"a\nb\n")
    (folder / "new.txt").write_bytes(b"no end")
    (folder / "empty-new").write_bytes(b"")
    (folder / os.fsdecode('caf\u00e9 "q"\t.txt'.encode())).write_bytes(b"even\n")
    git("add", "-A")
    odd = PatchToolSet(Workspace(work))
    patch = git("diff", "--cached", "-M").decode()

    with pytest.raises(WorkspaceError, match="control characters"):
        odd.apply_patch(patch)
    rest = git("diff", "--cached", "-M", "--", ".", ":!caf*").decode()
    odd.apply_patch(rest)

    shutil.rmtree(folder / ".git")
    expected, found = tree(folder), tree(work)
    for name in [name for name in expected if name.startswith("caf")]:
        del expected[name], found[name]
    assert expected == found
    assert 0o755 == stat.S_IMODE((work / "run.sh").stat().st_mode)


LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"b\r\n", b"\r\n", b"\n", b"d \n"]), max_size=20)
TEXTS = st.tuples(LINES, st.sampled_from([b"", b"e"])).map(
    lambda parts: b"".join(parts[0]) + parts[1]
)


@settings(max_examples=200)
@given(before=TEXTS, after=TEXTS)
def test_our_own_diffs_apply(tmp_path_factory, before, after):
    folder = tmp_path_factory.mktemp("w")
    (folder / "a.txt").write_bytes(before)

    if patch := diff.between("a.txt", before, after):
        PatchToolSet(folder).apply_patch(patch)

    assert after == (folder / "a.txt").read_bytes()
