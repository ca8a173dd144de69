"""Trees, files and patterns that are large, deep or slow, and what is no file at all."""

import os

import pytest

from kits.errors import WorkspaceError
from kits.search.modern import ModernSearchToolSet


def test_more_output_than_is_kept_comes_in_order(search, tree):
    tree({f"{number:03}": f"foo {number}\n" * 400 for number in range(150)})

    found = search.grep("foo", offset=59_000, head_limit=500).structured

    assert ["147", "148"] == found["files"]
    assert [201, 500] == [found["matches"][0]["line"], len(found["matches"])]
    counts = search.grep("o", output_mode="count", head_limit=200).structured["counts"]
    assert (150, {400}) == (len(counts), set(counts.values()))


def test_no_more_than_so_much_is_shown_at_once(search, tree):
    tree({"a": "foo\n" * 10_050})

    found = search.grep("foo", head_limit=1_000_000_000)

    assert found.value.endswith("[first 10,000 shown; go on with offset=10000]")
    assert 50 == len(search.grep("foo", offset=10_000).structured["matches"])
    nothing = search.grep("foo", offset=10**12)
    assert "nothing at offset 1,000,000,000,000: 10,050 found" == nothing.value


DEEP = {"of many folders": ("deep", 300), "of paths that no system call takes": ("long" * 50, 25)}


@pytest.mark.parametrize(("name", "depth"), DEEP.values(), ids=DEEP)
def test_a_deep_tree_is_searched_to_its_end(name, depth, search, tmp_path):
    handle = os.open(tmp_path, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=handle)
        inner = os.open(name, os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = inner
    file = os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=handle)
    os.write(file, b"foo\n")
    os.close(file)
    os.close(handle)

    path = f"{name}/" * depth + "file"
    assert [path] == search.glob("**/file").structured["files"]
    assert [path] == search.grep("foo").structured["files"]
    assert "no match in 1 file searched" == search.grep("bar").value


def test_where_a_match_is_in_a_line_is_not_sought_for_long(search, tree):
    tree({"a": "x\n" + "a" * 40 + "!\n"})
    if not search.use_ripgrep:
        pytest.skip("our own search gives this pattern up")

    assert [1, 2] == [each["line"] for each in search.grep("(a|a)*$").structured["matches"]]
    modern = ModernSearchToolSet(search)
    only = modern.grep("!|(a|a)+$", output_mode="content", only_matching=True)
    assert f"a\n2:{'a' * 40}!" == only.value


def test_only_what_matches_of_lines_that_are_spanned_is_the_lines(search, tree):
    tree({"a": "foo\nbar\n"})

    modern = ModernSearchToolSet(search)
    shown = modern.grep("o\nb", output_mode="content", only_matching=True, multiline=True)

    assert "a\n1:foo\n2:bar" == shown.value


HINTS = {
    "src\\*.py": "write / in paths",
    "/etc/*": "/ in front is the folder that is searched",
    "~/*.py": "~ in front is a character",
    "*.py,*.ts": "write {*.py,*.ts} for both",
    "*.(py|ts)": "write {*.py,*.ts} for both",
}


@pytest.mark.parametrize(("pattern", "hint"), HINTS.items(), ids=HINTS)
def test_a_glob_that_finds_nothing_says_what_may_be_wrong(pattern, hint, search, tree):
    tree({"a.py": "foo", "src/b.py": "foo"})

    assert hint in search.glob(pattern).value
    assert hint in search.grep("foo", glob=pattern).value


NOTHING = {
    r"foo\|bar": "write | for either of two",
    "$HOME": r"write \$ for the character",
    r"foo\\.bar": "escape with one",
}


@pytest.mark.parametrize(("pattern", "hint"), NOTHING.items(), ids=NOTHING)
def test_a_pattern_that_matches_nothing_says_what_may_be_wrong(pattern, hint, search, tree):
    tree({"a.py": "foo", "b.py": "\\"})

    assert hint in search.grep(pattern).value
    assert hint not in search.grep(pattern, literal=True).value


def test_a_glob_as_a_pattern_is_referred_to_glob(search):
    with pytest.raises(WorkspaceError) as caught:
        search.grep("**/*.py")

    assert "glob finds files by their names" in caught.value.hint


def test_what_is_no_file_is_passed_over(search, tree, tmp_path):
    tree({"a": "foo", "folder/b": "foo"})
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "folder" / "loop").symlink_to(tmp_path)
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "out").symlink_to("/etc")

    assert ["a", "folder/b"] == search.glob("**").structured["files"]
    assert ["a", "folder/b"] == search.grep("foo").structured["files"]
    assert "no match in 2 files searched" == search.grep("root").value
