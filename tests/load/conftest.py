"""A project in a folder of its own, and the places around it."""

import sys

import pytest

from qitos_like.load.config import load_config
from qitos_like.load.layers import Sources

PLUGIN = '''
"""A weather plugin."""
from __future__ import annotations

from dataclasses import dataclass

from qitos_like import tool

log = []


@dataclass
class Place:
    city: str


@tool(always_include=True)
def get_weather(place: Place) -> str:
    """Tell the weather of a place."""
    return f"rain in {place.city}"


def activate(api):
    log.append(f"activate {api.plugin_id}")
    api.register_tool(get_weather)


def deactivate():
    log.append("deactivate")
'''


class Project:
    """The folder, with what writes files into it and loads them."""

    def __init__(self, folder, home):
        self.folder = folder
        self.home = home
        self.environ = {}

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    @property
    def sources(self):
        return Sources(
            policy=self.home / "policy.toml",
            user_folder=self.home,
            environ=self.environ,
            start=self.folder,
        )

    def load(self, text, name="qitos-like.toml"):
        """The configuration of a file that is named, and so trusted."""
        return load_config(self.write(name, text), sources=self.sources)

    def find(self):
        """The configuration that is found."""
        return load_config(sources=self.sources)

    def install(self, name, module, text, package=None):
        """A package with an entry point, on the path."""
        site = self.folder.parent / "site"
        package = package or f"{name}-package"
        info = site / f"{package.replace('-', '_')}-1.0.dist-info"
        info.mkdir(parents=True, exist_ok=True)
        (info / "METADATA").write_text(f"Name: {package}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[qitos_like.plugins]\n{name} = {module}\n")
        (site / f"{module.partition(':')[0]}.py").write_text(text)
        if str(site) not in sys.path:
            sys.path.insert(0, str(site))


@pytest.fixture
def project(tmp_path, monkeypatch):
    """An empty project, which is the current folder; modules of it are forgotten afterwards."""
    folder, home = tmp_path / "project", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield Project(folder, home)
    for name in set(sys.modules) - before:
        del sys.modules[name]
