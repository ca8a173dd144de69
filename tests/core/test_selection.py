import pytest

from qitos_like.core.registry import ToolRegistry
from qitos_like.core.tool import ToolMeta
from qitos_like.errors import SelectionError


@pytest.fixture(name="registry")
def _registry():
    def act() -> None:
        """Act."""

    registry = ToolRegistry()
    for name in ("coding.view", "coding.create", "web.fetch", "add"):
        tags = ["readonly"] if name == "coding.view" else []
        registry.register(act, name=name, meta=ToolMeta(tags=tags))
    return registry


def names(registry):
    return [entry.name for entry in registry]


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        (["*"], ["coding.view", "coding.create", "web.fetch", "add"]),
        (["coding.*"], ["coding.view", "coding.create"]),
        (["add", "coding.view"], ["coding.view", "add"]),
        (["!coding.*"], ["web.fetch", "add"]),
        (["!coding.view", "coding.*"], ["coding.create"]),
        (["tag:readonly"], ["coding.view"]),
        (["*", "!tag:read*"], ["coding.create", "web.fetch", "add"]),
    ],
    ids=str,
)
def test_patterns_narrow_a_registry_in_its_own_order(registry, patterns, expected):
    assert expected == names(registry.select(*patterns))


def test_a_pattern_that_matches_nothing_names_a_near_one(registry):
    with pytest.raises(SelectionError, match=r"did you mean 'coding\.\*'") as raised:
        registry.select("codng.*")
    assert "codng.*" == raised.value.pattern


def test_a_misspelt_exclusion_is_an_error_too(registry):
    with pytest.raises(SelectionError, match="'!web.fetsch' matches no tool"):
        registry.select("*", "!web.fetsch")


def test_missing_tools_can_be_ignored(registry):
    assert ["add"] == names(registry.select("add", "nothing", missing="ignore"))


def test_a_narrowed_registry_shares_tools_and_leaves_the_other_as_it_was(registry):
    narrowed = registry.select("add")

    assert registry["add"].tool is narrowed["add"].tool
    assert 4 == len(registry)
