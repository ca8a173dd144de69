"""``get_weather`` of "Write your first tool", and its four tests, against a server of our own."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from qitos_like import Action, ActionExecutor, ErrorCode, Ok, ToolRegistry
from qitos_like.testing import run_tool, stub_context
from tests.seeds.weather import WeatherToolSet

TOKYO = {
    "location": {"name": "Tokyo", "country": "Japan"},
    "current": {"temp_c": 18, "condition": {"text": "Partly cloudy"}},
}


class Service(BaseHTTPRequestHandler):
    """Knows Tokyo; refuses every key but one."""

    def do_GET(self):
        query = parse_qs(urlsplit(self.path).query)
        allowed = query["key"] == ["test-key"]
        body = json.dumps(TOKYO) if allowed else "forbidden"
        self.send_response(200 if allowed else 403)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *args):
        """Say nothing."""


@pytest.fixture
def weather():
    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield WeatherToolSet(f"http://127.0.0.1:{server.server_port}")
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("WEATHER_API_KEY", "test-key")


def registry_of(weather):
    return ToolRegistry().register_toolset(weather)


def test_it_hides_itself_when_the_key_is_unset(weather, monkeypatch):
    monkeypatch.delenv("WEATHER_API_KEY")
    registry = registry_of(weather)

    assert (1, 0) == (len(registry), len(registry.available()))
    assert "" == registry.get_tool_descriptions()


def test_it_rejects_an_empty_city_with_input_invalid(weather):
    result = run_tool(weather.get_weather, {"city": ""}, stub_context())

    assert (False, ErrorCode.INPUT_INVALID) == (result.ok, result.code)


def test_it_returns_a_one_line_forecast_on_a_200_response(weather):
    result = run_tool(weather.get_weather, {"city": "Tokyo"}, stub_context())

    assert Ok("Current weather in Tokyo, Japan: 18°C and partly cloudy.") == result


def test_it_returns_execution_failed_on_another_response(weather, monkeypatch):
    monkeypatch.setenv("WEATHER_API_KEY", "stolen")

    result = run_tool(weather.get_weather, {"city": "Tokyo"}, stub_context())

    assert (ErrorCode.EXECUTION_FAILED, "weather API 403: forbidden") == (
        result.code,
        result.error,
    )


def test_it_runs_as_an_action(weather):
    with ActionExecutor(registry_of(weather)) as executor:
        result = executor.run_sync(Action("weather.get_weather", {"city": "Tokyo"}))

    assert "Current weather in Tokyo, Japan: 18°C and partly cloudy." == result.text


def test_a_hidden_tool_cannot_be_called_either(weather, monkeypatch):
    monkeypatch.delenv("WEATHER_API_KEY")

    with ActionExecutor(registry_of(weather)) as executor:
        result = executor.run_sync(Action("weather.get_weather", {"city": "Tokyo"}))

    assert ErrorCode.NOT_AVAILABLE == result.code


def test_it_says_to_the_user_what_it_waits_for(weather):
    context = stub_context()

    run_tool(weather.get_weather, {"city": "Tokyo"}, context)

    assert [("fetching Tokyo...", "user")] == [
        (progress.message, progress.audience) for progress in context.emitted
    ]
