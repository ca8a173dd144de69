"""What git says of a change is what apply_patch makes of it, to the byte."""

import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kits import PatchToolSet

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

#: Lines that look like parts of a patch, and lines that programs disagree about.
LINES = [
    *[b"a\n", b"b\n", b"c\n", b"\n", b" \n", b"d  \n", b"a\r\n", b"x\ry\n", b"\x0c\n"],
    *[b"-- x\n", b"++ y\n", b"--- a\n", b"+++ b\n", b"@@ z\n", b"-- \n", b"\\ No newline\n"],
    *[b"*** End Patch\n", b"diff --git a b\n", "caf\u00e9\n".encode(), "\u2028\n".encode()],
]
MARK = b"\xef\xbb\xbf"
FILES = st.tuples(
    st.sampled_from([b"", b"", MARK]),
    st.lists(st.sampled_from(LINES), max_size=14).map(b"".join),
    st.sampled_from([b"", b"", b"end"]),
).map(b"".join)


@pytest.fixture(name="git_diff", scope="module")
def git_diff_(tmp_path_factory):
    folder = tmp_path_factory.mktemp("diffs")

    def git_diff(before, after, *options):
        for name, data in (("a", before), ("b", after)):
            (folder / name).mkdir(exist_ok=True)
            (folder / name / "f").write_bytes(data)
        command = ["git", "diff", "--no-index", "--no-color", "--no-prefix", "-a", *options]
        done = subprocess.run(
            [*command, "a/f", "b/f"], cwd=folder, capture_output=True, check=False
        )
        return done.stdout.decode()

    return git_diff


@settings(max_examples=150, deadline=None)
@given(before=FILES, after=FILES, context=st.sampled_from(["0", "1", "3"]))
def test_a_diff_of_git_makes_the_one_file_the_other(
    tmp_path_factory, git_diff, before, after, context
):
    if b"\r\n" in before + after:
        context = "3"  # a line end alone does not tell whether it is meant
    folder = tmp_path_factory.mktemp("w")
    (folder / "f").write_bytes(before)

    if patch := git_diff(before, after, f"-U{context}"):
        PatchToolSet(folder).apply_patch(patch)

    assert after == (folder / "f").read_bytes()
