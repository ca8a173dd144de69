"""The sandbox: what commands in it cannot reach, and what they still can."""

import os
import shutil
import socket
import subprocess
import sys
import warnings
from pathlib import Path

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


#: Each tries to do harm; it fails, or what it does stays inside.
ESCAPES = {
    "write outside": "echo x >OUTSIDE/new",
    "write through a link": "echo x >folder/new; echo x >link",
    "read outside": "cat OUTSIDE/secret",
    "read through a link": "cat link",
    "read through a folder link": "cat folder/secret",
    "list outside": "ls OUTSIDE | grep secret",
    "remove outside": "rm -r OUTSIDE",
    "read by /proc/1/root": "cat /proc/1/root/OUTSIDE/secret",
    "read by the cwd of another": "cat /proc/*/cwd/../outside/secret",
    "read by an inherited handle": "for fd in /proc/self/fd/*; do cat $fd/../outside/secret; done",
    "write to the home": "echo x >~/.bashrc; mkdir -p ~/.ssh; echo x >~/.ssh/authorized_keys; false",
    "read keys": "cat ~/.ssh/* ~/.aws/* ~/.netrc ~/.config/gh/hosts.yml ~/.docker/config.json",
    "read shadow": "cat /etc/shadow /etc/gshadow /etc/sudoers",
    "write system folders": "touch /usr/bin/x || touch /etc/passwd || touch /bin/x",
    "write the interpreter": "touch PREFIX/x",
    "environment of another process": "cat /proc/HOST/environ",
    "any process of the host": "ls /proc | grep -x HOST",
    "kill the host": "kill -9 HOST; kill -9 SLEEPER",
    "kill everything": "kill -9 -1",
    "trace another process": "cat /proc/HOST/maps || cat /proc/SLEEPER/mem",
    "network": "exec 3<>/dev/tcp/127.0.0.1/PORT",
    "network by name": "exec 3<>/dev/tcp/localhost/PORT",
    "other interfaces": "grep -v lo: /proc/net/dev | grep :",
    "unix socket": "SOCKET OUTSIDE/socket",
    "docker socket": "SOCKET /run/docker.sock || SOCKET /var/run/docker.sock",
    "abstract socket": "SOCKET @ABSTRACT",
    "git hook": "echo x >.git/hooks/post-commit",
    "change of a git hook": "echo x >>.git/hooks/old",
    "git hook by rename": "mv .git .git2",
    "git hook by rename of hooks": "mv .git/hooks .git/h2 || rm -r .git/hooks",
    "git config": "git config core.fsmonitor ./evil || echo x >>.git/config",
    "worktree config": "echo x >.git/config.worktree; false",
    "new protected file": "echo x >.mcp.json; echo x >qitos-like.toml; mkdir .vscode",
    "protected file by rename": "touch a; mv -f a .mcp.json || ln -sf a .mcp.json",
    "remount": "mount -o remount,rw /usr || mount --bind /tmp /usr",
    "unmount": "umount .git/hooks || umount -l .git/hooks",
    "new namespace": "unshare -Ur umount .git/hooks || unshare -m umount -l .git/hooks",
    "chroot": "chroot /proc/1/root cat OUTSIDE/secret",
    "device": "mknod disk b 8 0 && head -c 1 disk",
    "kernel settings": "echo 1 >/proc/sys/vm/drop_caches || echo x >/proc/sys/kernel/hostname",
    "core pattern": "echo '|/bin/true' >/proc/sys/kernel/core_pattern",
    "kernel requests": "echo h >/proc/sysrq-trigger",
    "kernel memory": "head -c 9 /proc/kcore | grep .",
    "shared memory": "ls /dev/shm | grep -v qitos-",
    "the terminal": "echo x >/dev/tty",
}


@pytest.fixture
def sleeper():
    process = subprocess.Popen(["sleep", "300"])
    yield process
    process.kill()
    process.wait()


@pytest.fixture
def listening(outside):
    """Sockets of the host: by address, by path, and abstract."""
    servers = []
    for family, address in (
        (socket.AF_INET, ("127.0.0.1", 0)),
        (socket.AF_UNIX, str(outside / "socket")),
        (socket.AF_UNIX, f"\0qitos-{os.getpid()}"),
    ):
        server = socket.socket(family)
        server.bind(address)
        server.listen()
        server.setblocking(False)
        servers.append(server)
    yield servers
    for server in servers:
        server.close()


def has_visitor(server):
    try:
        server.accept()[0].close()
    except BlockingIOError:
        return False
    return True


CONNECT = (
    "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1].replace('@', chr(0)))"
)


@pytest.mark.parametrize("attempt", ESCAPES.values(), ids=ESCAPES)
def test_an_escape_fails(attempt, boxed, repository, outside, sleeper, listening):
    before = everything_in(repository, outside)
    command = (
        attempt.replace("OUTSIDE", str(outside))
        .replace("HOST", str(os.getpid()))
        .replace("SLEEPER", str(sleeper.pid))
        .replace("PORT", str(listening[0].getsockname()[1]))
        .replace("ABSTRACT", f"qitos-{os.getpid()}")
        .replace("SOCKET", f'python3 -c "{CONNECT}"')
        .replace("PREFIX", sys.prefix)
    )

    result = boxed.run_command(command, 20).structured

    assert result["exit_code"] != 0
    assert "the secret" not in result["output"]
    assert sleeper.poll() is None
    assert [] == list(filter(has_visitor, listening))
    boxed.teardown()
    assert before == {
        path: content
        for path, content in everything_in(repository, outside).items()
        if path in before
    }
    for name in ("hooks/post-commit", "config.worktree"):
        assert not (repository / ".git" / name).exists()
    for name in (".mcp.json", "qitos-like.toml", ".vscode"):
        assert not (repository / name).exists()


def everything_in(*folders):
    return {
        path: path.read_bytes() if path.is_file() else None
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if "socket" not in path.name
    }


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
