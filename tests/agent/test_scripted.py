"""A scripted model plays its decisions, from a list, a file or a trace."""

import json

import pytest

from qitos_like import Action, AgentModule, Decision, Engine, ScriptedModel, ToolRegistry
from qitos_like.agent.model import Reply, Request, Usage

pytestmark = pytest.mark.anyio

REQUEST = Request(system="", messages=(), registry=ToolRegistry())
ACT = Decision.act([Action("view", {"path": "a"})], "look")


async def test_it_replies_decision_by_decision():
    model = ScriptedModel([ACT, Decision.wait("hm"), Decision.final("done")])

    replies = [await model.complete(REQUEST) for _ in range(3)]

    assert [Reply("look", ACT.actions), Reply(), Reply("done")] == replies
    assert (0, [REQUEST] * 3) == (model.left, model.requests)


async def test_it_fails_when_the_script_is_over():
    with pytest.raises(IndexError, match="the script ended after 0 decisions"):
        await ScriptedModel([]).complete(REQUEST)


def test_it_refuses_a_decision_that_no_model_can_express():
    with pytest.raises(ValueError, match="acts or answers"):
        ScriptedModel([Decision([Action("view")], "done")])


def test_it_refuses_what_is_no_decision():
    with pytest.raises(TypeError, match=r"such as Decision.final\('done'\), not 'done'"):
        ScriptedModel(["done"])


async def test_it_reads_a_file_of_decisions(tmp_path):
    file = tmp_path / "script.jsonl"
    file.write_text(
        '{"actions": [{"name": "view", "args": {"path": "a"}}], "rationale": "look"}\n'
        "\n"
        '{"final_answer": "done"}\n'
    )
    model = ScriptedModel.from_file(file)

    assert [Reply("look", ACT.actions), Reply("done")] == [
        await model.complete(REQUEST),
        await model.complete(REQUEST),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "3",
        "{}",
        "[" * 100_000,
        "\xff",
        '{"final": "x"}',
        '{"final_answer": 3}',
        '{"rationale": ["x"]}',
        '{"actions": 3}',
        '{"actions": [{"args": {}}]}',
        '{"actions": [{"name": "x", "args": 3}]}',
        '{"actions": [{"name": "x"}], "final_answer": "x"}',
        '{"type": "step", "by": "model", "decision": 3}',
    ],
    ids=lambda line: line[:40],
)
def test_a_line_that_is_no_decision_is_named(line, tmp_path):
    file = tmp_path / "script.jsonl"
    file.write_text(f'{{"final_answer": "x"}}\n{line}\n', encoding="latin-1")

    with pytest.raises(ValueError, match=r"script.jsonl, line 2: no decision"):
        ScriptedModel.from_file(file)


def test_a_trace_replays_to_the_same_trace(tmp_path):
    def spell(letters: list[str]) -> str:
        """Join letters."""
        return "".join(letters)

    def run(model, name):
        registry = ToolRegistry().register(spell)
        agent = AgentModule(tool_registry=registry, llm=model)
        Engine(agent, trace_path=tmp_path / name).run("spell")
        records = map(json.loads, (tmp_path / name).read_text().splitlines())
        return [{key: record[key] for key in record if not timed(key)} for record in records]

    def timed(key):
        return key.endswith(("_s", "_at")) or key == "results"

    script = [Decision.act([Action("spell", {"letters": ["a"]})]), Decision.final("spelt")]

    assert run(ScriptedModel(script), "first") == run(
        ScriptedModel.from_file(tmp_path / "first"), "second"
    )


async def test_a_replay_leaves_out_what_the_agent_decided_itself(tmp_path):
    class Stubborn(AgentModule):
        def decide(self, state, observation):
            return Decision.wait() if state.step == 0 else None

    model = ScriptedModel([Decision.final("done")])
    await Engine(Stubborn(llm=model), trace_path=tmp_path / "trace").arun("x")

    assert 1 == ScriptedModel.from_file(tmp_path / "trace").left


async def test_a_replay_has_what_each_reply_used_and_cost(tmp_path):
    usage = Usage(input_tokens=5, output_tokens=2, cost_usd=0.25)
    first = ScriptedModel([Reply("done", usage=usage)])
    await Engine(AgentModule(llm=first), trace_path=tmp_path / "trace").arun("x")

    again = await Engine(AgentModule(llm=ScriptedModel.from_file(tmp_path / "trace"))).arun("x")

    assert (usage, 0.25) == (again.usage, again.cost_usd)


async def test_a_replay_has_what_was_unusable(tmp_path):
    first = ScriptedModel([Reply("I will", unusable="Say less."), Decision.final("done")])
    before = await Engine(AgentModule(llm=first), trace_path=tmp_path / "trace").arun("x")

    again = await Engine(AgentModule(llm=ScriptedModel.from_file(tmp_path / "trace"))).arun("x")

    assert ["x", "Say less."] == [step.prompt for step in before.steps]
    assert [step.prompt for step in before.steps] == [step.prompt for step in again.steps]


async def test_a_trace_of_a_model_that_failed_replays_up_to_there(tmp_path):
    first = ScriptedModel([ACT])
    await Engine(AgentModule(llm=first), trace_path=tmp_path / "trace").arun("x")

    assert 1 == ScriptedModel.from_file(tmp_path / "trace").left


@pytest.mark.parametrize("text", ["a\u2028b", "a\x85b\x0bc", "\ud800", 'a"\\'])
async def test_a_trace_may_hold_any_text(tmp_path, text):
    first = ScriptedModel([Decision.final(text)])
    await Engine(AgentModule(llm=first), trace_path=tmp_path / "trace").arun(text)

    reply = await ScriptedModel.from_file(tmp_path / "trace").complete(REQUEST)

    assert text == reply.text
