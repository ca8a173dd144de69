"""The steps of a run, and what ends it."""

from contextlib import asynccontextmanager

import pytest

from qitos_like import Action, AgentModule, Decision, Engine, ScriptedModel, ToolRegistry, err, ok
from qitos_like.agent.loop import NUDGE
from qitos_like.agent.model import Prompt, Reply, Results, Usage
from qitos_like.agent.protocol.text_protocol import TextProtocol

pytestmark = pytest.mark.anyio


def add(a: int, b: int) -> int:
    """Add two integers."""
    return a + b


def pay(amount: float) -> object:
    """Pay."""
    return ok("paid", cost_usd=amount)


def ask_first() -> object:
    """Do what a person must allow."""
    return err("ask the owner", "needs_approval")


ADD = Decision.act([Action("add", {"a": 1, "b": 2})], "sum")


def agent_of(*decisions, kind=AgentModule):
    registry = ToolRegistry().register(add).register(pay).register(ask_first)
    return kind(tool_registry=registry, llm=ScriptedModel(decisions))


class Priced:
    """A model that acts forever, for a price."""

    def __init__(self, usage):
        self.usage = usage

    async def complete(self, request):
        return Reply("", ADD.actions, usage=self.usage)


async def test_a_run_ends_with_the_final_answer():
    result = await Engine(agent_of(ADD, Decision.final("3"))).arun("1 + 2")

    assert ("3", "final", "3", 2) == (
        result.final_answer,
        result.stop_reason,
        result.state.final_result,
        result.state.step,
    )
    assert ["3"] == [answer.text for answer in result.steps[0].results]


async def test_an_empty_answer_ends_the_run_too():
    class Silent(AgentModule):
        def decide(self, state, observation):
            return Decision.final("")

    assert ("", "final") == (
        (result := await Engine(Silent()).arun("x")).final_answer,
        result.stop_reason,
    )


async def test_the_model_sees_the_task_its_own_words_and_the_results():
    agent = agent_of(ADD, Decision.final("3"))

    await Engine(agent).arun("1 + 2")

    first, second = agent.llm.requests
    assert [Prompt("1 + 2")] == list(first.messages)
    task, reply, results = second.messages
    assert (Prompt("1 + 2"), "sum") == (task, reply.text)
    assert isinstance(results, Results)
    assert [action.id for action in reply.actions] == [
        answer.action.id for answer in results.results
    ]
    assert None is not reply.actions[0].id


async def test_the_model_is_offered_what_is_available():
    agent = agent_of(Decision.final("x"))
    agent.tool_registry.register(pay, name="dear", meta=None)

    await Engine(agent).arun("x")

    assert ["add", "pay", "ask_first", "dear"] == [
        entry.name for entry in agent.llm.requests[0].registry
    ]


async def test_an_empty_message_is_answered_with_a_nudge():
    agent = agent_of(Decision.wait(), Decision.final("x"))

    await Engine(agent).arun("task")

    assert [Prompt("task"), Reply(), Prompt(NUDGE)] == list(agent.llm.requests[1].messages)


async def test_a_model_that_was_told_nothing_is_told_the_task():
    class Terse(AgentModule):
        def prepare(self, state):
            return ""

    agent = agent_of(Decision.final("x"), kind=Terse)
    result = await Engine(agent).arun("task")

    assert [Prompt("task")] == list(agent.llm.requests[0].messages)
    assert "task" == result.steps[0].prompt


async def test_an_agent_that_waits_itself_is_not_nudged():
    class Waiting(AgentModule):
        def decide(self, state, observation):
            return Decision.wait() if state.step < 2 else None

    agent = agent_of(Decision.final("x"), kind=Waiting)
    await Engine(agent).arun("task")

    (request,) = agent.llm.requests
    assert [Prompt("task"), Reply(), Reply(), Prompt(NUDGE)] == list(request.messages)


async def test_the_agent_decides_before_the_model_and_sees_the_last_observation():
    seen = []

    class Careful(AgentModule):
        def decide(self, state, observation):
            seen.append((len(observation["results"]), observation["text"]))
            return ADD if state.step == 0 else None

    agent = agent_of(Decision.final("3"), kind=Careful)
    result = await Engine(agent).arun("x")

    assert [(0, ""), (1, "add: ok\n3")] == seen
    assert ["agent", "model"] == [step.by for step in result.steps]


async def test_an_error_is_an_observation():
    seen = []

    class Watching(AgentModule):
        def reduce(self, state, observation, decision):
            seen.append(observation["text"])
            return state

    wrong = Decision.act([Action("nope")])
    await Engine(agent_of(wrong, Decision.final("x"), kind=Watching)).arun("x")

    assert seen[0].startswith("nope: error unknown_tool\n")
    assert "" == seen[1]


async def test_the_actions_of_a_final_decision_run_before_the_end():
    class Both(AgentModule):
        def decide(self, state, observation):
            return Decision(ADD.actions, "done")

    result = await Engine(agent_of(kind=Both)).arun("x")

    assert ("done", ["3"]) == (
        result.final_answer,
        [answer.text for answer in result.steps[0].results],
    )


@pytest.mark.parametrize("max_steps", [0, 3])
async def test_a_run_ends_after_max_steps(max_steps):
    result = await Engine(agent_of(*[ADD] * 9)).arun("x", max_steps=max_steps)

    assert ("max_steps", max_steps, None) == (
        result.stop_reason,
        len(result.steps),
        result.final_answer,
    )


async def test_a_state_that_counts_for_itself_cannot_run_forever():
    class Resetting(AgentModule):
        def reduce(self, state, observation, decision):
            state.step = -5
            return state

    result = await Engine(agent_of(*[ADD] * 9, kind=Resetting)).arun("x", max_steps=3)

    assert (3, 3) == (len(result.steps), result.state.step)


