"""``run`` and ``trace``: an agent of the configuration at work, and what it did."""

import io
import json
import sys

import pytest

import kits
from tests.agent.models.speakers import SPEAKERS
from tests.loopback import answering

CONFIG = """
[toolsets.coding]
use = "kits:CodingToolSet"
workspace_root = "."

[agents.mender]
model = "script:script.jsonl"
system = "Be brief."
max_steps = 9
[agents.mender.tools]
enabled = ["coding.view", "coding.create", "coding.run_command"]
[agents.silent.tools]
enabled = ["coding.view"]

[permissions]
deny = ["coding.run_command(git push*)"]
"""
VIEW = {"actions": [{"name": "coding.view", "args": {"path": "README.md"}}], "rationale": "I look."}
CREATE = {"actions": [{"name": "coding.create", "args": {"path": "new.txt", "file_text": "x\n"}}]}
PUSH = {"actions": [{"name": "coding.run_command", "args": {"command": "git push"}}]}
DONE = {"final_answer": "It is done."}


@pytest.fixture
def project(folder):
    """Writes the script of the agent's model; the user trusts the file."""
    (folder / "qitos-like.toml").write_text(CONFIG)

    def script(*decisions):
        lines = [json.dumps(each) for each in decisions]
        (folder / "script.jsonl").write_text("\n".join(lines))
        return folder

    return script


@pytest.fixture
def run(cli):
    """Runs a command with the file of the project."""
    return lambda *arguments: cli("--config", "qitos-like.toml", *arguments)


def typed(monkeypatch, text):
    """What the user types on the terminal."""

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stdin", Terminal(text))


def test_the_answer_is_data_and_the_steps_are_told(project, run):
    project(VIEW, DONE)
    ran = run("run", "mender", "Look.")

    assert (0, "It is done.\n") == (ran.code, ran.out)
    assert "1. I look." in ran.err
    assert "> coding.view path=README.md" in ran.err
    assert "# Title" in ran.err


def test_json_has_answer_tokens_and_cost(project, run):
    project(DONE)
    ran = run("run", "mender", "Look.", "--json")

    assert ("It is done.", "final", 1) == (
        ran.data["final_answer"],
        ran.data["stop_reason"],
        ran.data["steps"],
    )


def test_what_writes_waits_where_nobody_can_be_asked(project, run, monkeypatch):
    folder = project(CREATE, DONE)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    ran = run("run", "mender", "Write.")

    assert (3, "", False) == (ran.code, ran.out, (folder / "new.txt").exists())
    assert "stopped: approval: a person has to allow coding.create" in ran.err


@pytest.mark.parametrize(
    ("answer", "written"),
    [("y\n", True), ("a\n", True), ("n\n", False), ("\n", False)],
    ids=["yes", "always", "no", "nothing"],
)
def test_what_writes_asks_on_the_terminal(project, run, monkeypatch, answer, written):
    folder = project(CREATE, DONE)
    typed(monkeypatch, answer)
    ran = run("run", "mender", "Write.")

    assert (0, written) == (ran.code, (folder / "new.txt").exists())
    assert "coding.create needs filesystem_write" in ran.err
    assert '"path": "new.txt"' in ran.err


def test_who_answers_nothing_more_has_stopped_it(project, run, monkeypatch):
    folder = project(CREATE, DONE)
    typed(monkeypatch, "")
    ran = run("run", "mender", "Write.")

    assert (130, False) == (ran.code, (folder / "new.txt").exists())
    assert "stopped: cancelled" in ran.err


def test_a_rule_that_allows_is_not_asked_for(project, run, monkeypatch):
    folder = project(CREATE, DONE)
    with (folder / "qitos-like.toml").open("a") as file:
        file.write('allow = ["coding.create"]\n')
    monkeypatch.setattr(sys, "stdin", io.StringIO())

    assert (0, True) == (run("run", "mender", "Write.").code, (folder / "new.txt").exists())


