"""Shells complete names and arguments, and run nothing of a project for it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from qitos_like.cli.main import commands

pytest.importorskip("pty", reason="no terminals to be had on this platform")

from tests.cli.terminal import terminal

PROGRAM = Path(sys.executable).with_name("qitos-like")
BASH = shutil.which("bash")
needs_bash = pytest.mark.skipif(
    BASH is None or not PROGRAM.exists(), reason="no bash, or no qitos-like beside this Python"
)
CONFIG = """
[toolsets.files]
use = "coding"

[agents.helper]
model = "script:x"

[agents."$(touch hacked)"]
model = "script:x"
"""


def completions(*words):
    """The last word is the one that is typed."""
    shell = ShellComplete(commands, {}, "qitos-like", "_QITOS_LIKE_COMPLETE")
    *before, typed = words
    return [item.value for item in shell.get_completions(before, typed) if item.type == "plain"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["sh"], ["show"]),
        (["show", "coding.v"], ["coding.view"]),
        (["why", "coding.run"], ["coding.run_command"]),
        (["call", "coding.view", ""], ["path=", "view_range="]),
        (["call", "coding.view", "path", "=", "a.py", ""], ["view_range="]),
        (["call", "coding.view", "path=a.py", ""], ["view_range="]),
        (["call", "coding.grep", "literal", "=", ""], ["true", "false"]),
        (["call", "coding.grep", "literal", "="], ["true", "false"]),
        (["call", "coding.grep", "output_mode", "=", "f"], ["files"]),
        (["call", "coding.grep", "output_mode=f"], ["output_mode=files"]),
        (["call", "coding.view", "path", "=", ""], []),
        (["call", "nope", ""], []),
        (["call", "--from", "coding", "coding.v"], ["coding.view"]),
        (["call", "--from", "mine.py", ""], []),
        (["list", "co"], ["coding"]),
        (["plugins", "check", ""], ["coding"]),
        (["describe", "--style", "x"], ["xml"]),
        (["run", ""], []),
    ],
    ids=lambda value: " ".join(value) if value and value[0] in commands.commands else "",
)
def test_a_word_is_completed(folder, words, expected):
    assert expected == completions(*words)


def test_the_configuration_says_which_tools_and_agents_there_are(folder):
    (folder / "c.toml").write_text(CONFIG)

    assert ["files.view"] == completions("--config", "c.toml", "show", "files.v")
    assert ["helper"] == completions("--config", "c.toml", "run", "")
    assert ["helper"] == completions("--config", "c.toml", "list", "--agent", "")
    assert ["path=", "view_range="] == completions("--config", "c.toml", "why", "files.view", "")


@pytest.mark.parametrize(
    "config",
    [
        "[toolsets.x]\nuse = 'kits:Nope'",
        "[toolsets.x]\nuse = 3",
        "[nope",
        "[toolsets.coding]\nuse='a:b'",
    ],
)
def test_a_configuration_that_cannot_be_meant_completes_nothing(folder, config):
    (folder / "c.toml").write_text(config)

    assert [] == completions("--config", "c.toml", "show", "")


def asked(folder, line):
    """What the process says to a shell, and on stderr."""
    words = line.split(" ")
    environment = {
        **os.environ,
        "_QITOS_LIKE_COMPLETE": "bash_complete",
        "COMP_WORDS": "\n".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    ran = subprocess.run(
        [PROGRAM],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    return ran.stdout.split(), ran.stderr


@needs_bash
@pytest.mark.parametrize(
    "line",
    ["qitos-like show ", "qitos-like call x.y ", "qitos-like run ", "qitos-like list --from "],
)
def test_nothing_of_a_hostile_project_is_run(folder, line):
    leave_a_mark = "from pathlib import Path\nPath('hacked').touch()\n"
    (folder / "kits").mkdir()
    for name in ("mine.py", "kits/__init__.py", "kits/coding.py", "conftest.py"):
        (folder / name).write_text(leave_a_mark)
    (folder / "qitos-like.toml").write_text(
        "[plugins]\nmodules = ['mine']\n[toolsets.x]\nuse = 'mine:x'\n"
        "[toolsets.coding]\nuse = 'kits:CodingToolSet'\n" + CONFIG.replace("files", "y")
    )
    _, told = asked(folder, line)

    assert "" == told
    assert not (folder / "hacked").exists()


def needs(shell):
    found = shutil.which(shell)
    return pytest.mark.skipif(not (found and PROGRAM.exists()), reason=f"no {shell}, or no program")


COMPINIT = "autoload -U compinit; compinit -D -u; "


@pytest.mark.parametrize(
    ("shell", "before"),
    [
        pytest.param(["bash", "--norc", "--noprofile", "-i"], "", marks=needs("bash"), id="bash"),
        pytest.param(["zsh", "-f", "-i"], COMPINIT, marks=needs("zsh"), id="zsh"),
    ],
)
def test_a_real_shell_completes(tmp_path, shell, before):
    (tmp_path / "README.md").write_text("read me")
    name, *options = shell
    path = f"{PROGRAM.parent}:{os.environ['PATH']}"
    script = f'eval "$(_QITOS_LIKE_COMPLETE={name}_source qitos-like)"'
    with terminal([shutil.which(name), *options], tmp_path, PATH=path, TERM="dumb") as shown:
        shown.type(f'{before}{script}; echo rea""dy\n')
        shown.wait("ready\r")
        shown.type("qitos-like call coding.vi\t")
        shown.wait("coding.view ")
        shown.type("pat\t")
        shown.wait("path=")
        shown.type("READ\t")
        shown.wait("path=README.md")
        shown.type("\n")
        shown.wait("lines 1-1 of 1")

    assert "read me" in shown.shown


@needs("fish")
def test_a_real_fish_completes(tmp_path):
    (tmp_path / "README.md").write_text("read me")
    typed = ["coding.view pat", "coding.view path=", "coding.view path=READ"]
    lines = [f"complete -C 'qitos-like call {each}'" for each in typed]
    script = "; ".join(["_QITOS_LIKE_COMPLETE=fish_source qitos-like | source", *lines])
    home = str(tmp_path / ".home")
    path = f"{PROGRAM.parent}:{os.environ['PATH']}"

    ran = subprocess.run(
        [shutil.which("fish"), "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PATH": path, "HOME": home, "XDG_CONFIG_HOME": home},
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )

    completed = [line.partition("\t")[0] for line in ran.stdout.splitlines()]
    assert ["path=", "path=README.md", "path=README.md"] == completed