async def test_a_failing_model_ends_the_run_with_its_steps_kept():
    result = await Engine(agent_of(ADD)).arun("x")

    assert ("model_error", "IndexError: the script ended after 1 decisions") == (
        result.stop_reason,
        result.error,
    )
    assert [ADD.rationale, None] == [
        step.decision and step.decision.rationale for step in result.steps
    ]


async def test_tokens_and_cost_of_the_model_add_up_to_the_limit():
    agent = agent_of()
    agent.llm = Priced(Usage(input_tokens=10, output_tokens=1, cost_usd=0.4))

    result = await Engine(agent).arun("x", max_cost_usd=1.0)

    assert ("cost_limit", 3, 30, 1.2) == (
        result.stop_reason,
        len(result.steps),
        result.usage.input_tokens,
        pytest.approx(result.cost_usd),
    )


async def test_a_cost_that_is_no_number_reaches_any_limit():
    agent = agent_of()
    agent.llm = Priced(Usage(cost_usd=float("nan")))

    result = await Engine(agent).arun("x", max_cost_usd=1.0, max_steps=9)

    assert ("cost_limit", 1) == (result.stop_reason, len(result.steps))


async def test_what_a_tool_costs_counts_too():
    paying = Decision.act([Action("pay", {"amount": 0.75})])

    result = await Engine(agent_of(*[paying] * 9)).arun("x", max_cost_usd=1.0)

    assert ("cost_limit", 1.5) == (result.stop_reason, result.cost_usd)


@pytest.mark.parametrize(
    ("cost", "limit", "warned"), [(None, 1.0, 1), (None, None, 0), (0.0, 1.0, 0)]
)
async def test_a_limit_of_what_nobody_counts_is_warned_of_once(caplog, cost, limit, warned):
    model = Priced(Usage(output_tokens=5, cost_usd=cost))
    agent = AgentModule(tool_registry=ToolRegistry().register(add), llm=model)
    await Engine(agent).arun("x", max_cost_usd=limit, max_steps=3)

    assert warned == caplog.text.count("max_cost_usd counts no tokens")


async def test_nothing_is_asked_where_nothing_may_be_spent():
    result = await Engine(agent_of(ADD)).arun("x", max_cost_usd=0)

    assert ("cost_limit", ()) == (result.stop_reason, result.steps)


@pytest.mark.parametrize("limit", ["max_cost_usd", "max_time_s"])
@pytest.mark.parametrize("value", [-1, float("nan")])
async def test_a_limit_that_nothing_reaches_is_refused(limit, value):
    with pytest.raises(ValueError, match=f"{limit} has to be zero or more"):
        await Engine(agent_of(ADD)).arun("x", **{limit: value})


async def test_without_prices_the_cost_is_unknown():
    result = await Engine(agent_of(ADD, Decision.final("3"))).arun("x", max_cost_usd=1.0)

    assert ("final", None) == (result.stop_reason, result.cost_usd)


async def test_an_action_that_waits_for_approval_stops_the_run():
    result = await Engine(agent_of(Decision.act([Action("ask_first")]))).arun("x")

    assert ("approval", ["ask_first"]) == (
        result.stop_reason,
        [action.name for action in result.pending],
    )


async def test_an_agent_without_a_model_has_to_decide():
    with pytest.raises(TypeError, match="AgentModule has no llm"):
        await Engine(AgentModule()).arun("x")


async def test_a_reduce_that_forgets_to_return_is_named():
    class Forgetful(AgentModule):
        def reduce(self, state, observation, decision):
            state.final_result = "x"

    with pytest.raises(TypeError, match=r"Forgetful.reduce\(\) has to return the state"):
        await Engine(agent_of(Decision.final("x"), kind=Forgetful)).arun("x")


def test_the_sync_form_gives_the_same():
    assert "3" == Engine(agent_of(ADD, Decision.final("3"))).run("x", max_time_s=60).final_answer


async def test_the_sync_form_works_inside_a_running_loop():
    assert "3" == Engine(agent_of(ADD, Decision.final("3"))).run("x").final_answer


async def test_a_decide_that_returns_something_else_is_named():
    class Wordy(AgentModule):
        def decide(self, state, observation):
            return "I look."

    with pytest.raises(
        TypeError, match=r"Wordy.decide\(\) has to return a Decision or None, not str"
    ):
        await Engine(Wordy()).arun("x")


class Wordy:
    async def complete(self, request):
        return "I look."


class Plain:
    def complete(self, request):
        return Reply("3")


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (Wordy(), r"Wordy.complete\(\) has to return a Reply, not 'I look.'"),
        (Plain(), r"Plain.complete\(\) has to be async, as in 'async def complete"),
        (TextProtocol(Plain()), r"Plain.complete\(\) has to be async"),
    ],
    ids=["a text", "not async", "not async, inside another"],
)
async def test_a_model_that_is_written_wrong_is_named(model, said):
    with pytest.raises(TypeError, match=said):
        await Engine(AgentModule(llm=model)).arun("x")


async def test_the_connections_of_a_model_are_open_for_the_length_of_a_run():
    events = []

    class Connected(ScriptedModel):
        @asynccontextmanager
        async def connected(self):
            events.append("open")
            yield
            events.append("closed")

        async def complete(self, request):
            events.append("asked")
            return await super().complete(request)

    model = Connected([Decision.wait(), Decision.final("done")])
    await Engine(AgentModule(llm=model)).arun("x")

    assert ["open", "asked", "asked", "closed"] == events


async def test_a_model_may_have_something_else_of_that_name():
    model = ScriptedModel([Decision.final("done")])
    model.connected = True

    assert "done" == (await Engine(AgentModule(llm=model)).arun("x")).final_answer
