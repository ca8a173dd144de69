"""The plugin of "Write your first tool": a package, installed, checked, enabled, on an allow-list."""

import json
import os
import subprocess

import pytest

from tests.installed import python_with

PYPROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "ethos-plugin-weather"
version = "0.1.0"
[project.entry-points."qitos_like.plugins"]
weather = "ethos_plugin_weather"
"""
PLUGIN = '''
"""A weather plugin."""
import os

from qitos_like import ToolContext, err, ok, tool

events = []


@tool(max_result_chars=1_000, available=lambda: os.environ.get("WEATHER_API_KEY"))
def get_weather(city: str, context: ToolContext | None = None) -> object:
    """Return the current weather for a single city.

    Args:
        city: Plain text, no country code.
    """
    if context:
        context.emit(f"fetching {city}...", audience="user")
        context.emit("asking the service")
    return ok(f"Current weather in {city}: 18°C.") if city.strip() else err("no city", "input_invalid")


def activate(api):
    api.register_tool(get_weather)


def deactivate():
    events.append("closed")
'''
CONFIG = """
[plugins]
enabled = ["weather"]
[toolsets.coding]
read_only = true
[agents.researcher]
model = "script:script.jsonl"
[agents.researcher.tools]
enabled = ["coding.view", "weather.get_weather"]
[agents.engineer.tools]
enabled = ["coding.*"]
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """A Python of its own, with the plugin installed by pip."""
    folder = tmp_path_factory.mktemp("ethos")
    return python_with(folder, "ethos_plugin_weather", PYPROJECT, PLUGIN)


def ran(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def ethos(python, tmp_path):
    """Runs the command line in a folder with the configuration, as that Python has it."""
    (tmp_path / "qitos-like.toml").write_text(CONFIG)

    def command(*arguments, key="test-key"):
        environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "home")}
        environment |= {"WEATHER_API_KEY": key} if key else {}
        return subprocess.run(
            [python, "-P", "-m", "qitos_like", *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    return command


def with_config(*arguments):
    return ("--config", "qitos-like.toml", *arguments)


def names(process):
    return [row["name"] for row in json.loads(process.stdout)]


def test_install_the_plugin_and_check_what_it_would_register(ethos):
    checked = ethos("plugins", "check", "weather")

    assert 0 == checked.returncode, checked.stderr
    assert "weather.get_weather: Return the current weather for a single city.\n" == checked.stdout


def test_install_the_plugin_and_it_is_listed_and_off(ethos):
    rows = {row["name"]: row for row in json.loads(ethos("plugins", "list", "--json").stdout)}

    assert (False, "0.1.0") == (rows["weather"]["enabled"], rows["weather"]["version"])


def test_install_the_plugin_and_enable_it_by_its_name(ethos):
    listed = ethos(*with_config("plugins", "list", "--json"))

    assert {"weather": True} == {
        row["name"]: row["enabled"] for row in json.loads(listed.stdout) if row["enabled"]
    }


def test_wire_the_tool_into_a_personality_whose_allow_list_has_it(ethos):
    researcher = ethos(*with_config("list", "--agent", "researcher", "--json"))
    engineer = ethos(*with_config("list", "--agent", "engineer", "--json"))

    assert {"coding.view", "weather.get_weather"} == set(names(researcher))
    assert "weather.get_weather" not in names(engineer)


def test_wire_the_tool_into_a_personality_or_nobody_sees_it(ethos):
    assert "weather.get_weather" not in names(ethos("list", "--json"))


def test_try_it_from_the_command_line(ethos):
    called = ethos(*with_config("call", "weather.get_weather", "city=Tokyo"))

    assert (0, "Current weather in Tokyo: 18°C.\n") == (called.returncode, called.stdout)


def test_try_it_without_the_key_and_it_is_not_shown_and_not_run(ethos):
    described = ethos(*with_config("describe", "--agent", "researcher"), key=None)
    called = ethos(*with_config("call", "weather.get_weather", "city=Tokyo", "--json"), key=None)

    assert "get_weather" not in described.stdout
    assert "not_available" == json.loads(called.stdout)["code"]


def test_create_the_plugin_package_and_pip_installs_it_with_its_version(python):
    code = "from importlib.metadata import version; print(version('ethos-plugin-weather'))"

    assert "0.1.0\n" == ran(python, "-c", code)


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("def activate(api):\n    raise OSError('no disk')\n", "OSError: no disk"),
        ("def activate(api):\n    api.register_tool(3)\n", "3"),
        ("import nonsense\n", "nonsense"),
        ("import sys\nsys.exit(7)\n", "SystemExit: 7"),
        ("import os\nos._exit(7)\n", "the process ended with 7"),
    ],
    ids=["activate", "no tool", "import", "exit", "hard exit"],
)
def test_install_the_plugin_and_its_errors_show_before_it_is_used(ethos, tmp_path, broken, said):
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "broken.py").write_text(broken)
    (tmp_path / "qitos-like.toml").write_text('[plugins]\ndirectories = ["plugins"]\n')

    checked = ethos(*with_config("plugins", "check", "broken"))

    assert (1, True) == (checked.returncode, said in checked.stderr), checked.stderr


def test_wire_the_tool_into_a_personality_of_the_user_s_own_file(ethos, tmp_path):
    (tmp_path / "qitos-like.toml").unlink()
    own = tmp_path / "home" / "qitos-like" / "config.toml"
    own.parent.mkdir(parents=True)
    own.write_text(CONFIG)

    assert {"coding.view", "weather.get_weather"} == set(
        names(ethos("list", "--agent", "researcher", "--json"))
    )


def script(folder, *decisions):
    (folder / "script.jsonl").write_text("\n".join(map(json.dumps, decisions)))


TOKYO = {"name": "weather.get_weather", "args": {"city": "Tokyo"}}


def test_try_it_with_a_model_and_see_the_steps(ethos, tmp_path):
    script(tmp_path, {"actions": [TOKYO]}, {"final_answer": "It is 18°C in Tokyo."})

    run = ethos(*with_config("run", "researcher", "what is the weather in Tokyo right now?"))

    assert (0, "It is 18°C in Tokyo.\n") == (run.returncode, run.stdout), run.stderr
    assert "> weather.get_weather Tokyo" in run.stderr.replace("city=", "")


def test_use_progress_events_for_long_running_calls_shows_the_user_what_is_for_users(
    ethos, tmp_path
):
    script(tmp_path, {"actions": [TOKYO]}, {"final_answer": "It is 18°C in Tokyo."})

    run = ethos(*with_config("run", "researcher", "what is the weather in Tokyo right now?"))

    assert "fetching Tokyo..." in run.stderr
    assert "asking the service" not in run.stderr
