"""``list``, ``show`` and ``describe`` tell what tools there are."""

import json

import pytest


def test_list_shows_names_sizes_and_descriptions(cli):
    ran = cli("list", "mine")

    lines = ran.out.splitlines()
    assert ["TOOL", "PROMPT", "SCHEMA", "DESCRIPTION"] == lines[0].split()
    assert lines[1].split(maxsplit=3)[::3] == ["greet", "Greet somebody."]
    assert "unavailable: KEY is not set" in ran.out
    assert "5 tools: " in ran.err


def test_list_without_a_source_shows_the_coding_kit(cli):
    names = [row["name"] for row in cli("list", "--json").data]

    assert {"coding.view", "coding.str_replace", "coding.grep", "coding.run_command"} <= set(names)


def test_list_tells_the_sizes_that_a_model_reads(cli):
    row = cli("list", "mine:greet", "--json").data[0]
    prompt = cli("show", "greet", "--as", "prompt", "--from", "mine").out

    assert (len(prompt) - 1, "function") == (row["prompt_chars"], row["origin"].split()[0])


def test_one_tool_is_one_tool(cli):
    assert "1 tool: " in cli("list", "mine:greet").err


def test_describe_prints_the_prompt(cli):
    ran = cli("describe", "mine")

    assert ran.out.startswith("greet(name: str, times: int = 1, loud: bool = false) - Greet")
    assert "hidden" not in ran.out


def test_describe_as_json_counts_the_characters(cli):
    data = cli("describe", "mine", "--json").data

    assert len(data["text"]) == data["chars"]


def test_describe_has_other_styles_and_a_budget(cli):
    tools = json.loads(cli("describe", "mine", "--style", "json").out)

    assert ["greet", "echo", "refuse", "fail"] == [each["name"] for each in tools]
    assert cli("describe", "mine", "--style", "xml").out.startswith('<tools>\n<tool name="greet">')
    assert "Left out for length" in cli("describe", "mine", "--budget", "200").out
    assert len(cli("describe", "mine", "--style", "xml", "--budget", "400").out) <= 401


def test_show_tells_everything_about_a_tool(cli):
    out = cli("show", "greet", "--from", "mine").out

    assert "  name: who" in out
    assert "  Be polite." in out
    assert "tags: greeting" in out
    assert "timeout_s: 5" in out


def test_show_tells_permissions_by_name(cli):
    out = cli("show", "coding.view").out

    assert "permissions: filesystem_read" in out
    assert "from: toolset coding" in out


def test_show_tells_why_a_tool_is_unavailable(cli):
    assert "unavailable: KEY is not set" in cli("show", "hidden", "--from", "mine").out


def test_show_as_schema_is_the_schema(cli):
    schema = json.loads(cli("show", "greet", "--as", "schema", "--from", "mine").out)

    assert ["name"] == schema["required"]


@pytest.mark.parametrize(
    ("provider", "name"),
    [
        ("openai", lambda tools: tools[0]["function"]["name"]),
        ("openai-responses", lambda tools: tools[0]["name"]),
        ("anthropic", lambda tools: tools[0]["name"]),
        ("gemini", lambda tools: tools[0]["functionDeclarations"][0]["name"]),
        ("mcp", lambda tools: tools[0]["name"]),
    ],
)
def test_show_as_a_provider_is_what_it_is_sent(cli, provider, name):
    assert "greet" == name(cli("show", "greet", "--as", provider, "--from", "mine").data)


def test_show_as_a_provider_notes_what_is_lost(cli):
    ran = cli("show", "echo", "--as", "openai", "--from", "mine")

    assert ran.err.endswith("note: echo: $: not strict: takes keys that it does not name\n")
    assert "KEY is not set" in cli("show", "hidden", "--as", "openai", "--from", "mine").err


def test_show_as_json_holds_the_traits(cli):
    data = cli("show", "greet", "--from", "mine", "--json").data

    assert {"usage": "Be polite.", "timeout_s": 5, "tags": ["greeting"]} == data["traits"]


def test_show_of_an_unknown_tool_names_near_ones(cli):
    ran = cli("show", "coding.vew")

    assert (2, True) == (ran.code, "coding.view" in ran.err)


def test_check_tells_what_to_mend_and_exits_with_1(cli):
    ran = cli("check", "mine")

    assert (1, True) == (ran.code, "5 tools, " in ran.err)
    assert "echo" in ran.out


def test_check_finds_nothing_in_the_coding_kit(cli):
    ran = cli("check")

    assert (0, "", "8 tools, 0 findings\n") == (ran.code, ran.out, ran.err)


def test_check_finds_nothing_in_a_good_tool(cli):
    ran = cli("check", "mine:fail", "--json")

    assert (0, []) == (ran.code, ran.data)


@pytest.mark.parametrize("command", ["list", "describe"])
def test_a_source_without_tools_is_a_usage_error(cli, command):
    ran = cli(command, "nope")

    assert (2, "", "Error: no module, file or toolset is named 'nope'\n") == (
        ran.code,
        ran.out,
        ran.err,
    )


def test_a_source_that_fails_is_a_sentence(cli, folder):
    (folder / "broken.py").write_text("1 / 0")

    ran = cli("list", "broken.py")

    assert (2, True) == (ran.code, ran.err.startswith("Error: broken.py raised ZeroDivisionError"))


@pytest.mark.filterwarnings("default")
def test_a_warning_is_a_line(cli, folder):
    (folder / "vague.py").write_text(
        "from qitos_like import tool\n@tool\ndef f(x: 'Nope'):\n    'Do.'\n"
    )

    ran = cli("describe", "vague.py")

    assert ran.code == 0
    assert all(line.startswith("Warning: ") for line in ran.err.splitlines())
    assert "Nope" in ran.err


@pytest.mark.parametrize("command", ["list", "describe"])
def test_an_agent_of_no_configuration_is_told_where_agents_are_written(cli, command):
    ran = cli(command, "--agent", "nobody")

    assert (2, "") == (ran.code, ran.out)
    assert "add [agents.NAME] to it" in ran.err
