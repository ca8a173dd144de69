"""Options of tools that the host gives an executor."""

from typing import Annotated

import pytest

from qitos_like import Action, ActionExecutor, ConfigError, Configured, ToolRegistry, tool


@tool
def search(
    query: str,
    limit: int = 10,
    ignore: Annotated[list[str], Configured] = ["vendor/"],  # noqa: B006 (copied for each call)
    weights: Annotated[dict[str, dict[str, int]], Configured] = {"a": {"x": 1}, "b": {"y": 2}},  # noqa: B006
) -> dict[str, object]:
    """Search."""
    return {"query": query, "limit": limit, "ignore": ignore, "weights": weights}


@tool
def connect(host: str, token: Annotated[str, Configured]) -> str:
    """Connect."""
    return f"{host} {token}"


def registry():
    return ToolRegistry().register(search, namespace="web").register(connect)


def test_options_fill_what_the_model_leaves_out_and_what_it_cannot_give():
    config = {"web.search": {"limit": 3, "ignore": ["dist/"]}, "connect": {"token": "t"}}

    with ActionExecutor(registry(), config=config) as executor:
        found = executor("web.search", query="a").value
        assert (3, ["dist/"]) == (found["limit"], found["ignore"])
        assert 5 == executor("web.search", query="a", limit=5).value["limit"]
        assert "example t" == executor("connect", host="example").value


def test_tables_are_merged_and_lists_replaced():
    config = {"web.search": {"weights": {"a": {"z": 3}}, "ignore": []}}

    with ActionExecutor(registry(), config=config) as executor:
        found = executor("web.search", query="a").value

    assert {"a": {"x": 1, "z": 3}, "b": {"y": 2}} == found["weights"]
    assert [] == found["ignore"]


@pytest.mark.parametrize("name", ["ignore", "weights"])
def test_a_model_cannot_set_what_is_for_configuration(name):
    with ActionExecutor(registry(), config={"web.search": {"ignore": ["dist/"]}}) as executor:
        answer = executor.run_sync(Action("search", {"query": "a", name: []}))

    assert "input_invalid" == answer.code


def test_a_required_argument_with_an_option_is_shown_and_taken_as_optional():
    given = registry()

    with ActionExecutor(given, config={"connect": {"host": "local", "token": "t"}}) as executor:
        assert "local t" == executor("connect").value
        assert 'host: str = "local"' in executor.registry.get_tool_descriptions()

    assert "local" not in given.get_tool_descriptions()


def test_one_registry_serves_executors_with_other_options():
    given = registry()

    with (
        ActionExecutor(given, config={"web.search": {"limit": 1}}) as one,
        ActionExecutor(given, config={"web.search": {"limit": 2}}) as two,
        ActionExecutor(given) as none,
    ):
        limits = [each("web.search", query="a").value["limit"] for each in (one, two, none)]

    assert [1, 2, 10] == limits


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"web.serch": {}}, "config: unknown tool 'web.serch'; did you mean 'web.search'?"),
        (
            {"web.search": {"limits": 3}},
            "config['web.search']: unknown key 'limits'; did you mean 'limit'?",
        ),
        (
            {"web.search": {"limit": "three"}},
            "config['web.search']: limit: expected integer, got string \"three\"",
        ),
        (
            {"web.search": {"limit": {1}}},
            "config['web.search']: limit: expected integer, got value \"{1}\"",
        ),
    ],
    ids=["tool", "option", "value", "no data"],
)
def test_a_mistake_in_the_options_is_told_at_once(config, message):
    with pytest.raises(ConfigError) as raised:
        ActionExecutor(registry(), config=config)

    assert message == str(raised.value)


def test_all_mistakes_are_told():
    with pytest.raises(ConfigError) as raised:
        ActionExecutor(registry(), config={"a": {}, "connect": {"b": 1, "c": 2}})

    assert 3 == len(raised.value.problems)
