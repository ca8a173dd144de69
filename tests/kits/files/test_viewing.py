"""view: numbered lines, a footer to act on, in constant memory."""

import os
import subprocess
import sys
import textwrap
from hashlib import sha256

import pytest

from kits import Caps, FileToolSet, Workspace, WorkspaceError


@pytest.fixture(name="view")
def view_(tmp_path):
    """View a file with this content."""

    def view(content, *args, caps=None, name="a.txt"):
        (tmp_path / name).write_bytes(content)
        return FileToolSet(tmp_path, caps=caps or Caps()).view(name, *args)

    return view


def numbers(count):
    return b"".join(b"line %d\n" % number for number in range(1, count + 1))


def test_a_whole_file_is_numbered_as_cat_does(view):
    result = view(b"one\n\ttwo\n\nfour\n")

    assert "     1\tone\n     2\t\ttwo\n     3\t\n     4\tfour\nlines 1-4 of 4" == result.value


def test_the_facts_are_data_beside_the_text(view):
    structured = view(numbers(5), [2, 3]).structured
    assert ([2, 3], 5, [4, 5]) == tuple(
        structured[key] for key in ("range", "total_lines", "next_range")
    )
    assert sha256(numbers(5)).hexdigest() == structured["hash"]


@pytest.mark.parametrize(
    ("wanted", "footer"),
    [
        (None, "lines 1-2000 of 3004; continue with view_range=[2001, 3004]"),
        ([1, 200], "lines 1-200 of 3004; continue with view_range=[201, 400]"),
        ((3000, 3004), "lines 3000-3004 of 3004"),
        ([3000, -1], "lines 3000-3004 of 3004"),
        ([3000, 9999], "lines 3000-3004 of 3004"),
        ([2900, 2999], "lines 2900-2999 of 3004; continue with view_range=[3000, 3004]"),
        ("[1, 2]", "lines 1-2 of 3004; continue with view_range=[3, 4]"),
    ],
    ids=str,
)
def test_the_footer_says_where_the_page_is_and_how_to_go_on(view, wanted, footer):
    caps = Caps(view_chars=1_000_000)

    assert footer == view(numbers(3004), wanted, caps=caps).value.rpartition("\n")[2]


def test_going_on_as_told_shows_every_line_once(view):
    seen, wanted = [], None
    while True:
        result = view(numbers(500), wanted, caps=Caps(view_chars=1_000, view_lines=100))
        assert len(result.value.rpartition("\n")[0]) <= 1_000
        seen += [int(line.split("\t")[0]) for line in result.value.splitlines()[:-1]]
        wanted = result.structured["next_range"]
        if wanted is None:
            break

    assert list(range(1, 501)) == seen


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a\r\nb\r\n", "CRLF line ends"),
        (b"a\rb\r", "CR line ends"),
        (b"a\r\nb\n", "mixed line ends"),
        (b"a\nb", "no newline at the end"),
        (b"\xef\xbb\xbfa\n", "UTF-8 with BOM"),
        ("\ufeffa\n".encode("utf-16-le"), "UTF-16"),
        (b"# coding: latin-1\n\xe9\n", "ISO8859-1"),
        (b"caf\xe9\n", r"not UTF-8 (such bytes are shown as \xNN)"),
        (b"a\r\nb", "CRLF line ends; no newline at the end"),
    ],
    ids=repr,
)
def test_the_footer_names_what_is_unusual(view, content, said):
    footer = view(content).value.rpartition("\n")[2]

    assert footer.endswith(f"; {said}")


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"a\x0cb\nc\n", ["a\x0cb", "c"]),
        ("a\u2028b\u0085\nc\n".encode(), ["a\u2028b\u0085", "c"]),
        (b"a\rb\r\nc\n", ["a", "b", "c"]),
        (b"caf\xe9\n", [r"caf\xe9"]),
        ("\ufeffcaf\u00e9\u4e2d\n".encode("utf-16-be"), ["caf\u00e9\u4e2d"]),
        (b"# coding: gbk\n\xd6\xd0\n", ["# coding: gbk", "\u4e2d"]),
    ],
    ids=ascii,
)
def test_lines_are_those_of_the_file(view, content, lines):
    body = view(content).value.rpartition("\n")[0]

    assert lines == [line.split("\t", 1)[1] for line in body.split("\n")]


