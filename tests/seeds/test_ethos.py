"""``get_weather`` of "Write your first tool", and its four tests, against a server of our own."""

import subprocess
import sys

import pytest

from qitos_like import (
    Action,
    ActionExecutor,
    Agent,
    Decision,
    ErrorCode,
    Ok,
    RunResult,
    ScriptedModel,
    ToolContext,
    ToolRegistry,
    dialect,
    tool,
)
from qitos_like.agent.model import Reply
from qitos_like.run.events import ToolEnded, ToolProgress, ToolStarted
from qitos_like.testing import run_tool, stub_context

FORECAST = "Current weather in Tokyo, Japan: 18°C and partly cloudy."
IN_TOKYO = Action("weather.get_weather", {"city": "Tokyo"})


def registry_of(weather):
    return ToolRegistry().register_toolset(weather)


def answer(weather, **args):
    with ActionExecutor(registry_of(weather)) as executor:
        return executor.run_sync(Action("weather.get_weather", args))


def asked(weather, *decisions):
    """An agent that is asked about the weather."""
    return Agent(ScriptedModel(decisions), [weather])


def test_write_your_first_tool_runs_as_an_action(weather):
    assert FORECAST == answer(weather, city="Tokyo").text


def test_goal_the_agent_calls_the_tool_and_answers(weather):
    agent = asked(weather, Decision.act([IN_TOKYO]), Decision.final("It is 18°C in Tokyo."))

    result = agent.run("what is the weather in Tokyo?")

    assert (FORECAST, "It is 18°C in Tokyo.") == (
        result.steps[0].results[0].text,
        result.final_answer,
    )


def test_goal_has_a_cap_on_the_length_of_a_result(weather):
    assert 1_000 == registry_of(weather)["weather.get_weather"].spec.max_result_chars


def test_prereqs_are_this_package_alone():
    code = (
        "import sys; import tests.seeds.weather; from qitos_like import Agent, ScriptedModel; "
        "print(sorted({'openai', 'anthropic', 'mcp', 'httpx'} & set(sys.modules)))"
    )

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]\n" == ran.stdout


def test_write_the_tool_hides_itself_from_what_the_model_sees(weather, monkeypatch):
    monkeypatch.delenv("WEATHER_API_KEY")
    registry = registry_of(weather)

    assert (1, 0) == (len(registry), len(registry.available()))
    assert "" == registry.get_tool_descriptions()
    assert [] == dialect("openai").tools(registry)


def test_write_the_tool_cannot_be_called_while_it_is_hidden(weather, monkeypatch):
    monkeypatch.delenv("WEATHER_API_KEY")

    assert ErrorCode.NOT_AVAILABLE == answer(weather, city="Tokyo").code


def test_write_the_tool_is_asked_again_each_time(weather, monkeypatch):
    registry = registry_of(weather)
    monkeypatch.delenv("WEATHER_API_KEY")
    before = len(registry.available())
    monkeypatch.setenv("WEATHER_API_KEY", "test-key")

    assert (0, 1) == (before, len(registry.available()))


def test_write_the_tool_names_the_kind_of_failure(weather, monkeypatch):
    invalid = answer(weather, city=" ")
    monkeypatch.setenv("WEATHER_API_KEY", "stolen")
    failed = answer(weather, city="Tokyo")

    assert ("input_invalid", "execution_failed") == (invalid.code, failed.code)


def test_write_the_tool_once_and_activate_hands_it_to_the_api(weather):
    registered = []

    class Api:
        plugin_id = "test"
        register_tool = staticmethod(registered.append)

    def activate(api):
        api.register_tool(weather.get_weather)

    activate(Api())

    assert Ok(FORECAST) == run_tool(registered[0], {"city": "Tokyo"}, stub_context())


@pytest.mark.anyio
async def test_try_it_streams_the_start_and_the_end_of_the_tool(weather):
    agent = asked(weather, Decision.act([IN_TOKYO]), Decision.final("It is 18°C."))

    events = [event async for event in agent.stream("what is the weather in Tokyo right now?")]

    (started,) = [event for event in events if isinstance(event, ToolStarted)]
    (ended,) = [event for event in events if isinstance(event, ToolEnded)]
    assert IN_TOKYO.args == started.action.args
    assert (True, True) == (ended.ok, ended.duration_s > 0)
    assert isinstance(events[-1], RunResult)
    assert "It is 18°C." == events[-1].final_answer


def test_try_it_without_the_key_and_the_model_is_not_shown_the_tool(weather, monkeypatch):
    monkeypatch.delenv("WEATHER_API_KEY")
    model = ScriptedModel([Decision.final("I cannot tell.")])

    Agent(model, [weather]).run("what is the weather in Tokyo right now?")

    assert [] == [entry.name for entry in model.requests[0].registry]


def test_add_unit_tests_it_hides_itself_when_the_key_is_unset(weather, monkeypatch):
    monkeypatch.delenv("WEATHER_API_KEY")
    (entry,) = registry_of(weather)

    assert "its availability check says no" == entry.unavailable()


def test_add_unit_tests_it_rejects_an_empty_city_with_input_invalid(weather):
    result = run_tool(weather.get_weather, {"city": ""}, stub_context())

    assert (False, ErrorCode.INPUT_INVALID) == (result.ok, result.code)


def test_add_unit_tests_it_returns_a_one_line_forecast_on_a_200_response(weather):
    result = run_tool(weather.get_weather, {"city": "Tokyo"}, stub_context())

    assert Ok(FORECAST) == result


def test_add_unit_tests_it_returns_execution_failed_on_another_response(weather, monkeypatch):
    monkeypatch.setenv("WEATHER_API_KEY", "stolen")

    result = run_tool(weather.get_weather, {"city": "Tokyo"}, stub_context())

    assert (ErrorCode.EXECUTION_FAILED, "weather API 403: forbidden") == (
        result.code,
        result.error,
    )


def test_use_progress_events_for_long_running_calls_says_what_it_waits_for(weather):
    context = stub_context()

    run_tool(weather.get_weather, {"city": "Tokyo"}, context)

    assert [("fetching Tokyo...", "user")] == [
        (progress.message, progress.audience) for progress in context.emitted
    ]


def test_use_progress_events_for_long_running_calls_reaches_who_listens(weather):
    heard = []
    with ActionExecutor(registry_of(weather)) as executor:
        executor.subscribe(heard.append)
        executor.run_sync(IN_TOKYO)

    told = [event for event in heard if isinstance(event, ToolProgress)]
    assert [("fetching Tokyo...", "user")] == [(each.message, each.audience) for each in told]


def test_use_progress_events_for_long_running_calls_is_internal_unless_said():
    @tool
    def crawl(context: ToolContext) -> str:
        """Crawl."""
        context.emit("page 1")
        return "done"

    context = stub_context()
    run_tool(crawl, {}, context)

    assert ["internal"] == [progress.audience for progress in context.emitted]


def test_next_step_is_a_model_provider_of_one_s_own(weather):
    class Parrot:
        """Calls the tool, then repeats what it says."""

        async def complete(self, request):
            if len(request.messages) == 1:
                return Reply("", [IN_TOKYO])
            return Reply(request.messages[-1].results[0].text)

    assert FORECAST == Agent(Parrot(), [weather]).run("what is the weather in Tokyo?").final_answer
