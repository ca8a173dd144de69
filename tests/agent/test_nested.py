"""An agent that works for a tool of another one."""

import pytest

from qitos_like import (
    Action,
    ActionExecutor,
    Agent,
    Approval,
    Decision,
    Engine,
    Environment,
    Ok,
    PermissionPolicy,
    Rule,
    ScriptedModel,
    ToolContext,
    ToolPermission,
    ToolRegistry,
    ToolSet,
    tool,
)
from qitos_like.agent.model import Usage
from qitos_like.run.limits import Limit


class Web(ToolSet):
    """Tools of the nested agent alone."""

    def __init__(self):
        self.events = []

    def setup(self):
        self.events.append("setup")

    def teardown(self):
        self.events.append("teardown")

    @tool(permissions=ToolPermission(network=True))
    def fetch(self, page: str) -> str:
        """Fetch a page."""
        self.events.append(page)
        return f"text of {page}"


FETCH = Decision.act([Action("web.fetch", {"page": "a"}), Action("web.fetch", {"page": "b"})])


def researcher(web, *decisions, **kwargs):
    return Agent(ScriptedModel(decisions or (FETCH, Decision.final("read"))), [web], **kwargs)


def registry_with(agent, results):
    """A registry whose one tool is the agent."""

    async def research(topic: str, context: ToolContext) -> Ok:
        """Research a topic."""
        result = await Engine(agent, parent=context.parent).arun(topic)
        results.append(result)
        return Ok(result.final_answer, cost_usd=0.5)

    return ToolRegistry().register(research)


def ask(agent, **kwargs):
    """What came of the nested run, and the answer of the tool it worked for."""
    results = []
    with ActionExecutor(registry_with(agent, results), **kwargs) as executor:
        answer = executor("research", topic="x")
    return results[0] if results else None, answer


def texts(result):
    return [each.text for step in result.steps for each in step.results]


def test_a_nested_agent_has_tools_of_its_own():
    web = Web()
    result, answer = ask(researcher(web))

    assert ("read", "read") == (result.final_answer, answer.text)
    assert ["text of a", "text of b"] == texts(result)
    assert ["setup", "a", "b", "teardown"] == web.events


def test_it_reaches_no_tool_of_the_outer_agent():
    calls = Decision.act([Action("research", {"topic": "y"})])
    result, _ = ask(researcher(Web(), calls, Decision.final("x")))

    assert "unknown_tool" == result.steps[0].results[0].code


def test_what_the_environment_lacks_is_denied():
    web = Web()
    result, _ = ask(researcher(web), environment=Environment())

    assert ["denied", "denied"] == [each.code for each in result.steps[0].results]
    assert ["setup", "teardown"] == web.events


def test_the_rules_of_the_outer_executor_hold():
    policy = PermissionPolicy([Rule("deny", "web.fetch", "page=b")])
    result, _ = ask(researcher(Web()), policy=policy)

    assert [None, "denied"] == [each.code for each in result.steps[0].results]


def test_the_outer_approver_is_asked():
    asked = []

    def approve(request):
        asked.append(request.args["page"])
        return Approval.once()

    policy = PermissionPolicy([Rule("ask", "web.fetch")])
    result, _ = ask(researcher(Web()), policy=policy, approve=approve)

    assert ({"a", "b"}, "final") == ({*asked}, result.stop_reason)


def test_without_an_approver_the_nested_run_stops():
    result, _ = ask(researcher(Web()), policy=PermissionPolicy([Rule("ask", "web.fetch")]))

    assert ("approval", 2) == (result.stop_reason, len(result.pending))


def test_the_limits_of_the_outer_executor_hold():
    result, _ = ask(researcher(Web()), limits=[Limit("web.*", calls=1)])

    assert [None, "over_budget"] == [each.code for each in result.steps[0].results]


def test_a_typed_answer_of_a_nested_agent():
    answer = Decision.act([Action("final_answer", {"answer": 3})])
    result, _ = ask(researcher(Web(), answer, output_type=int))

    assert 3 == result.output


def test_its_actions_have_ids_of_their_own():
    result, _ = ask(researcher(Web(), FETCH, FETCH, Decision.final("x")))
    ids = [each.action.id for step in result.steps for each in step.results]

    assert 4 == len({*ids})


def test_a_tool_that_does_not_await_can_run_an_agent():
    agent = researcher(Web())

    def research(topic: str, context: ToolContext) -> str:
        """Research a topic."""
        return Engine(agent, parent=context.parent).run(topic).final_answer

    with ActionExecutor(ToolRegistry().register(research)) as executor:
        assert "read" == executor("research", topic="x").text


def test_an_agent_in_an_agent_costs_what_its_tool_says():
    results = []
    registry = registry_with(researcher(Web()), results)
    outer = ScriptedModel(
        [Decision.act([Action("research", {"topic": "x"})]), Decision.final("ok")]
    )
    result = Agent(outer, registry).run("x")

    assert ("ok", 0.5, Usage()) == (result.final_answer, result.cost_usd, result.usage)


@pytest.mark.anyio
async def test_its_steps_can_be_watched():
    steps = []

    async def research(topic: str, context: ToolContext) -> str:
        """Research a topic."""
        engine = Engine(researcher(Web()), parent=context.parent)
        events = [event async for event in engine.stream(topic)]
        steps.extend(events)
        return events[-1].final_answer

    async with ActionExecutor(ToolRegistry().register(research)) as executor:
        answer = await executor.run(Action("research", {"topic": "x"}))

    assert ("read", 3) == (answer.text, len(steps))


def test_a_parent_is_a_running_tools():
    with pytest.raises(TypeError, match=r"the context\.parent of a running tool"):
        Engine(researcher(Web()), parent=object())


def test_a_parent_has_an_environment_already():
    with pytest.raises(TypeError, match="give one or the other"):
        Engine(researcher(Web()), Environment(), parent=object())