def test_an_empty_file_says_so(view):
    result = view(b"")

    assert ("a.txt is empty (0 lines)", [1, 0], 0) == (
        result.value,
        result.structured["range"],
        result.structured["total_lines"],
    )


def test_a_long_line_is_cut_and_says_so(view):
    result = view(b"x" * 5_000 + b"\n" + b"y" * 9_000 + b"\n")

    assert "x" * 2_000 + "[… 3,000 more characters]\n" in result.value
    assert "y" * 2_000 + "[… of 9,000 bytes]\n" in result.value


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ([6, 9], "there is no line 6: 'a.txt' has 5 lines"),
        ([0, 3], "view_range [0, 3] is no range of lines"),
        ([3, 2], "view_range [3, 2] is no range of lines"),
        ([-3, -1], "view_range [-3, -1] is no range of lines"),
        ([1], "view_range [1] is no pair of integers"),
        ("1-5", "view_range '1-5' is no pair of integers"),
        ('{"a": 1}', "is no pair of integers"),
    ],
    ids=str,
)
def test_a_wrong_range_is_refused(view, wanted, said):
    with pytest.raises(WorkspaceError) as caught:
        view(numbers(5), wanted)

    assert said in str(caught.value)
    assert "input_invalid" == caught.value.code


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.bin", b"\0\1\2\3", "application/octet-stream, 4 bytes"),
        ("a.zip", b"PK\x03\x04\0\0", "application/zip"),
        ("prog", b"\x7fELF\0\0", "application/x-elf"),
        ("a.pdf", b"%PDF-1.7\0", "application/pdf"),
        ("ascii.pdf", b"%PDF-1.4\n1 0 obj\n", "application/pdf"),
        ("a.mp3", b"\0\0", "audio/mpeg"),
    ],
)
def test_a_binary_file_is_described_not_shown(view, name, content, kind):
    with pytest.raises(WorkspaceError, match="no text to view") as caught:
        view(content, name=name)

    assert kind in str(caught.value)
    assert "input_invalid" == caught.value.code


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0", "image/png"),
        (b"\xff\xd8\xff\xe0\0", "image/jpeg"),
        (b"GIF89a\0", "image/gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
    ],
)
def test_an_image_is_shown_as_a_part(view, content, media_type):
    result = view(content)

    assert [(media_type, content)] == [(part.media_type, part.data) for part in result.parts]
    assert f"'a.txt' is {media_type}, {len(content)} bytes" == result.value


def test_an_image_that_is_too_large_is_described(view):
    with pytest.raises(WorkspaceError, match="too large to show"):
        view(b"GIF89a" + bytes(100), caps=Caps(image_bytes=50))


def test_a_drawing_in_text_is_text(view):
    assert "     1\t<svg/>" in view(b"<svg/>\n", name="a.svg").value


LINE = b"x" * 99 + b"\n"


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"], ids=repr)
def test_a_large_file_is_paged_without_knowing_its_end(view, ending):
    content = b"".join(b"%09d" % number + b"." * 89 + ending for number in range(1, 100_001))

    result = view(content, [95_000, 95_001])

    assert f" 95000\t{95_000:09d}" + "." * 89 in result.value
    assert result.value.endswith(
        "lines 95000-95001; continue with view_range=[95002, 95003]"
        + ("; CRLF line ends" if ending == b"\r\n" else "")
    )
    assert (None, None) == (result.structured["total_lines"], result.structured["hash"])
    assert "lines 99999-100000 of 100000" in view(content, [99_999, -1]).value
    with pytest.raises(WorkspaceError, match="has 100000 lines"):
        view(content, [100_001, -1])


