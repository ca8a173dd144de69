"""A command that is denied is never allowed, however it is written and whatever is around it."""

import shutil
import subprocess
import tempfile
from collections import Counter
from pathlib import Path
from typing import Annotated

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from qitos_like import CommandArg, PermissionPolicy, ToolRegistry
from qitos_like.run.commands import split
from qitos_like.run.shell_grammar import is_installed, simple_commands
from qitos_like.run.subject import Subject
from tests.run.command_cases import commands

COMMANDS = commands()
needs_grammar = pytest.mark.skipif(not is_installed(), reason="the extra shell is not installed")
needs_bash = pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")

DENIED = PermissionPolicy(["deny run(git push*)"])
ALLOWED = PermissionPolicy(["deny run(git push*)", "allow run(*)", "allow run"])
FEW = PermissionPolicy(["allow run(ls*)", "allow run(git status*)", "allow run(true)"], "ask")


def run(command: Annotated[str, CommandArg]) -> str:
    """Run."""
    return command


ENTRY = ToolRegistry().register(run)["run"]


def effect(policy, command):
    return policy.decide(Subject(entry=ENTRY, args={"command": command})).effect


def test_there_are_many_ways_to_write_a_command():
    assert 150 <= len(set(COMMANDS)) == len(COMMANDS), Counter(COMMANDS).most_common(3)


@pytest.mark.parametrize("policy", [DENIED, ALLOWED, FEW], ids=["denied", "allowed", "few"])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[-40:])
def test_a_denied_command_is_never_allowed(policy, command):
    assert effect(policy, command) in {"deny", "ask"}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[-40:])
def test_without_the_grammar_it_is_found_or_doubted_too(command):
    found = split(command, uses_grammar=False)

    seen = (*found.commands, *found.readings)
    assert not found.is_certain or any(each.startswith("git push") for each in seen)


@pytest.mark.parametrize(
    "command",
    [
        "echo 'git push'",
        "ls # git push",
        "grep -r 'git push' .",
        "git log --push",
        "git --no-pager log push",
        "git commit -m 'git push works'",
        "git switch -c push",
        "git stash push",
        "find . -name push",
        "fd push",
        "npm run push",
        "docker run --rm box ls",
        "test -f git",
        "tar -xf push",
        "export A=push",
    ],
)
def test_what_only_mentions_it_is_not_held_up(command):
    assert "allow" == effect(DENIED, command)


@pytest.mark.parametrize(
    "command",
    ["find . -name '*.py'", "npx tsc -p .", "npm run build", "git -C a status", "printf '%s' a"],
)
def test_what_a_program_may_come_to_allows_nothing_and_keeps_nothing_from_being_allowed(command):
    program, _, rest = command.partition(" ")
    by_itself = PermissionPolicy([f"allow run({program} *)"], "ask")
    by_the_rest = PermissionPolicy([f"allow run({rest[:3]}*)", "allow run(git status*)"], "ask")

    assert ["allow", "ask"] == [effect(policy, command) for policy in (by_itself, by_the_rest)]


PIECES = [
    *("git push", "git", "push", "ls", "echo", "true", "false", "eval", "exec", "A=1", "A=git"),
    *("$A", '"$A"', "'git push'", '"git push"', "g'i't", "pu\\sh", "$'git'", "{git,push}"),
    *(" ", " ", " ", "\n", ";", "&&", "||", "|", "&", "!", "#", "\\\n", "\\", "'", '"', "`", "\t"),
    *("(", ")", "{ ", " }", "$(", "<(", "((", "))", "[[ ", " ]]", "if ", "then ", "else ", "fi"),
    *("case a in a) ", ";; esac", "f() ", "f", "> a", "2>&1", "< /dev/null", "<<E\n", "\nE\n"),
    *("<<< ", "bash -c ", "sh ", "env ", "command ", "time ", "alias x=", "trap ", " EXIT", "="),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
SETTINGS = settings(deadline=None, suppress_health_check=list(HealthCheck))


@needs_grammar
@given(TEXTS)
@settings(SETTINGS, max_examples=500)
def test_where_grammar_and_scanner_differ_nothing_is_certain(text):
    together = split(text)
    pieces = simple_commands(text)

    if together.is_certain:
        found = {command for piece in pieces for command in split(piece).commands}
        assert found == set(together.commands)
        assert together.commands == split(text, uses_grammar=False).commands


@needs_grammar
@given(TEXTS)
@settings(SETTINGS, max_examples=500)
def test_with_the_grammar_no_denied_command_is_allowed(text):
    if effect(ALLOWED, text) == "allow":
        alone = split(text, uses_grammar=False)
        assert not any(each.startswith("git push") for each in alone.commands)


def executed(text):
    """What bash starts for a text, a line each; nothing but stubs and shells can be started."""
    with tempfile.TemporaryDirectory() as folder:
        log, programs = Path(folder) / "log", Path(folder) / "bin"
        programs.mkdir()
        for name in ("git", "ls"):
            stub = programs / name
            stub.write_text(f'#!/bin/sh\necho "{name} $*" >> {log}\n')
            stub.chmod(0o755)
        for name in ("bash", "sh", "env"):
            (programs / name).symlink_to(shutil.which(name))
        subprocess.run(
            [programs / "bash", "--norc", "-c", text],
            cwd=folder,
            env={"PATH": str(programs), "HOME": folder, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=20,
            check=False,
        )
        return log.read_text().splitlines() if log.exists() else []


def check_against_bash(text):
    if any(line.startswith("git push") for line in executed(text)):
        assert effect(ALLOWED, text) in {"deny", "ask"}
        alone = split(text, uses_grammar=False)
        assert not alone.is_certain or any(c.startswith("git push") for c in alone.commands)


@needs_bash
@given(TEXTS)
@example("ls; git push")
@example("A=git; $A push")
@example("ls # a comment \\\ngit push")
@example("#\\\ngit push")
@settings(SETTINGS, max_examples=60)
def test_what_bash_starts_was_denied_or_doubted(text):
    check_against_bash(text)


@needs_bash
@pytest.mark.stress
@pytest.mark.timeout(1800)
@given(TEXTS)
@settings(SETTINGS, max_examples=5_000)
def test_what_bash_starts_was_denied_or_doubted_in_many_texts(text):
    check_against_bash(text)


@needs_bash
def test_the_check_against_bash_sees_what_is_started():
    assert ["ls a", "git push"] == executed("ls a && bash -c 'git push'")
