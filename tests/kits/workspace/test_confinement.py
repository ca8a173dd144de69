"""No path leads outside a workspace, by the kernel's way or by the portable walk."""

import contextlib
import os
import socket

import pytest

from kits.workspace import Workspace, WorkspaceError

SECRET = b"top secret"


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture(name="outside")
def outside_(tmp_path):
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret.txt").write_bytes(SECRET)
    (tmp_path / "root-evil").mkdir()
    (tmp_path / "root-evil" / "secret.txt").write_bytes(SECRET)
    return folder


@pytest.fixture(name="root")
def root_(tmp_path, outside):
    root = tmp_path / "root"
    (root / "sub" / "deep").mkdir(parents=True)
    (root / "a.txt").write_bytes(b"inside")
    (root / "sub" / "b.txt").write_bytes(b"below")
    links = {
        "leak": outside / "secret.txt",
        "leak-folder": outside,
        "sub/leak-relative": "../../outside/secret.txt",
        "sub/leak-up": "../..",
        "chain-1": "chain-2",
        "chain-2": "sub/leak-relative",
        "dangling-out": outside / "nothing.txt",
        "loop": "loop",
        "loop-1": "loop-2",
        "loop-2": "loop-1",
        "root-link": "/",
        "proc-link": "/proc/self/root/etc",
        "twin": tmp_path / "root-evil",
        "inner": "sub",
        "inner-absolute": root / "sub",
        "sub/up-and-back": "../sub/b.txt",
        "sub/deep/far": "../../inner/../a.txt",
        "dangling-in": "sub/new.txt",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    return root


@pytest.fixture(name="workspace", params=["openat2", "walk"])
def workspace_(request, root):
    with Workspace(root, confinement=request.param) as workspace:
        yield workspace


OUTSIDE = [
    "..",
    "../outside/secret.txt",
    "sub/../../outside/secret.txt",
    "./../outside/secret.txt",
    "sub/deep/../../../outside/secret.txt",
    "../root-evil/secret.txt",
    "/etc/passwd",
    "/",
    "//etc/passwd",
    "/proc/self/root/etc/passwd",
    "/proc/self/cwd/a.txt",
    "{root}/../outside/secret.txt",
    "{root}-evil/secret.txt",
    "{root}/sub/../../outside/secret.txt",
    "leak",
    "leak-folder/secret.txt",
    "sub/leak-relative",
    "sub/leak-up/outside/secret.txt",
    "chain-1",
    "dangling-out",
    "root-link/etc/passwd",
    "proc-link/passwd",
    "twin/secret.txt",
    "inner/leak-relative",
    "inner-absolute/leak-up/outside/secret.txt",
    "a\0b",
    "a.txt\0",
    "a\nb",
    "a\x1b[31m",
    "\x7f",
]


@pytest.mark.parametrize("path", OUTSIDE, ids=repr)
@pytest.mark.parametrize("attempt", ["open_read", "stat", "open_folder", "real", "write", "remove"])
def test_a_path_that_leads_outside_is_denied(workspace, outside, path, attempt):
    acts = {
        "write": lambda path: workspace.write_bytes(path, b"x"),
        **{name: getattr(workspace, name) for name in ("open_read", "stat", "open_folder")},
        "real": workspace.real,
        "remove": workspace.remove,
    }

    with pytest.raises(WorkspaceError) as caught:
        acts[attempt](path.format(root=workspace.root))

    assert "denied" == caught.value.code
    assert caught.value.hint
    assert ["secret.txt"] == names(outside)
    assert SECRET == (outside / "secret.txt").read_bytes()


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("a.txt", b"inside"),
        ("./sub//b.txt", b"below"),
        ("sub/../a.txt", b"inside"),
        ("nowhere/../a.txt", b"inside"),
        ("{root}/a.txt", b"inside"),
        ("{root}/sub/../a.txt", b"inside"),
        ("inner/b.txt", b"below"),
        ("inner-absolute/b.txt", b"below"),
        ("sub/up-and-back", b"below"),
        ("sub/deep/far", b"inside"),
    ],
)
def test_a_path_inside_works_however_it_is_written(workspace, path, content):
    with workspace.open_read(path.format(root=workspace.root)) as file:
        assert content == file.readall()


