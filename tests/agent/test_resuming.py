"""A run that stops for a person's approval, and goes on in another process."""

import json
import subprocess
import sys
from dataclasses import dataclass, field

import pytest

from qitos_like import (
    Action,
    ActionExecutor,
    Agent,
    AgentModule,
    Approval,
    Decision,
    Engine,
    Ok,
    Part,
    PermissionPolicy,
    Rule,
    ScriptedModel,
    StateSchema,
    ToolRegistry,
    err,
    tool,
)
from qitos_like.agent.model import Prompt, Reply, Results
from tests.architecture.source import ROOT

DONE = []


@tool(requires_approval=True)
def push(branch: str) -> str:
    """Push a branch."""
    DONE.append(branch)
    return f"pushed {branch}"


def look() -> Ok:
    """Look."""
    return Ok("a cat", parts=[Part("image/png", b"...")], cost_usd=0.25)


def fail() -> object:
    """Fail."""
    return err("no luck")


@dataclass
class Notes(StateSchema):
    notes: list[str] = field(default_factory=list)


class Noting(AgentModule[Notes, dict, Action]):
    """Notes what became of each action."""

    def reduce(self, state, observation, decision):
        state = super().reduce(state, observation, decision)
        state.notes += [f"{each.action.id}: {each.code}" for each in observation["results"]]
        return state


ACTIONS = [
    Action("look", {}, "c1"),
    Action("push", {"branch": "main"}, "c2"),
    Action("push", {"branch": "next"}, "c3"),
    Action("fail", {}, "c4"),
]


def agent_of(*decisions, kind=Noting):
    registry = ToolRegistry().register(push).register(look).register(fail)
    return kind(tool_registry=registry, llm=ScriptedModel(decisions))


@pytest.fixture
def saved(tmp_path):
    """Where a run was saved that waits for two approvals."""
    DONE.clear()
    result = Engine(agent_of(Decision.act(ACTIONS, "I push."))).run("publish", max_steps=7)
    result.save(tmp_path / "run.json")
    return tmp_path / "run.json"


def test_a_run_without_an_approver_stops_and_says_what_waits():
    result = Engine(agent_of(Decision.act(ACTIONS))).run("publish")

    assert ("approval", ["c2", "c3"]) == (
        result.stop_reason,
        [action.id for action in result.pending],
    )
    assert [] == result.state.notes


def test_what_is_allowed_is_run_and_the_run_goes_on(saved):
    agent = agent_of(Decision.final("done"))
    approvals = {"c2": Approval.once(), "c3": Approval.deny("not yet")}
    result = Engine(agent).resume(saved, approvals)

    assert ("done", "final", ["main"]) == (result.final_answer, result.stop_reason, DONE)
    assert ["c1: None", "c2: None", "c3: denied", "c4: execution_failed"] == result.state.notes
    assert (7, 2, "publish") == (result.state.max_steps, result.state.step, result.state.task)
    assert 0.25 == result.cost_usd
    assert "not yet" in result.steps[0].results[2].text


def test_the_model_sees_one_conversation(saved):
    agent = agent_of(Decision.final("done"))
    Engine(agent).resume(saved, {"c2": Approval.once(), "c3": Approval.once()})
    prompt, reply, results = agent.llm.requests[0].messages

    assert (Prompt("publish"), Reply("I push.", ACTIONS)) == (prompt, reply)
    assert isinstance(results, Results)
    assert ["a cat", "pushed main", "pushed next"] == [each.text for each in results.results[:3]]
    assert (Part("image/png", b"..."),) == results.results[0].parts


def test_arguments_can_be_changed(saved):
    approvals = {"c2": Approval.edit({"branch": "draft"}), "c3": Approval.deny("no")}
    result = Engine(agent_of(Decision.final("done"))).resume(saved, approvals)

    assert (["draft"], ("$: edited by who approved it",)) == (
        DONE,
        result.steps[0].results[1].repairs,
    )


def test_what_is_not_answered_waits_on(saved):
    result = Engine(agent_of()).resume(saved, {"c3": Approval.once()})
    result.save(saved)
    again = Engine(agent_of(Decision.final("done"))).resume(saved, {"c2": Approval.once()})

    assert (["c2"], ["next", "main"]) == ([action.id for action in result.pending], DONE)
    assert ("final", 2) == (again.stop_reason, len(again.steps))


def test_an_approval_for_the_run_holds_for_the_same_call_again(saved):
    again = Decision.act([Action("push", {"branch": "main"}, "c9")])
    approvals = {"c2": Approval.for_run(), "c3": Approval.deny("no")}
    result = Engine(agent_of(again, Decision.final("done"))).resume(saved, approvals)

    assert ("final", ["main", "main"]) == (result.stop_reason, DONE)


