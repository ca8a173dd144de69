"""The blocks of "Tools and Registry" about tools and registries run, and do what its text says."""

import gc
import sqlite3
import threading

import pytest

from kits.toolset import coding_tools
from qitos_like import (
    Action,
    ActionExecutor,
    BaseTool,
    DuplicateToolError,
    Environment,
    FunctionTool,
    ToolContext,
    ToolPermission,
    ToolRegistry,
    tool,
)
from tests.seeds.blocks import blocks_of, run

BLOCKS = blocks_of("qitos")

REGISTRY = "from qitos import ToolRegistry, tool\nregistry = ToolRegistry()\n"

#: What each block leaves undefined.
PREAMBLES = {
    "decorator": "",
    "permission": "",
    "registry": "",
    "register": REGISTRY,
    "register_otherwise": REGISTRY
    + "@tool\ndef add(a: int, b: int) -> int:\n    'Add.'\n    return a + b\n"
    + "def some_func(): ...\n",
    "include": REGISTRY,
    "toolset": REGISTRY,
    "toolset_namespace": REGISTRY + "from qitos.kit import CodingToolSet\n",
    "base_tool": REGISTRY,
    "tools.py": "",
}


@pytest.fixture
def block(request, tmp_path):
    """Runs a block; the folder that the document calls /tmp/work is the test's own."""

    def run_block(name):
        return run(BLOCKS[name].replace("/tmp/work", str(tmp_path)), PREAMBLES[name])

    return run_block


def names(registry):
    return [entry.name for entry in registry]


def test_tools_and_registry_means_every_block_of_the_document():
    assert {*PREAMBLES, "search_agent", "prompt", "agent.py"} == set(BLOCKS)


def test_the_tool_decorator_leaves_the_function_as_it_is(block, tmp_path):
    read_file = block("decorator").read_file
    (tmp_path / "a.txt").write_text("hello")

    assert "hello" == read_file(str(tmp_path / "a.txt"))


def test_the_tool_decorator_attaches_what_it_was_told(block):
    (spec,) = ToolRegistry().register(block("decorator").read_file).specs()

    assert ("read_file", "Read the contents of a file at the given path.", 10.0) == (
        spec.name,
        spec.description,
        spec.timeout_s,
    )
    assert ToolPermission(filesystem_read=True) == spec.permissions


def test_toolpermission_has_four_fields_that_default_to_false(block):
    block("permission")

    assert ToolPermission() == ToolPermission(
        filesystem_read=False, filesystem_write=False, network=False, command=False
    )


def test_toolregistry_begins_empty(block):
    assert [] == names(block("registry").registry)


def test_registering_individual_tools_takes_a_function(block):
    assert ["add"] == names(block("register").registry)


def test_registering_individual_tools_makes_them_run(block):
    registry = block("register").registry

    with ActionExecutor(registry) as executor:
        assert 5 == executor.run_sync(Action("add", {"a": 2, "b": 3})).value


def test_registering_individual_tools_overrides_name_and_meta(block):
    registry = block("register_otherwise").registry

    assert ["math.add", "some_func"] == names(registry)
    assert "Custom description" == registry["some_func"].spec.description


def test_registering_individual_tools_twice_by_one_name_is_a_value_error(block):
    module = block("register")

    with pytest.raises(DuplicateToolError) as caught:
        module.registry.register(module.add)
    assert isinstance(caught.value, ValueError)


@pytest.mark.filterwarnings("ignore:.*has no description:UserWarning")
def test_scanning_a_module_or_object_with_include_takes_the_decorated_methods(block):
    registry = block("include").registry

    assert ["summarize", "translate"] == names(registry)


def test_registering_toolsets_puts_their_name_before_the_tools(block):
    registry = block("toolset").registry

    assert {"coding.view", "coding.str_replace", "coding.run_command"} <= set(names(registry))


def test_registering_toolsets_under_another_namespace(block):
    registry = block("toolset_namespace").registry

    assert {"coding"} == {entry.namespace for entry in registry}


