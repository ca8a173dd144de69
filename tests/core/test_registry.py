import copy
import functools
import math
import pickle
import threading
import types

import pytest

from qitos_like.core.action import Action
from qitos_like.core.environment import Environment
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.tool import BaseTool, FunctionTool, ToolMeta, ToolPermission, ToolSet, tool
from qitos_like.core.traits import Alias
from qitos_like.errors import (
    DescriptionWarning,
    DuplicateToolError,
    RegistrationError,
    SignatureError,
    ToolNameError,
    ToolsetError,
)


@tool(name="add", tags=["sum"])
def add(a: int, b: int = 2) -> int:
    """Add two integers."""
    return a + b


class Shout(BaseTool):
    """Say it loudly."""

    def run(self, text: str) -> str:
        return text.upper()


class Files(ToolSet):
    version = "1.2"

    @tool(aliases=[Alias("Read", {"file_path": "path"})])
    def view(self, path: str) -> str:
        """Show a file."""
        return path

    @tool(permissions=ToolPermission(filesystem_write=True))
    def create(self, path: str) -> str:
        """Make a file."""
        return path


@pytest.fixture(name="registry")
def _registry():
    return ToolRegistry()


def names(registry):
    return [entry.name for entry in registry]


def test_a_registered_function_is_found_by_its_name(registry):
    assert registry is registry.register(add)

    entry = registry["add"]
    assert ("add", "Add two integers.") == (entry.spec.name, entry.spec.description)
    assert entry is registry.get("add")
    assert registry.get("sub") is None
    assert "add" in registry
    assert 1 == len(registry)
    assert isinstance(entry.tool, FunctionTool)
    assert 5 == entry.tool(a=3)
    assert "ToolRegistry(add)" == repr(registry)


def test_a_name_and_metadata_can_be_given_at_registration(registry):
    registry.register(add, name="math.add", meta=ToolMeta(description="Sum.", tags=()))

    spec = registry["math.add"].spec
    assert ("math.add", "Sum.", ()) == (spec.name, spec.description, spec.tags)
    assert ("sum",) == ToolRegistry().register(add)["add"].spec.tags


def test_metadata_overrides_what_a_class_says_and_leaves_the_class_alone(registry):
    shout = Shout()
    registry.register(shout, meta=ToolMeta(description="Cry.", timeout_s=1), namespace="voice")

    assert ("voice.shout", "Cry.", 1) == (
        registry["voice.shout"].spec.name,
        registry["voice.shout"].spec.description,
        registry["voice.shout"].traits.timeout_s,
    )
    assert ("shout", "Say it loudly.") == (shout.spec.name, shout.spec.description)


def test_a_missing_name_is_an_error_that_names_near_ones(registry):
    registry.register(add)

    with pytest.raises(KeyError, match="did you mean 'add'"):
        registry["ad"]


def test_a_copy_shares_the_tools_and_nothing_else(registry):
    registry.register_toolset(Files())
    copied = copy.copy(registry)
    registry.register(add)
    copied.unregister("files.view")

    assert "add" not in copied
    assert "files.view" in registry
    assert copied["files.create"] is registry["files.create"]
    assert ["files.Read"] == list(registry.aliases())
    assert [] == list(copied.aliases())


@pytest.mark.parametrize("duplicate", [copy.deepcopy, pickle.dumps])
def test_what_tools_hold_is_not_copied(registry, duplicate):
    with pytest.raises(TypeError, match=r"copy\.copy\(registry\)"):
        duplicate(registry)


def test_a_duplicate_name_names_both_owners(registry):
    registry.register(add)

    with pytest.raises(DuplicateToolError, match=r"taken by function .*add;.*Shout") as raised:
        registry.register(Shout(), name="add")
    assert isinstance(raised.value, ValueError)
    assert 2 == registry["add"].tool(a=0)


def test_an_alias_may_not_take_a_name(registry):
    registry.register_toolset(Files())

    with pytest.raises(DuplicateToolError, match=r"an alias of files\.view"):
        registry.register(add, name="files.Read")
    entry, alias = registry.aliases()["files.Read"]
    assert ("files.view", {"file_path": "path"}) == (entry.name, alias.arguments)


def test_one_toolset_in_two_registries_leaves_both_right():
    files = Files()
    first = ToolRegistry().register_toolset(files, namespace="a")
    second = ToolRegistry().register_toolset(files, namespace="b")

    assert ["a.view", "a.create"] == names(first)
    assert ["b.view", "b.create"] == names(second)
    assert "a.view" == first["a.view"].spec.name
    assert "toolset files 1.2" == str(first["a.view"].origin)