#: A file beside the workspace, which the sandbox hides.
LOOK = "test -e ../beside && echo seen || echo hidden"


@pytest.mark.parametrize("said", ["", 'sandbox = "none"\n'], ids=["no word", "none"])
def test_commands_run_in_a_sandbox_where_one_works_and_no_file_says_else(
    project, run, monkeypatch, said
):
    works = "bwrap" in {each.name for each in kits.capabilities() if each.works}
    folder = project({"actions": [{"name": "coding.run_command", "args": {"command": LOOK}}]}, DONE)
    (folder.parent / "beside").touch()
    text = CONFIG.replace("[agents.mender]", f"{said}[agents.mender]", 1)
    (folder / "qitos-like.toml").write_text(f'{text}allow = ["coding.run_command"]\n')
    monkeypatch.setattr(sys, "stdin", io.StringIO())

    ran = run("run", "mender", "Look.")

    assert 0 == ran.code
    assert ("hidden" if works and not said else "seen") in ran.err.split("> coding.run_command")[1]
    assert ("without a sandbox" in ran.err) == (not works and not said)


def test_a_rule_that_denies_asks_nobody(project, run, monkeypatch):
    project(PUSH, DONE)
    typed(monkeypatch, "")
    ran = run("run", "mender", "Push.")

    assert (0, True) == (ran.code, "denied" in ran.err)


def test_a_model_that_fails_is_told(project, run):
    project(VIEW)
    ran = run("run", "mender", "Look.")

    assert 1 == ran.code
    assert "stopped: model_error: IndexError: the script ended after 1 decisions" in ran.err


def test_the_limits_of_the_command_go_before_those_of_the_agent(project, run):
    project(VIEW, VIEW, DONE)
    ran = run("run", "mender", "Look.", "--max-steps", "1")

    assert (1, True) == (ran.code, "stopped: max_steps" in ran.err)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["mendr", "x"], "unknown agent 'mendr'; did you mean 'mender'?"),
        (["silent", "x"], 'agent silent has no model: give it one, model = "provider:name"'),
        (["silent", "x", "--model", "gpt"], "'gpt' is no model: write provider:name"),
        (["silent", "x", "--model", "openai:"], "openai-responses, script, text\n"),
        (
            ["silent", "x", "--model", "opena:gpt"],
            "--model: the model of silent: 'opena:gpt' is no",
        ),
        (["silent", "x", "--model", "opena:gpt"], "did you mean 'openai'?"),
        (["silent", "x", "--model", "script:none"], "No such file"),
    ],
    ids=[
        "agent",
        "no model",
        "no provider",
        "no name",
        "provider",
        "another provider",
        "no script",
    ],
)
def test_a_mistake_is_a_sentence(project, run, arguments, said):
    project(DONE)
    ran = run("run", *arguments)

    assert (2, True) == (ran.code, said in ran.err)


def test_a_model_that_is_misspelt_is_told_with_its_line(project, run, folder):
    project(DONE)
    text = CONFIG.replace("script:script.jsonl", "scrpt:script.jsonl")
    (folder / "qitos-like.toml").write_text(text)
    ran = run("run", "mender", "Look.")

    assert (2, True) == (ran.code, "Error: qitos-like.toml:7: the model of mender: " in ran.err)
    assert "did you mean 'script'?" in ran.err


def test_a_price_lets_the_cost_be_limited(cli, folder, monkeypatch):
    pytest.importorskip("openai", reason="openai is not installed")
    (chat, *_) = SPEAKERS
    (folder / "a.toml").write_text(
        '[agents.dear]\nmodel = "openai:m"\nprice = { input = 2000, output = 0 }\n'
    )
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with answering(chat.calls(("coding.glob", "{}", "c1"))) as (address, _):
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        ran = cli("--config", "a.toml", "run", "dear", "Look.", "--max-cost-usd", "1", "--json")

    assert ("cost_limit", 2.0) == (ran.data["stop_reason"], ran.data["cost_usd"])


