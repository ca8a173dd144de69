"""Checkpoints: the tree comes back as it was, and the repository is not touched."""

import os
import shutil
import subprocess

import pytest

from kits import CodingToolSet, Workspace, WorkspaceError
from kits.snapshots.snapshots import Snapshots
from kits.workspace.workspace import Workspace as Whole

HAS_GIT = shutil.which("git") is not None
NAMES = ["git", "copies"] if HAS_GIT else ["copies"]


@pytest.fixture(name="root")
def root_(tmp_path):
    root = tmp_path / "root"
    files = {
        "a.txt": b"one\ntwo\n",
        "crlf.txt": b"one\r\ntwo",
        "src/app.py": b"x = 1\n",
        "src/deep/er.py": b"y = 2\n",
        "data.bin": bytes(range(256)) * 20,
        "latin.txt": b"caf\xe9\n",
        "run.sh": b"echo\n",
        os.fsdecode('odd \u00e9"\t.txt'.encode()): b"odd\n",
        "two\nlines.txt": b"two\n",
        ".gitattributes": b"*.txt text eol=lf ident filter=x\n*.py -diff\n",
        "empty.txt": b"",
    }
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    (root / "run.sh").chmod(0o750)
    (root / "a.txt").chmod(0o600)
    (root / "hollow" / "in" / "hollow").mkdir(parents=True)
    (root / "link").symlink_to("src")
    (root / "link-file").symlink_to("a.txt")
    return root


@pytest.fixture(name="snapshots", params=NAMES)
def snapshots_(request, root):
    return Snapshots(root, with_git=request.param == "git")


def test_no_program_of_the_workspace_runs(root, snapshots, monkeypatch):
    (root / "git").write_text(f"#!/bin/sh\ntouch {root}/has-run\nexit 1\n")
    (root / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f":.:{os.environ['PATH']}")

    snapshots.checkpoint()

    assert not (root / "has-run").exists()


