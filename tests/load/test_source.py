"""What a SOURCE may be, and what is said where it is none."""

import sys

import pytest

from qitos_like.errors import SourceError
from qitos_like.load.source import registry_of

TOOLS = '''
"""Tools of a user."""
from __future__ import annotations

from dataclasses import dataclass

from qitos_like import BaseTool, ToolRegistry, ToolSet, tool


@dataclass
class Point:
    x: int


@tool
def place(point: Point) -> int:
    """Place a point."""
    return point.x


class MathToolSet(ToolSet):
    @tool
    def double(self, number: int) -> int:
        """Twice a number."""
        return 2 * number


class Methods:
    @tool
    def triple(self, number: int) -> int:
        """Three times a number."""
        return 3 * number


class HalveTool(BaseTool):
    """Half a number."""

    def run(self, number: float) -> float:
        return number / 2


class Nested:
    toolset = MathToolSet()


def plain(text: str) -> str:
    """Give it back."""
    return text


registry = ToolRegistry().register(place, name="put")
empty = ToolRegistry()
number = 3
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with ``tools_of_mine.py``; modules of it are forgotten afterwards."""
    (tmp_path / "tools_of_mine.py").write_text(TOOLS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def names(source):
    return [entry.name for entry in registry_of(source)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("tools_of_mine", ["place"]),
        ("tools_of_mine.py", ["place"]),
        ("./tools_of_mine.py", ["place"]),
        ("tools_of_mine:place", ["place"]),
        ("tools_of_mine:plain", ["plain"]),
        ("tools_of_mine:registry", ["put"]),
        ("tools_of_mine:MathToolSet", ["math.double"]),
        ("tools_of_mine.py:MathToolSet", ["math.double"]),
        ("tools_of_mine:Methods", ["triple"]),
        ("tools_of_mine:HalveTool", ["halve"]),
        ("tools_of_mine:Nested.toolset", ["math.double"]),
    ],
)
def test_a_source_gives_its_tools(folder, source, expected):
    assert expected == names(source)


def test_the_coding_kit_has_a_short_name(folder):
    assert {"coding.view", "coding.run_command"} <= set(names("coding"))


def test_a_file_of_the_current_folder_does_not_stand_in_for_the_kits(folder):
    (folder / "kits.py").write_text("raise RuntimeError('hijacked')")

    assert "coding.view" in names("coding")


def test_a_file_can_import_what_is_beside_it(folder):
    (folder / "sub").mkdir()
    (folder / "sub" / "beside.py").write_text(TOOLS)
    (folder / "sub" / "main.py").write_text("from beside import place")

    assert ["place"] == names("sub/main.py")


def test_two_files_of_one_name_do_not_meet(folder):
    for name in ("one", "two"):
        (folder / name).mkdir()
        (folder / name / "tools.py").write_text(TOOLS.replace("place", name))

    assert (["one"], ["two"]) == (names("one/tools.py"), names("two/tools.py"))


def test_a_file_runs_once(folder):
    (folder / "once.py").write_text(
        TOOLS + "\nimport pathlib\npathlib.Path('ran').touch(0o600, False)"
    )

    assert names("once.py:place") == names("once.py:place")


REFUSED = [
    ("nope", "no module, file or toolset is named 'nope'"),
    ("codin", "did you mean 'coding'?"),
    ("no such thing", "no module, file or toolset is named"),
    ("", "no module, file or toolset is named ''"),
    ("kits", "kits (a module) has no tools; did you mean kits:"),
    ("kits", "kits:CodingToolSet or kits:EditToolSet"),
    ("tools_of_mine.py.bak", "no module, file or toolset is named"),
    ("tools_of_min.py", "there is no file tools_of_min.py; did you mean 'tools_of_mine.py'?"),
    (".", "no module, file or toolset is named '.'"),
    ("/tmp", "/tmp is a folder"),
    ("tools_of_mine:placee", "a module has no 'placee'; did you mean 'place'?"),
    ("tools_of_mine:zzz", "a module has no 'zzz'; it has "),
    ("tools_of_mine:number", "tools_of_mine:number (a int) has no tools"),
    ("tools_of_mine:empty", "(a ToolRegistry) has no tools"),
    ("tools_of_mine:Point", "cannot be made without arguments"),
    ("json", "json (a module) has no tools: nothing in it bears @tool (it has "),
]


@pytest.mark.parametrize(
    ("source", "said"), REFUSED, ids=[f"{source}: {said}" for source, said in REFUSED]
)
def test_a_source_without_tools_says_what_it_is(folder, source, said):
    with pytest.raises(SourceError) as caught:
        registry_of(source)
    assert said in str(caught.value)


BROKEN = [
    ("import not_there_at_all", "broken.py imports 'not_there_at_all', which is not installed"),
    ("x = (", "broken.py raised SyntaxError"),
    (
        "\n1 / 0",
        "broken.py raised ZeroDivisionError: division by zero ({folder}/broken.py, line 2)",
    ),
    ("raise SystemExit(3)", "broken.py ends the program when it is imported"),
    ("import json; json.loads('{')", "broken.py raised JSONDecodeError"),
]


@pytest.mark.parametrize(("code", "said"), BROKEN, ids=[row[1].split(" ", 1)[1] for row in BROKEN])
def test_a_file_that_fails_says_how_and_where(folder, code, said):
    (folder / "broken.py").write_text(code)

    with pytest.raises(SourceError) as caught:
        registry_of("broken.py")
    assert said.format(folder=folder) in str(caught.value)


def test_a_file_that_failed_can_be_mended_and_loaded(folder):
    (folder / "broken.py").write_text("1 / 0")
    with pytest.raises(SourceError):
        registry_of("broken.py")
    (folder / "broken.py").write_text(TOOLS)

    assert ["place"] == names("broken.py")


def test_a_module_that_misses_another_names_that_one(folder):
    (folder / "needy.py").write_text("import not_there_at_all")

    with pytest.raises(SourceError, match="needy imports 'not_there_at_all'"):
        registry_of("needy")


def test_a_module_with_registries_alone_names_them(folder):
    (folder / "held.py").write_text(
        TOOLS.replace("@tool\ndef place", "def place").replace("class Methods", "class _Methods")
    )

    with pytest.raises(SourceError) as caught:
        registry_of("held")
    assert "did you mean held:MathToolSet or held:HalveTool or held:registry" in str(caught.value)


def test_a_text_file_is_no_python(folder):
    (folder / "notes.txt").write_text("hello")

    with pytest.raises(SourceError, match=r"notes.txt is no Python file"):
        registry_of("./notes.txt")
