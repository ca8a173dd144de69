"""str_replace: exact, byte for byte, with the file's own line ends."""

import stat

import pytest

from kits import EditToolSet, WorkspaceError


@pytest.fixture(name="edit")
def edit_(tmp_path):
    """Replace a text in a file with this content; the content after."""
    toolset = EditToolSet(tmp_path)

    def edit(before, old, new, **options):
        (tmp_path / "a.txt").write_bytes(before)
        toolset.str_replace("a.txt", old, new, **options)
        return (tmp_path / "a.txt").read_bytes()

    return edit


@pytest.fixture(name="refused")
def refused_(tmp_path, edit):
    """The refusal of a replacement, which left the file as it was."""

    def refused(before, old, new, **options):
        with pytest.raises(WorkspaceError) as caught:
            edit(before, old, new, **options)
        assert before == (tmp_path / "a.txt").read_bytes()
        assert "input_invalid" == caught.value.code
        return caught.value

    return refused


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        (b"one\r\ntwo\r\nthree\r\n", "one\ntwo", "ONE\nTWO", b"ONE\r\nTWO\r\nthree\r\n"),
        (b"one\ntwo\n", "one\r\ntwo", "ONE\r\nTWO", b"ONE\nTWO\n"),
        (b"a\r\nb\nc\rd\n", "a\nb\nc\nd", "A\nB\nC\nD", b"A\r\nB\nC\rD\n"),
        (b"a\r\nb\nc\n", "a\nb\nc", "A\nB\nC\nD\nE", b"A\r\nB\nC\nD\nE\n"),
        (b"a\r\nb\r\n", "b", "b\nc", b"a\r\nb\r\nc\r\n"),
        (b"a\r\nb", "b", "b\nc", b"a\r\nb\r\nc"),
        (b"a\rb\r", "b", "b\nc", b"a\rb\rc\r"),
        (b"ab", "b", "b\nc", b"ab\nc"),
        (b"a\r\nb\r\n", "b", "b\r\nc", b"a\r\nb\r\nc\r\n"),
        (b"a\r\nb\r\n", "a\r\nb", "a\nb", b"a\nb\r\n"),
        (b"a\r\nb\r\n", "\nb", "\nc", b"a\r\nc\r\n"),
        (b"a\r\nb\r\n", "a\n", "", b"b\r\n"),
        (b"a\nb\n", "a\nb", "a\r\nb", b"a\r\nb\n"),
        (b"x\ry\n", "x\ry", "z", b"z\n"),
    ],
    ids=repr,
)
def test_line_ends_stay_the_files_own(edit, before, old, new, after):
    assert after == edit(before, old, new)


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        (b"\xef\xbb\xbfone\n", "one", "two", b"\xef\xbb\xbftwo\n"),
        (
            "\ufeffcaf\u00e9\n".encode("utf-16-le"),
            "\u00e9",
            "e\u2192",
            "\ufeffcafe\u2192\n".encode("utf-16-le"),
        ),
        ("\ufeffa\r\nb".encode("utf-16-be"), "a\nb", "x\ny", "\ufeffx\r\ny".encode("utf-16-be")),
        ("\ufeffa\u0141b".encode("utf-32-le"), "\u0141", "l", "\ufeffalb".encode("utf-32-le")),
        (
            b"# coding: latin-1\nx = '\xe9'\n",
            "\u00e9",
            "\u00e8",
            b"# coding: latin-1\nx = '\xe8'\n",
        ),
        (b"# coding: latin-1\nx = 1\n", "= 1", "= '\u00e9'", b"# coding: latin-1\nx = '\xe9'\n"),
        (
            b"# -*- coding: gbk -*-\n\xd6\xd0\xce\xc4 = 1\n",
            "\u6587 = 1",
            "\u4e2d",
            b"# -*- coding: gbk -*-\n\xd6\xd0\xd6\xd0\n",
        ),
        (b"# \xd6\xd0\xce\xc4\nx = 1\n", "x = 1", "x = 2", b"# \xd6\xd0\xce\xc4\nx = 2\n"),
        (b"caf\xe9 \xe2\x86\x92 a\n", "\u2192 a", "b", b"caf\xe9 b\n"),
        ("cafe\u0301 b\n".encode(), "b\n", "d\n", "cafe\u0301 d\n".encode()),
        ("a\u2028b\x0cc\x85\n".encode(), "c", "d", "a\u2028b\x0cd\x85\n".encode()),
    ],
    ids=ascii,
)
def test_the_encoding_stays_and_bytes_outside_are_carried_along(edit, before, old, new, after):
    assert after == edit(before, old, new)


@pytest.mark.parametrize(
    "new", [r"\1 \g<0> \n \\", "$& $$ $` $'", "%s %(x)s {0} {x}", "'^[sv]d[a-z]$'"]
)
def test_the_new_text_is_literal(edit, new):
    assert new.encode() == edit(b"TOKEN", "TOKEN", new)