def tree(folder):
    """Every name below, with its kind, its mode and what it holds."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if ".git" in path.relative_to(folder).parts:
            continue
        if path.is_symlink():
            found[str(path.relative_to(folder))] = ("link", str(path.readlink()))
        elif path.is_file():
            mode = path.stat().st_mode & 0o777
            found[str(path.relative_to(folder))] = ("file", mode, path.read_bytes())
        else:
            found[str(path.relative_to(folder))] = ("folder",)
    return found


def change(root):
    """Changes of every kind."""
    (root / "a.txt").write_bytes(b"ONE\n")
    (root / "a.txt").chmod(0o644)
    (root / "run.sh").chmod(0o640)
    (root / "data.bin").write_bytes(b"\0" * 100)
    (root / "latin.txt").write_bytes(b"th\xe9\n")
    (root / "crlf.txt").write_bytes(b"one\ntwo\n")
    shutil.rmtree(root / "src")
    (root / "src").write_bytes(b"a file now\n")
    shutil.rmtree(root / "hollow" / "in")
    (root / "hollow" / "out" / "of").mkdir(parents=True)
    (root / "empty.txt").unlink()
    (root / "empty.txt").mkdir()
    (root / "link").unlink()
    (root / "link").mkdir()
    (root / "link" / "new.txt").write_bytes(b"new")
    (root / "link-file").unlink()
    (root / "link-file").symlink_to("run.sh")
    (root / os.fsdecode('odd \u00e9"\t.txt'.encode())).write_bytes(b"even\n")
    (root / "two\nlines.txt").write_bytes(b"2\n")
    (root / "new" / "hollow").mkdir(parents=True)
    (root / "new" / "empty").write_bytes(b"")


def test_everything_comes_back(snapshots, root):
    before = tree(root)
    name = snapshots.checkpoint()

    change(root)
    snapshots.restore(name)

    assert before == tree(root)
    assert not snapshots.diff()


def test_each_of_several_checkpoints_comes_back(snapshots, root):
    states = {snapshots.checkpoint(): tree(root)}
    for content in (b"2", b"3"):
        (root / "a.txt").write_bytes(content)
        (root / f"{content.decode()}.txt").write_bytes(content)
        states[snapshots.checkpoint()] = tree(root)

    assert ["checkpoint-1", "checkpoint-2", "checkpoint-3"] == list(states)
    for name in ("checkpoint-2", "checkpoint-3", "checkpoint-1"):
        snapshots.restore(name)
        assert states[name] == tree(root)


@pytest.mark.skipif(not HAS_GIT, reason="git is not installed")
def test_the_diff_applies_elsewhere(snapshots, root, tmp_path):
    shutil.copytree(root, tmp_path / "elsewhere", symlinks=True)
    snapshots.checkpoint()
    change(root)

    patch = snapshots.diff()

    subprocess.run(
        ["git", "apply", "--whitespace=nowarn"],
        cwd=tmp_path / "elsewhere",
        input=patch.encode("utf-8", "surrogateescape"),
        check=True,
    )
    assert contents(root) == contents(tmp_path / "elsewhere")


def contents(folder):
    """What a patch carries: no empty folders, of modes whether a file can be executed."""
    return {
        name: (kind, *(value & 0o100 if isinstance(value, int) else value for value in rest))
        for name, (kind, *rest) in tree(folder).items()
        if kind != "folder"
    }


def test_the_diff_is_since_the_first_checkpoint_or_the_one_that_is_named(snapshots, root):
    snapshots.checkpoint()
    (root / "a.txt").write_bytes(b"2\n")
    second = snapshots.checkpoint()
    (root / "crlf.txt").write_bytes(b"3\n")

    assert "a.txt" in snapshots.diff()
    assert "a.txt" not in snapshots.diff(second)
    assert "crlf.txt" in snapshots.diff(second)


@pytest.mark.parametrize("act", ["restore", "diff"])
def test_an_unknown_checkpoint_is_refused_by_name(snapshots, act):
    with pytest.raises(WorkspaceError, match=r"no checkpoint 'x' \(there is: none"):
        getattr(snapshots, act)("x")
    snapshots.checkpoint()
    with pytest.raises(WorkspaceError, match="there is: checkpoint-1"):
        getattr(snapshots, act)("x")


def test_a_diff_without_a_checkpoint_says_what_to_do(root):
    with pytest.raises(WorkspaceError, match="take one at the start"):
        Workspace(root).diff()


def test_what_cannot_be_read_is_an_error(root, as_another_user):
    snapshots = Snapshots(root, with_git=False)
    root.parent.chmod(0o755)
    (root / "src").chmod(0o700)

    assert "permission denied" in as_another_user(snapshots.checkpoint)


def test_a_repository_inside_comes_back_too(root, snapshots):
    nested = root / "nested"
    (nested / ".git").mkdir(parents=True)
    (nested / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (nested / ".git" / "objects").mkdir()
    (nested / ".git" / "refs").mkdir()
    (nested / "n.txt").write_text("n\n")
    (nested / "to-src").symlink_to("../src")
    before = tree(root)
    name = snapshots.checkpoint()

    (nested / "n.txt").unlink()
    (nested / "m.txt").write_text("m\n")
    snapshots.checkpoint()
    snapshots.restore(name)

    assert before == tree(root)
    assert (nested / ".git" / "HEAD").exists()


@pytest.fixture(name="repository")
def repository_(root):
    if not HAS_GIT:
        pytest.skip("git is not installed")

    def git(*arguments):
        config = ["-c", "user.name=n", "-c", "user.email=e"]
        command = ["git", *config, *arguments]
        return subprocess.run(command, cwd=root, check=True, capture_output=True).stdout

    (root / ".gitattributes").unlink()
    git("init", "-q")
    git("add", "a.txt", "src")
    git("commit", "-qm", "first")
    (root / "a.txt").write_text("stashed\n")
    git("stash")
    (root / "a.txt").write_text("staged\n")
    git("add", "a.txt")
    (root / "a.txt").write_text("changed\n")
    return git


def test_the_repositorys_own_state_is_untouched(repository, root):
    hook = root / ".git" / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ntouch ran\n")
    hook.chmod(0o755)
    before, own = tree(root), own_state(root)
    status = repository("status", "--porcelain")
    own = own_state(root)
    kit = CodingToolSet(root)
    name = kit.workspace.checkpoint()

    for number in range(10):
        kit.create(f"new-{number}.txt", "x\n")
    kit.run_command("rm -rf src hollow")
    patch = kit.workspace.diff()
    kit.workspace.restore(name)
    kit.teardown()

    assert before == tree(root)
    assert own == own_state(root)
    assert status == repository("status", "--porcelain")
    assert 10 == patch.count("new file mode")


def own_state(root):
    return {
        str(path): path.read_bytes()
        for path in (root / ".git").rglob("*")
        if path.is_file() and path.name != "index"
    } | {"index": subprocess.check_output(["git", "ls-files", "-s"], cwd=root)}


def test_what_ignore_rules_name_is_left_alone(repository, root):
    (root / ".gitignore").write_text("build/\n")
    (root / "build").mkdir()
    (root / "build" / "out").write_text("old")
    workspace = Workspace(root)
    name = workspace.checkpoint()
    (root / "build" / "out").write_text("new")
    (root / ".gitignore").unlink()
    (root / "src" / ".gitignore").write_text("*\n")
    (root / "src" / "hidden.py").write_text("")

    workspace.restore(name)

    assert "new" == (root / "build" / "out").read_text()
    assert "build/\n" == (root / ".gitignore").read_text()
    assert not (root / "src" / "hidden.py").exists()


def test_what_ignore_rules_named_is_left_alone_though_a_state_without_them_had_it(repository, root):
    (root / ".gitignore").write_text(".env\n")
    (root / ".env").write_text("mine\n")
    workspace = Workspace(root)
    name = workspace.checkpoint()
    (root / ".gitignore").unlink()

    assert ".env" in workspace.diff()
    workspace.restore(name)

    assert "mine\n" == (root / ".env").read_text()
    assert "" == workspace.diff()


def test_what_the_repository_has_comes_back_though_ignore_rules_name_it(repository, root):
    names = ["build/tool.py", "build/link", "behind/a.py"]
    (root / ".gitignore").write_text("build\nbehind\n")
    for name in names[::2]:
        (root / name).parent.mkdir()
        (root / name).write_text("old\n")
    (root / "build" / "link").symlink_to("tool.py")
    repository("add", "-f", *names)
    (root / "build" / "out").write_text("left alone")
    workspace = Workspace(root)
    name = workspace.checkpoint()
    before = tree(root)
    (root / "build" / "tool.py").write_text("new\n")
    (root / "build" / "link").unlink()
    (root / "behind").rename(root / "moved")
    (root / "behind").symlink_to("moved")

    assert {f"a/{name}" for name in names} <= set(workspace.diff().split())
    (root / "behind").unlink()
    workspace.restore(name)

    assert before == tree(root)
    assert "" == workspace.diff()


def test_what_was_added_to_the_repository_later_is_left_alone(repository, root):
    (root / ".gitignore").write_text(".env\n")
    (root / ".env").write_text("mine\n")
    workspace = Workspace(root)
    name = workspace.checkpoint()
    repository("add", "-f", ".env")

    workspace.restore(name)

    assert "mine\n" == (root / ".env").read_text()


def test_git_that_fails_is_an_error_not_a_crash(repository, root):
    workspace = Workspace(root)
    name = workspace.checkpoint()
    shutil.rmtree(root)

    with pytest.raises(WorkspaceError) as caught:
        workspace.restore(name)

    assert "execution_failed" == caught.value.code


def test_the_checkpoints_go_with_the_workspace(root, tmp_path, monkeypatch):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    workspace = Workspace(root)
    workspace.checkpoint()
    [store] = folder.iterdir()

    assert 0o700 == store.stat().st_mode & 0o777
    del workspace
    assert [] == list(folder.iterdir())


def test_a_fork_is_a_copy_of_everything(root, tmp_path):
    os.mkfifo(root / "pipe")
    (root / "absolute").symlink_to(root / "a.txt")
    workspace = Workspace(root, protected=["secret"], confinement="walk")
    before = tree(root)

    fork = workspace.fork(tmp_path / "fork")
    fork.write_bytes("absolute", b"changed")

    assert b"changed" == (tmp_path / "fork" / "a.txt").read_bytes()
    assert before == tree(root)
    assert ("secret",) == fork.protected
    assert {"absolute", "pipe"} == {
        name for name, value in before.items() if tree(tmp_path / "fork").get(name) != value
    } - {"a.txt"}


def test_a_fork_needs_a_folder_of_its_own(root, tmp_path):
    workspace = Whole(root)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("")

    with pytest.raises(FileExistsError):
        workspace.fork(tmp_path / "full")
    with pytest.raises(ValueError, match="is inside"):
        workspace.fork(root / "fork")