def test_a_large_file_in_another_encoding_is_paged(view):
    content = "\ufeff".encode("utf-16-le") + ("\u4e2d" * 50 + "\r\n").encode("utf-16-le") * 100_000

    result = view(content, [99_999, -1])

    assert "\n100000\t" + "\u4e2d" * 50 in result.value
    assert "of 100000; UTF-16; CRLF line ends" in result.value


MEASURED = """
    import resource, sys
    from kits import FileToolSet
    files = FileToolSet(sys.argv[1])
    files.view("small.txt")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    files.view("large.txt", [1_990_000, 1_990_050])
    files.view("one-line.txt")
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.skipif(sys.platform == "darwin", reason="ru_maxrss has another unit there")
def test_memory_does_not_grow_with_the_file(tmp_path):
    (tmp_path / "small.txt").write_bytes(LINE)
    with (tmp_path / "large.txt").open("wb") as file:
        for _ in range(200):
            file.write(LINE * 10_000)
    with (tmp_path / "one-line.txt").open("wb") as file:
        for _ in range(100):
            file.write(b"x" * 1_000_000)

    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(MEASURED), tmp_path], capture_output=True, check=True
    )

    assert 40_000 > int(done.stdout)


def test_a_folder_is_listed_two_levels_deep_and_sorted(tmp_path):
    for name in ("b/z.txt", "b/deep/er.txt", "a.txt", ".git/HEAD", "b/a.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "link").symlink_to("b")
    os.mkfifo(tmp_path / "pipe")

    result = FileToolSet(tmp_path).view(".")

    assert [
        ".git/",
        "a.txt",
        "b/",
        "  a.txt",
        "  deep/",
        "  z.txt",
        "link (link)",
        "pipe (no file)",
        ".: 8 entries, two levels deep",
    ] == result.value.splitlines()
    assert {"path": "b/z.txt", "kind": "file"} in result.structured["entries"]


def test_a_crowded_folder_is_listed_in_part_and_says_so(tmp_path):
    (tmp_path / "sub").mkdir()
    for number in range(150):
        (tmp_path / "sub" / f"{number:03}").write_text("")
        (tmp_path / f"{number:03}").write_text("")

    result = FileToolSet(tmp_path).view(".")
    shorter = FileToolSet(tmp_path, caps=Caps(folder_entries=200)).view(".")

    assert "  099\n.: 251 entries, two levels deep; 50 more left out" in result.value
    assert "  048\n.: 200 entries, two levels deep; 101 more left out" in shorter.value


def test_odd_names_are_listed_on_one_line_each(tmp_path):
    (tmp_path / "a\nb").write_text("")
    (tmp_path / os.fsdecode(b"caf\xe9")).write_text("")

    assert ["a\\x0ab", "caf\\xe9"] == FileToolSet(tmp_path).view(".").value.splitlines()[:-1]


def test_a_subfolder_that_cannot_be_read_is_listed_all_the_same(tmp_path, as_another_user):
    (tmp_path / "closed").mkdir(mode=0o700)
    tmp_path.chmod(0o755)
    files = FileToolSet(tmp_path)

    shown = as_another_user(lambda: files.view(".").value)

    assert repr("closed/\n.: 1 entry, two levels deep") == shown


def test_a_readable_root_is_viewed_by_its_absolute_path(tmp_path):
    (tmp_path / "root").mkdir()
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "a.py").write_text("x = 1\n")
    files = FileToolSet(Workspace(tmp_path / "root", readable=[tmp_path / "lib"]))

    assert "     1\tx = 1\n" in files.view(str(tmp_path / "lib" / "a.py")).value
    assert "a.py\n" in files.view(str(tmp_path / "lib")).value
