"""What a configuration says of tools and agents comes true."""

import threading

import pytest

from qitos_like import Action, ActionExecutor
from qitos_like.errors import ConfigError

TOOLS = '''
"""Tools with options."""
from typing import Annotated

from qitos_like import Configured, ToolContext, tool


@tool
def search(
    query: str,
    limit: int = 10,
    ignore: Annotated[list[str], Configured] = ["vendor/"],
    weights: Annotated[dict[str, dict[str, int]], Configured] = {"a": {"x": 1}, "b": {"y": 2}},
    context: ToolContext | None = None,
) -> dict:
    """Search."""
    ignore.append("seen")
    return {"query": query, "limit": limit, "ignore": ignore, "weights": weights}


@tool(
    name="Open",
    description="Open.",
    parameters={"type": "object", "properties": {"path": {"type": "string", "minLength": 2}}},
)
async def open_(path: str = "--", **options):
    return {"path": path, **options}


@tool(tags=["readonly"], usage="Rarely.")
def look() -> str:
    """Look."""
    return "seen"
'''

TABLES = """
[plugins]
modules = ["mine"]
"""


@pytest.fixture
def mine(project):
    project.write("mine.py", TOOLS)
    return project


def names(registry):
    return [entry.name for entry in registry]


def value(config, name, **args):
    with config.executor() as executor:
        return executor.run_sync(Action(name, args)).unwrap()


def test_without_a_file_the_tools_are_the_coding_kit(project):
    config = project.find()

    assert "coding.view" in config.registry()
    assert ({}, ()) == (dict(config.agents), config.layers)


def test_a_file_that_names_no_tools_is_about_the_coding_kit(project):
    config = project.load('[permissions]\ndeny = ["coding.run_command"]')

    with config.executor() as executor:
        assert "denied" == executor("coding.run_command", command="ls").code


def test_a_toolset_is_made_with_its_options_under_its_name(project):
    (project.folder / "sub").mkdir()
    config = project.load(
        '[toolsets.work]\nuse = "kits:CodingToolSet"\nworkspace_root = "sub"\nread_only = true\n'
        "caps = { view_lines = 3 }"
    )
    (project.folder / "sub" / "a.txt").write_text("1\n2\n3\n4\n")

    registry = config.registry()

    assert "work.view" in registry
    assert "work.run_command" not in registry
    with ActionExecutor(registry) as executor:
        assert "4 " not in executor("work.view", path="a.txt").text.splitlines()[-2]


def test_a_path_is_taken_from_the_folder_of_its_file(project):
    project.write("sub/qitos-like.toml", '[toolsets.coding]\nworkspace_root = "."')
    project.write("sub/here.txt", "here")

    config = project.load('[toolsets.coding]\nworkspace_root = "."', "sub/qitos-like.toml")

    assert "here" in value(config, "coding.view", path="here.txt")


def test_paths_in_a_list_are_taken_from_there_too(project):
    project.write("other/note.txt", "noted")
    project.write("sub/qitos-like.toml", "")
    config = project.load(
        "[toolsets.coding]\nworkspace_root = '.'\nreadable = ['../other']", "sub/qitos-like.toml"
    )

    path = str(project.folder / "other" / "note.txt")
    assert "noted" in value(config, "coding.view", path=path)


def test_a_toolset_may_be_a_file_a_function_or_an_object(project):
    project.write(
        "near.py",
        TOOLS + "\n\ndef make(word: str):\n    class Named: pass\n"
        "    made = Named()\n    made.search = search\n    return made\n",
    )
    project.write("things.py", TOOLS.replace("search(", "find("))

    config = project.load(
        '[toolsets]\na = { use = "near.py:make", word = "x" }\nb = { use = "things:look" }'
    )

    assert ["a.search", "b.look"] == names(config.registry())


def test_modules_are_imported_and_included(mine):
    assert ["search", "Open", "look"] == names(mine.load(TABLES).registry())


def test_the_options_of_a_tool_are_merged_into_its_defaults(mine):
    config = mine.load(TABLES + "[tools.search]\nweights.a.z = 3\nignore = ['docs/']\n")

    found = value(config, "search", query="x")

    assert {"a": {"x": 1, "z": 3}, "b": {"y": 2}} == found["weights"]
    assert ["docs/", "seen"] == found["ignore"]


