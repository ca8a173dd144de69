"""Every Python block of "Tools and Registry" runs, and does what its text says."""

import gc
import sqlite3
from types import SimpleNamespace

import pytest

from qitos_like import (
    Action,
    ActionExecutor,
    Decision,
    DuplicateToolError,
    Engine,
    Environment,
    PreflightError,
    ScriptedModel,
    StateSchema,
    ToolPermission,
    ToolRegistry,
)
from tests.seeds.blocks import blocks_of, run

BLOCKS = blocks_of("qitos")

REGISTRY = "from qitos import ToolRegistry, tool\nregistry = ToolRegistry()\n"
MY_STATE = "from qitos import StateSchema\nclass MyState(StateSchema): ...\n"

#: What each block leaves undefined.
PREAMBLES = {
    "decorator": "",
    "permission": "",
    "registry": "",
    "register": REGISTRY,
    "register_otherwise": REGISTRY
    + "@tool\ndef add(a: int, b: int) -> int:\n    'Add.'\n    return a + b\n"
    + "def some_func(): ...\n",
    "include": REGISTRY,
    "toolset": REGISTRY,
    "toolset_namespace": REGISTRY + "from qitos.kit import CodingToolSet\n",
    "base_tool": REGISTRY,
    "search_agent": MY_STATE
    + "from qitos import Action\n"
    + "def web_search(query: str) -> str:\n    'Search.'\n"
    + "def read_file(path: str) -> str:\n    'Read.'\n",
    "prompt": MY_STATE,
    "tools.py": "",
}


@pytest.fixture
def block(request, tmp_path):
    """Runs a block; the folder that the document calls /tmp/work is the test's own."""

    def run_block(name):
        return run(BLOCKS[name].replace("/tmp/work", str(tmp_path)), PREAMBLES[name])

    return run_block


def names(registry):
    return [entry.name for entry in registry]


def test_the_table_of_preambles_names_every_block_but_the_relative_one():
    assert set(BLOCKS) - {"agent.py"} == set(PREAMBLES)


def test_the_decorator_leaves_the_function_as_it_is(block, tmp_path):
    read_file = block("decorator").read_file
    (tmp_path / "a.txt").write_text("hello")

    assert "hello" == read_file(str(tmp_path / "a.txt"))


def test_the_decorator_attaches_what_it_was_told(block):
    (spec,) = ToolRegistry().register(block("decorator").read_file).specs()

    assert ("read_file", "Read the contents of a file at the given path.", 10.0) == (
        spec.name,
        spec.description,
        spec.timeout_s,
    )
    assert ToolPermission(filesystem_read=True) == spec.permissions


def test_a_permission_is_declared(block):
    block("permission")

    assert ToolPermission() == ToolPermission(
        filesystem_read=False, filesystem_write=False, network=False, command=False
    )


def test_a_registry_begins_empty(block):
    assert [] == names(block("registry").registry)


def test_a_function_is_registered(block):
    assert ["add"] == names(block("register").registry)


def test_a_registered_function_runs(block):
    registry = block("register").registry

    with ActionExecutor(registry) as executor:
        assert 5 == executor.run_sync(Action("add", {"a": 2, "b": 3})).value


def test_name_and_meta_are_overridden_at_registration(block):
    registry = block("register_otherwise").registry

    assert ["math.add", "some_func"] == names(registry)
    assert "Custom description" == registry["some_func"].spec.description


def test_the_same_name_twice_is_a_value_error(block):
    module = block("register")

    with pytest.raises(DuplicateToolError) as caught:
        module.registry.register(module.add)
    assert isinstance(caught.value, ValueError)


@pytest.mark.filterwarnings("ignore:.*has no description:UserWarning")
def test_include_takes_the_decorated_methods(block):
    registry = block("include").registry

    assert ["summarize", "translate"] == names(registry)


def test_a_toolset_is_registered_under_its_name(block):
    registry = block("toolset").registry

    assert {"coding.view", "coding.str_replace", "coding.run_command"} <= set(names(registry))


def test_a_toolset_is_registered_under_a_given_namespace(block):
    registry = block("toolset_namespace").registry

    assert {"coding"} == {entry.namespace for entry in registry}


# The document's tool leaves its connection to the collector, which Python 3.13 warns about.
@pytest.mark.filterwarnings("ignore:unclosed database:ResourceWarning")
def test_a_tool_class_queries_its_database(block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    registry = block("base_tool").registry
    with sqlite3.connect("data.db") as database:
        database.execute("create table t (n)")
        database.execute("insert into t values (7)")
    database.close()

    with ActionExecutor(registry) as executor:
        result = executor.run_sync(Action("query_db", {"sql": "select n from t"}))

    assert "[[7]]" == result.text
    gc.collect()


def test_an_agent_takes_its_registry(block):
    agent = block("search_agent").SearchAgent()

    assert ["web_search", "read_file"] == names(agent.tool_registry)


def test_the_engine_checks_the_permissions_before_the_model_is_called(block):
    model = ScriptedModel([Decision.final("done")])
    agent = block("search_agent").SearchAgent()
    agent.llm = model
    agent.tool_registry.register(block("decorator").read_file, name="read_locally")

    with pytest.raises(PreflightError, match="read_locally needs filesystem_read"):
        Engine(agent, Environment()).run("look it up")
    assert [] == model.requests


def test_the_descriptions_go_into_the_prompt(block):
    agent = SimpleNamespace(tool_registry=block("register").registry)

    prompt = block("prompt").build_system_prompt(agent, StateSchema("add"))

    assert prompt.startswith("You have access to these tools:\n\nadd(a: int, b: int)")


@pytest.fixture
def editor(tmp_path, monkeypatch):
    """The document's ``tools.py`` and ``agent.py``, as the package they are."""
    package = tmp_path / "editor"
    package.mkdir()
    for name in ("tools.py", "agent.py"):
        (package / name).write_text(BLOCKS[name])
    monkeypatch.syspath_prepend(tmp_path)
    yield pytest.importorskip("editor.agent")
    for name in ("editor.agent", "editor.tools", "editor"):
        monkeypatch.delitem(__import__("sys").modules, name)


def test_the_editor_agent_reads_writes_and_answers(editor, tmp_path):
    notes = tmp_path / "notes.txt"
    notes.write_text("old")
    script = [
        Decision.act([Action("read_file", {"path": str(notes)})]),
        Decision.act([Action("write_file", {"path": str(notes), "content": "new"})]),
        Decision.final("edited"),
    ]

    result = Engine(editor.EditorAgent(ScriptedModel(script))).run("edit the notes", max_steps=5)

    assert ("edited", "final", "new") == (
        result.final_answer,
        result.stop_reason,
        notes.read_text(),
    )
    assert ([str(notes)], "edited", 5) == (
        result.state.files_read,
        result.state.final_result,
        result.state.max_steps,
    )
    assert ["old", "Written 3 bytes to " + str(notes)] == [
        answer.text for step in result.steps for answer in step.results
    ]


def test_the_editor_agent_tells_its_tools(editor):
    model = ScriptedModel([Decision.final("nothing to do")])

    Engine(editor.EditorAgent(model)).run("edit")

    system = model.requests[0].system
    assert system.startswith("You are a file editor.\n\nTools:\nread_file(path: str) - Read the")
