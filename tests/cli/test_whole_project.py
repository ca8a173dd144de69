"""A project as somebody has it: a file, a drop-in, an installed plugin, two agents; all commands."""

import json
import os
import subprocess

import pytest

from tests.installed import python_with

pytestmark = pytest.mark.timeout(120)  # each test starts several processes

PYPROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "acme-tickets"
version = "2.1"
[project.entry-points."qitos_like.plugins"]
tickets = "acme_tickets:Tickets"
"""
PLUGIN = '''
"""Tickets of Acme."""
from typing import Annotated

from qitos_like import ToolPermission, ToolSet, tool


class Tickets(ToolSet):
    """Tickets."""

    @tool(tags=["lookup"], parallel_safe=True)
    def find(self, words: Annotated[str, "words in the title"]) -> list[str]:
        """Find tickets."""
        return [f"T-1 {words}"]

    @tool(permissions=ToolPermission(network=True))
    def close(self, ticket: Annotated[str, "its number"]) -> str:
        """Close a ticket."""
        return f"closed {ticket}"
'''
DROP_IN = '''
from typing import Annotated

from qitos_like import Configured, tool


@tool
def greet(name: Annotated[str, "whom"], word: Annotated[str, Configured] = "hello") -> str:
    """Greet somebody."""
    return f"{word} {name}"
'''
CONFIG = """
[plugins]
directories = ["tools"]
enabled = ["tickets"]

[toolsets.coding]
workspace_root = "src"
ledger = "off"

[tools.greet]
word = "welcome"

[agents.reader]
model = "script:read.jsonl"
system = "You read."
[agents.reader.tools]
enabled = ["coding.view", "tag:lookup"]
usages = { "tickets.find" = "Look here first." }

[agents.clerk]
model = "script:clerk.jsonl"
max_steps = 3
[agents.clerk.tools]
enabled = ["*"]
disabled = ["coding.*"]

[permissions]
deny = ["tickets.close(T-9*)"]
allow = ["tickets.close"]
"""
READ = [
    {
        "actions": [
            {"name": "tickets.find", "args": {"words": "crash"}, "id": "c1"},
            {"name": "coding.view", "args": {"path": "main.py"}, "id": "c2"},
            {"name": "greet", "args": {"name": "Ada"}, "id": "c3"},
        ],
        "rationale": "I look.",
    },
    {"final_answer": "It is T-1."},
]
CLERK = [
    {"actions": [{"name": "tickets__close", "args": {"ticket": "T-9"}}]},
    {"actions": [{"name": "tickets__close", "args": {"ticket": "T-1"}}]},
    {"final_answer": "T-1 is closed."},
]


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """A Python with the plugin, in which this project's user has the command line."""
    return python_with(tmp_path_factory.mktemp("acme"), "acme_tickets", PYPROJECT, PLUGIN)


@pytest.fixture
def run(python, tmp_path):
    """Runs a command in the project, which the user has trusted."""
    project = tmp_path / "project"
    (project / "tools").mkdir(parents=True)
    (project / "tools" / "greet.py").write_text(DROP_IN)
    (project / "src").mkdir()
    (project / "src" / "main.py").write_text("print('crash')\n")
    (project / "qitos-like.toml").write_text(CONFIG)
    for name, decisions in (("read", READ), ("clerk", CLERK)):
        (project / f"{name}.jsonl").write_text("\n".join(map(json.dumps, decisions)))

    def command(*arguments):
        return subprocess.run(
            [python, "-P", "-m", "qitos_like", *arguments],
            cwd=project,
            env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "home"), "COLUMNS": "100"},
            capture_output=True,
            text=True,
            check=False,
        )

    assert 0 == command("trust").returncode
    return command


def names(ran):
    return [row["name"] for row in json.loads(ran.stdout)]


def test_list_has_the_tools_of_all_three_and_of_each_agent(run):
    whole = names(run("list", "--json"))

    assert {"coding.view", "tickets.find", "tickets.close", "greet"} <= set(whole)
    assert ["coding.view", "tickets.find"] == names(run("list", "--agent", "reader", "--json"))
    assert ["greet", "tickets.close", "tickets.find"] == sorted(
        names(run("list", "--agent", "clerk", "--json"))
    )


def test_describe_is_an_agent_s_prompt(run):
    described = run("describe", "--agent", "reader").stdout

    assert "coding.view(path: str" in described
    assert "Look here first." in described
    assert "greet" not in described


def test_call_runs_each_kind_of_tool(run):
    calls = [
        run("call", "greet", "name=Ada"),
        run("call", "tickets.find", "words=crash"),
        run("call", "coding.view", "path=main.py"),
        run("call", "tickets.close", "ticket=T-9"),
        run("call", "greet", "name=Ada", "word=bye"),
    ]

    assert [0, 0, 0, 3, 1] == [ran.returncode for ran in calls], calls
    assert ["welcome Ada\n", '["T-1 crash"]\n'] == [ran.stdout for ran in calls[:2]]
    assert "deny tickets.close(T-9*)" in run("why", "tickets.close", "ticket=T-9").stdout


def test_check_has_nothing_to_say_of_what_is_written_well(run):
    checked = run("check", "--json")

    assert not {"greet", "tickets.find", "tickets.close"} & {
        finding["tool"] for finding in json.loads(checked.stdout)
    }


def test_run_and_trace_show_what_an_agent_did(run):
    ran = run("run", "reader", "Which ticket?", "--trace", "run.jsonl")
    shown = run("trace", "show", "run.jsonl").stdout

    assert (0, "It is T-1.\n") == (ran.returncode, ran.stdout), ran.stderr
    assert all(
        text in shown
        for text in (
            "Task: Which ticket?",
            "1. I look.",
            "> tickets.find words=crash",
            '| ["T-1 crash"]',
            "> greet name=Ada",
            "unknown_tool",  # it is no tool of this agent
            "2. It is T-1.",
            "stopped: final, 2 steps",
        )
    ), shown


def test_a_trace_is_a_script_for_the_same_run(run):
    run("run", "reader", "Which ticket?", "--trace", "run.jsonl")
    again = run(
        "run", "reader", "Which ticket?", "--model", "script:run.jsonl", "--trace", "2.jsonl"
    )
    first, second = (
        json.loads(run("trace", "show", name, "--json").stdout) for name in ("run.jsonl", "2.jsonl")
    )

    assert "It is T-1.\n" == again.stdout
    assert [record.get("decision") for record in first] == [
        record.get("decision") for record in second
    ]


def test_the_rules_of_the_file_decide_for_an_agent_too(run):
    ran = run("run", "clerk", "Close them.")

    assert (0, "T-1 is closed.\n") == (ran.returncode, ran.stdout), ran.stderr
    assert "denied" in ran.stderr
    assert "closed T-1" in ran.stderr


def test_doctor_finds_the_plugin_and_the_file(run):
    found = {row["what"]: row for row in json.loads(run("doctor", "--json").stdout)}

    assert ("ok", "ok") == (found["config"]["state"], found["plugins"]["state"])
    assert ["tickets"] == [
        row["name"]
        for row in json.loads(run("plugins", "list", "--json").stdout)
        if row["enabled"] and row["version"] == "2.1"
    ]
