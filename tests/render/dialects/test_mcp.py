import pytest

from qitos_like import Action, ToolMeta, ToolPermission, ToolRegistry, dialect, wire_name
from tests.render.dialects.toolbox import LONG, run, toolbox

MCP = dialect("mcp")


def test_tools_have_their_schema_and_hints_from_their_permissions():
    def write() -> dict:
        """Write it."""

    meta = ToolMeta(
        permissions=ToolPermission(filesystem_write=True), output_schema={"type": "object"}
    )
    view, written = MCP.tools(toolbox().select("coding.view").register(write, "coding.write", meta))

    assert "coding.view" == view["name"]
    assert toolbox()["coding.view"].spec.input_schema == view["inputSchema"]
    assert {"readOnlyHint": True, "destructiveHint": False, "openWorldHint": False} == view[
        "annotations"
    ]
    assert {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": False} == written[
        "annotations"
    ]
    assert {"type": "object"} == written["outputSchema"]
    assert "outputSchema" not in view


def test_a_request_its_params_and_several_of_them_are_calls():
    request = {
        "jsonrpc": "2.0",
        "id": 7,
        "method": "tools/call",
        "params": {"name": "coding.view", "arguments": {"path": "a"}},
    }
    params = {"name": wire_name(LONG, "mcp")}

    assert [Action("coding.view", {"path": "a"}, "7")] == MCP.actions(request, toolbox())
    assert [("coding.view", {"path": "a"}), (LONG, {})] == [
        (action.name, action.args) for action in MCP.actions([request, params], toolbox())
    ]
    assert [request["params"], params] == MCP.assistant([request, params])


def test_results_are_call_tool_results():
    actions = [
        Action("coding.picture", {"name": "x"}),
        Action("coding.fail"),
        Action("coding.scan"),
        Action("data"),
    ]
    registry = toolbox()

    @registry.tool
    def data() -> dict:
        """Data."""
        return {"a": 1}

    image, failure, scan, structured = MCP.results(run(actions, registry))

    assert ["text", "image"] == [each["type"] for each in image["content"]]
    assert (False, True) == (image["isError"], failure["isError"])
    assert ["resource", "audio"] == [each["type"] for each in scan["content"]]
    assert {"a": 1} == structured["structuredContent"]


def test_an_unknown_dialect_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="known: openai, openai-responses, anthropic, gemini, mcp"):
        dialect("nobody")


@pytest.mark.parametrize("name", ["openai", "openai-responses", "anthropic", "gemini", "mcp"])
def test_unavailable_and_deprecated_tools_are_not_shown_to_any_provider(name):
    registry = ToolRegistry()
    registry.register(lambda: 1, "old", ToolMeta(name="old", description="D.", deprecated="gone"))
    registry.register(
        lambda: 1, "off", ToolMeta(name="off", description="D.", available=lambda: False)
    )

    assert [] == dialect(name).tools(registry)


@pytest.mark.parametrize("name", ["openai", "openai-responses", "anthropic", "gemini", "mcp"])
def test_nothing_hides_in_the_texts_of_any_provider(name):
    meta = ToolMeta(
        description="ok\x1b[31m\u202e",
        parameters={"a": {"type": "string", "description": "x\U000e0041"}},
    )
    registry = ToolRegistry().register(lambda a="": a, "t", ToolMeta(name="t").merged(meta))
    told = str(dialect(name).tools(registry))

    assert "<U+202E>" in told
    assert "<U+E0041>" in told
    assert "x1b" not in told
