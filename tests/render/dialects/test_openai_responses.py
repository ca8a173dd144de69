import pytest

from qitos_like import Action, ToolMeta, ToolRegistry, dialect, wire_name
from tests.loopback import answering, events
from tests.render.dialects.toolbox import LONG, run, toolbox

RESPONSES = dialect("openai-responses")


def call(name, arguments, call_id="c1"):
    return {"type": "function_call", "name": name, "arguments": arguments, "call_id": call_id}


def test_tools_are_flat_functions():
    view, *_, far = RESPONSES.tools(toolbox())

    assert {"type", "name", "description", "parameters", "strict"} == set(view)
    assert ("function", "coding__view", True) == (view["type"], view["name"], view["strict"])
    assert wire_name(LONG, "openai-responses") == far["name"]


def test_calls_come_back_from_a_response_from_items_and_from_one_item():
    item = call("coding__view", '{"path": "a.py", "first": null}')
    expected = [Action("coding.view", {"path": "a.py"}, "c1")]

    for message in ({"output": [{"type": "reasoning", "id": "r"}, item]}, [item], item):
        assert expected == RESPONSES.actions(message, toolbox())


def test_the_items_to_keep_are_all_of_them_with_ids():
    items = [
        {"type": "reasoning", "id": "r", "summary": [], "encrypted_content": None},
        {**call("coding__fail", {"a": 1}, None), "parsed_arguments": {}},
    ]
    reasoning, kept = RESPONSES.assistant({"output": items})

    assert {"type": "reasoning", "id": "r", "summary": []} == reasoning
    assert '{"a": 1}' == kept["arguments"]
    assert "parsed_arguments" not in kept
    assert [kept["call_id"]] == [action.id for action in RESPONSES.actions(items, toolbox())]


def test_results_are_items_with_images_inside():
    actions = [
        Action("coding.picture", {"name": "x"}, "c1"),
        Action("coding.fail", {}, "c2"),
        Action("coding.scan", {}, "c3"),
    ]
    first, second, third = RESPONSES.results(run(actions, toolbox()))

    assert ["input_text", "input_image"] == [part["type"] for part in first["output"]]
    assert "no luck" in second["output"]
    assert ["input_text", "input_file"] == [part["type"] for part in third["output"]]
    assert {"function_call_output"} == {each["type"] for each in (first, second, third)}


def test_a_custom_tools_call_is_answered_in_its_own_form():
    custom = {"type": "custom_tool_call", "name": "sql", "input": "select 1", "call_id": "c1"}
    [action] = RESPONSES.actions([custom], toolbox())
    [answer] = RESPONSES.results(run([action], toolbox()))

    assert Action("sql", {"input": "select 1"}, "c1") == action
    assert ("custom_tool_call_output", "c1") == (answer["type"], answer["call_id"])


PATCH = {
    "type": "apply_patch_call",
    "call_id": "c1",
    "status": "completed",
    "operation": {"type": "delete_file", "path": "a.py"},
}


def patching():
    def patch(type: str, path: str, diff: str = "") -> str:
        """Apply a patch."""
        return f"{type} {path}"

    return ToolRegistry().register(
        patch, "coding.patch", ToolMeta(native={"openai": "apply_patch"})
    )


def test_the_apply_patch_tool_goes_out_as_openais_own_and_comes_back_as_ours():
    registry = patching()
    [action] = RESPONSES.actions([PATCH], registry)

    assert [{"type": "apply_patch"}] == RESPONSES.tools(registry)
    assert Action("coding.patch", {"type": "delete_file", "path": "a.py"}, "c1") == action
    assert [
        {
            "type": "apply_patch_call_output",
            "call_id": "c1",
            "status": "completed",
            "output": "delete_file a.py",
        }
    ] == RESPONSES.results(run([action], registry))


def test_a_patch_that_nobody_asked_for_fails_in_its_own_form():
    [action] = RESPONSES.actions([PATCH], ToolRegistry())
    [answer] = RESPONSES.results(run([action], ToolRegistry()))

    assert "apply_patch" == action.name
    assert ("apply_patch_call_output", "failed") == (answer["type"], answer["status"])


