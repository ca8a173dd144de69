"""What authors get wrong with registries, and what they are told."""

import copy
import pickle
import re

import pytest

from qitos_like.core.registry import ToolRegistry
from qitos_like.core.tool import BaseTool, ToolMeta, ToolPermission, ToolSpec, tool
from qitos_like.errors import (
    ConfigError,
    DescriptionWarning,
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


class Undescribed(BaseTool):
    def run(self, a: int) -> int:
        return a


class Louder(Adder):
    """Add aloud."""


class Quiet(Louder):
    pass


class Explicit(BaseTool):
    spec = ToolSpec("add", "Add.", {"a": {"type": "integer"}})

    def run(self, number: int) -> int:
        return number


class Computed(Explicit):
    @property
    def spec(self):
        return ToolSpec("add", "Add.", {"a": {"type": "integer"}, "b": {"type": "integer"}})


class Unfinished(BaseTool):
    """Does nothing yet."""


class Undecided(BaseTool):
    @property
    def spec(self):
        raise OSError("no disk")

    def run(self) -> None: ...


class Static(BaseTool):
    """Take no self."""

    @staticmethod
    def run(a: int) -> int:
        return a


class Assigned(BaseTool):
    """Has its work from elsewhere."""

    def __init__(self, work):
        super().__init__()
        self.run = work


@pytest.mark.parametrize(
    ("kind", "match"),
    [
        (Explicit, "Explicit: the schema's property 'a' is no parameter"),
        (Computed, "Computed: the schema's property 'a' is no parameter"),
        (Unfinished, r"Unfinished has no run\(\): write the method"),
        (Undecided, "Undecided cannot say what it takes: OSError: no disk"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_class_that_cannot_be_run_as_it_says_is_refused(kind, match):
    with pytest.raises(RegistrationError, match=match) as caught:
        ToolRegistry().register(kind())

    assert kind.__name__ == caught.value.tool


def test_a_class_without_a_description_is_warned_about():
    with pytest.warns(DescriptionWarning, match="Undescribed has no description"):
        ToolRegistry().register(Undescribed())

    registry = ToolRegistry().register(Undescribed(), meta=ToolMeta(description="Give it back."))
    assert "Give it back." == registry["undescribed"].spec.description


def test_a_class_without_a_docstring_is_described_by_the_one_that_it_refines():
    assert "Add aloud." == Quiet().spec.description


@pytest.mark.parametrize("work", [Static(), Assigned(lambda a: a)], ids=["static", "assigned"])
def test_a_run_without_self_keeps_its_first_parameter(work):
    assert ["a"] == list(work.spec.input_schema["properties"])
    assert {"a": 1} == work.signature.structure({"a": 1})


@pytest.mark.parametrize(
    ("trait", "value", "words"),
    [
        ("timeout_s", "2", "a number of seconds above 0, or None"),
        ("timeout_s", 0, "a number of seconds above 0, or None"),
        ("timeout_s", float("nan"), "a number of seconds above 0, or None"),
        ("max_retries", 1.5, "a whole number from 0 on"),
        ("max_result_chars", 0, "a whole number from 1 on, or None"),
        ("permissions", "network", "a ToolPermission"),
        ("isolation", "proces", "'thread' or 'process'"),
        ("result_serializer", "xml", "'auto' or 'json' or 'str'"),
        ("parallel_safe", "yes", "True or False"),
        ("requires_approval", 1, "True or False"),
        ("reads", 3, "a list of texts, or a function of the arguments"),
        ("writes", [3], "a list of texts, or a function of the arguments"),
        ("tags", 3, "a list of texts"),
        ("required", 3, "a list of texts"),
        ("examples", ["a"], "a list of mappings"),
        ("available", True, "a function that says whether the tool can be used, or None"),
        ("native", "bash", "a mapping by provider"),
        ("description", 3, "a text or None"),
        ("deprecated", True, "a text or None"),
    ],
)
def test_a_trait_of_the_wrong_kind_is_refused_at_once(trait, value, words):
    message = f"^{trait} is {re.escape(words)}, not "
    with pytest.raises(RegistrationError, match=message):
        tool(**{trait: value})
    with pytest.raises(RegistrationError, match=f"^add: {message[1:]}"):
        ToolSpec("add", **{"description": "Add.", trait: value})


@pytest.mark.parametrize(
    ("trait", "value", "kept"),
    [
        ("tags", "slow", ("slow",)),
        ("required", "sql", ("sql",)),
        ("examples", {"a": 1}, ({"a": 1},)),
        ("timeout_s", float("inf"), float("inf")),
        ("permissions", None, ToolPermission()),
    ],
)
def test_one_of_a_kind_may_stand_for_several(trait, value, kept):
    assert kept == getattr(ToolMeta(**{trait: value}), trait)