@pytest.mark.parametrize(
    ("namespace", "expected"),
    [(None, ["files.view", "files.create"]), ("", ["view", "create"])],
)
def test_a_toolset_is_named_by_itself_unless_told(registry, namespace, expected):
    assert expected == names(registry.register_toolset(Files(), namespace))


def test_a_nested_toolset_adds_a_segment(registry):
    class Everything(ToolSet):
        def tools(self):
            return [add, Shout(), Files()]

    registry.register_toolset(Everything(), namespace="all")

    assert ["all.add", "all.shout", "all.files.view", "all.files.create"] == names(registry)


def test_a_toolset_that_fails_half_way_registers_nothing(registry):
    class Broken(ToolSet):
        def tools(self):
            return [add, tool(name="bad name")(lambda: 1)]

    with pytest.raises(ToolNameError, match="bad name"):
        registry.register_toolset(Broken())
    assert [] == names(registry)


def test_a_toolset_with_a_taken_name_registers_nothing(registry):
    registry.register(add, name="files.create")

    with pytest.raises(DuplicateToolError):
        registry.register_toolset(Files())
    assert ["files.create"] == names(registry)
    assert {} == registry.aliases()


def raising():
    raise OSError("disk")


@pytest.mark.parametrize(
    ("tools", "match"),
    [
        (raising, r"Odd\.tools\(\) raised OSError: disk"),
        (lambda: None, r"returned None; return a list"),
        (lambda: "abc", r"returned 'abc'"),
        (lambda: [3], r"has 3, which is neither"),
        (lambda: [Shout], r"has <class.*Shout'>, which is neither"),
    ],
    ids=["raises", "none", "text", "number", "class"],
)
def test_a_toolset_whose_tools_are_no_tools_is_refused(registry, tools, match):
    class Odd:
        def tools(self):
            return tools()

    with pytest.raises(ToolsetError, match=match):
        registry.register_toolset(Odd())


def test_a_toolset_that_holds_itself_is_refused(registry):
    class Loop(ToolSet):
        def tools(self):
            return [self]

    with pytest.raises(ToolsetError, match="nested more than"):
        registry.register_toolset(Loop(), namespace="")


@pytest.mark.parametrize(
    ("item", "match"),
    [
        (Files(), r"use registry\.register_toolset"),
        (Files, r"register_toolset\(Files\(\.\.\.\)\)"),
        (Shout, r"registry\.register\(Shout\(\.\.\.\)\)"),
        (math.tau, "is not a tool"),
        (int, r"registry\.include\(int\(\)\)"),
    ],
    ids=["toolset", "toolset class", "tool class", "number", "class"],
)
def test_registering_something_else_names_the_right_call(registry, item, match):
    with pytest.raises(RegistrationError, match=match):
        registry.register(item)


@pytest.mark.parametrize("item", [Files, math.tau], ids=["class", "number"])
def test_a_toolset_has_to_be_an_instance_with_tools(registry, item):
    with pytest.raises(ToolsetError):
        registry.register_toolset(item)


def test_an_illegal_namespace_is_refused(registry):
    with pytest.raises(ToolNameError, match="my tools"):
        registry.register_toolset(Files(), namespace="my tools")


def test_a_lambda_needs_a_name(registry):
    with pytest.raises(ToolNameError, match="<lambda>"):
        registry.register(lambda a: a)

    registry.register(lambda a: a, meta=ToolMeta(name="same", description="The same."))
    registry.register(lambda a: a, "shop.same", meta=ToolMeta(description="The same."))
    assert ["same", "shop.same"] == names(registry)

    with pytest.raises(ToolNameError, match="no name"):
        registry.register(lambda a: a, "other", meta=ToolMeta(name="no name"))


def test_a_tool_without_a_description_is_warned_about(registry):
    def silent(a: int) -> int: ...

    with pytest.warns(DescriptionWarning, match="silent"):
        registry.register(silent)


def test_a_method_with_an_explicit_schema_is_checked_at_registration(registry):
    class Files:
        @tool(parameters={"path": {"type": "string"}, "limit": {"type": "integer"}})
        def read(self, path: str) -> str:
            """Read."""

    with pytest.raises(SignatureError, match="limit"):
        registry.include(Files())


def test_the_registry_decorates_and_returns_the_function(registry):
    @registry.tool
    def first() -> str:
        """One."""
        return "1"

    @registry.tool(name="other", tags=["x"])
    def second() -> str:
        """Two."""
        return "2"

    assert ["first", "other"] == names(registry)
    assert "1" == first()
    with pytest.raises(TypeError, match="did you mean 'tags'"):
        registry.tool(tag="x")


