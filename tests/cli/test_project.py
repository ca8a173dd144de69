"""The command line in a folder that has a configuration."""

import subprocess
import sys

import pytest

CONFIG = """
[plugins]
modules = ["mine"]
directories = ["drop"]

[toolsets.coding]
use = "kits:CodingToolSet"
workspace_root = "."

[tools.greet]
times = 2

[agents.polite.tools]
enabled = ["greet"]
usages = { greet = "Greet everybody." }
[agents.reader.tools]
enabled = ["coding.view"]

[permissions]
deny = ["coding.run_command(git push*)"]
ask = ["greet(Eve)"]
"""
DROP = '''
from qitos_like import tool

print("loaded")


@tool
def dropped(word: str) -> str:
    """Say it."""
    return word
'''


@pytest.fixture
def project(folder):
    """The folder with a file that is trusted."""
    (folder / "drop").mkdir()
    (folder / "drop" / "dropped.py").write_text(DROP)
    (folder / "qitos-like.toml").write_text(CONFIG)
    return folder


@pytest.fixture
def trusted(project, cli):
    assert 0 == cli("trust").code
    return cli


def names(ran):
    return [row["name"] for row in ran.data]


def test_without_trust_one_line_says_so(project, cli):
    ran = cli("list", "--json")

    assert "coding.view" in names(ran)
    assert "greet" not in names(ran)
    assert ["qitos-like.toml: 8 entries are ignored"] == [
        line.removeprefix("Warning: ").partition(",")[0] for line in ran.err.splitlines()[:1]
    ]
    assert 1 == ran.err.count("ignored")


def test_trust_shows_what_is_trusted(project, cli):
    ran = cli("trust")

    assert "plugins.modules = ['mine']" in ran.out.splitlines()
    assert "permissions.ask = ['greet(Eve)']" in ran.out.splitlines()
    assert "qitos-like.toml is trusted as it is now" in ran.err


@pytest.mark.parametrize("path", [".", "qitos-like.toml", "drop"])
def test_trust_takes_a_file_or_a_folder(project, cli, path):
    facts = cli("trust", path, "--json").data

    assert (str(project / "qitos-like.toml"), True) == (facts["file"], facts["trusted"])
    assert "greet" in names(cli("list", "--json"))


def test_trust_can_be_taken_back(trusted):
    trusted("trust", "--remove")

    assert "greet" not in names(trusted("list", "--json"))


def test_there_is_nothing_to_trust(cli):
    ran = cli("trust")

    assert (2, True) == (ran.code, "there is no qitos-like.toml in ." in ran.err)


def test_a_file_with_a_mistake_is_not_trusted(project, cli):
    (project / "qitos-like.toml").write_text("[plugin]\n")

    ran = cli("trust")

    assert (2, True) == (ran.code, "qitos-like.toml:1: unknown key 'plugin'" in ran.err)


def test_list_has_the_tools_of_the_file(trusted):
    ran = trusted("list")

    assert "dropped" in ran.out
    assert "loaded" not in ran.out
    assert "loaded" in ran.err


def test_a_file_that_is_named_is_trusted(project, cli):
    ran = cli("--config", "qitos-like.toml", "list", "--json")

    assert "dropped" in names(ran)
    assert "ignored" not in ran.err


def test_an_agent_is_described_with_its_tools_and_usages(trusted):
    ran = trusted("describe", "--agent", "polite")

    assert ran.out.startswith("greet(name: str, times: int = 2")
    assert "Greet everybody." in ran.out
    assert "view" not in ran.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("list", "--agent", "reader", "--json"), ["coding.view"]),
        (("list", "--agent", "polite", "--json"), ["greet"]),
    ],
)
def test_list_narrows_to_an_agent(trusted, arguments, said):
    assert said == names(trusted(*arguments))


def test_an_agent_that_is_not_there_is_named_with_the_nearest(trusted):
    ran = trusted("describe", "--agent", "polit")

    assert (2, True) == (ran.code, "unknown agent 'polit'; did you mean 'polite'?" in ran.err)


def test_an_agent_has_no_source(trusted):
    ran = trusted("list", "mine", "--agent", "polite")

    assert (2, True) == (ran.code, "leave SOURCE or --agent out" in ran.err)


def test_call_runs_with_the_options_of_the_file(trusted):
    assert "hello Ada hello Ada\n" == trusted("call", "greet", "name=Ada").out


def test_call_is_for_an_agent_only_what_it_has(trusted):
    ran = trusted("call", "dropped", "word=x", "--agent", "polite")

    assert 2 == ran.code


DECIDED = [
    (("coding.run_command", "command=git push"), 3, "denied"),
    (("greet", "name=Eve"), 3, "needs_approval"),
    (("greet", "name=Ada"), 0, None),
]


@pytest.mark.parametrize(
    ("arguments", "code", "why"), DECIDED, ids=[str(row[2]) for row in DECIDED]
)
def test_call_obeys_the_permissions(trusted, arguments, code, why):
    ran = trusted("call", *arguments, "--json")

    assert (code, why) == (ran.code, ran.data["code"])


def test_permissions_hold_for_tools_from_elsewhere(trusted):
    assert 3 == trusted("call", "greet", "name=Eve", "--from", "mine").code


