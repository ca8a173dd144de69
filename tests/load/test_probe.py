"""Trying a plugin out; the command's own tests do it from outside."""

import contextlib
import os
import time
from functools import partial

import psutil
import pytest

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


def tried(project, code, limit_s):
    """What a drop-in file of this code is found to be."""
    where = str(project.write("drop/odd.py", code).relative_to(project.folder))
    return probe(Plugin(id="odd", namespace="", load=partial(int), where=where), limit_s)


def is_gone(number):
    """Whether a process that was killed has ended, though perhaps nobody here reaps it."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        if not psutil.pid_exists(number):
            return True
        with contextlib.suppress(psutil.NoSuchProcess):
            if psutil.Process(number).status() == psutil.STATUS_ZOMBIE:
                return True
        time.sleep(0.01)
    return False


def test_a_plugin_that_hangs_is_told_with_where_it_stands(project):
    report = tried(project, "import time\n\ntime.sleep(60)  # for a server\n", 1)

    assert "time.sleep(60)  # for a server\n" in report.error
    assert report.error.endswith("it was not done within 1 s")


@pytest.mark.skipif(os.name == "nt", reason="no groups of processes")
def test_what_a_plugin_has_started_neither_holds_the_report_nor_outlives_it(project):
    start = "\nimport subprocess\nprocess = subprocess.Popen(['sleep', '600'])\n"
    note = "from pathlib import Path\nPath('pid').write_text(str(process.pid))\n"

    report = tried(project, PLUGIN + start + note, 50)

    assert (None, ["get_weather"]) == (report.error, list(report.tools))
    assert is_gone(int((project.folder / "pid").read_text()))


def test_a_plugin_that_asks_a_person_gets_no_answer(project):
    assert "EOFError" in tried(project, "input('key: ')\n", 50).error