def test_in_chat_completions_it_is_an_ordinary_function():
    assert "coding__patch" == dialect("openai").tools(patching())[0]["function"]["name"]


def response(*output):
    return {
        "id": "r1",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "status": "completed",
        "output": list(output),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


CALLS = response(
    {"type": "reasoning", "id": "rs1", "summary": []},
    {**call("coding__view", '{"path": "a.py", "first": null, "last": 3}'), "id": "f1"},
    {**call(wire_name(LONG, "openai-responses"), '{"message": "hi"}', "c2"), "id": "f2"},
    {**call("coding__picture", '{"name": "cat"}', "c3"), "id": "f3"},
    {**call("coding__fail", "{}", "c4"), "id": "f4"},
)


@pytest.fixture
def sdk():
    return pytest.importorskip("openai", reason="openai is not installed")


def test_the_official_client_goes_round(sdk):
    registry, history = toolbox(), [{"role": "user", "content": "go"}]
    tools = RESPONSES.tools(registry)
    with (
        answering(CALLS, CALLS) as (address, bodies),
        sdk.OpenAI(base_url=address, api_key="k") as client,
    ):
        said = client.responses.create(model="m", input=history, tools=tools)
        results = run(RESPONSES.actions(said, registry), registry)
        history += [*RESPONSES.assistant(said), *RESPONSES.results(results)]
        client.responses.create(model="m", input=history, tools=tools)

    assert ["a.py:1-3", "far: hi", "a picture of cat"] == [each.text for each in results[:3]]
    assert "execution_failed" == results[3].code
    assert history == bodies[1]["input"]
    assert tools == bodies[0]["tools"]


def test_the_official_client_assembles_a_stream(sdk):
    item = {
        "type": "function_call",
        "id": "f1",
        "call_id": "c1",
        "name": "coding__view",
        "arguments": "",
    }
    whole = {**item, "arguments": '{"path": "a"}', "status": "completed"}
    stream = events(
        {"type": "response.created", "sequence_number": 0, "response": response()},
        {
            "type": "response.output_item.added",
            "sequence_number": 1,
            "output_index": 0,
            "item": item,
        },
        {
            "type": "response.function_call_arguments.delta",
            "sequence_number": 2,
            "item_id": "f1",
            "output_index": 0,
            "delta": '{"path": "a"}',
        },
        {
            "type": "response.output_item.done",
            "sequence_number": 3,
            "output_index": 0,
            "item": whole,
        },
        {"type": "response.completed", "sequence_number": 4, "response": response(whole)},
        named=True,
    )
    with (
        answering(stream) as (address, _),
        sdk.OpenAI(base_url=address, api_key="k") as client,
        client.responses.stream(model="m", input="go") as opened,
    ):
        said = opened.get_final_response()

    assert [Action("coding.view", '{"path": "a"}', "c1")] == RESPONSES.actions(said, toolbox())
    assert "parsed_arguments" not in RESPONSES.assistant(said)[0]


def test_the_official_types_take_what_goes_out(sdk):
    pydantic = pytest.importorskip("pydantic")
    from openai.types.responses import ResponseInputItemParam, ToolParam

    tool_type, item_type = (
        pydantic.TypeAdapter(ToolParam),
        pydantic.TypeAdapter(ResponseInputItemParam),
    )
    results = run(RESPONSES.actions(CALLS, toolbox()), toolbox())
    patched = run(RESPONSES.actions([PATCH], patching()), patching())
    sent = [*RESPONSES.assistant(CALLS), *RESPONSES.results([*results, *patched])]

    for tool in [*RESPONSES.tools(toolbox()), *RESPONSES.tools(patching())]:
        assert tool == tool_type.dump_python(tool_type.validate_python(tool))
    for item in sent:
        assert item["type"] == item_type.validate_python(item)["type"]