def test_a_policy_of_now_decides(saved):
    agent = agent_of(Decision.final("done"))
    policy = PermissionPolicy([Rule("deny", "push", "main")])
    approvals = {"c2": Approval.once(), "c3": Approval.once()}
    with ActionExecutor(agent.tool_registry, policy=policy) as executor:
        result = Engine(agent, executor=executor).resume(saved, approvals)

    assert (["next"], "denied") == (DONE, result.steps[0].results[1].code)


def test_the_same_executor_has_nothing_pending_afterwards(tmp_path):
    agent = agent_of(Decision.act([ACTIONS[1]]), Decision.final("done"))
    with ActionExecutor(agent.tool_registry) as executor:
        engine = Engine(agent, executor=executor)
        engine.run("publish").save(tmp_path / "run.json")
        waiting = len(executor.pending)
        result = engine.resume(tmp_path / "run.json", {"c2": Approval.once()})

        assert (1, 0, "final") == (waiting, len(executor.pending), result.stop_reason)


def test_another_process_goes_on(saved):
    code = f"""
from qitos_like import Approval, Decision, Engine
from tests.agent.test_resuming import DONE, agent_of

engine = Engine(agent_of(Decision.final("done")))
result = engine.resume({str(saved)!r}, {{"c2": Approval.once(), "c3": Approval.once()}})
print(result.final_answer, *DONE)
"""
    run = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT
    )

    assert "done main next\n" == run.stdout
    assert [] == DONE


def test_the_trace_goes_on(saved, tmp_path):
    trace = tmp_path / "trace.jsonl"
    engine = Engine(agent_of(Decision.final("done")), trace_path=trace)
    engine.resume(saved, {"c2": Approval.once(), "c3": Approval.once()})
    records = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]

    assert [("step", "person"), ("step", "model"), ("end", None)] == [
        (record["type"], record.get("by")) for record in records
    ]


def test_a_typed_answer_can_come_after_it(tmp_path):
    answer = Decision.act([Action("final_answer", {"answer": 3}, "c5")])
    Agent(ScriptedModel([Decision.act([ACTIONS[1]])]), [push], output_type=int).run("x").save(
        tmp_path / "run.json"
    )
    agent = Agent(ScriptedModel([answer]), [push], output_type=int)

    assert 3 == Engine(agent).resume(tmp_path / "run.json", {"c2": Approval.once()}).output


def test_only_a_run_that_waits_is_saved(tmp_path):
    result = Engine(agent_of(Decision.final("done"))).run("publish")

    with pytest.raises(ValueError, match="nothing waits for approval: .* 'final'"):
        result.save(tmp_path / "run.json")


def test_a_state_that_json_cannot_hold_is_not_saved(tmp_path):
    result = Engine(agent_of(Decision.act([ACTIONS[1]]))).run("publish")
    result.state.notes = (1, 2)
    with pytest.raises(ValueError, match="Notes cannot be made of JSON"):
        result.save(tmp_path / "run.json")
    result.state.notes = []
    result.state.metadata = {"pair": (1, 2)}
    with pytest.raises(ValueError, match="Notes has values that JSON cannot hold"):
        result.save(tmp_path / "run.json")


def test_an_id_of_nothing_that_waits_is_refused(saved):
    with pytest.raises(ValueError, match="nothing waits as 'c1', only c2, c3"):
        Engine(agent_of()).resume(saved, {"c1": Approval.once()})


def test_an_answer_that_is_no_approval_is_refused(saved):
    with pytest.raises(TypeError, match=r"such as Approval.once\(\), not True"):
        Engine(agent_of()).resume(saved, {"c2": True})


def test_another_agents_run_is_refused(saved):
    with pytest.raises(ValueError, match="is a run of Noting, not of AgentModule"):
        Engine(agent_of(kind=AgentModule)).resume(saved, {})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"version": 2}',
        "[" * 100_000,
        '{"version": 1, "steps": [], "state": {"task": "x"}}',
        '{"version": 1, "steps": [{}], "state": null}',
    ],
    ids=["nothing", "a list", "empty", "another", "deep", "not begun", "no state"],
)
def test_a_file_without_a_run_is_named(text, tmp_path):
    (tmp_path / "run.json").write_text(text, encoding="utf-8")

    with pytest.raises(ValueError, match=r"run\.json holds no saved run"):
        Engine(agent_of()).resume(tmp_path / "run.json", {})
