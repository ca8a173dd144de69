"""Trying a plugin out; the command's own tests do it from outside."""

from functools import partial

from qitos_like.load.plugins import Plugin, find_installed
from qitos_like.load.probe import _tried, probe
from tests.load.conftest import PLUGIN


def test_an_installed_plugin_is_found_and_reported(project):
    project.install("weather", "weather_plugin", PLUGIN)
    (plugin,) = [each for each in find_installed() if each.id == "weather"]

    report = _tried(plugin.id, plugin.where)

    assert {"weather.get_weather": "Tell the weather of a place."} == report.tools
    assert report == probe(plugin)


def test_a_drop_in_file_is_found_by_its_place(project):
    file = project.write("drop/sky.py", PLUGIN)

    assert ["get_weather"] == list(_tried("sky", str(file.relative_to(project.folder))).tools)


def test_what_a_plugin_should_mend_is_told(project):
    project.write("drop/sky.py", PLUGIN.replace("the weather of a place", "the weather"))

    (finding,) = _tried("sky", "drop/sky.py").findings

    assert "get_weather(place): no text says what it is" in finding


def test_a_broken_plugin_is_its_traceback(project):
    project.write("drop/sky.py", "raise SystemExit('no')")

    assert "SystemExit: no" in _tried("sky", "drop/sky.py").error


def test_a_module_that_is_not_there_is_told(project):
    assert "SourceError" in _tried("nothing_like_this", "module nothing_like_this").error


def test_what_a_plugin_prints_is_no_part_of_the_report(project):
    file = project.write("drop/loud.py", PLUGIN + "\nprint('{}')\n")
    where = str(file.relative_to(project.folder))

    report = probe(Plugin(id="loud", namespace="", load=partial(int), where=where))

    assert (None, ["get_weather"]) == (report.error, list(report.tools))
