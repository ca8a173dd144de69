"""Anthropic's text editor and bash, over the kit's tools."""

import json
from base64 import b64decode
from pathlib import Path

import pytest

from kits import AnthropicToolSet
from qitos_like import ActionExecutor, ToolRegistry

DATA = Path(__file__).parents[2] / "data"
CASES = [
    case
    for name in ("editing.json", "edits.json")
    for case in json.loads((DATA / name).read_text())["cases"]
]
COMMANDS = {"create", "str_replace", "insert"}
EDITED = [
    case for case in CASES if case["tool"] in COMMANDS and not case["args"].get("replace_all")
]


def data_of(file):
    return b64decode(file["base64"]) if "base64" in file else file["text"].encode()


@pytest.fixture(name="registry")
def registry_(tmp_path):
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    return ToolRegistry().register_toolset(AnthropicToolSet(tmp_path), namespace="")


@pytest.fixture(name="execute")
def execute_(registry):
    with ActionExecutor(registry) as executor:
        yield executor


@pytest.mark.parametrize("case", EDITED, ids=lambda case: case["id"])
def test_an_edit_ends_as_the_table_says(tmp_path, case):
    for name, file in case["files"].items():
        (tmp_path / name).write_bytes(data_of(file))
    expected = case["expect"]
    registry = ToolRegistry().register_toolset(AnthropicToolSet(tmp_path), namespace="")

    with ActionExecutor(registry) as execute:
        result = execute("str_replace_based_edit_tool", command=case["tool"], **case["args"])

    assert expected["ok"] == result.ok
    assert {name: data_of(file) for name, file in expected["files"].items()} == {
        str(path.relative_to(tmp_path)): path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file()
    }
    if not result.ok:
        assert expected["code"] == result.code
        assert "replace_all" not in result.text  # which this editor does not have
        for text in expected.get("text_contains", []):
            assert text in result.text or text == "replace_all"


@pytest.mark.parametrize("name", ["str_replace_based_edit_tool", "str_replace_editor"])
def test_the_editor_does_what_its_command_says(execute, tmp_path, name):
    path = str(tmp_path / "a.txt")

    def edit(**args):
        return execute(name, path=path, **args).unwrap()

    assert "lines 2-2 of 2" in edit(command="view", view_range=[2, -1])
    edit(command="str_replace", old_str="two\n")
    edit(command="insert", insert_line=1, new_str="mid")
    execute(name, command="create", path="new.txt", file_text="x").unwrap()

    assert ("one\nmid\n", "x") == (
        (tmp_path / "a.txt").read_text(),
        (tmp_path / "new.txt").read_text(),
    )


def test_the_newer_name_of_the_inserted_text_is_understood(execute, tmp_path):
    execute(
        "str_replace_based_edit_tool",
        command="insert",
        path="a.txt",
        insert_line=0,
        insert_text="top\n",
    ).unwrap()

    assert "top\none\ntwo\n" == (tmp_path / "a.txt").read_text()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ({"command": "create"}, "create needs file_text"),
        ({"command": "str_replace"}, "str_replace needs old_str"),
        ({"command": "insert", "insert_line": 1}, "insert needs insert_text"),
        ({"command": "insert", "new_str": "x"}, "insert needs insert_line"),
    ],
    ids=str,
)
def test_a_missing_argument_is_named(execute, args, said):
    result = execute("str_replace_based_edit_tool", path="a.txt", **args)

    assert ("input_invalid", said) == (result.code, result.error)


def test_bash_keeps_its_state_until_it_is_restarted(execute):
    execute("bash", command="NAME=Ann").unwrap()
    assert "Ann" in execute("bash", command="echo $NAME").text

    assert "the shell was restarted" == execute("bash", restart=True).text

    assert "Ann" not in execute("bash", command="echo [$NAME]").text
    assert "bash needs command" == execute("bash").error


def test_a_shell_that_never_ran_can_be_restarted(registry):
    AnthropicToolSet(".").bash(restart=True)


def test_each_tool_says_what_it_is_at_the_provider(registry):
    natives = {entry.name: entry.spec.native["anthropic"] for entry in registry}

    assert {
        "str_replace_based_edit_tool": {
            "type": "text_editor_20250728",
            "name": "str_replace_based_edit_tool",
        },
        "bash": {"type": "bash_20250124", "name": "bash"},
    } == natives


def test_the_toolset_stops_what_commands_left(tmp_path):
    toolset = AnthropicToolSet(tmp_path)
    toolset.bash("sleep 60 & echo $! > pid")

    toolset.teardown()

    pid = int((tmp_path / "pid").read_text())
    assert not Path(f"/proc/{pid}").exists()
