"""The agents of "Tools and Registry": how they get their tools, and the full example."""

from types import SimpleNamespace

import pytest

from qitos_like import (
    Action,
    Decision,
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
MY_STATE = "from qitos import StateSchema\nclass MyState(StateSchema): ...\n"
#: What the block with the agent leaves undefined.
SEARCH = (
    MY_STATE
    + "from qitos import Action\n"
    + "def web_search(query: str) -> str:\n    'Search.'\n    return 'found ' + query\n"
    + "def read_file(path: str) -> str:\n    'Read.'\n"
)


def add(a: int, b: int) -> int:
    """Add two integers."""
    return a + b


def names(registry):
    return [entry.name for entry in registry]


def search_agent():
    return run(BLOCKS["search_agent"], SEARCH)


def test_passing_the_registry_to_agentmodule_is_done_in_its_constructor():
    agent = search_agent().SearchAgent()

    assert ["web_search", "read_file"] == names(agent.tool_registry)


def test_passing_the_registry_to_agentmodule_lets_the_engine_check_permissions_first():
    model = ScriptedModel([Decision.final("done")])
    agent = search_agent().SearchAgent()
    agent.llm = model
    agent.tool_registry.register(run(BLOCKS["decorator"]).read_file, name="read_locally")

    with pytest.raises(PreflightError, match="read_locally needs filesystem_read"):
        Engine(agent, Environment()).run("look it up")
    assert [] == model.requests


def test_passing_the_registry_to_agentmodule_gives_it_descriptions_for_the_prompt():
    registry = ToolRegistry().register(add)
    agent = SimpleNamespace(tool_registry=registry)

    prompt = run(BLOCKS["prompt"], MY_STATE).build_system_prompt(agent, StateSchema("add"))

    assert prompt.startswith("You have access to these tools:\n\nadd(a: int, b: int)")


def test_passing_the_registry_to_agentmodule_makes_the_engine_run_its_tools():
    agent = search_agent().SearchAgent()
    agent.llm = ScriptedModel(
        [Decision.act([Action("web_search", {"query": "cats"})]), Decision.final("Cats.")]
    )

    result = Engine(agent).run("look it up")

    assert ("found cats", "Cats.") == (result.steps[0].results[0].text, result.final_answer)


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


def test_full_example_reads_writes_and_answers(editor, tmp_path):
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


def test_full_example_tells_its_tools(editor):
    model = ScriptedModel([Decision.final("nothing to do")])

    Engine(editor.EditorAgent(model)).run("edit")

    system = model.requests[0].system
    assert system.startswith("You are a file editor.\n\nTools:\nread_file(path: str) - Read the")


def test_full_example_needs_what_its_tools_declare(editor):
    environment = Environment(permissions=ToolPermission(filesystem_read=True))

    with pytest.raises(PreflightError, match="write_file needs filesystem_write"):
        Engine(editor.EditorAgent(ScriptedModel([])), environment).run("edit")


def test_full_example_takes_ten_steps_unless_told_otherwise(editor, tmp_path):
    read = Decision.act([Action("read_file", {"path": str(tmp_path / "none")})])

    result = Engine(editor.EditorAgent(ScriptedModel([read] * 20))).run("edit")

    assert ("max_steps", 10, None) == (result.stop_reason, len(result.steps), result.final_answer)
