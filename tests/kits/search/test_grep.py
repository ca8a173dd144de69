"""What ``grep`` and ``glob`` tell a model, in both ways of searching."""

import os

from kits.search.modern import ModernSearchToolSet


def test_lines_stand_below_their_file(search, tree):
    tree({"a.py": "import os\nfoo\n", "src/b.py": "x\n  foo = 1\nfoo\n"})

    assert "a.py\n2:foo\n\nsrc/b.py\n2:  foo = 1\n3:foo" == search.grep("foo").value


def test_the_facts_stand_beside_the_text(search, tree):
    tree({"a.py": "foo\n", "b.py": "x\nfoo\n"})

    expected = {
        "files": ["a.py", "b.py"],
        "matches": [
            {"path": "a.py", "line": 1, "text": "foo"},
            {"path": "b.py", "line": 2, "text": "foo"},
        ],
        "counts": {},
        "next_offset": None,
        "searched": None,
        "skipped": {"ignored": 0, "binary": 0, "unreadable": 0, "too_large": 0},
    }
    assert expected == search.grep("foo").structured


def test_files_and_counts_are_modes(search, tree):
    tree({"a.py": "foo foo\nfoo\n", "b.py": "foo\n", "c.py": ""})

    assert "a.py\nb.py" == search.grep("foo", output_mode="files").value
    counted = search.grep("foo", output_mode="count")
    assert "a.py: 2\nb.py: 1" == counted.value
    assert {"a.py": 2, "b.py": 1} == counted.structured["counts"]


def test_no_match_says_how_many_files_were_searched(search, tree):
    tree({"a.py": "x", "b.py": "x", "c.ts": "x", "i.log": "x", ".gitignore": "*.log"})

    nothing = search.grep("foo")
    assert nothing.value.startswith(
        "no match in 3 files searched\n[not searched or shown: 1 ignored"
    )
    assert 3 == nothing.structured["searched"]
    assert "no match in 1 file searched" == search.grep("foo", "a.py").value
    assert search.grep("foo", type="ts").value.startswith("no match in 1 file searched")


def test_context_stands_around_matches(search, tree):
    tree({"a": "1\n2\nfoo\n4\n5\n6\n7\nfoo\n9\n", "b": "foo\n"})

    expected = "a\n2-2\n3:foo\n4-4\n--\n7-7\n8:foo\n9-9\n\nb\n1:foo"
    assert expected == search.grep("foo", context=1).value


def test_pages_follow_each_other(search, tree):
    tree({"a": "foo 1\nfoo 2\n", "b": "foo 3\nfoo 4\nfoo 5\n"})

    first = search.grep("foo", head_limit=3)
    assert "a\n1:foo 1\n2:foo 2\n\nb\n1:foo 3\n[first 3 shown; go on with offset=3]" == first.value
    assert 3 == first.structured["next_offset"]
    assert "b\n2:foo 4\n3:foo 5" == search.grep("foo", head_limit=3, offset=3).value
    assert "nothing at offset 9: 5 found" == search.grep("foo", offset=9).value


def test_a_page_of_files(search, tree):
    tree(dict.fromkeys("abc", "foo"))

    first = search.grep("foo", output_mode="files", head_limit=2)
    assert "a\nb\n[first 2 shown; go on with offset=2]" == first.value
    assert "c" == search.grep("foo", output_mode="files", head_limit=2, offset=2).value


def test_a_hundred_lines_are_shown_by_default(search, tree):
    tree({f"{number:03}": "foo\n" * 50 for number in range(60)})

    found = search.grep("foo")

    assert 100 == len(found.structured["matches"])
    assert ["000", "001"] == found.structured["files"]
    assert found.value.endswith("[first 100 shown; go on with offset=100]")
    last = search.grep("foo", offset=2950)
    assert ["059"] == last.structured["files"]
    assert last.structured["next_offset"] is None


def test_a_long_line_is_cut_around_its_match(search, tree):
    tree({"min.js": "x" * 100_000 + "foo" + "y" * 50_000})

    line = search.grep("foo").structured["matches"][0]["text"]

    assert "foo" in line
    assert line.startswith("[99,834 characters] xxx")
    assert line.endswith("yyy [49,669 characters]")
    assert len(line) < 560


def test_a_long_line_beside_a_match_is_cut_at_its_end(search, tree):
    tree({"a": "foo\n" + "y" * 600})

    assert "2-" + "y" * 500 + " [100 characters]" in search.grep("foo", context=1).value


def test_glob_says_how_many_there_are(search, tree):
    tree({f"{number:03}.py": "" for number in range(120)})

    found = search.glob("*.py")

    assert 100 == len(found.structured["files"])
    assert 120 == found.structured["total"]
    assert found.value.endswith("\n[first 100 of 120 files]")
    assert "no file matches" == search.glob("*.ts").value


def test_glob_is_relative_to_its_path(search, tree):
    tree({"src/a.py": "", "src/deep/b.py": "", "c.py": ""})

    assert ["src/a.py"] == search.glob("./*.py", "src").structured["files"]
    assert ["src/a.py", "src/deep/b.py"] == search.glob("*.py", "src").structured["files"]


def test_glob_by_its_modern_name_gives_the_newest_first(search, tree):
    root = tree(dict.fromkeys("abc", ""))
    for name, seconds in {"a": 200, "b": 300, "c": 100}.items():
        os.utime(root / name, (seconds, seconds))

    modern = ModernSearchToolSet(search)
    assert ["b", "a", "c"] == modern.glob("*").structured["files"]