def test_everywhere_takes_places_that_do_not_overlap_from_the_left(edit):
    assert b"bb" == edit(b"aaaa", "aa", "b", replace_all=True)


def test_everywhere_has_no_limit(edit):
    assert b"yz" * 20_000 == edit(b"xz" * 20_000, "x", "y", replace_all=True)


def test_overlapping_places_are_ambiguous(refused):
    error = refused(b"aaaa\n", "aa", "b")

    assert "3 places, overlapping" in str(error)


def test_many_places_are_named_up_to_a_limit_with_previews(refused):
    error = refused(b"  x = 1 \n" * 30, "x = 1", "y")

    assert "at 30 places" in str(error)
    assert "\n  line 20: x = 1\n  and 10 more" in str(error)
    assert "replace_all" in error.hint


def test_places_that_differ_in_line_ends_alone_are_ambiguous_too(refused):
    assert "at 2 places" in str(refused(b"a\r\nb\na\nb\n", "a\nb", "x"))


@pytest.mark.parametrize(
    ("before", "old", "new", "reason"),
    [
        (b"abc", "", "x", "nothing to find"),
        (b"abc", "b", "b", "the same"),
        (b"a\r\nb\r\n", "a\nb", "a\r\nb", "nothing would change"),
        (b"abc", "b", "\ud83c", "lone surrogate"),
        (b"caf\xe9", "caf", "\u00e9", "only ASCII"),
        (b"# coding: latin-1\n", "# coding", "\u2192", "has no '\u2192'"),
        (b"\0\1\2", "x", "y", "binary"),
        (b"\xff\xfea", "x", "y", "binary"),
    ],
    ids=ascii,
)
def test_what_cannot_be_done_is_refused_with_its_reason(refused, before, old, new, reason):
    assert reason in str(refused(before, old, new))


def test_a_pair_of_surrogates_is_one_character(edit):
    assert "\U0001f378".encode() == edit(b"x", "x", "\U0001f378")


def test_a_refused_edit_does_not_touch_the_file(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"abc")
    before = (tmp_path / "a.txt").stat()

    with pytest.raises(WorkspaceError):
        EditToolSet(tmp_path).str_replace("a.txt", "x", "y")

    assert before == (tmp_path / "a.txt").stat()


def test_an_edit_through_a_link_keeps_the_link_and_the_mode(tmp_path):
    (tmp_path / "run.sh").write_bytes(b"echo a\n")
    (tmp_path / "run.sh").chmod(0o755)
    (tmp_path / "link").symlink_to("run.sh")

    EditToolSet(tmp_path).str_replace("link", "a", "b")

    assert "run.sh" == str((tmp_path / "link").readlink())
    assert b"echo b\n" == (tmp_path / "run.sh").read_bytes()
    assert 0o755 == stat.S_IMODE((tmp_path / "run.sh").stat().st_mode)


def test_the_answer_shows_numbered_lines_around_the_change_and_a_diff(tmp_path):
    (tmp_path / "a.txt").write_text("".join(f"line {n}\n" for n in range(1, 21)))

    result = EditToolSet(tmp_path).str_replace("a.txt", "line 10\n", "ten\nten and a half\n")

    assert [
        "Replaced 1 place in a.txt:",
        "     7\tline 7",
        "     8\tline 8",
        "     9\tline 9",
        "    10\tten",
        "    11\tten and a half",
        "    12\tline 11",
        "    13\tline 12",
        "    14\tline 13",
    ] == result.value.splitlines()
    assert ("a.txt", 1, 10) == tuple(
        result.structured[key] for key in ("path", "replacements", "first_line")
    )
    assert "@@ -7,7 +7,8 @@\n" in result.structured["diff"]
    assert "\n-line 10\n+ten\n+ten and a half\n" in result.structured["diff"]


def test_the_answer_to_many_changes_shows_some_with_their_new_numbers(tmp_path):
    (tmp_path / "a.txt").write_text("x\n" + "-\n" * 20 + ("x\n" + "-\n" * 20) * 6)

    result = EditToolSet(tmp_path).str_replace("a.txt", "x\n", "x\ny\n", replace_all=True)

    assert "    23\tx\n    24\ty\n" in result.value
    assert result.value.endswith("… and 2 more places")
    assert 7 == result.structured["replacements"]


def test_the_answer_to_a_huge_change_is_short(tmp_path):
    (tmp_path / "a.txt").write_text("x")

    result = EditToolSet(tmp_path).str_replace("a.txt", "x", "y\n" * 10_000)

    assert len(result.value) < 2_000
    assert "more lines" in result.value


def test_a_missing_file_and_a_folder_are_plain_errors(tmp_path):
    (tmp_path / "notes.txt").write_bytes(b"")
    (tmp_path / "sub").mkdir()
    edit = EditToolSet(tmp_path)

    with pytest.raises(WorkspaceError, match="does not exist") as caught:
        edit.str_replace("note.txt", "a", "b")
    assert "notes.txt" in caught.value.hint
    with pytest.raises(WorkspaceError, match="is a folder"):
        edit.str_replace("sub", "a", "b")
