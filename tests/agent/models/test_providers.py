"""Each provider's model with the official SDK, against a server that speaks its format."""

import json

import anyio
import pytest

from qitos_like import (
    Action,
    Agent,
    AgentModule,
    Decision,
    ElideOldResults,
    Engine,
    ScriptedModel,
    TextProtocol,
    ToolRegistry,
)
from qitos_like.agent.model import Prompt, Reply, Request, Results
from qitos_like.agent.models.ending import CUT_OFF
from tests.agent.models.speakers import SPEAKERS
from tests.loopback import answering

FAILURE = {"error": {"message": "out of order", "type": "server_error"}}
ADD = ("sums__add", '{"a": 1, "b": 2}', "c1")


@pytest.fixture(params=SPEAKERS, ids=lambda speaker: speaker.name)
def speaker(request):
    """One API after the other."""
    pytest.importorskip(request.param.extra, reason=f"{request.param.extra} is not installed")
    return request.param


def add(a: int, b: int) -> int:
    """Add two integers."""
    return a + b


def registry():
    return ToolRegistry().register(add, "sums.add")


def run(speaker, *answers, task="1 + 2", **kwargs):
    """The result of a run against a server that answers so, and the requests it got."""
    with answering(*answers) as (address, bodies):
        agent = AgentModule(tool_registry=registry(), llm=speaker.model(address))
        return Engine(agent).run(task, **kwargs), bodies


def test_a_call_is_run_and_its_result_goes_back(speaker):
    result, bodies = run(speaker, speaker.calls(ADD, text="I add."), speaker.says("It is 3."))

    assert ("It is 3.", "final") == (result.final_answer, result.stop_reason)
    assert [Action("sums.add", '{"a": 1, "b": 2}', "c1").name] == [
        each.action.name for each in result.steps[0].results
    ]
    assert "1 + 2" in json.dumps(bodies[0])
    assert "sums__add" in json.dumps(bodies[0]["tools"])
    assert all(text in json.dumps(bodies[1]) for text in ("I add.", "c1", '"3"'))


def test_the_system_prompt_is_sent_each_time(speaker):
    _, bodies = run(speaker, speaker.calls(ADD), speaker.says("3"))

    assert all("sums" in json.dumps(_without_tools(body)) for body in bodies)


def _without_tools(body):
    return {key: value for key, value in body.items() if key != "tools"}


def test_tokens_and_their_price_are_in_result_and_trace(speaker):
    result, _ = run(speaker, speaker.calls(ADD), speaker.says("3"))
    end = json.loads(list(result.trace())[-1])

    # Twice 400 fresh, 600 cached and 10 written, in millionths of 2, 0.5 and 10 dollars.
    assert (2000, 20, pytest.approx(0.0024)) == (
        result.usage.input_tokens,
        result.usage.output_tokens,
        result.cost_usd,
    )
    assert result.usage.cost_usd == end["usage"]["cost_usd"]


def test_without_a_price_the_cost_is_unknown(speaker):
    with answering(speaker.says("3")) as (address, _):
        agent = AgentModule(llm=speaker.model(address, price=None))
        result = Engine(agent).run("1 + 2")

    assert (None, 1000) == (result.cost_usd, result.usage.input_tokens)


def test_a_rate_limit_is_waited_for(speaker):
    result, bodies = run(speaker, (429, FAILURE), (429, FAILURE), speaker.says("3"))

    assert ("3", 3) == (result.final_answer, len(bodies))


def test_a_server_that_keeps_failing_ends_the_run(speaker):
    result, bodies = run(speaker, *[(500, FAILURE)] * 3)

    assert ("model_error", 3) == (result.stop_reason, len(bodies))
    assert "answered 500 after 3 tries" in result.error
    assert "out of order" in result.error


def test_a_wrong_key_is_not_tried_again(speaker):
    result, bodies = run(speaker, (401, FAILURE))

    assert ("model_error", 1) == (result.stop_reason, len(bodies))
    assert "answered 401: " in result.error


def test_a_server_that_is_not_there_is_named(speaker):
    with answering() as (address, _):
        pass
    model = speaker.model(address, max_retries=0)
    result = Engine(AgentModule(llm=model)).run("1 + 2")

    assert "model_error" == result.stop_reason
    assert "cannot be reached: " in result.error


def test_broken_arguments_are_told_and_mended(speaker):
    broken = ("sums__add", '{"a": 1, "b": ', "c1")
    result, bodies = run(speaker, speaker.calls(broken), speaker.calls(ADD), speaker.says("3"))

    assert ["input_invalid", None] == [step.results[0].code for step in result.steps[:2]]
    assert ("3", 3) == (result.final_answer, len(bodies))


def test_two_calls_at_once_have_an_answer_each(speaker):
    calls = speaker.calls(ADD, ("sums__add", '{"a": 3, "b": 4}', "c2"))
    result, bodies = run(speaker, calls, speaker.says("3 and 7"))
    sent = json.dumps(_without_tools(bodies[1]))

    assert ["3", "7"] == [each.text for each in result.steps[0].results]
    assert (2, 2) == (sent.count('"c1"'), sent.count('"c2"'))


def test_an_unknown_tool_is_told_with_the_nearest(speaker):
    calls = speaker.calls(("sums__ad", '{"a": 1, "b": 2}', "c1"))
    result, bodies = run(speaker, calls, speaker.says("3"))

    assert "unknown_tool" == result.steps[0].results[0].code
    assert "sums.add" in json.dumps(_without_tools(bodies[1]))


