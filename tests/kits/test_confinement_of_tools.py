"""Every tool that takes a path, tried with every way out that we know of."""

import contextlib
import os
import socket

import pytest

from kits.toolset import coding_tools
from qitos_like import ActionExecutor

SECRET = "top secret"

#: What else each tool needs to be called with.
ARGUMENTS = {
    "view": {},
    "create": {"file_text": "x"},
    "write_file": {"content": "x"},
    "str_replace": {"old_str": "secret", "new_str": "x"},
    "insert": {"insert_line": 0, "new_str": "x"},
    "glob": {"pattern": "*"},
    "grep": {"pattern": "secret"},
}
READS = {"view", "glob", "grep"}

OUTSIDE = [
    "..",
    "../",
    "../..",
    "../outside",
    "../outside/secret.txt",
    "./../outside/secret.txt",
    "sub/../../outside/secret.txt",
    "sub/../sub/../../outside/secret.txt",
    "sub//..//..//outside//secret.txt",
    "nowhere/../../outside/secret.txt",
    "../root-evil/secret.txt",
    "../ROOT/a.txt",
    "{root}/..",
    "{root}/../outside/secret.txt",
    "{root}/sub/../../outside/secret.txt",
    "{root}-evil/secret.txt",
    "{root}/../root-evil/secret.txt",
    "{outside}/secret.txt",
    "{outside}",
    "/",
    "//",
    "/..",
    "/etc/passwd",
    "//etc/passwd",
    "/etc/../etc/passwd",
    "/proc/self/root/etc/passwd",
    "/proc/self/root{outside}/secret.txt",
    "/proc/self/cwd/../outside/secret.txt",
    "/proc/self/fd/0",
    "/dev/null",
    "/dev/stdin",
    "link-file",
    "link-folder",
    "link-folder/secret.txt",
    "link-folder/new.txt",
    "link-relative",
    "sub/link-up/outside/secret.txt",
    "link-chain",
    "link-chain-2",
    "link-through-inner",
    "link-dangling",
    "link-dangling-folder/new.txt",
    "link-root/etc/passwd",
    "link-proc/etc/passwd",
    "link-fd/0",
    "link-evil/secret.txt",
    "link-dotdot/outside/secret.txt",
    "link-absolute-dotdot/outside/secret.txt",
    "inner/../../outside/secret.txt",
    "inner/link-up/outside/secret.txt",
    "sub/\0",
    "a.txt\0",
    "../outside/secret.txt\0.txt",
    "a.txt\n",
    "\r../outside",
    "a\x1b[2Jb",
    "\x7f",
    "\x85",
]
PROTECTED = [
    ".git",
    ".git/hooks",
    ".git/hooks/pre-commit",
    ".git/config",
    ".git/config.worktree",
    ".git/commondir",
    "sub/.git/config",
    "sub/../.git/config",
    "./.git/./config",
    "{root}/.git/config",
    ".GIT/config",
    ".git/HOOKS/pre-commit",
    ".g\u200cit/config",
    "\uff0egit/config",
    ".git/con\ufb01g",
    "link-git/config",
    "link-hooks/pre-commit",
    "qitos-like.toml",
    "sub/qitos-like.toml",
    ".mcp.json",
    ".vscode/settings.json",
    ".VSCODE/tasks.json",
]
NO_FILES = [
    "link-loop",
    "link-loop/x",
    "link-loop-2",
    "pipe",
    "socket",
    "null",
    "n" * 300,
    "a.txt/b",
]

assert len({*OUTSIDE, *PROTECTED, *NO_FILES}) >= 60


@pytest.fixture(name="outside")
def outside_(tmp_path):
    for name in ("outside", "root-evil"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "secret.txt").write_text(SECRET)
    return tmp_path / "outside"