def test_a_tool_can_be_taken_out(registry):
    registry.register_toolset(Files())

    registry.unregister("files.view")

    assert ["files.create"] == names(registry)
    assert {} == registry.aliases()
    with pytest.raises(KeyError):
        registry.unregister("files.view")


def test_include_scans_a_module_in_order(registry):
    module = types.ModuleType("some")
    module.shout, module.add, module._hidden, module.other = Shout(), add, add, len
    module.again = add

    assert ["shout", "add"] == names(registry.include(module))


def test_include_obeys_a_modules_all(registry):
    module = types.ModuleType("some")
    module.shout, module.add = Shout(), add
    module.__all__ = ["add", "absent"]

    assert ["m.add"] == names(registry.include(module, namespace="m"))


class Mixed:
    partial = functools.partial(add, b=1)
    shout = Shout()

    @property
    def trap(self):
        raise AssertionError("a property must not be evaluated")

    @tool
    def method(self, text: str) -> str:
        """Bound."""
        return f"{type(self).__name__} {text}"

    @tool
    @functools.cache  # noqa: B019 (the case)
    def cached(self, text: str) -> str:
        """Bound too."""
        return f"{type(self).__name__} {text}"

    @tool
    @staticmethod
    def static(text: str) -> str:
        """Static."""
        return text

    @classmethod
    @tool
    def kind(cls, text: str) -> str:
        """Class."""
        return f"{cls.__name__} {text}"


def test_include_finds_bound_methods_of_an_instance(registry):
    registry.include(Mixed())

    assert ["add", "shout", "method", "cached", "static", "kind"] == names(registry)
    assert "Mixed a" == registry["method"].tool(text="a")
    assert "Mixed a" == registry["cached"].tool(text="a")
    assert "Mixed a" == registry["kind"].tool(text="a")
    assert ["text"] == list(registry["method"].spec.input_schema["properties"])


def test_include_of_a_class_finds_what_needs_no_instance(registry):
    assert ["add", "shout", "static", "kind"] == names(registry.include(Mixed))


def test_include_takes_a_toolset_as_one(registry):
    assert ["files.view", "files.create"] == names(registry.include(Files()))


def test_include_of_what_has_no_tools_says_so(registry):
    class Empty:
        @tool
        def method(self) -> None:
            """Needs an instance."""

    with pytest.raises(RegistrationError, match=r"include an instance, Empty\(\)"):
        registry.include(Empty)
    with pytest.raises(RegistrationError, match="empty has no public tool"):
        registry.include(types.ModuleType("empty"))


def test_a_subclass_overrides_a_tool_in_its_place(registry):
    class More(Files):
        @tool
        def view(self, path: str) -> str:
            """Show it better."""

    registry.register_toolset(More())

    assert ["more.view", "more.create"] == names(registry)
    assert "Show it better." == registry["more.view"].spec.description


def test_unavailable_tools_are_left_out(registry):
    class Off(Shout):
        def available(self):
            return False

    def broken():
        raise OSError

    registry.register(Off()).register(add)
    registry.register(add, name="flaky", meta=ToolMeta(available=broken))

    assert ["add"] == names(registry.available())
    assert "says no" in registry["off"].unavailable()


def test_preflight_names_each_tool_and_what_it_lacks(registry):
    registry.register_toolset(Files())
    registry.register(add, meta=ToolMeta(required_ops=["gpu"]))

    assert [
        "files.create needs filesystem_write, which is not granted",
        "add needs gpu, which is not granted",
    ] == registry.preflight(Environment())
    assert [] == registry.preflight(None)


def test_a_renderer_gets_the_specs_that_are_listed(registry):
    registry.register(add).register(Shout(), meta=ToolMeta(deprecated="use add"))

    assert "add" == registry.get_tool_descriptions(lambda specs: ",".join(s.name for s in specs))
    assert ["add", "shout"] == [spec.name for spec in registry.specs()]


def test_reading_is_safe_while_others_register(registry):
    errors = []
    stop = threading.Event()

    def read():
        while not stop.is_set():
            try:
                names(registry)
                registry.get("t1")
            except Exception as error:
                errors.append(error)

    readers = [threading.Thread(target=read) for _ in range(8)]
    for reader in readers:
        reader.start()
    for number in range(300):
        registry.register(add, name=f"t{number}")
    stop.set()
    for reader in readers:
        reader.join()

    assert [] == errors
    assert 300 == len(registry)


def test_an_action_is_a_value():
    assert Action("add", {"a": 1}) == Action("add", {"a": 1})