def test_nothing_of_a_message_that_was_cut_off_is_run(speaker):
    cut = speaker.cut_off(("sums__add", '{"a": 1}', "c1"), text="I will now")
    result, bodies = run(speaker, cut, speaker.says("3"))
    sent = _without_tools(bodies[1])

    assert ((), "3") == (result.steps[0].results, result.final_answer)
    assert "I will now" in json.dumps(sent)
    assert CUT_OFF in result.steps[1].prompt
    assert CUT_OFF in json.dumps(sent)
    assert '"c1"' not in json.dumps(sent)


def test_a_refusal_ends_the_run_with_its_text(speaker):
    result, _ = run(speaker, speaker.refuses("I cannot help with sums."))

    assert ("model_error", "the model refused: I cannot help with sums.") == (
        result.stop_reason,
        result.error,
    )
    assert 10 == result.usage.output_tokens


def test_one_model_serves_many_runs(speaker):
    with answering(speaker.says("3"), speaker.says("4")) as (address, _):
        engine = Engine(AgentModule(llm=speaker.model(address)))

        assert ["3", "4"] == [engine.run(task).final_answer for task in ("1 + 2", "2 + 2")]


def test_options_go_into_the_request(speaker):
    with answering(speaker.says("3")) as (address, bodies):
        model = speaker.model(address, options={"temperature": 0.25})
        Engine(AgentModule(llm=model)).run("1 + 2")

    assert 0.25 == bodies[0]["temperature"]


def test_what_another_model_said_is_told_too(speaker):
    class Mixed(AgentModule):
        def decide(self, state, observation):
            actions = [Action("sums.add", {"a": 1, "b": 2}, "a1"), Action("no such tool", {}, "a2")]
            return None if state.step else Decision.act(actions, "First this.")

    with answering(speaker.says("3")) as (address, bodies):
        agent = Mixed(tool_registry=registry(), llm=speaker.model(address))
        result = Engine(agent).run("1 + 2")
    sent = json.dumps(_without_tools(bodies[0]))

    assert "3" == result.final_answer
    assert all(text in sent for text in ("First this.", "sums__add", "a1", "no_such_tool"))


@pytest.mark.anyio
async def test_a_conversation_without_words_is_no_message(speaker):
    messages = [Prompt("1 + 2"), Reply(), Results([]), Prompt("Well?")]
    request = Request(system="", messages=messages, registry=ToolRegistry())
    with answering(speaker.says("3")) as (address, bodies):
        reply = await speaker.model(address).complete(request)
    sent = bodies[0].get("messages") or bodies[0]["input"]

    assert "3" == reply.text
    assert ["1 + 2", "Well?"] == [message["content"] for message in sent]
    assert "tools" not in bodies[0]


@pytest.mark.parametrize("ending", ["call", "cut off", "mended", "unknown"])
def test_a_recorded_run_replays_to_the_same_trace(speaker, tmp_path, ending):
    said = {
        "call": speaker.calls(ADD, text="I add."),
        "cut off": speaker.cut_off(ADD, text="I will now"),
        "mended": speaker.calls(("sums__add", '{"a": "1", "b": 2}', "c1"), ADD),
        "unknown": speaker.calls(("sums__ad", "{}", "c1")),
    }
    result, _ = run(speaker, said[ending], speaker.says("It is 3."))
    trace = tmp_path / "run.jsonl"
    trace.write_text("\n".join(result.trace()), encoding="utf-8")
    agent = AgentModule(tool_registry=registry(), llm=ScriptedModel.from_file(trace))
    again = Engine(agent).run("1 + 2")

    assert _without_times(result.trace()) == _without_times(again.trace())


def _without_times(trace):
    return [_timeless(json.loads(line)) for line in trace]


def _timeless(record):
    if isinstance(record, list):
        return [_timeless(each) for each in record]
    if not isinstance(record, dict):
        return record
    kept = {key: value for key, value in record.items() if not key.endswith(("_s", "_at"))}
    return {key: _timeless(value) for key, value in kept.items()}


def test_the_requests_of_a_run_share_a_connection(speaker):
    connections = []
    answers = [speaker.calls(ADD), speaker.calls(ADD), speaker.says("3")]
    with answering(*answers, connections=connections) as (address, _):
        Engine(AgentModule(tool_registry=registry(), llm=speaker.model(address))).run("1 + 2")

    assert (3, 1) == (len(connections), len(set(connections)))


def test_wrapped_models_share_a_connection_too(speaker):
    connections = []
    call = '```json\n{"tool": "add", "args": {"a": 1, "b": 2}}\n```'
    answers = [speaker.says(call), speaker.says("3")]
    with answering(*answers, connections=connections) as (address, _):
        model = TextProtocol(speaker.model(address))
        Agent(model, [add], history=ElideOldResults(keep=1)).run("1 + 2")

    assert (2, 1) == (len(connections), len(set(connections)))


@pytest.mark.anyio
async def test_runs_at_once_in_one_loop_share_a_client_until_the_last_ends(speaker):
    with answering(*[speaker.says("3")] * 4) as (address, _):
        engine = Engine(AgentModule(llm=speaker.model(address)))
        answers = []

        async def run_one():
            answers.append((await engine.arun("1 + 2")).final_answer)

        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(run_one)

    assert ["3"] * 4 == answers
