"""A model with tools, a typed answer, a short history, and a run as it happens."""

from dataclasses import dataclass

import pytest

from qitos_like import (
    Action,
    Agent,
    Decision,
    DuplicateToolError,
    ElideOldResults,
    Ok,
    Part,
    RunResult,
    ScriptedModel,
    ToolRegistry,
    ToolSet,
    tool,
)
from qitos_like.agent.model import Prompt, Reply, Results
from qitos_like.agent.step import Step
from qitos_like.run.events import ToolEnded, ToolStarted


class Sums(ToolSet):
    """Tools for sums."""

    def instructions(self):
        return "Never guess a sum."

    @tool
    def add(self, a: int, b: int) -> int:
        """Add two integers."""
        return a + b

    @tool
    def count(self, last: int) -> str:
        """Count."""
        return "\n".join(str(number) for number in range(last))


@dataclass
class Verdict:
    total: int
    sure: bool = True


ADD = Decision.act([Action("sums.add", {"a": 1, "b": 2})])


def answering(**answer):
    return Decision.act([Action("final_answer", {"answer": answer})])


def free(a: int) -> int:
    """A function."""
    return a


@tool
def marked(a: int) -> int:
    """A marked function."""
    return a


class Plain:
    """An object with a tool, and no toolset."""

    @tool
    def inside(self) -> str:
        """A method."""
        return ""


@pytest.mark.parametrize(
    "tools",
    [ToolRegistry().register_toolset(Sums()), [Sums()]],
    ids=["a registry", "a toolset"],
)
def test_tools_are_run_until_there_is_an_answer(tools):
    result = Agent(ScriptedModel([ADD, Decision.final("3")]), tools).run("1 + 2", max_steps=5)

    assert ("3", "final", 5) == (result.final_answer, result.stop_reason, result.state.max_steps)
    assert "3" == result.steps[0].results[0].text


def test_tools_of_every_kind_can_be_given():
    agent = Agent(ScriptedModel([]), [Sums(), free, marked, Plain()])

    assert ["sums.add", "sums.count", "free", "marked", "inside"] == [
        entry.name for entry in agent.tool_registry
    ]


def test_a_registry_that_is_given_stays_as_it_was():
    registry = ToolRegistry().register_toolset(Sums())
    Agent(ScriptedModel([]), registry, output_type=Verdict)

    assert ["sums.add", "sums.count"] == [entry.name for entry in registry]


def test_the_prompt_is_what_author_and_toolsets_say():
    model = ScriptedModel([Decision.final("3")])
    Agent(model, [Sums(), free], system="Be brief.").run("1 + 2")

    assert "Be brief.\n\nNever guess a sum." == model.requests[0].system


def test_an_answer_of_a_type_is_made_of_arguments():
    model = ScriptedModel([ADD, answering(total=3)])
    result = Agent(model, [Sums()], output_type=Verdict).run("1 + 2", max_steps=2)

    assert (Verdict(3), "final", 2) == (result.output, result.stop_reason, len(result.steps))
    assert '{"total":3,"sure":true}' == result.final_answer.replace(" ", "").replace("\n", "")


def test_an_answer_of_a_wrong_type_is_told():
    model = ScriptedModel([answering(total="many"), answering(total=3)])
    result = Agent(model, output_type=Verdict).run("1 + 2")

    assert "input_invalid" == result.steps[0].results[0].code
    assert "$.answer.total" in result.steps[0].results[0].text
    assert Verdict(3) == result.output


def test_an_answer_in_prose_is_asked_for_again():
    model = ScriptedModel([Decision.final("It is 3."), answering(total=3)])
    result = Agent(model, output_type=Verdict).run("1 + 2")

    assert "by calling final_answer" in result.steps[1].prompt
    assert Verdict(3) == result.output


def test_an_answer_may_be_of_a_plain_type():
    model = ScriptedModel([Decision.act([Action("final_answer", {"answer": [1, 2]})])])

    assert [1, 2] == Agent(model, output_type=list[int]).run("count").output


def test_a_tool_named_like_the_answer_is_refused():
    def final_answer() -> str:
        """Mine."""

    with pytest.raises(DuplicateToolError, match="final_answer"):
        Agent(ScriptedModel([]), [final_answer], output_type=int)


@pytest.mark.parametrize(
    ("model", "tools", "said"),
    [
        ("gpt-5", [], r"Agent needs a model, .* not 'gpt-5'"),
        (None, [], "Agent needs a model"),
        (
            ScriptedModel([]),
            Sums(),
            r"the tools of an agent are a list, as in \[CodingToolSet\(\)\]",
        ),
        (ScriptedModel([]), "coding", "are a list, .* not 'coding'"),
    ],
    ids=["a name", "none", "one toolset", "text"],
)
def test_what_is_no_model_and_no_list_is_told_at_once(model, tools, said):
    with pytest.raises(TypeError, match=said):
        Agent(model, tools)


def test_old_results_are_elided():
    count = Decision.act([Action("sums.count", {"last": 100})])
    model = ScriptedModel([count, count, ADD, Decision.final("x")])
    Agent(model, [Sums()], history=ElideOldResults(keep=2)).run("count")
    shown = [message for message in model.requests[-1].messages if isinstance(message, Results)]

    assert [
        "[100 lines of an older result are left out; call again if you need them]",
        "99",
        "3",
    ] == [message.results[0].text.rpartition("\n")[2] for message in shown]


def test_what_is_elided_is_counted_by_results():
    results = Agent(
        ScriptedModel([Decision.act([Action("count", {"last": 100})] * 3), Decision.final("x")]),
        [Sums().count],
    ).run("count")
    messages = [Prompt("count"), Reply("", ()), Results(results.steps[0].results)]
    elided = ElideOldResults(keep=1)(messages)

    assert messages[:2] == elided[:2]
    assert [True, True, False] == [text.startswith("[100 lines") for text in _texts(elided[2])]


def test_pictures_and_failures_are_elided_too():
    def picture() -> Ok:
        """A picture."""
        return Ok("a cat", parts=[Part("image/png", b"...")])

    def fail() -> str:
        """Fail."""
        raise ValueError("no " * 200)

    actions = [Action("picture"), Action("fail")]
    model = ScriptedModel([Decision.act(actions), Decision.final("x")])
    Agent(model, [picture, fail], history=ElideOldResults(keep=0)).run("x")
    elided = model.requests[1].messages[-1]

    assert ["[1 lines of an older result"] * 2 == [text[:27] for text in _texts(elided)]
    assert ((), "execution_failed") == (elided.results[0].parts, elided.results[1].code)


def _texts(message):
    return [result.text for result in message.results]


@pytest.mark.anyio
async def test_a_run_is_told_as_it_happens():
    agent = Agent(ScriptedModel([ADD, Decision.final("3")]), [Sums()])
    events = [event async for event in agent.stream("1 + 2", max_steps=5)]

    assert [ToolStarted, ToolEnded, Step, Step, RunResult] == [type(event) for event in events]
    assert "3" == events[-1].final_answer


@pytest.mark.anyio
async def test_who_stops_listening_stops_the_run():
    model = ScriptedModel([ADD] * 50)
    events = Agent(model, [Sums()]).stream("1 + 2", max_steps=50)
    async for event in events:
        if isinstance(event, Step):
            break
    await events.aclose()

    assert model.left > 40


@pytest.mark.anyio
async def test_what_a_run_raises_reaches_who_listens():
    class Broken(Agent):
        def prepare(self, state):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        _ = [event async for event in Broken(ScriptedModel([])).stream("x")]
