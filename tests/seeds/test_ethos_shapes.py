"""The two shapes of "Write your first tool": a toolset in the program, and a plugin."""

import sys
from textwrap import dedent

import pytest

from qitos_like import Action, ActionExecutor, ToolRegistry, load_config
from qitos_like.load.plugins import Plugin, activate

CITY = Action("weather.get_weather", {"city": "Tokyo"})


class Object:
    """A plugin that is an object with ``activate``."""

    def __init__(self, toolset):
        self.toolset = toolset
        self.ended = False

    def activate(self, api):
        api.register_tool(self.toolset.get_weather)

    def deactivate(self):
        self.ended = True


def plugged(found):
    """The registry of a plugin with this content."""
    plugin = Plugin(id="weather", namespace="weather", load=lambda: found, where="here")
    return ToolRegistry(activate(plugin))


def shown(registry):
    return registry.get_tool_descriptions(), [entry.spec.input_schema for entry in registry]


def test_pick_the_shape_in_monorepo_extension_or_stand_alone_plugin_the_tool_is_the_same(weather):
    extension = ToolRegistry().register_toolset(weather)
    plugin = plugged(Object(weather))

    assert shown(extension)[1] == shown(plugin)[1]
    for registry in (extension, plugin):
        with ActionExecutor(registry) as executor:
            assert executor.run_sync(CITY).ok


def test_pick_the_shape_in_monorepo_extension_or_stand_alone_plugin_the_origin_tells_which(weather):
    origins = [
        next(iter(registry)).origin.kind
        for registry in (ToolRegistry().register_toolset(weather), plugged(Object(weather)))
    ]

    assert ["toolset", "plugin"] == origins


def test_decide_between_plugin_and_in_monorepo_extension_by_who_registers_the_tools(weather):
    registry = ToolRegistry()
    for each in weather.tools():
        registry.register(each)

    with ActionExecutor(registry) as executor:
        assert executor("get_weather", city="Tokyo").ok


def test_write_the_tool_and_its_plugin_tags_it(weather):
    (entry,) = plugged(Object(weather))

    assert ("weather.get_weather", "weather") == (entry.name, entry.origin.name)


def test_write_the_tool_and_deactivate_cleans_up_after_the_last_use(weather):
    plugin = Object(weather)

    with ActionExecutor(plugged(plugin)) as executor:
        executor.run_sync(CITY)
        assert not plugin.ended
    assert plugin.ended


def test_write_the_tool_and_leave_deactivate_out_where_there_is_nothing_to_clean_up(weather):
    class Short:
        @staticmethod
        def activate(api):
            api.register_tool(weather.get_weather)

    with ActionExecutor(plugged(Short())) as executor:
        assert executor.run_sync(CITY).ok


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A project with a plugin in a module; what is imported from it is forgotten after."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "my_weather.py").write_text(
        dedent(
            '''
            from qitos_like import tool

            @tool
            def get_weather(city: str) -> str:
                """Tell the weather of a city."""
                return "rain"

            def activate(api):
                api.register_tool(get_weather)
            '''
        )
    )
    yield tmp_path
    sys.modules.pop("my_weather", None)


def test_wire_the_tool_into_a_personality_that_names_it(folder):
    (folder / "qitos-like.toml").write_text(
        '[plugins]\nmodules = ["my_weather"]\n'
        '[agents.researcher.tools]\nenabled = ["get_weather"]\n'
        "[agents.reviewer.tools]\nenabled = []\n"
    )

    config = load_config(folder / "qitos-like.toml")

    assert (1, 0) == (len(config.registry("researcher")), len(config.registry("reviewer")))
