"""What a workspace says of files and folders."""

import os

import pytest

from kits.workspace import FolderEntry, MissingPathError, Workspace, WorkspaceError


@pytest.fixture(name="workspace", params=["openat2", "walk"])
def workspace_(request, tmp_path):
    (tmp_path / "src" / "deep").mkdir(parents=True)
    for name in ("README.md", "src/parser.py", "src/lexer.py"):
        (tmp_path / name).write_text(name)
    with Workspace(tmp_path, confinement=request.param) as workspace:
        yield workspace


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("READM.md", "README.md"),
        ("readme.md", "README.md"),
        ("parser.py", "src/parser.py"),
        ("src/parsr.py", "src/parser.py"),
        ("lib/parser.py", "src/parser.py"),
        ("src/deep/lexer.py", "src/lexer.py"),
    ],
)
def test_a_missing_file_names_near_ones(workspace, path, named):
    for act in (workspace.open_read, workspace.stat, workspace.remove):
        with pytest.raises(MissingPathError, match="does not exist") as caught:
            act(path)
        assert named in caught.value.hint
        assert "input_invalid" == caught.value.code


def test_a_missing_file_that_looks_the_same_is_spelled_out(tmp_path):
    (tmp_path / "cafe\u0301.txt").write_text("")

    with pytest.raises(MissingPathError) as caught:
        Workspace(tmp_path).open_read("caf\u00e9.txt")

    assert r"Did you mean 'cafe\u0301.txt'?" == caught.value.hint


def test_a_link_to_nothing_says_where_it_leads(workspace):
    (workspace.root / "link").symlink_to("src/lexer.p")

    with pytest.raises(MissingPathError, match="'link' leads to 'src/lexer.p', which") as caught:
        workspace.open_read("link")

    assert "Did you mean 'src/lexer.py'" in caught.value.hint


def test_a_missing_file_like_no_other_tells_what_there_is(workspace):
    (workspace.root / "src" / ".hidden").write_text("")

    with pytest.raises(MissingPathError) as caught:
        workspace.open_read("src/zzzzz")

    assert "The folder 'src' has: deep, lexer.py, parser.py, .hidden." == caught.value.hint


def test_a_missing_file_in_an_empty_folder_says_so(tmp_path):
    with pytest.raises(MissingPathError) as caught:
        Workspace(tmp_path).open_read("zzzzz")

    assert "The folder '.' is empty." == caught.value.hint


def test_many_names_beside_a_missing_file_are_counted(tmp_path):
    for number in range(9):
        (tmp_path / f"file{number}").write_text("")

    with pytest.raises(MissingPathError) as caught:
        Workspace(tmp_path).open_read("qqqqqqqq")

    assert caught.value.hint.endswith("and 4 more.")


def test_paths_are_normalised_by_text_and_links_by_walking(workspace):
    (workspace.root / "link").symlink_to("src")

    assert "link/lexer.py" == workspace.relative("./link/x/../lexer.py")
    assert "src/lexer.py" == workspace.real("link/lexer.py")
    assert "." == workspace.relative(str(workspace.root)) == workspace.real(".")
    assert "src/new.py" == workspace.real("link/new.py")


def test_a_folder_is_listed_by_name_with_kinds(workspace):
    (workspace.root / "src/link").symlink_to("lexer.py")
    os.mkfifo(workspace.root / "src/pipe")

    expected = [
        FolderEntry("deep", "folder"),
        FolderEntry("lexer.py", "file"),
        FolderEntry("link", "link"),
        FolderEntry("parser.py", "file"),
        FolderEntry("pipe", "other"),
    ]
    assert expected == workspace.scandir("src")


def test_the_facts_of_a_link_are_those_of_its_target(workspace):
    (workspace.root / "link").symlink_to("src/lexer.py")

    assert workspace.stat("src/lexer.py").st_ino == workspace.stat("link").st_ino


def test_a_file_is_no_folder(workspace):
    with pytest.raises(WorkspaceError, match="file where a folder is meant"):
        workspace.scandir("README.md")


def test_a_name_that_is_no_utf_8_can_be_read(tmp_path):
    (tmp_path / os.fsdecode(b"caf\xe9.txt")).write_bytes(b"x")
    workspace = Workspace(tmp_path)

    with workspace.open_read(workspace.scandir(".")[0].name) as file:
        assert b"x" == file.readall()
