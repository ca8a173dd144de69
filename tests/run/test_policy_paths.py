"""Rules over paths, as the workspace has them."""

import pytest

from kits.workspace import Workspace
from qitos_like.core.environment import Environment
from qitos_like.core.registry import ToolRegistry
from tests.run.policy_stub import policy_registry, verdict, view


@pytest.fixture(scope="module")
def registry():
    return policy_registry()


@pytest.fixture
def home(tmp_path):
    (tmp_path / "secret.txt").write_text("x")
    (tmp_path / "link").symlink_to("secret.txt")
    (tmp_path / "loop").symlink_to("loop")
    return Environment(workspace=Workspace(tmp_path))


@pytest.mark.parametrize(
    ("path", "effect"),
    [
        ("secret.txt", "deny"),
        ("./secret.txt", "deny"),
        ("a/../secret.txt", "deny"),
        ("link", "deny"),
        ("other.txt", "allow"),
        ("../secret.txt", "ask"),
        ("loop", "ask"),
    ],
    ids=["itself", "dot", "dots", "link", "another", "outside", "loop"],
)
def test_paths_are_compared_as_the_workspace_has_them(registry, home, path, effect):
    rules = ["deny *.view(secret.txt)"]

    assert (
        effect == verdict(registry, rules, "coding.view", {"path": path}, environment=home).effect
    )


@pytest.mark.parametrize(
    ("pattern", "effect"),
    [("{}/secret.txt", "deny"), ("{}/*.txt", "deny"), ("{}", "deny"), ("{}/other", "allow")],
    ids=["file", "glob", "all", "another"],
)
def test_a_pattern_may_be_a_whole_path(registry, home, pattern, effect):
    rules = [f"deny *.view({pattern.format(home.workspace.root)})"]
    args = {"path": "secret.txt"}

    assert effect == verdict(registry, rules, "coding.view", args, environment=home).effect


def test_a_pattern_over_what_is_outside_denies_it(registry, home, monkeypatch):
    monkeypatch.setenv("HOME", "/home/somebody")
    args = {"path": "/home/somebody/.ssh/id"}

    found = verdict(registry, ["deny *(~/.ssh)"], "coding.view", args, environment=home)

    assert "deny" == found.effect


def test_a_link_is_allowed_by_both_of_its_names(registry, home):
    rules = ["allow *.view(link)"]

    assert "deny" == verdict(registry, rules, "coding.view", {"path": "link"}, "deny", home).effect


def test_a_toolset_has_the_workspace_of_its_own(tmp_path):
    class Files:
        name = "files"

        def __init__(self):
            self.workspace = Workspace(tmp_path)

        def tools(self):
            return [view]

    (tmp_path / "link").symlink_to("secret.txt")
    registry = ToolRegistry().register_toolset(Files())

    assert (
        "deny" == verdict(registry, ["deny *(secret.txt)"], "files.view", {"path": "link"}).effect
    )


def test_files_that_cannot_be_told_are_a_doubt(registry, caplog):
    found = verdict(registry, ["deny *.patch(keys)"], "coding.patch", {})

    assert ("ask", True) == (found.effect, "cannot be told" in caplog.text)
