"""The demo really finds, fixes and tests; where it cannot, it says so."""

import pytest
from attrs import evolve

from qitos_like import Decision, ScriptedModel
from qitos_like.cli.demo_session import Session


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


def test_an_agent_that_does_nothing_has_not_mended_it(tmp_path):
    session = Session.in_folder(tmp_path)
    session.agent.llm = ScriptedModel([Decision.final("looks fine")])

    assert not session.is_mended(session.play())


def test_an_agent_that_only_looks_has_not_mended_it(tmp_path):
    session = Session.in_folder(tmp_path)
    script = list(session.agent.llm._decisions)
    session.agent.llm = ScriptedModel([script[0], script[2], script[0], script[-1]])
    result = session.play()

    assert ([1, 1], "") == (session.test_runs(result), session.diff())
    assert not session.is_mended(result)


def test_a_tool_that_fails_spoils_the_demo(tmp_path):
    session = Session.in_folder(tmp_path)
    script = list(session.agent.llm._decisions)
    broken = Decision.act([evolve(script[2].actions[0], args={"path": "nope"})])
    session.agent.llm = ScriptedModel([script[0], broken, *script[3:]])

    assert not session.is_mended(session.play())
