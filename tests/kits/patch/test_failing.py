"""A patch that fails half-way changes nothing."""

from kits import PatchToolSet


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
