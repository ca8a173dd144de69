"""Plugins: off unless enabled, tagged, never shadowing, one broken one skipped."""

import sys

import pytest

from qitos_like import Action, ConfigError, ToolRegistry
from qitos_like.load.importing import import_file
from qitos_like.load.plugins import Plugin, activate, find_installed
from tests.load.conftest import PLUGIN

pytestmark = pytest.mark.anyio

TOOLSET = '''
from qitos_like import ToolSet, tool


class SkyToolSet(ToolSet):
    """The sky."""
    version = "2"

    @tool
    def colour(self) -> str:
        """Tell its colour."""
        return "blue"


class Nested:
    def activate(self, api):
        api.register_toolset(SkyToolSet())
        api.register_toolset(SkyToolSet(), "heaven")
        api.include(self)

    @tool
    def tell(self) -> str:
        """Tell."""
        return "told"

    def deactivate(self):
        log.append("over")


def alone(name: str) -> str:
    """Alone."""
    return name


log = []
nested = Nested()
'''


def names(registry):
    return [entry.name for entry in registry]


def plugin(thing, namespace="sky"):
    return Plugin(id="sky", namespace=namespace, load=lambda: thing, where="here", version="1")


@pytest.fixture
def weather(project):
    project.install("weather", "weather_plugin", PLUGIN)
    return project


def test_an_installed_plugin_is_off(weather):
    config = weather.load('[toolsets.coding]\nuse = "coding"')

    assert "weather.get_weather" not in config.registry()
    assert "weather_plugin" not in sys.modules


def test_an_enabled_plugin_is_activated_under_its_name(weather):
    config = weather.load('[plugins]\nenabled = ["weather"]')

    assert ["weather.get_weather"] == names(config.registry())
    with config.executor() as executor:
        action = Action("weather.get_weather", {"place": {"city": "Tokyo"}})
        assert "rain in Tokyo" == executor.run_sync(action).value


def test_a_tool_is_tagged_with_its_plugin(weather):
    (entry,) = weather.load('[plugins]\nenabled = ["weather"]').registry()

    assert ("plugin", "weather", "1.0") == (
        entry.origin.kind,
        entry.origin.name,
        entry.origin.version,
    )


def test_a_plugin_cannot_force_itself_into_a_prompt(weather):
    (entry,) = weather.load('[plugins]\nenabled = ["weather"]').registry()

    assert not entry.spec.always_include


def test_the_installed_are_listed_without_running(weather):
    found = {each.id: each for each in find_installed()}

    assert "weather-package 1.0 (weather_plugin)" == found["weather"].where


async def test_deactivate_runs_at_teardown(weather):
    registry = weather.load('[plugins]\nenabled = ["weather"]').registry()
    import weather_plugin

    async with registry:
        assert ["activate weather"] == weather_plugin.log
    assert ["activate weather", "deactivate"] == weather_plugin.log


async def test_who_uses_a_plugin_last_ends_it_and_who_comes_then_wakes_it(weather):
    config = weather.load('[plugins]\nenabled = ["weather"]')
    import weather_plugin

    action = Action("weather.get_weather", {"place": {"city": "Tokyo"}})
    async with config.executor() as first, config.executor() as second:
        await first.run(action)
        await second.run(action)
    async with config.executor() as third:
        await third.run(action)

    assert ["activate weather", "deactivate"] * 2 == weather_plugin.log


def test_an_enabled_plugin_is_not_allowed_to_shadow(weather):
    weather.write(
        "mine.py",
        "from qitos_like import tool\n@tool(name='weather.get_weather')\n"
        "def mine() -> str:\n    'Mine.'\n",
    )

    with pytest.raises(ConfigError, match="taken by plugin mine; plugin weather 1.0 needs another"):
        weather.load('[plugins]\nenabled = ["weather"]\nmodules = ["mine"]')


BROKEN = [
    ("1 / 0", "ZeroDivisionError: division by zero"),
    ("import nothing_like_this", "No module named 'nothing_like_this'"),
    ("raise SystemExit(3)", "SystemExit: 3"),
    ("x = (", "SyntaxError"),
    ("def activate(api): api.register_tool(3)", "3 is not a tool"),
    ("def activate(): pass", "activate() takes 0 positional arguments"),
    ("x = 3", "has no public tool"),
]