def test_a_call_cannot_change_the_options_of_the_next(mine):
    config = mine.load(TABLES + "[tools.search]\nignore = ['docs/']\n")

    assert value(config, "search", query="x") == value(config, "search", query="x")


def test_an_option_can_be_the_default_of_an_argument(mine):
    config = mine.load(TABLES + "[tools.search]\nlimit = 3\n")

    assert "limit: int = 3" in config.registry().get_tool_descriptions()
    assert (3, 5) == (
        value(config, "search", query="x")["limit"],
        value(config, "search", query="x", limit=5)["limit"],
    )


def test_an_argument_that_has_an_option_is_not_required(mine):
    config = mine.load(TABLES + "[tools.search]\nquery = 'always'\n")

    assert "always" == value(config, "search")["query"]


def test_options_go_to_keywords_and_no_model_overrides_them(mine):
    config = mine.load(TABLES + "[tools.Open]\nmode = 'r'\n")

    assert {"path": "aa", "mode": "r"} == value(config, "Open", path="aa", mode="w")


@pytest.mark.anyio
async def test_an_async_tool_with_options_runs_on_the_event_loop(project):
    project.write(
        "loops.py",
        "import threading\nfrom qitos_like import tool\n@tool\n"
        "async def where(word: str = 'a') -> int:\n    'Where.'\n    return threading.get_ident()\n",
    )
    config = project.load('[plugins]\nmodules = ["loops"]\n[tools.where]\nword = "b"')

    async with config.executor() as executor:
        result = await executor.run(Action("where"))
    assert threading.get_ident() == result.value


def test_a_model_cannot_set_an_option(mine):
    config = mine.load(TABLES + "[tools.search]\nignore = ['docs/']\n")

    with config.executor() as executor:
        result = executor("search", query="x", ignore=[])
    assert ("input_invalid", True) == (result.code, "ignore" in result.error)


def test_the_tool_itself_stays_as_it_was(mine):
    config = mine.load(TABLES + "[tools.search]\nlimit = 3\n")
    import mine as module

    assert 10 == module.search("x")["limit"]
    assert names(config.registry()) == ["search", "Open", "look"]


AGENTS = """
[agents.all]
[agents.none.tools]
enabled = []
[agents.some.tools]
enabled = ["s*", "tag:readonly"]
disabled = ["search"]
[agents.most.tools]
disabled = ["Open"]
[agents.told]
model = "openai:some"
system = "Be brief."
max_steps = 5
[agents.told.tools.usages]
look = "Look twice."
"""


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        (None, ["search", "Open", "look"]),
        ("all", ["search", "Open", "look"]),
        ("none", []),
        ("some", ["look"]),
        ("most", ["search", "look"]),
    ],
)
def test_an_agent_has_what_is_enabled_and_not_disabled(mine, agent, expected):
    assert expected == names(mine.load(TABLES + AGENTS).registry(agent))


def test_what_an_agent_has_not_cannot_be_called(mine):
    with mine.load(TABLES + AGENTS).executor("some") as executor:
        assert "unknown_tool" == executor("search", query="x").code


def test_an_agent_has_its_own_usages(mine):
    config = mine.load(TABLES + AGENTS)

    assert "Look twice." in config.registry("told").get_tool_descriptions()
    assert "Rarely." in config.registry("all").get_tool_descriptions()


def test_the_rest_of_an_agent_can_be_read(mine):
    agent = mine.load(TABLES + AGENTS).agents["told"]

    assert ("openai:some", "Be brief.", 5) == (agent.model, agent.system, agent.max_steps)


def test_an_agent_that_is_not_there_is_named_with_the_nearest(mine):
    with pytest.raises(ConfigError, match=r"unknown agent 'tolt'; did you mean 'told'\?"):
        mine.load(TABLES + AGENTS).registry("tolt")


def test_an_executor_takes_options(mine):
    with mine.load(TABLES).executor(user="me") as executor:
        assert "seen" == executor("look").value


def test_a_pyproject_can_hold_the_tables(mine):
    mine.write("pyproject.toml", '[project]\nname = "x"\n\n[tool.qitos-like.plugins]\nmodules = []')

    config = mine.load(
        '[project]\nname = "x"\n[tool.qitos-like.plugins]\nmodules = ["mine"]', "pyproject.toml"
    )

    assert "look" in config.registry()