# The document's tool leaves its connection to the collector, which Python 3.13 warns about.
@pytest.mark.filterwarnings("ignore:unclosed database:ResourceWarning")
def test_basetool_and_functiontool_a_class_queries_its_database(block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    registry = block("base_tool").registry
    with sqlite3.connect("data.db") as database:
        database.execute("create table t (n)")
        database.execute("insert into t values (7)")
    database.close()

    with ActionExecutor(registry) as executor:
        result = executor.run_sync(Action("query_db", {"sql": "select n from t"}))

    assert "[[7]]" == result.text
    gc.collect()


def test_the_tool_decorator_gives_the_permissions_that_it_was_told(block):
    (spec,) = ToolRegistry().register(block("decorator").read_file).specs()

    assert ToolPermission(filesystem_read=True) == spec.permissions


def test_tool_parameters_default_to_the_function_s_own_name_and_docstring():
    @tool
    def read_file(path: str) -> str:
        """Read the contents of a file."""
        return path

    (spec,) = ToolRegistry().register(read_file).specs()

    assert ("read_file", "Read the contents of a file.", None, 0, ToolPermission(), ()) == (
        spec.name,
        spec.description,
        spec.timeout_s,
        spec.max_retries,
        spec.permissions,
        spec.required_ops,
    )


def answer(function, default_timeout_s=None):
    with ActionExecutor(
        ToolRegistry().register(function), default_timeout_s=default_timeout_s
    ) as executor:
        return executor.run_sync(Action(function.__name__))


def test_tool_parameters_set_the_seconds_of_a_call():
    @tool(timeout_s=0.05)
    def slow() -> str:
        """Be slow."""
        stopped.wait(60)
        return "done"

    stopped = threading.Event()
    result = answer(slow)
    stopped.set()

    assert "timeout" == result.code


def test_tool_parameters_without_seconds_set_no_deadline():
    @tool
    def ask(context: ToolContext) -> str:
        """Tell when the answer is due."""
        return str(context.deadline)

    assert "None" == answer(ask).text


@pytest.mark.parametrize(
    ("max_retries", "ok", "tries"), [(0, False, 1), (1, False, 2), (2, True, 3)]
)
def test_tool_parameters_say_how_often_a_failure_is_tried_again(max_retries, ok, tries):
    failures = [OSError("first"), OSError("second")]

    @tool(max_retries=max_retries)
    def flaky() -> str:
        """Fail twice."""
        if failures:
            raise failures.pop()
        return "done"

    result = answer(flaky)

    assert (ok, tries) == (result.ok, result.attempts)


@pytest.mark.parametrize("ops", [(), ("gpu",), ("gpu", "display")])
def test_tool_parameters_name_the_ops_that_the_environment_must_have(ops):
    render = tool(name="render", description="Render.", required_ops=["gpu"])(lambda: "done")
    registry = ToolRegistry().register(render)

    problems = registry.preflight(Environment(ops=ops))

    assert ([] if "gpu" in ops else ["render needs gpu, which is not granted"]) == list(
        map(str, problems)
    )


@pytest.mark.parametrize("field", ["filesystem_read", "filesystem_write", "network", "command"])
def test_toolpermission_is_what_preflight_looks_at(field):
    needs = ToolPermission(**{field: True})
    work = tool(name="work", description="Work.", permissions=needs)(lambda: "done")
    registry = ToolRegistry().register(work)

    assert [f"work needs {field}, which is not granted"] == list(
        map(str, registry.preflight(Environment()))
    )
    assert [] == list(registry.preflight(Environment(permissions=needs)))


def test_registering_individual_tools_takes_an_instance_of_basetool(block):
    module = block("base_tool")

    assert ["query_db"] == names(module.registry)
    assert "query_db" == names(ToolRegistry().register(module.DatabaseTool("other.db")))[0]


def test_registering_individual_tools_leaves_the_function_and_other_registries_alone(block):
    module = block("register_otherwise")
    other = ToolRegistry().register(module.add)

    assert (["add"], "add") == (names(other), module.add.__name__)


def test_scanning_a_module_or_object_with_include_leaves_the_rest_out(block):
    module = run(BLOCKS["decorator"] + "\ndef undecorated(): ...\n_hidden = read_file\n")

    assert ["read_file"] == names(ToolRegistry().include(module))


def test_registering_toolsets_takes_any_object_with_tools(block):
    class Sums:
        name = "sums"

        def tools(self):
            return [block("register").add]

    assert ["sums.add"] == names(ToolRegistry().register_toolset(Sums()))


def test_basetool_and_functiontool_register_wraps_a_plain_callable(block):
    registry = block("register").registry

    assert FunctionTool is type(registry["add"].tool)


def test_basetool_and_functiontool_share_state_and_have_a_lifecycle():
    class Counter(BaseTool):
        """Count calls."""

        def setup(self):
            self.calls = 0

        def run(self) -> int:
            self.calls += 1
            return self.calls

        def teardown(self):
            self.calls = None

    counter = Counter()
    with ActionExecutor(ToolRegistry().register(counter)) as executor:
        assert [1, 2] == [executor("counter").value, executor("counter").value]
    assert counter.calls is None


def test_basetool_and_functiontool_are_seldom_needed_for_code(tmp_path):
    registry = coding_tools(tmp_path)

    assert {"coding.view", "coding.str_replace", "coding.run_command"} <= set(names(registry))
