"""insert: lines of their own behind a line."""

import pytest

from kits import EditToolSet, WorkspaceError


@pytest.fixture(name="insert")
def insert_(tmp_path):
    def insert(before, line, text):
        (tmp_path / "a.txt").write_bytes(before)
        EditToolSet(tmp_path).insert("a.txt", line, text)
        return (tmp_path / "a.txt").read_bytes()

    return insert


@pytest.mark.parametrize(
    ("before", "line", "text", "after"),
    [
        (b"one\ntwo\n", 0, "top", b"top\none\ntwo\n"),
        (b"one\ntwo\n", 1, "mid", b"one\nmid\ntwo\n"),
        (b"one\ntwo\n", 1, "mid\n", b"one\nmid\ntwo\n"),
        (b"one\ntwo\n", 1, "\n", b"one\n\ntwo\n"),
        (b"one\ntwo\n", 1, "a\n\n", b"one\na\n\ntwo\n"),
        (b"one\ntwo\n", 2, "end", b"one\ntwo\nend\n"),
        (b"one\ntwo", 2, "end", b"one\ntwo\nend"),
        (b"one\ntwo", 2, "end\n", b"one\ntwo\nend\n"),
        (b"one\ntwo", 1, "mid", b"one\nmid\ntwo"),
        (b"", 0, "new", b"new\n"),
        (b"a\r\nb\r\n", 1, "x\ny", b"a\r\nx\r\ny\r\nb\r\n"),
        (b"a\r\nb", 2, "x\r\n", b"a\r\nb\r\nx\r\n"),
        (b"a\rb\r", 1, "x", b"a\rx\rb\r"),
        (b"a\r\nb\nc\n", 0, "x", b"x\r\na\r\nb\nc\n"),
        (b"a\x0cb\x0b\nc\n", 1, "x", b"a\x0cb\x0b\nx\nc\n"),
        ("a\u2028b\u0085\nc\n".encode(), 1, "x", "a\u2028b\u0085\nx\nc\n".encode()),
        (b"\xef\xbb\xbfa\n", 0, "x", b"\xef\xbb\xbfx\na\n"),
        ("\ufeffa\nb\n".encode("utf-16-le"), 1, "x", "\ufeffa\nx\nb\n".encode("utf-16-le")),
    ],
    ids=ascii,
)
def test_text_becomes_lines_of_its_own_with_the_files_line_ends(insert, before, line, text, after):
    assert after == insert(before, line, text)


@pytest.mark.parametrize("line", [1, 65_535, 65_536, 100_000])
def test_lines_of_a_long_file_are_counted_right(insert, line):
    before = [b"%d\r\n" % number for number in range(100_000)]

    assert b"".join([*before[:line], b"x\r\n", *before[line:]]) == insert(
        b"".join(before), line, "x"
    )


@pytest.mark.parametrize("line", [-1, 3, 100])
def test_a_line_that_is_not_there_names_how_many_there_are(insert, line):
    with pytest.raises(WorkspaceError, match="the file has 2 lines") as caught:
        insert(b"one\ntwo", line, "x")

    assert "input_invalid" == caught.value.code


def test_no_text_is_refused(insert):
    with pytest.raises(WorkspaceError, match="is empty"):
        insert(b"one\n", 0, "")


def test_the_answer_shows_the_new_lines(tmp_path):
    (tmp_path / "a.txt").write_text("one\ntwo\n")

    result = EditToolSet(tmp_path).insert("a.txt", 1, "mid")

    assert "Inserted in a.txt:\n     1\tone\n     2\tmid\n     3\ttwo" == result.value
    assert 2 == result.structured["first_line"]
