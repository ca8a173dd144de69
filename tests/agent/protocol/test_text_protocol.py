"""A model without tools, with them."""

import json

import pytest

from qitos_like import (
    Action,
    AgentModule,
    Decision,
    Engine,
    Ok,
    Part,
    ScriptedModel,
    TextProtocol,
    ToolRegistry,
)
from qitos_like.agent.model import Prompt, Reply, Usage

CALL = '```json\n{"tool": "sums.add", "args": {"a": 1, "b": 2}}\n```'


def add(a: int, b: int) -> int:
    """Add two integers."""
    return a + b


def picture() -> Ok:
    """An image."""
    return Ok("a cat", parts=[Part("image/png", b"...")])


class Speaking:
    """A model that says the given texts."""

    def __init__(self, *replies):
        self.replies = [Reply(each) if isinstance(each, str) else each for each in replies]
        self.requests = []

    async def complete(self, request):
        self.requests.append(request)
        return self.replies[len(self.requests) - 1]


def run(*replies, kind=AgentModule):
    model = Speaking(*replies)
    registry = ToolRegistry().register(add, "sums.add").register(picture)
    agent = kind(tool_registry=registry, llm=TextProtocol(model))
    return Engine(agent).run("1 + 2"), model.requests


def test_calls_are_run_and_results_come_as_text():
    result, requests = run(f"I add.\n{CALL}", "It is 3.")

    assert ("It is 3.", "I add.") == (result.final_answer, result.steps[0].decision.rationale)
    assert [Prompt("1 + 2"), Reply(f"I add.\n{CALL}"), Prompt("Result of sums.add: ok\n3")] == list(
        requests[1].messages
    )


def test_tools_and_rules_are_in_the_prompt_once():
    _, requests = run("3")

    assert 1 == requests[0].system.count("sums.add(")
    assert '{"tool": "NAME"' in requests[0].system
    assert 0 == len(requests[0].registry)


def test_a_prompt_without_the_tools_gets_them():
    class Plain(AgentModule):
        def build_system_prompt(self, state):
            return "Be brief."

    _, requests = run("3", kind=Plain)

    assert requests[0].system.startswith("Be brief.\n\n")
    assert "add(a: int, b: int)" in requests[0].system


def test_an_agent_without_tools_is_told_no_rules():
    model = Speaking("3")
    Engine(AgentModule(llm=TextProtocol(model))).run("1 + 2")

    assert "" == model.requests[0].system


def test_what_a_model_thinks_the_tools_will_say_is_dropped():
    result, requests = run(f"{CALL}\nResult of sums.add: ok\n4\nIt is 4.", "It is 3.")

    assert "It is 3." == result.final_answer
    assert Reply(CALL) == requests[1].messages[1]


def test_a_call_that_cannot_be_read_is_told_and_nothing_is_run():
    result, requests = run(f'{CALL}\n```json\n{{"tool": "sums.add", "args": {{', CALL, "3")

    assert ((), "3") == (result.steps[0].results, result.final_answer)
    assert "Nothing was run" in result.steps[1].prompt
    assert "write ```json" in requests[1].messages[-1].text


def test_a_failure_is_told_with_its_code():
    _, requests = run(CALL.replace("2", '"two"'), "3")

    assert requests[1].messages[-1].text.startswith("Result of sums.add: error input_invalid\n")


def test_a_picture_is_told_of():
    _, requests = run('{"tool": "picture"}', "3")

    assert "[image/png, 3 bytes, cannot be shown here]" in requests[1].messages[-1].text


def test_an_agents_own_calls_are_told_in_the_same_form():
    class Mixed(AgentModule):
        def decide(self, state, observation):
            actions = [Action("sums.add", {"a": 1, "b": 2})]
            return None if state.step else Decision.act(actions, "First.")

    _, requests = run("3", kind=Mixed)

    assert [{"tool": "sums.add", "args": {"a": 1, "b": 2}}] == [
        json.loads(message.text.split("```")[1].removeprefix("json"))
        for message in requests[0].messages
        if isinstance(message, Reply)
    ]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply(CALL, refusal="no"), ("model_error", 1)),
        (Reply(CALL, unusable="It was cut off."), ("final", 2)),
        (Reply("3", usage=Usage(input_tokens=7)), ("final", 1)),
    ],
    ids=["refusal", "cut off", "usage"],
)
def test_what_the_model_itself_reports_stands(reply, expected):
    result, _ = run(reply, "3")

    assert expected == (result.stop_reason, len(result.steps))
    assert () == result.steps[0].results
    assert reply.usage == result.usage


def test_a_script_can_speak_too():
    model = TextProtocol(ScriptedModel([Decision.final("3")]))

    assert "3" == Engine(AgentModule(llm=model)).run("1 + 2").final_answer


def test_an_answer_comes_without_thoughts():
    result, _ = run("<think>1 and 2 are 3.</think>\n\nIt is 3.")

    assert "It is 3." == result.final_answer


def test_a_model_that_only_thinks_is_asked_again():
    result, requests = run("<think>1 and 2", "It is 3.")

    assert ("It is 3.", 2) == (result.final_answer, len(requests))
    assert "That message was empty" in requests[1].messages[-1].text


def test_an_example_of_a_call_is_an_answer():
    result, _ = run('Write `{"tool": "sums.add", "args": {}}` to add.')

    assert ("final", ()) == (result.stop_reason, result.steps[0].results)