def test_check_reads_the_tools_of_the_file(trusted):
    ran = trusted("check", "--json")

    assert {"dropped", "echo"} <= {finding["tool"] for finding in ran.data}


def test_show_has_the_options_of_the_file(trusted):
    assert "times: int = 2" in trusted("show", "greet").out


WHY = [
    (
        ("coding.run_command", "command=ls && git push -f"),
        3,
        "deny: by the rule deny coding.run_command(git push*), qitos-like.toml:20",
    ),
    (("greet", "name=Eve"), 3, "ask: by the rule ask greet(Eve), qitos-like.toml:21"),
    (("greet", "name=Ada"), 0, "allow: that is the default"),
    (("greet",), 1, "refuse: the arguments of greet are wrong:"),
]


@pytest.mark.parametrize(("arguments", "code", "said"), WHY, ids=[row[2] for row in WHY])
def test_why_names_the_rule_and_its_line(trusted, arguments, code, said):
    ran = trusted("why", *arguments)

    assert code == ran.code
    assert ran.out.startswith(said)


def test_why_is_data_too(trusted):
    facts = trusted("why", "greet", "name=Eve", "--json").data

    assert ("greet", "ask", "ask greet(Eve)", "qitos-like.toml:21") == (
        facts["tool"],
        facts["effect"],
        facts["rule"],
        facts["source"],
    )


def test_why_does_not_run_the_tool(trusted, project):
    trusted("why", "coding.create", "path=made", "file_text=")

    assert not (project / "made").exists()


def test_plugins_are_listed(trusted):
    rows = {row["name"]: row for row in trusted("plugins", "list", "--json").data}

    assert (True, "module mine") == (rows["mine"]["enabled"], rows["mine"]["where"])
    assert (True, "drop/dropped.py") == (rows["dropped"]["enabled"], rows["dropped"]["where"])


def test_a_plugin_that_is_off_is_listed_with_the_way_to_enable_it(cli):
    ran = cli("plugins", "list")

    assert "PLUGIN" in ran.out
    if len(ran.out.splitlines()) > 1:
        assert "enable one with [plugins] enabled" in ran.err


def test_a_plugin_is_checked_in_a_process_of_its_own(trusted):
    ran = trusted("plugins", "check", "dropped")

    assert (0, "dropped: Say it.\n") == (ran.code, ran.out)
    assert "dropped(word): no text says what it is" in ran.err
    assert not any("qitos_like_dropins" in name for name in sys.modules)


def test_a_module_is_checked_too(trusted):
    report = trusted("plugins", "check", "mine", "--json").data

    assert "Greet somebody." == report["tools"]["greet"]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("import os; os._exit(7)", "the process ended with 7"),
        ("raise SystemExit('no')", "SystemExit: no"),
    ],
)
def test_a_broken_plugin_is_told_with_its_traceback(trusted, project, code, said):
    (project / "drop" / "dropped.py").write_text(code)

    ran = trusted("plugins", "check", "dropped")

    assert 1 == ran.code
    assert said in ran.err
    assert "Error: dropped is broken" in ran.err


def test_a_broken_plugin_is_skipped_in_one_line(trusted, project):
    (project / "drop" / "dropped.py").write_text("1 / 0")

    ran = trusted("list", "--json")

    assert "greet" in names(ran)
    assert "Warning: the plugin dropped, drop/dropped.py, was skipped: ZeroDivisionError" in ran.err


def test_a_plugin_that_is_not_there_is_named_with_the_nearest(trusted):
    ran = trusted("plugins", "check", "droped")

    assert (2, True) == (ran.code, "unknown plugin 'droped'; did you mean 'dropped'?" in ran.err)


def test_doctor_tells_what_is_there(trusted):
    found = {row["what"]: row for row in trusted("doctor", "--json").data}

    assert {"python", "kits", "bash", "git", "rg", "bwrap", "rich", "plugins"} <= set(found)
    assert ("ok", "project: qitos-like.toml") == (found["config"]["state"], found["config"]["note"])


def test_doctor_without_a_file(cli):
    ran = cli("doctor")

    assert 0 == ran.code
    assert "no file: the tools are the coding kit's" in ran.out


def test_doctor_tells_mistakes_of_the_file(project, cli):
    (project / "qitos-like.toml").write_text("[permissions]\ndeny = 3")

    ran = cli("doctor")

    assert 1 == ran.code
    assert "wrong  qitos-like.toml:2: permissions.deny: expected array, got integer 3" in ran.out


def test_doctor_tells_how_to_get_what_is_missing(cli, monkeypatch):
    monkeypatch.setenv("PATH", "")

    ran = cli("doctor")

    assert 0 == ran.code
    for advice in (
        "grep and glob give the same answers without it, later: install ripgrep",
        "checkpoints copy every file without it, ignored ones too: install git",
        "bubblewrap is not installed (its program is called bwrap); sandbox='bwrap' needs it",
    ):
        assert advice in " ".join(ran.out.split())


def test_doctor_finds_another_package_of_the_name_of_the_kits(folder):
    (folder / "kits").mkdir()
    (folder / "kits" / "__init__.py").write_text("raise SystemExit('foreign code ran')")
    code = "from qitos_like.cli.doctor import _kits; print(*_kits())"
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=folder
    )

    assert "wrong" in ran.stdout
    assert "another package has that name" in ran.stdout
