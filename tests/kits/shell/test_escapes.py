"""Attempts to get out of the sandbox: each fails there, and works without it."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import pytest
from attrs import frozen

from kits import SandboxWarning, ShellToolSet
from kits.shell import sandbox

SECRET = "the secret"


def works():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SandboxWarning)
        return sandbox.choose("auto", Path("/usr"), protected=(), network=False) is not None


pytestmark = pytest.mark.skipif(not works(), reason="needs bwrap, and a kernel that lets it work")

_CONNECT = "socket.socket(socket.AF_UNIX).connect(sys.argv[1].replace('@', chr(0)))"
#: What stands for longer words in the attempts.
WORDS = {
    "CONNECT": f'python3 -c "import socket, sys; {_CONNECT}"',
    "PTRACE": (
        'python3 -c "import ctypes, sys; libc = ctypes.CDLL(None); number = libc.ptrace('
        '16, int(sys.argv[1]), 0, 0); libc.ptrace(17, int(sys.argv[1]), 0, 0); sys.exit(number != 0)"'
    ),
    "MEMORY": (
        "python3 -c \"import sys; lines = open(f'/proc/{sys.argv[1]}/maps').read().splitlines(); "
        "heap = next(each for each in lines if 'heap' in each or 'stack' in each); "
        "file = open(f'/proc/{sys.argv[1]}/mem', 'rb'); file.seek(int(heap.split('-')[0], 16)); "
        'file.read(1)"'
    ),
    "DATAGRAM": (
        'python3 -c "import socket, sys; socket.socket(type=socket.SOCK_DGRAM).sendto('
        "b'x', ('127.0.0.1', int(sys.argv[1])))\""
    ),
}
#: They say that they got somewhere, or the host sees it.
TAME = {
    "write outside": "echo x >OUTSIDE/new",
    "append outside": "echo x >>OUTSIDE/secret",
    "write outside by ..": "echo x >../outside/new",
    "write through a link": "echo x >link",
    "write through a folder link": "echo x >folder/new",
    "write by /proc/self/root": "echo x >/proc/self/rootOUTSIDE/new",
    "write by /proc/self/cwd": "echo x >/proc/self/cwd/../outside/new",
    "move a file out": "echo x >a; mv a OUTSIDE/a",
    "remove outside": "rm -r OUTSIDE",
    "change modes outside": "chmod 777 OUTSIDE/secret",
    "link a file in": "ln OUTSIDE/secret got && FOUND got",
    "link a folder in": "ln -s OUTSIDE got && FOUND got/secret",
    "read outside": "FOUND OUTSIDE/secret",
    "read outside by ..": "FOUND ../outside/secret",
    "read through a link": "FOUND link",
    "read through a folder link": "FOUND folder/secret",
    "read by /proc/self/root": "FOUND /proc/self/rootOUTSIDE/secret",
    "list outside": "ls OUTSIDE | grep -q secret && echo ESCAPED",
    "read ssh keys": "FOUND ~/.ssh/id_ed25519",
    "read cloud keys": "FOUND ~/.aws/credentials",
    "read a token": "FOUND ~/.netrc",
    "write ssh keys": "mkdir -p ~/.ssh; echo x >>~/.ssh/authorized_keys",
    "write a startup file": "echo x >>~/.bashrc",
    "environment of another process": "FOUND /proc/VICTIM/environ",
    "folder of another process": "FOUND /proc/VICTIM/cwd/secret",
    "root of another process": "FOUND /proc/VICTIM/rootOUTSIDE/secret",
    "open file of another process": "FOUND /proc/VICTIM/fd/0",
    "environment of any process": "cat /proc/[0-9]*/environ 2>/dev/null | grep -qa 'SECRET' && echo ESCAPED",
    "see another process": "[ -d /proc/VICTIM ] && echo ESCAPED",
    "memory of another process": "MEMORY VICTIM && echo ESCAPED",
    "ptrace": "PTRACE VICTIM && echo ESCAPED",
    "kill another process": "kill -9 VICTIM",
    "kill another group": "kill -9 -VICTIM",
    "stop another process": "kill -STOP VICTIM && echo ESCAPED",
    "network": "exec 3<>/dev/tcp/127.0.0.1/PORT",
    "network by name": "exec 3<>/dev/tcp/localhost/PORT",
    "datagrams": "DATAGRAM UDP",
    "unix socket": "CONNECT OUTSIDE/socket",
    "docker socket": "CONNECT ~/.docker/run/docker.sock",
    "ssh agent": 'CONNECT "$SSH_AUTH_SOCK"',
    "abstract socket": "CONNECT @ABSTRACT",
    "socket by /proc/self/root": "CONNECT /proc/self/rootOUTSIDE/socket",
    "new git hook": "echo x >.git/hooks/post-commit",
    "change of a git hook": "echo x >>.git/hooks/old",
    "git hook by a link": "ln -s .git/hooks here; echo x >here/post-commit",
    "git hook by a folder link": "ln -s .git git; echo x >git/hooks/post-commit",
    "git hook by /proc/self/cwd": "echo x >/proc/self/cwd/.git/hooks/post-commit",
    "git hook by a move of hooks": "mv .git/hooks .git/h2; mkdir .git/hooks; echo x >.git/hooks/post-commit",
    "git hook by a move of .git": "mv .git g; mkdir -p .git/hooks; echo x >.git/hooks/post-commit",
    "removal of hooks": "rm -r .git/hooks",
    "modes of a hook": "chmod 777 .git/hooks/old",
    "git config": "git config core.fsmonitor ./evil",
    "git config by a file": "echo '[core]' >>.git/config",
    "git config of a worktree": "echo x >.git/config.worktree",
    "git config elsewhere": "echo ../evil >.git/commondir",
    "new settings of editors": "mkdir -p .vscode; echo x >.vscode/tasks.json",
    "new settings of tools": "echo x >.mcp.json",
    "our own settings": "echo x >qitos-like.toml",
    "settings by a move": "echo x >a; mv -f a .mcp.json",
    "settings by a link": "ln -s a .mcp.json",
}
#: They would harm a host that they reach, so that they are only tried inside.
FIERCE = {
    "write system folders": "touch /usr/bin/x || touch /etc/passwd || touch /bin/x || touch /opt/x",
    "write the interpreter": "touch PREFIX/x",
    "read shadow": "cat /etc/shadow || cat /etc/gshadow || cat /etc/sudoers",
    "kill everything": "kill -9 -1",
    "root of the first process": "cat /proc/1/rootOUTSIDE/secret",
    "other interfaces": "grep -v lo: /proc/net/dev | grep :",
    "remount": "mount -o remount,rw /usr || mount --bind /tmp /usr",
    "remount of what is protected": "mount -o remount,rw .git/hooks",
    "unmount": "umount .git/hooks || umount -l .git/hooks",
    "new namespace": "unshare -Ur umount .git/hooks || unshare -m umount -l .git/hooks",
    "new mounts": "unshare -Urm sh -c 'umount -l .git/hooks && echo x >.git/hooks/post-commit'",
    "chroot": "chroot /proc/1/root cat OUTSIDE/secret",
    "device": "mknod disk b 8 0 && head -c 1 disk",
    "kernel settings": "echo 1 >/proc/sys/vm/drop_caches || echo x >/proc/sys/kernel/hostname",
    "core pattern": "echo '|/bin/true' >/proc/sys/kernel/core_pattern",
    "kernel requests": "echo h >/proc/sysrq-trigger",
    "kernel memory": "head -c 9 /proc/kcore | grep .",
    "shared memory": "ls /dev/shm | grep -v qitos-",
    "the terminal": "echo x >/dev/tty",
    "keys typed for others": (
        "python3 -c \"import fcntl, termios; fcntl.ioctl(open('/dev/tty'), termios.TIOCSTI, b'x')\""
    ),
}


@frozen
class Host:
    """What attempts are made on.

    Attributes:
        root: the workspace.
        outside: a folder beside it.
        home: the user's.
        victim: another process of the user.
        servers: its sockets.
    """

    root: Path
    outside: Path
    home: Path
    victim: subprocess.Popen
    servers: list

    def files(self):
        """What must not change, with contents and modes."""
        protected = (".git/hooks", ".git/config", ".git/config.worktree", ".git/commondir")
        own = [self.root / name for name in (*protected, ".vscode", ".mcp.json", "qitos-like.toml")]
        found = [each for folder in (self.outside, self.home, *own) for each in walk(folder)]
        return {str(path): facts(path) for path in found}

    def attempt(self, command, **options):
        """What came of an attempt, and whether it got anywhere."""
        before = self.files()
        shell = ShellToolSet(self.root, **options)
        try:
            result = shell.run_command(self.spelled(command), 20).structured
        finally:
            shell.teardown()
        visited = [server for server in self.servers if has_visitor(server)]
        escaped = (
            "ESCAPED" in result["output"]
            or self.victim.poll() is not None
            or bool(visited)
            or before != self.files()
        )
        return result, escaped

    def spelled(self, command):
        words = {
            **WORDS,
            "FOUND": "found() { grep -qa 'SECRET' \"$1\" && echo ESCAPED; }; found",
            "OUTSIDE": str(self.outside),
            "VICTIM": str(self.victim.pid),
            "ABSTRACT": f"qitos-{os.getpid()}",
            "PORT": str(self.servers[0].getsockname()[1]),
            "UDP": str(self.servers[1].getsockname()[1]),
            "PREFIX": sys.prefix,
            "SECRET": SECRET,
        }
        for word, meant in words.items():
            command = command.replace(word, meant)
        return command


def walk(path):
    yield path
    if path.is_dir() and not path.is_symlink():
        for each in sorted(path.iterdir()):
            yield from walk(each)


def facts(path):
    if path.is_socket() or not os.path.lexists(path):
        return None
    content = path.read_bytes() if path.is_file() else path.is_symlink() and path.readlink()
    return path.lstat().st_mode, content


def has_visitor(server):
    try:
        if server.type == socket.SOCK_DGRAM:
            return bool(server.recv(10))
        server.accept()[0].close()
    except BlockingIOError:
        return False
    return True


@pytest.fixture(name="short_path")
def short_path_():
    """A folder for sockets: their addresses end at 107 bytes, `tmp_path` may be longer."""
    with tempfile.TemporaryDirectory(prefix="host-", dir="/tmp") as folder:
        yield Path(folder)


@pytest.fixture
def host(short_path, monkeypatch):
    root, outside, home = (short_path / name for name in ("inside", "outside", "home"))
    for folder in (root / ".git/hooks", root / ".git/objects", root / ".git/refs", outside):
        folder.mkdir(parents=True)
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (root / ".git/config").write_text("[core]\n\tbare = false\n")
    (root / ".git/hooks/old").write_text("#!/bin/sh\n")
    (outside / "secret").write_text(f"{SECRET}\n")
    (root / "link").symlink_to(outside / "secret")
    (root / "folder").symlink_to(outside)
    for name in (".ssh/id_ed25519", ".aws/credentials", ".netrc", ".bashrc", ".docker/run/x"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(f"{SECRET}\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("SSH_AUTH_SOCK", str(outside / "agent"))
    with (outside / "secret").open() as given:
        victim = subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(300)"],
            stdin=given,
            cwd=outside,
            env={**os.environ, "HIDDEN": SECRET},
            start_new_session=True,
        )
    servers = [serving(address) for address in addresses(outside, home)]
    yield Host(root, outside, home, victim, servers)
    for server in servers:
        server.close()
    victim.kill()
    victim.wait()


def addresses(outside, home):
    yield socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)
    yield socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)
    for path in (outside / "socket", outside / "agent", home / ".docker/run/docker.sock"):
        yield socket.AF_UNIX, socket.SOCK_STREAM, str(path)
    yield socket.AF_UNIX, socket.SOCK_STREAM, f"\0qitos-{os.getpid()}"


def serving(address):
    family, kind, where = address
    server = socket.socket(family, kind)
    server.bind(where)
    if kind == socket.SOCK_STREAM:
        server.listen()
    server.setblocking(False)
    return server


def may_trace():
    scope = Path("/proc/sys/kernel/yama/ptrace_scope")
    return os.geteuid() == 0 or not scope.exists() or int(scope.read_text()) == 0


@pytest.mark.parametrize("attempt", TAME.values(), ids=TAME)
def test_an_attempt_fails_in_the_sandbox(attempt, host):
    result, escaped = host.attempt(attempt, sandbox="bwrap")

    assert (False, "") == (escaped, "" if not escaped else result["output"])
    assert not result["timed_out"]


@pytest.mark.parametrize("attempt", TAME.values(), ids=TAME)
def test_the_same_attempt_works_without_it(attempt, host):
    if "git config core" in attempt and not shutil.which("git"):
        pytest.skip("needs git")
    if attempt.startswith(("PTRACE", "MEMORY")) and not may_trace():
        pytest.skip("needs a kernel that lets processes of one user trace each other")
    result, escaped = host.attempt(attempt)

    assert escaped, result["output"]


@pytest.mark.parametrize("attempt", FIERCE.values(), ids=FIERCE)
def test_a_fierce_attempt_fails_in_the_sandbox(attempt, host):
    result, escaped = host.attempt(attempt, sandbox="bwrap")

    assert not escaped
    assert result["exit_code"] != 0


#: They make a repository of a folder that is none.
FOUNDED = {
    "hooks": "mkdir -p .git/hooks; echo x >.git/hooks/post-commit",
    "git init": "git init -q .; echo x >.git/hooks/post-commit",
    "a template": "mkdir -p t/hooks; echo x >t/hooks/post-commit; git init -q --template=t .",
    "config": "mkdir .git; echo '[core]' >.git/config",
    "a file": "echo 'gitdir: evil' >.git",
    "a link": "mkdir evil; ln -s evil .git",
    "elsewhere": "mkdir -p .git; echo ../evil >.git/commondir",
}


@pytest.mark.parametrize("attempt", FOUNDED.values(), ids=FOUNDED)
@pytest.mark.parametrize("boxed", [True, False], ids=["sandbox", "none"])
def test_what_is_protected_is_so_before_it_exists(attempt, boxed, host):
    shutil.rmtree(host.root / ".git")
    if "git init" in attempt and not shutil.which("git"):
        pytest.skip("needs git")
    before = set(walk(host.root / ".git"))

    _, escaped = host.attempt(attempt, sandbox="bwrap" if boxed else "none")

    harm = [".git/hooks/post-commit", ".git/commondir", ".git/config"]
    left = [name for name in harm if (host.root / name).exists()]
    git = host.root / ".git"
    assert (not boxed) == bool(escaped or left or git.is_file() or git.is_symlink())
    assert {git} == before
