"""The demo really finds, fixes and tests; where it cannot, it says so."""

import pytest
from attrs import evolve

from qitos_like import Action, Decision, ScriptedModel
from qitos_like.cli.demo_report import Report
from qitos_like.cli.demo_session import Session, script


@pytest.fixture
def shown(cli):
    return cli("demo")


def test_the_demo_ends_well(shown):
    assert (0, "") == (shown.code, shown.err)


@pytest.mark.parametrize(
    "said",
    [
        "coding.run_command",
        "## coding",
        "Task: A test fails.",
        "AssertionError: 8500 != 10000",
        "> coding.grep",
        "> coding.view",
        "> coding.str_replace",
        "tests before: red (exit code 1)",
        "tests after: green (exit code 0)",
        "-    if count > BULK_COUNT:",
        "+    if count >= BULK_COUNT:",
        "stopped: final",
    ],
)
def test_the_demo_shows(shown, said):
    assert said in shown.out


def test_the_demo_fits_eighty_columns(shown):
    assert [] == [line for line in shown.out.splitlines() if len(line) > 80]


def test_the_demo_changes_nothing_where_it_is_called(shown, folder):
    assert {"README.md", "mine.py"} == {path.name for path in folder.iterdir()}


def test_the_trace_is_the_demo_as_json(cli):
    ran = cli("demo", "--json")

    kinds = [record["type"] for record in ran.data]
    assert (0, ["run", *["step"] * 6, "end"]) == (ran.code, kinds)


def test_a_demo_whose_tests_are_never_red_fails(cli, tmp_path_factory, monkeypatch):
    always_green = tmp_path_factory.mktemp("modules")
    (always_green / "unittest.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(always_green))

    ran = cli("demo")

    assert (1, "Error: the tests do not pass at the end.\n") == (ran.code, ran.err)
    assert "tests before: green (exit code 0)" in ran.out


def test_of_a_long_output_the_end_is_shown(tmp_path, capsys):
    session = Session.in_folder(tmp_path)
    decisions = [Decision.act([Action("coding.run_command", {"command": "seq 40"})])]
    session.agent.llm = ScriptedModel([*decisions, Decision.final("x")])

    session.play(Report(session).step)

    out = capsys.readouterr().out
    assert ("| … 26 lines …" in out, "| 40\n" in out, "| 26\n" in out) == (True, True, False)


def test_an_agent_that_does_nothing_has_not_mended_it(tmp_path):
    session = Session.in_folder(tmp_path)
    session.agent.llm = ScriptedModel([Decision.final("looks fine")])

    assert not session.is_mended(session.play())


def test_an_agent_that_only_looks_has_not_mended_it(tmp_path):
    session = Session.in_folder(tmp_path)
    decisions = script()
    session.agent.llm = ScriptedModel([decisions[0], decisions[2], decisions[0], decisions[-1]])
    result = session.play()

    assert ([1, 1], "") == (session.test_runs(result), session.diff())
    assert not session.is_mended(result)


def test_a_tool_that_fails_spoils_the_demo(tmp_path):
    session = Session.in_folder(tmp_path)
    decisions = script()
    broken = Decision.act([evolve(decisions[2].actions[0], args={"path": "nope"})])
    session.agent.llm = ScriptedModel([decisions[0], broken, *decisions[3:]])

    assert not session.is_mended(session.play())