@pytest.mark.parametrize(("code", "said"), BROKEN, ids=[row[0] for row in BROKEN])
def test_a_broken_plugin_is_skipped_and_told_with_its_traceback(project, caplog, code, said):
    project.write("drop/bad.py", code)
    project.write("drop/good.py", PLUGIN)

    config = project.load(
        '[plugins]\ndirectories = ["drop"]\n[tools.of_bad]\nx = 1\n'
        "[agents.a.tools]\nenabled = ['of_bad', 'get_weather']\n[permissions]\ndeny = ['of_bad']"
    )

    assert ["get_weather"] == names(config.registry("a"))
    assert ["bad"] == [each.plugin.id for each in config.broken]
    (record,) = caplog.records
    assert "the plugin bad, drop/bad.py, was skipped" in record.getMessage()
    assert said in record.getMessage()
    assert record.exc_info is not None


def test_names_of_a_broken_plugin_excuse_no_others(project):
    project.install("bad", "bad_plugin", "1 / 0")

    with pytest.raises(ConfigError, match="unknown tool 'other'"):
        project.load('[plugins]\nenabled = ["bad"]\n[tools."bad.x"]\ny = 1\n[tools.other]\ny = 1')


DROP_IN = '''
"""A drop-in file."""
from __future__ import annotations

from dataclasses import dataclass

from qitos_like import tool

from ._shared import GREETING
from .pack import LOUD


@dataclass
class Person:
    name: str
    friend: Person | None = None


@tool
def greet(person: Person) -> str:
    """Greet."""
    return f"{GREETING} {person.name}{LOUD}"
'''


def test_drop_in_files_have_dataclasses_annotations_and_relative_imports(project):
    project.write(".qitos/tools/greet.py", DROP_IN)
    project.write(".qitos/tools/_shared.py", "GREETING = 'hello'")
    project.write(".qitos/tools/.hidden.py", "1 / 0")
    project.write(".qitos/tools/notes.txt", "no")
    project.write(
        ".qitos/tools/pack/__init__.py",
        "from qitos_like import tool\nfrom .inner import LOUD\n"
        "@tool\ndef packed() -> str:\n    'Packed.'\n",
    )
    project.write(".qitos/tools/pack/inner.py", "LOUD = '!'")

    config = project.load('[plugins]\ndirectories = [".qitos/tools"]')

    assert ["greet", "packed"] == names(config.registry())
    with config.executor() as executor:
        person = {"name": "Ada", "friend": {"name": "Bob"}}
        assert "hello Ada!" == executor("greet", person=person).value


def test_drop_in_files_of_one_name_do_not_meet(project):
    for folder in ("one", "two"):
        project.write(f"{folder}/tools.py", PLUGIN.replace("get_weather", folder))

    config = project.load('[plugins]\ndirectories = ["one", "two"]')

    assert ["one", "two"] == names(config.registry())


def test_an_agent_cannot_write_what_runs_at_the_next_start(project):
    project.write("drop/good.py", PLUGIN)
    config = project.load(
        '[plugins]\ndirectories = ["drop"]\n[toolsets.coding]\nworkspace_root = "."', "mine.toml"
    )

    with config.executor() as executor:
        codes = [
            executor("coding.create", path=path, file_text="").code
            for path in ("drop/more.py", "mine.toml", "qitos-like.toml", ".git/hooks/x", "fine.py")
        ]
    assert ["denied", "denied", "denied", "denied", None] == codes


WHAT = [
    ("SkyToolSet", ["sky.colour"], ["sky.colour"]),
    (
        "nested",
        ["sky.sky.colour", "sky.heaven.colour", "sky.tell"],
        ["sky.colour", "heaven.colour", "tell"],
    ),
    ("alone", ["sky.alone"], ["alone"]),
]


@pytest.mark.parametrize(("name", "with_namespace", "without"), WHAT, ids=[row[0] for row in WHAT])
def test_a_plugin_may_be_several_things(project, name, with_namespace, without):
    skies = import_file(project.write("skies.py", TOOLSET))

    thing = getattr(skies, name)

    assert with_namespace == [entry.name for entry in activate(plugin(thing))]
    assert without == [entry.name for entry in activate(plugin(thing, ""))]


async def test_what_a_plugin_brought_is_torn_down_before_it(project):
    skies = import_file(project.write("skies.py", TOOLSET))
    registry = ToolRegistry(activate(plugin(skies.nested)))
    async with registry:
        assert [] == skies.log

    assert ["over"] == skies.log