@pytest.mark.parametrize("path", ["loop", "loop-1", "loop/x"])
def test_a_loop_of_links_is_refused(workspace, path):
    with pytest.raises(WorkspaceError, match="loop of links"):
        workspace.open_read(path)


def test_a_chain_of_links_is_followed_forty_times_and_no_more(workspace):
    for number in range(60):
        target = f"step-{number + 1}" if number < 59 else "a.txt"
        (workspace.root / f"step-{number}").symlink_to(target)

    with workspace.open_read("step-20") as file:
        assert b"inside" == file.readall()
    with pytest.raises(WorkspaceError, match="loop of links"):
        workspace.open_read("step-19")


def test_a_link_written_to_stays_a_link_and_its_target_changes(workspace):
    workspace.write_bytes("sub/up-and-back", b"new")

    assert (workspace.root / "sub/up-and-back").is_symlink()
    assert b"new" == (workspace.root / "sub/b.txt").read_bytes()


def test_a_dangling_link_inside_is_written_at_its_target(workspace):
    workspace.write_bytes("dangling-in", b"new")

    assert b"new" == (workspace.root / "sub/new.txt").read_bytes()


def test_a_root_given_through_a_link_is_known_by_both_names(tmp_path, root):
    (tmp_path / "alias").symlink_to(root)
    (root / "by-alias").symlink_to(tmp_path / "alias" / "a.txt")
    workspace = Workspace(tmp_path / "alias")

    for path in (f"{tmp_path}/alias/a.txt", f"{root}/a.txt", "by-alias"):
        with workspace.open_read(path) as file:
            assert b"inside" == file.readall()


@pytest.mark.parametrize(
    ("path", "kind"),
    [("pipe", "named pipe"), ("socket", "socket"), ("sub", "folder"), (".", "folder")],
)
def test_what_is_no_regular_file_is_refused_at_once(workspace, path, kind):
    os.mkfifo(workspace.root / "pipe")
    with socket.socket(socket.AF_UNIX) as server, contextlib.chdir(workspace.root):
        server.bind("socket")

        for act in (workspace.open_read, lambda path: workspace.write_bytes(path, b"x")):
            with pytest.raises(WorkspaceError, match=kind) as caught:
                act(path)
            assert "input_invalid" == caught.value.code


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may make a device")
def test_a_device_is_refused(workspace):
    os.mknod(workspace.root / "null", 0o666 | 0o020000, os.makedev(1, 3))

    with pytest.raises(WorkspaceError, match="device"):
        workspace.open_read("null")
    with pytest.raises(WorkspaceError, match="device"):
        workspace.write_bytes("null", b"x")


@pytest.mark.parametrize(
    "path",
    [
        ".git",
        ".git/hooks",
        ".git/hooks/pre-commit",
        ".git/config",
        "sub/.git/config",
        ".GIT/hooks/pre-commit",
        ".Git/Config",
        ".g\u200cit/config",
        "\uff0egit/config",
        ".mcp.json",
        ".MCP.json",
        ".vscode",
        ".vscode/settings.json",
        ".vs\u017fcode/../.vscode/tasks.json",
        "qitos-like.toml",
        "to-git/hooks/pre-commit",
        "to-hooks/pre-commit",
    ],
    ids=ascii,
)
def test_a_protected_path_is_not_written_even_when_it_does_not_exist(workspace, path):
    (workspace.root / "to-git").symlink_to(".git")
    (workspace.root / "to-hooks").symlink_to(".git/hooks")
    before = names(workspace.root)

    for act in (lambda path: workspace.write_bytes(path, b"x"), workspace.remove):
        with pytest.raises(WorkspaceError) as caught:
            act(path)
        assert "denied" == caught.value.code or act == workspace.remove
    assert before == names(workspace.root)


def test_a_protected_file_that_exists_can_be_read_but_not_removed(workspace):
    (workspace.root / ".git").mkdir()
    (workspace.root / ".git" / "config").write_bytes(b"[core]")

    with workspace.open_read(".git/config") as file:
        assert b"[core]" == file.readall()
    with pytest.raises(WorkspaceError, match="protected"):
        workspace.remove(".git/config")


def test_other_files_of_a_repository_can_be_written(workspace):
    workspace.write_bytes(".git/info/exclude", b"*.o\n")

    assert b"*.o\n" == (workspace.root / ".git/info/exclude").read_bytes()


