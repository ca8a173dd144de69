"""What authors get wrong with registries, and what they are told."""

import copy
import pickle

import pytest

from qitos_like.core.registry import ToolRegistry
from qitos_like.core.tool import BaseTool, ToolMeta, tool
from qitos_like.errors import (
    ConfigError,
    DuplicateToolError,
    LifecycleError,
    MissingExtraError,
    PreflightError,
    RegistrationError,
    SelectionError,
    ToolNameError,
    ToolsetError,
)


@tool
def add(a: int, b: int) -> int:
    """Add."""
    return a + b


class Adder(BaseTool):
    """Add."""

    def run(self, a: int) -> int:
        return a


class Broken:
    """A toolset whose properties raise."""

    def __init__(self, failing):
        self.failing = failing

    @property
    def name(self):
        return self._said("name")

    @property
    def version(self):
        return self._said("version")

    def tools(self):
        return [add]

    def _said(self, what):
        if what == self.failing:
            raise OSError("no disk")
        return "one"


def test_an_empty_name_is_no_name():
    with pytest.raises(ToolNameError, match="'' is not a tool name"):
        ToolRegistry().register(add, name="")


@pytest.mark.parametrize("failing", ["name", "version"])
def test_a_toolset_whose_property_raises_is_refused(failing):
    with pytest.raises(ToolsetError, match=f"^Broken.{failing} raised OSError: no disk$") as caught:
        ToolRegistry().register_toolset(Broken(failing))

    assert "Broken" == caught.value.tool


@pytest.mark.parametrize("item", [add, Adder()], ids=["function", "class"])
def test_include_of_a_tool_names_the_right_call(item):
    with pytest.raises(RegistrationError, match=r"is a tool itself: use registry\.register"):
        ToolRegistry().include(item)


def test_an_alias_that_is_no_name_is_refused():
    with pytest.raises(TypeError, match="an alias is a name or an Alias, not 3"):
        ToolMeta(aliases=["sum", 3])


@pytest.mark.parametrize("pattern", [["add"], None, 3], ids=str)
def test_a_pattern_that_is_no_text_is_refused(pattern):
    with pytest.raises(SelectionError, match=r'is a text, not .*: select\("coding\.\*"') as caught:
        ToolRegistry().register(add).select(pattern)

    assert str(pattern) == caught.value.pattern


def test_a_misspelt_word_for_what_is_missing_is_refused():
    with pytest.raises(ValueError, match="missing is 'error' or 'ignore', not 'ignroe'"):
        ToolRegistry().register(add).select("add", missing="ignroe")


@pytest.mark.parametrize(
    "error",
    [
        DuplicateToolError("taken", tool="add"),
        SelectionError("no such", pattern="ad"),
        LifecycleError("setup", causes=[]),
        PreflightError(["add needs network"]),
        ConfigError(["qitos-like.toml:3: no"]),
        MissingExtraError("the web", "web"),
    ],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("again", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy])
def test_an_error_survives_being_pickled(error, again):
    other = again(error)

    assert (type(error), str(error), vars(error)) == (type(other), str(other), vars(other))