def test_a_plugin_that_is_skipped_is_told_once(cli, folder):
    (folder / "drop").mkdir()
    (folder / "drop/broken.py").write_text("1 / 0\n")
    (folder / "a.toml").write_text(
        '[plugins]\ndirectories = ["drop"]\n[agents.a]\nmodel = "script:s.jsonl"\n'
    )
    (folder / "s.jsonl").write_text('{"final_answer": "Done."}\n')
    ran = cli("--config", "a.toml", "run", "a", "Look.")

    assert (0, 1) == (ran.code, ran.err.count("the plugin broken, "))


def test_a_folder_without_agents_says_how_to_have_one(cli):
    ran = cli("run", "mender", "Look.")

    assert (2, True) == (ran.code, "add [agents.NAME] to it" in ran.err)


def test_a_model_can_be_given_with_the_command(project, run):
    project(DONE)
    ran = run("run", "silent", "Look.", "--model", "text:script:script.jsonl")

    assert (0, "It is done.\n") == (ran.code, ran.out)


def test_a_trace_shows_steps_arguments_results_and_times(project, run):
    project(VIEW, DONE)
    run("run", "mender", "Look.", "--trace", "run.jsonl")
    ran = run("trace", "show", "run.jsonl")

    assert 0 == ran.code
    assert all(
        text in ran.out
        for text in (
            "Task: Look.",
            "1. I look.",
            "> coding.view path=README.md",
            "| ",
            "2. It is done.",
            "stopped: final, 2 steps, ",
            " ms, 0 tokens in, 0 out",
        )
    )


def test_a_trace_is_json_too(project, run):
    project(DONE)
    run("run", "mender", "Look.", "--trace", "run.jsonl")

    assert ["run", "step", "end"] == [
        record["type"] for record in run("trace", "show", "run.jsonl", "--json").data
    ]


def test_a_trace_cuts_long_results_unless_asked_not_to(project, run):
    folder = project(VIEW, DONE)
    (folder / "README.md").write_text("line\n" * 50)
    run("run", "mender", "Look.", "--trace", "run.jsonl")

    assert "… " in run("trace", "show", "run.jsonl").out
    assert 50 <= run("trace", "show", "run.jsonl", "--whole").out.count("line\n")


def test_a_failure_and_a_price_are_in_a_trace(folder, cli):
    end = {"type": "end", "stop_reason": "model_error", "error": "out of order", "steps": 1}
    end |= {"usage": {"input_tokens": 1200, "output_tokens": 5}, "cost_usd": 0.25, "duration_s": 2}
    (folder / "run.jsonl").write_text(json.dumps(end))

    assert [
        "stopped: model_error, 1 steps, 2.0 s, 1,200 tokens in, 5 out, $0.2500",
        "out of order",
    ] == cli("trace", "show", "run.jsonl").out.split("\n")[1:3]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nothing", "line 1: no JSON"),
        (b"\xff", "line 1: no JSON"),
        ("[" * 100_000, "line 1: no JSON"),
        ("[]", "line 1: no record of a run"),
        ('{"type": []}', "line 1: no record of a run"),
        ('{"type": "run"}', "line 1: no record of a run (KeyError('agent'))"),
    ],
    ids=["no JSON", "no text", "deep", "another", "no type", "half"],
)
def test_a_file_that_is_no_trace_is_told(folder, cli, text, said):
    (folder / "run.jsonl").write_bytes(text if isinstance(text, bytes) else text.encode())
    ran = cli("trace", "show", "run.jsonl")

    assert (2, True) == (ran.code, said in ran.err)


def test_a_file_without_runs_is_told(folder, cli):
    (folder / "run.jsonl").write_text("")
    ran = cli("trace", "show", "run.jsonl")

    assert (0, "", "run.jsonl holds no run\n") == (ran.code, ran.out, ran.err)
