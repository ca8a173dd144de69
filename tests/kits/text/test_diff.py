"""Diffs, judged by git: applied to the old text they give the new one."""

import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kits.text import diff
from kits.text.content import Content, Part, Splice

PARTS = st.sampled_from([b"a\n", b"b\n", b"cc\n", b"\n", b"x\ry\n", b"d\r\n", b"e"])
TEXTS = st.lists(PARTS, max_size=40).map(b"".join)

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture(name="applied", scope="module")
def applied_(tmp_path_factory):
    folder = tmp_path_factory.mktemp("applied")

    def applied(before, patch):
        (folder / "f").write_bytes(before)
        if patch:
            command = ["git", "apply", "--whitespace=nowarn", "-"]
            subprocess.run(command, cwd=folder, input=patch.encode(), check=True)
        return (folder / "f").read_bytes() if (folder / "f").exists() else b""

    return applied


@needs_git
@settings(max_examples=60)
@given(before=TEXTS, data=st.data())
def test_the_diff_of_edits_applies(applied, before, data):
    cuts = sorted(data.draw(st.lists(st.integers(0, len(before)), max_size=8, unique=True)))
    text = st.sampled_from(["", "Q", "Q\n", "\nQ\nR"])
    splices = [
        Splice(start, end, data.draw(text))
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    content = Content.of(before)

    assert content.changed(splices) == applied(before, diff.of_parts("f", [Part(content, splices)]))


@needs_git
@settings(max_examples=60)
@given(before=TEXTS, after=TEXTS)
def test_the_diff_of_two_texts_applies(applied, before, after):
    assert after == applied(before, diff.between("f", before, after))


def test_equal_texts_have_no_diff():
    assert not diff.between("f", b"a\n", b"a\n")


def test_changes_far_apart_in_a_long_text_stand_apart():
    old = b"".join(b"%d\n" % (number if number % 3 else 0) for number in range(9_000))
    new = (
        old.replace(b"\n7\n", b"\nseven\n")
        .replace(b"\n8000\n", b"\n")
        .replace(b"\n8\n", b"\n8\n0\n")
    )

    patch = diff.between("f", old, new)

    assert ["@@ -5,9 +5,10 @@", "@@ -7998,7 +7999,6 @@"] == [
        line for line in patch.split("\n") if line.startswith("@@")
    ]
    assert [2, 2] == [patch.count("\n-"), patch.count("\n+") - 1]


def test_many_equal_lines_between_changed_ones_are_matched_quickly():
    old, new = (b"".join(b"\n{\n%s%d\n" % (name, n) for n in range(600)) for name in (b"a", b"b"))

    assert 600 <= diff.between("f", old, new).count("\n-")


def test_many_changed_lines_are_matched_quickly():
    old = b"".join(b"%d\n" % number for number in range(30_000))
    new = b"".join(b"%d\n" % (number + number % 3) for number in range(30_000))

    assert diff.between("f", old, new).startswith("--- a/f\n+++ b/f\n@@ -1,")