def test_the_list_of_protected_paths_can_be_another(root):
    workspace = Workspace(root, protected=["secrets"])
    workspace.write_bytes(".vscode/settings.json", b"{}")

    with pytest.raises(WorkspaceError, match="protected"):
        workspace.write_bytes("sub/secrets/key", b"x")


@pytest.mark.parametrize(
    ("pattern", "path", "is_covered"),
    [
        ("*.lock", "x.lock", True),
        ("*.lock", "sub/X.LOCK", True),
        ("*.lock", "x.lock/inside", True),
        ("*.lock", "x.lock.txt", False),
        ("*/keys", "sub/keys/own", True),
        ("*/keys", "keys", False),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("a/**/b", "a/x/y", False),
        ("sub/**", "sub/x", True),
        (".env*", ".env.local", True),
        ("[id].tsx", "[id].tsx", True),
        ("./keys/", "keys/own", True),
        ("/keys", "keys", True),
    ],
)
def test_wildcards_protect_what_they_stand_for(root, pattern, path, is_covered):
    workspace = Workspace(root, protected=pattern)

    if is_covered:
        with pytest.raises(WorkspaceError, match="protected"):
            workspace.write_bytes(path, b"x")
    else:
        workspace.write_bytes(path, b"x")


@pytest.mark.parametrize("pattern", ["", "/", ".", "../keys", "a/../b"])
def test_a_pattern_that_can_protect_nothing_is_refused(root, pattern):
    with pytest.raises(ValueError, match="below the workspace"):
        Workspace(root, protected=[pattern])


def test_one_readable_root_need_not_stand_in_a_list(root, outside):
    assert (outside,) == Workspace(root, readable=str(outside)).readable


def test_a_readable_root_is_read_by_absolute_paths_and_never_written(root, outside):
    workspace = Workspace(root, readable=[outside])
    path = str(outside / "secret.txt")

    with workspace.open_read(path) as file:
        assert SECRET == file.readall()
    assert path == workspace.relative(path) == workspace.real(path)
    for act in (lambda: workspace.write_bytes(path, b"x"), lambda: workspace.remove(path)):
        with pytest.raises(WorkspaceError, match="only be read") as caught:
            act()
        assert "denied" == caught.value.code


def test_a_denial_outside_names_what_is_allowed(root, outside):
    workspace = Workspace(root, readable=[outside])

    with pytest.raises(WorkspaceError) as caught:
        workspace.open_read("/etc/passwd")

    assert str(root) in caught.value.hint
    assert str(outside) in caught.value.hint


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("/repo/sub/b.txt", "'sub/b.txt'"),
        ("../x/sub", "'sub'"),
        ("/repo/leak-folder/secret.txt", None),
        ("/repo/nothing", None),
        ("/", None),
    ],
)
def test_a_denial_names_the_end_of_the_path_that_is_inside(workspace, path, meant):
    with pytest.raises(WorkspaceError) as caught:
        workspace.open_read(path)

    assert meant == (caught.value.hint.partition("Did you mean ")[2].removesuffix("?") or None)


def test_an_empty_path_and_an_endless_one_are_refused(workspace):
    for path in ("", "a/" * 5000, "\ud800"):
        with pytest.raises(WorkspaceError) as caught:
            workspace.open_read(path)
        assert "input_invalid" == caught.value.code


def test_a_name_too_long_for_the_file_system_is_a_plain_error(workspace):
    for act in (workspace.open_read, lambda path: workspace.write_bytes(path, b"x")):
        with pytest.raises(WorkspaceError, match="too long") as caught:
            act("n" * 300)
        assert "input_invalid" == caught.value.code


def test_a_path_below_a_file_is_refused(workspace):
    for act in (workspace.open_read, lambda path: workspace.write_bytes(path, b"x")):
        with pytest.raises(WorkspaceError, match="file where a folder is meant"):
            act("a.txt/below")


def test_a_workspace_needs_a_folder_that_exists(tmp_path):
    (tmp_path / "file").write_bytes(b"")

    for root in (tmp_path / "file", tmp_path / "nothing"):
        with pytest.raises(NotADirectoryError, match="is no folder"):
            Workspace(root)


def test_a_workspace_opens_its_folder_once_and_lets_go(root):
    workspace = Workspace(root)
    workspace.close()
    workspace.close()

    with pytest.raises(WorkspaceError, match="bad file descriptor"):
        workspace.open_read("a.txt")
