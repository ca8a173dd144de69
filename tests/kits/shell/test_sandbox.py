"""The sandbox: what commands in it cannot reach, and what they still can."""

import os
import shutil
import socket
import subprocess
import warnings
from pathlib import Path

import psutil
import pytest

from kits.shell import sandbox
from kits.shell.sandbox import SandboxError, SandboxWarning
from kits.shell.toolset import ShellToolSet
from kits.workspace import Workspace


def works():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SandboxWarning)
        return sandbox.choose("auto", Path("/usr"), protected=(), network=False) is not None


pytestmark = pytest.mark.skipif(not works(), reason="needs bwrap, and a kernel that lets it work")


@pytest.fixture
def outside(tmp_path):
    """A folder beside the workspace, with a secret in it."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret").write_text("the secret\n")
    return folder


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "inside"
    (folder / ".git" / "hooks").mkdir(parents=True)
    (folder / ".git" / "config").write_text("[core]\n\tbare = false\n")
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    for name in ("objects", "refs"):
        (folder / ".git" / name).mkdir()
    (folder / ".git" / "hooks" / "old").write_text("#!/bin/sh\n")
    return folder


@pytest.fixture
def boxed(repository, outside):
    """A shell in a sandbox; links in the workspace lead outside."""
    (repository / "link").symlink_to(outside / "secret")
    (repository / "folder").symlink_to(outside)
    toolset = ShellToolSet(repository, sandbox="bwrap")
    yield toolset
    toolset.teardown()


WORKS = {
    "the workspace is written": ("echo x >new; cat new; rm new", "x\n"),
    "programs run": ("seq 3 | tail -1", "3\n"),
    "python runs": ("python3 -c 'print(1 + 1)'", "2\n"),
    "git works": (
        "git status --porcelain --untracked-files=all -- new; git log 2>&1 | tail -1",
        "",
    ),
    "temporary files": ("f=$(mktemp); echo x >$f; cat $f", "x\n"),
    "a home of its own": ("cd; echo x >file; cat file", "x\n"),
    "background processes": ("sleep 0.1 & wait; echo done", "done\n"),
    "null": ("echo x >/dev/null; head -c 2 /dev/zero | tr '\\0' x", "xx"),
    "no terminal": ("tty", "not a tty\n"),
}


@pytest.mark.parametrize(("command", "output"), WORKS.values(), ids=WORKS)
def test_what_work_needs_is_there(command, output, boxed):
    assert boxed.run_command(command, 20).structured["output"].endswith(output)


def test_a_session_persists_in_the_sandbox(boxed):
    boxed.run_command("mkdir deep; cd deep; export A=1; f() { echo fun; }")
    assert 3 == boxed.run_command("exit 3").structured["exit_code"]
    assert 137 == boxed.run_command("kill -9 $$").structured["exit_code"]

    assert "1 deep\nfun\n" == boxed.run_command("echo $A ${PWD##*/}; f").structured["output"]


def test_a_command_that_is_stopped_changes_no_state_in_the_sandbox(boxed):
    boxed.run_command("mkdir sub; export KEPT=before")

    stopped = boxed.run_command("KEPT=after; cd sub; sleep 30", timeout=0.5)

    assert "its folder and environment are as before]" in stopped.error
    after = boxed.run_command("echo $KEPT").structured
    assert ("before\n", ".") == (after["output"], after["cwd"])


def test_a_timeout_ends_all_in_the_sandbox(boxed):
    result = boxed.run_command("echo begun; setsid sleep 2345 & (sleep 2345 &); sleep 2345", 0.4)

    assert "begun\n" == result.structured["output"]
    assert "" == boxed.run_command("pgrep -f 'sleep 2345'").structured["output"]


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_git_adds_no_file_that_only_protects(boxed):
    added = boxed.run_command("git add -A; git diff --cached --name-only")

    assert "folder\nlink\n" == added.structured["output"]


def test_network_can_be_granted(repository):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        toolset = ShellToolSet(repository, sandbox="bwrap", network=True)
        result = toolset.run_command(f"exec 3<>/dev/tcp/127.0.0.1/{port} && echo connected", 20)
        toolset.teardown()

    assert "connected\n" == result.structured["output"]


def test_secrets_are_not_in_the_sandbox(boxed, monkeypatch):
    monkeypatch.setenv("FAKE_API_KEY", "sk-123456789")

    result = boxed.run_command("cat /proc/*/environ; env; ps auxe 2>/dev/null")

    assert "sk-123456789" not in result.structured["output"]
    assert "[secret" not in result.structured["output"]


def test_a_sandbox_that_is_not_installed_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(SandboxError, match="not installed"):
        ShellToolSet(tmp_path, sandbox="bwrap")
    with pytest.warns(SandboxWarning, match="commands run without a sandbox"):
        assert ShellToolSet(tmp_path, sandbox="auto").sandbox is None


def test_a_sandbox_that_cannot_start_is_an_error(tmp_path, monkeypatch):
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho no namespaces here >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(SandboxError, match="no namespaces here"):
        ShellToolSet(tmp_path, sandbox="bwrap")


def test_wildcards_protect_what_is_there(tmp_path):
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "own.pem").write_text("mine")
    workspace = Workspace(tmp_path, protected=["keys/*.pem", "/absent"])
    shell = ShellToolSet(workspace, sandbox="bwrap")

    said = shell.run_command("rm -f keys/own.pem; mv keys lost; touch absent/x; ls").value
    shell.teardown()

    assert 3 == said.count("Read-only file system") + said.count("busy")
    assert "mine" == (tmp_path / "keys" / "own.pem").read_text()
    assert ["keys"] == [path.name for path in tmp_path.iterdir()]


def test_a_link_in_place_of_a_protected_path_is_an_error(tmp_path):
    (tmp_path / ".vscode").symlink_to("elsewhere")

    with pytest.raises(SandboxError, match=r"\.vscode is a link"):
        ShellToolSet(tmp_path, sandbox="bwrap")


def test_a_file_in_place_of_the_git_folder_is_protected(tmp_path):
    (tmp_path / ".git").write_text("gitdir: ../elsewhere\n")
    toolset = ShellToolSet(Workspace(tmp_path), sandbox="bwrap")

    assert 1 == toolset.run_command("echo x >.git").structured["exit_code"]
    toolset.teardown()
    assert "gitdir: ../elsewhere\n" == (tmp_path / ".git").read_text()


def test_what_may_be_read_is_seen_and_not_written(tmp_path, repository):
    inner = tmp_path / "library"
    inner.mkdir()
    (inner / "file").write_text("to read\n")
    toolset = ShellToolSet(Workspace(repository, readable=[inner, "/var"]), sandbox="bwrap")
    read = toolset.run_command(f"cat {inner}/file; ls {tmp_path}").structured["output"]
    seen = toolset.run_command("ls /var/lib | grep -q . && ls /var/tmp").structured
    written = toolset.run_command(f"echo x >{inner}/new || echo x >{inner}/file")
    toolset.teardown()

    assert "to read\ninside\nlibrary\n" == read
    assert (0, "") == (seen["exit_code"], seen["output"])
    assert 1 == written.structured["exit_code"]
    assert [inner / "file"] == list(inner.iterdir())


def test_what_stands_for_protected_paths_goes_with_the_last_sandbox(repository):
    first, second = (ShellToolSet(repository, sandbox="bwrap", background=True) for _ in range(2))
    before = sorted(repository.rglob("*"))
    first.run_command("true", background=True)
    second.run_command("true")
    first.teardown()

    harm = "echo x >.mcp.json || mkdir .vscode || echo ../evil >.git/commondir"
    assert 1 == second.run_command(harm).structured["exit_code"]
    second.teardown()
    assert before == sorted(repository.rglob("*"))


def test_a_job_that_ends_leaves_the_shell_protected(boxed, repository):
    toolset = ShellToolSet(repository, sandbox="bwrap", background=True)
    toolset.run_command("true", background=True)
    toolset.run_command("true")
    while toolset.command_output("bg1").structured["running"]:
        pass

    assert 1 == toolset.run_command("echo x >.mcp.json").structured["exit_code"]
    toolset.teardown()
    assert not (repository / ".mcp.json").exists()


def test_what_came_into_use_stays(tmp_path):
    toolset = ShellToolSet(tmp_path, sandbox="bwrap")
    toolset.run_command("true")
    assert {".git", ".vscode", ".mcp.json", "qitos-like.toml"} == {
        each.name for each in tmp_path.iterdir()
    }
    (tmp_path / ".vscode" / "settings.json").write_text("{}")
    (tmp_path / ".git" / "commondir").write_text("elsewhere\n")
    toolset.teardown()

    assert {".git", ".vscode"} == {each.name for each in tmp_path.iterdir()}
    assert "elsewhere\n" == (tmp_path / ".git" / "commondir").read_text()


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_git_works_on_the_host_beside_a_sandbox(tmp_path):
    run = ("git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run([*run, "init", "-q"], check=True)
    toolset = ShellToolSet(tmp_path, sandbox="bwrap")
    toolset.run_command("echo x >file; git add file")
    assert (tmp_path / ".git" / "commondir").exists()
    subprocess.run([*run, "commit", "-qm", "one"], check=True)
    inside = toolset.run_command("git log --format=%s; git status --porcelain").structured
    toolset.teardown()

    assert "one\n" == inside["output"]
    assert b"one\n" == subprocess.check_output([*run, "log", "--format=%s"])


def test_daemons_end_with_the_sandbox(boxed):
    tag = str(2_000_000_000 + int.from_bytes(os.urandom(4)))
    daemon = f"trap '' TERM INT HUP; exec setsid sleep {tag}"
    boxed.run_command(f'( ( bash -c "{daemon}" & ) & ); nohup setsid sleep {tag} & sleep 0.2')
    assert running(tag)
    boxed.teardown()

    assert [] == running(tag)


def running(text):
    processes = psutil.process_iter(["cmdline"])
    return [each for each in processes if text in " ".join(each.info["cmdline"] or [])]