@pytest.fixture(name="root")
def root_(tmp_path, outside):
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (root / "a.txt").write_text("inside")
    links = {
        "inner": "sub",
        "link-file": outside / "secret.txt",
        "link-folder": outside,
        "link-relative": "../outside/secret.txt",
        "sub/link-up": "../..",
        "link-chain": "link-chain-2",
        "link-chain-2": "link-file",
        "link-through-inner": "inner/link-up/outside/secret.txt",
        "link-dangling": outside / "new.txt",
        "link-dangling-folder": outside / "new",
        "link-root": "/",
        "link-proc": "/proc/self/root",
        "link-fd": "/proc/self/fd",
        "link-evil": tmp_path / "root-evil",
        "link-dotdot": "..",
        "link-absolute-dotdot": f"{root}/..",
        "link-git": ".git",
        "link-hooks": ".git/hooks",
        "link-loop": "link-loop",
        "link-loop-2": "sub/../link-loop-2",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as server, contextlib.chdir(root):
        server.bind("socket")
    return root


@pytest.fixture(name="tried")
def tried_(root, outside):
    """Call a tool with a path, which must be refused without an effect; its code."""
    registry = coding_tools(root)

    def tried(name, path):
        before = tree(outside.parent)
        with ActionExecutor(registry) as execute:
            result = execute(
                f"coding.{name}", path=path.format(root=root, outside=outside), **ARGUMENTS[name]
            )
        assert not result.ok
        assert SECRET not in result.text
        assert before == tree(outside.parent)
        return result.code

    return tried


def tree(folder):
    """Every name below, with its kind and, for a file, its content."""
    found = {}
    for path in sorted(folder.rglob("*")):
        facts = path.lstat()
        content = path.read_text() if path.is_file() and not path.is_symlink() else None
        found[str(path)] = (facts.st_mode, content)
    return found


def tools_with_a_path(registry):
    names = [e.name for e in registry if "path" in e.spec.input_schema["properties"]]
    return {name.removeprefix("coding.") for name in names}


def test_every_tool_that_takes_a_path_is_in_the_table(root):
    assert tools_with_a_path(coding_tools(root)) <= ARGUMENTS.keys()


TOOLS = [name for name in ARGUMENTS if name in tools_with_a_path(coding_tools("."))]


@pytest.mark.parametrize("path", OUTSIDE, ids=ascii)
@pytest.mark.parametrize("name", TOOLS)
def test_no_tool_leads_outside(tried, name, path):
    assert "denied" == tried(name, path)


@pytest.mark.parametrize("path", PROTECTED, ids=ascii)
@pytest.mark.parametrize("name", [name for name in TOOLS if name not in READS])
def test_no_tool_writes_what_is_protected(tried, name, path):
    assert tried(name, path) in {"denied", "input_invalid"}


@pytest.mark.parametrize("name", ["create", "write_file"])
@pytest.mark.parametrize("path", PROTECTED, ids=ascii)
def test_a_protected_file_is_not_created(tried, name, path):
    assert "denied" == tried(name, path)


@pytest.mark.parametrize("path", NO_FILES, ids=lambda path: path[:20])
@pytest.mark.parametrize("name", [name for name in TOOLS if name != "grep"])
def test_what_is_no_file_is_refused_at_once(tried, root, name, path):
    if path == "null":
        if os.geteuid() != 0:
            pytest.skip("only root may make a device")
        os.mknod(root / "null", 0o020666, os.makedev(1, 3))

    assert "input_invalid" == tried(name, path)


def test_a_link_made_by_a_command_is_not_followed_outside(root, outside):
    with ActionExecutor(coding_tools(root)) as execute:
        execute("coding.run_command", command=f"ln -s {outside} sub/made").unwrap()
        result = execute("coding.view", path="sub/made/secret.txt")

    assert "denied" == result.code


def test_an_edit_of_one_name_of_a_file_leaves_its_other_name_outside(root, outside):
    os.link(outside / "secret.txt", root / "hard.txt")

    with ActionExecutor(coding_tools(root)) as execute:
        execute("coding.str_replace", path="hard.txt", old_str="top", new_str="no").unwrap()

    assert (SECRET, "no secret") == (
        (outside / "secret.txt").read_text(),
        (root / "hard.txt").read_text(),
    )
