"""From the name a model used to the entry it means."""

import pytest

from qitos_like.core.availability import Unavailable
from qitos_like.core.names import WIRE_RULES, wire_name
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.results import Err
from qitos_like.core.tool import ToolMeta
from qitos_like.core.traits import Alias
from qitos_like.run.find import Found, find

LONG = "coding." + "very_" * 15 + "long"


def noop() -> None:
    """Nothing."""


@pytest.fixture
def registry():
    registry = ToolRegistry()
    for name in ("coding.view", "coding.create", "web.create", "a__b", "math.a.b", LONG, "solo"):
        registry.register(noop, name=name)
    registry.register(
        noop,
        name="coding.str_replace",
        meta=ToolMeta(aliases=[Alias("Edit", {"file_path": "path"})]),
    )
    return registry


def test_an_alias_of_the_tools_own_name_comes_with_it(registry):
    own = Alias("insert", {"insert_text": "new_str"})
    registry.register(noop, name="coding.insert", meta=ToolMeta(aliases=[own]))

    assert own == find(registry, "coding.insert").alias == find(registry, "coding__insert").alias
    assert "coding.insert" not in registry.aliases()


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("coding.view", "coding.view"),
        ("coding__view", "coding.view"),
        ("math__a__b", "math.a.b"),
        ("a__b", "a__b"),
        ("view", "coding.view"),
        ("solo", "solo"),
        ("coding.Edit", "coding.str_replace"),
        ("coding__Edit", "coding.str_replace"),
        ("Edit", "coding.str_replace"),
    ],
    ids=[
        "qualified",
        "wire",
        "wire of three segments",
        "a name like a wire name",
        "bare",
        "no namespace",
        "alias",
        "wire of an alias",
        "bare alias",
    ],
)
def test_a_tool_has_several_names(registry, name, entry):
    assert entry == find(registry, name).entry.name


@pytest.mark.parametrize("provider", WIRE_RULES)
@pytest.mark.parametrize("name", ["a__b", LONG, "math.a.b"])
def test_each_providers_wire_name_is_found(registry, provider, name):
    assert name == find(registry, wire_name(name, provider)).entry.name


def test_an_alias_comes_with_its_argument_map(registry):
    found = find(registry, "Edit")

    assert {"file_path": "path"} == found.alias.arguments


def test_a_hashed_name_of_no_tool_is_unknown(registry):
    assert "unknown_tool" == find(registry, "coding_view___0123456789abcdef").code


def test_a_bare_name_of_two_tools_is_not_guessed(registry):
    error = find(registry, "create")

    assert ("unknown_tool", "did you mean coding.create or web.create?") == (error.code, error.hint)


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("coding.vew", "there is no tool 'coding.vew'"),
        ("", "there is no tool ''"),
        (None, "there is no tool 'None'"),
        (7, "there is no tool '7'"),
        ("x" * 500, f"there is no tool '{'x' * 128}…'"),
        ("\ud800", "there is no tool '\\ud800'"),
    ],
    ids=["misspelt", "empty", "none", "number", "endless", "surrogate"],
)
def test_an_unknown_name_is_an_error(registry, name, error):
    found = find(registry, name)

    assert ("unknown_tool", error) == (found.code, found.error)


def test_an_unknown_name_comes_with_near_ones(registry):
    error = find(registry, "coding.vew")

    assert "did you mean coding.view" in error.hint
    assert "coding.view" == error.structured["near"][0]


@pytest.mark.parametrize("name", ["View", "functions.view", "mcp__files__VIEW", "Coding.View"])
def test_the_same_name_but_for_capitals_and_a_prefix_is_the_nearest(registry, name):
    assert "did you mean coding.view?" == find(registry, name).hint


def test_where_nothing_is_near_a_few_tools_are_listed(registry):
    assert find(registry, "zzz").hint.startswith("the tools are: coding.view, ")


def test_where_nothing_is_near_many_tools_are_not_listed(registry):
    for number in range(10):
        registry.register(noop, name=f"many.tool{number}")

    assert "use a tool that was listed" == find(registry, "qqq").hint


def test_of_no_tools_none_is_listed():
    assert "the tools are: none" == find(ToolRegistry(), "view").hint


def test_an_unavailable_tool_says_why():
    registry = ToolRegistry()
    registry.register(noop, meta=ToolMeta(available=lambda: Unavailable("KEY is not set")))

    error = find(registry, "noop")

    assert isinstance(error, Err)
    assert ("not_available", "noop is not available: KEY is not set") == (error.code, error.error)


def test_a_deprecated_tool_is_found_but_not_suggested():
    registry = ToolRegistry()
    registry.register(noop, meta=ToolMeta(deprecated="use another"))

    assert isinstance(find(registry, "noop"), Found)
    assert "the tools are: none" == find(registry, "nop").hint
