"""A policy tells which rule decides over a call, and where it is written."""

from pathlib import Path
from typing import Annotated

import pytest

from qitos_like import (
    Alias,
    CommandArg,
    PathArg,
    PermissionPolicy,
    Rule,
    ToolMeta,
    ToolNameError,
    ToolRegistry,
    load_config,
)
from qitos_like.load.layers import Sources


def run(line: Annotated[str, CommandArg]) -> str:
    """Run."""
    return line


def view(where: Annotated[str, PathArg]) -> str:
    """View."""
    return where


RULES = [
    Rule.parse("deny coding.run(git push*)", "team.toml:7"),
    "ask tag:readonly",
    "deny coding.*(secrets)",
]


def known():
    aliases = [Alias("Bash", {"cmd": "line"})]
    registry = ToolRegistry().register(run, namespace="coding", meta=ToolMeta(aliases=aliases))
    return registry.register(view, namespace="coding", meta=ToolMeta(tags=["readonly"]))


BY_REGISTRY = {
    "name": (
        "coding.run",
        {"line": "ls && git push"},
        "deny: by the rule deny coding.run(git push*), team.toml:7",
    ),
    "last part": ("run", {"line": "git push"}, "deny: by the rule deny coding.run(git push*), team.toml:7"),
    "alias": ("coding.Bash", {"cmd": "git push"}, "deny: by the rule deny coding.run(git push*), team.toml:7"),
    "path": ("coding.view", {"where": "./a/../secrets/key"}, "deny: by the rule deny coding.*(secrets)"),
    "tag": ("coding.view", {"where": "a"}, "ask: by the rule ask tag:readonly"),
    "default": ("coding.run", {"line": "ls"}, "allow: that is the default, and no rule is about coding.run"),
    "arguments that are wrong": ("coding.view", {}, "ask: by the rule ask tag:readonly"),
    "unknown": ("coding.ran", {}, "refuse: there is no tool 'coding.ran'"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "args", "told"), BY_REGISTRY.values(), ids=BY_REGISTRY.keys())
def test_by_the_name_of_a_tool_that_is_known(name, args, told):
    assert told == PermissionPolicy(RULES).about(known()).explain(name, args)


BY_NAME = {
    "command": ({"command": "ls; git push"}, "deny: by the rule deny coding.run(git push*), team.toml:7"),
    "path": ({"file_path": "./secrets/../secrets"}, "deny: by the rule deny coding.*(secrets)"),
    "another": ({"text": "secrets"}, "deny: by the rule deny coding.*(secrets)"),
    "none": ({}, "allow: that is the default, and no rule is about coding.run"),
}  # fmt: skip


@pytest.mark.parametrize(("args", "told"), BY_NAME.values(), ids=BY_NAME.keys())
def test_by_a_name_alone_usual_arguments_are_what_they_mostly_are(args, told):
    assert told == PermissionPolicy(RULES).explain("coding.run", args)


def test_a_name_that_no_tool_can_have_is_a_mistake_of_the_author():
    with pytest.raises(ToolNameError):
        PermissionPolicy(RULES).explain("coding run", {})


def test_by_the_entry_itself():
    policy = PermissionPolicy(["ask *"])

    assert "ask: by the rule ask *" == policy.explain(known()["coding.view"], {"where": "a"})


def test_the_policy_of_a_configuration_knows_its_tools_and_lines(tmp_path):
    file = Path(tmp_path / "qitos-like.toml")
    file.write_text('[permissions]\nask = ["coding.run_command(git push*)"]\n')

    policy = load_config(file, sources=Sources.nothing()).policy
    told = policy.explain("coding.run_command", {"command": "git push"})

    assert told == f"ask: by the rule ask coding.run_command(git push*), {file}:2"


def test_policies_are_compared_by_their_rules():
    assert PermissionPolicy(RULES) == PermissionPolicy(RULES).about(known())
