import re

import pytest

from qitos_like import Action, ToolMeta, ToolRegistry, dialect, wire_name
from tests.loopback import answering, events
from tests.render.dialects.toolbox import LONG, run, toolbox

ANTHROPIC = dialect("anthropic")


def block(name, args, call_id="t1"):
    return {"type": "tool_use", "id": call_id, "name": name, "input": args}


def test_tools_have_the_schema_as_it_is():
    registry = toolbox()
    view, *_ = ANTHROPIC.tools(registry)

    assert {"name", "description", "input_schema"} == set(view)
    assert "coding__view" == view["name"]
    assert registry["coding.view"].spec.input_schema == view["input_schema"]


def test_strict_is_asked_for_and_refused_with_a_reason():
    tools = {each["name"]: each for each in ANTHROPIC.tools(toolbox(), strict=True)}

    assert tools["coding__view"]["strict"] is True
    assert "strict" not in tools["coding__free"]
    assert ["coding.free: $.data: not strict: takes keys that it does not name"] == [
        str(note) for note in ANTHROPIC.report(toolbox(), strict=True)
    ]
    assert [] == ANTHROPIC.report(toolbox())


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [({"a": {"type": "string"}}, 20), ({name: {"type": "string"} for name in "abcdefgh"}, 3)],
    ids=["tools", "optional parameters"],
)
def test_a_request_has_no_more_strict_tools_than_the_api_takes(parameters, expected):
    registry = ToolRegistry()
    for number in range(25):
        meta = ToolMeta(name=f"t{number}", description="D.", parameters=parameters)
        if expected == 20:
            meta = meta.merged(ToolMeta(required=("a",)))
        registry.register(lambda **given: given, meta=meta)
    tools = ANTHROPIC.tools(registry, strict=True)

    assert [True] * expected == [each["strict"] for each in tools if "strict" in each]
    assert 25 - expected == len(ANTHROPIC.report(registry, strict=True))


def test_a_cache_is_asked_for_on_the_last_tool_alone():
    registry = toolbox()
    *others, last = ANTHROPIC.tools(registry, cache=True)

    assert {"type": "ephemeral"} == last["cache_control"]
    assert not any("cache_control" in each for each in [*others, *ANTHROPIC.tools(registry)])
    assert [] == ANTHROPIC.tools(ToolRegistry(), cache=True)


def test_calls_come_back_and_server_tools_are_not_ours():
    content = [
        {"type": "text", "text": "Let me see."},
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
        block("coding__view", {"path": "a.py", "last": None}),
        block(wire_name(LONG, "anthropic"), '{"message": "hi"}', "t2"),
        block("coding__fail", None, "t3"),
    ]

    assert [
        Action("coding.view", {"path": "a.py", "last": None}, "t1"),
        Action(LONG, '{"message": "hi"}', "t2"),
        Action("coding.fail", {}, "t3"),
    ] == ANTHROPIC.actions({"role": "assistant", "content": content}, toolbox())


def test_the_message_to_keep_has_thinking_ids_and_mappings():
    thinking = {"type": "thinking", "thinking": "hm", "signature": "s"}
    said = {
        "content": [
            thinking,
            {"type": "text", "text": "a", "parsed_output": None},
            block("x", '{"a": 1}', None),
        ]
    }
    kept = ANTHROPIC.assistant(said)

    assert ("assistant", thinking) == (kept["role"], kept["content"][0])
    assert {"a": 1} == kept["content"][2]["input"]
    assert [kept["content"][2]["id"]] == [
        action.id for action in ANTHROPIC.actions(said, toolbox())
    ]
    assert {} == ANTHROPIC.assistant({"content": [block("x", "{")]})["content"][0]["input"]
    assert [{"type": "text", "text": "hi"}] == ANTHROPIC.assistant({"content": "hi"})["content"]


def test_names_of_arguments_that_the_api_refuses_are_others_there():
    registry = ToolRegistry()
    odd = ["$top", "filter[id]", "größe", "x" * 65, "x" * 66]

    @registry.tool(parameters={name: {"type": "integer"} for name in [*odd, "-A"]}, required=odd)
    def query(**options: int) -> str:
        """Query."""
        return str(options)

    [tool] = ANTHROPIC.tools(registry)
    names = list(tool["input_schema"]["properties"])
    sent = dict(zip(names, range(6), strict=True))
    block = {"type": "tool_use", "id": "t1", "name": "query", "input": sent}
    [action] = ANTHROPIC.actions({"content": [block]}, registry)

    assert all(re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", name) for name in names)
    assert 6 == len(set(names))
    assert "-A" == names[-1]
    assert names[:-1] == tool["input_schema"]["required"]
    assert dict(zip([*odd, "-A"], range(6), strict=True)) == action.args
    assert sent == ANTHROPIC.assistant({"content": [block]})["content"][0]["input"]


def test_results_are_one_user_message():
    actions = [
        Action("coding.picture", {"name": "x"}, "t1"),
        Action("coding.fail", {}, "t2"),
        Action("coding.scan", {}, "t3"),
    ]
    [message] = ANTHROPIC.results(run(actions, toolbox()))
    first, second, third = message["content"]

    assert "user" == message["role"]
    assert ["text", "image"] == [part["type"] for part in first["content"]]
    assert "is_error" not in first
    assert second["is_error"] is True
    assert ["text", "document"] == [part["type"] for part in third["content"]]
    assert [] == ANTHROPIC.results([])


EDITOR = {"type": "text_editor_20250728", "max_characters": 9_000}


def native():
    registry = ToolRegistry()
    for name in ("view", "create"):
        tool = {**EDITOR, "when": {"command": name}}
        registry.register(
            lambda path, file_text="": f"{path} {file_text}",
            f"coding.{name}",
            ToolMeta(name=name, description="D.", native={"anthropic": tool}),
        )
    return registry.register(
        lambda command: command,
        "sh",
        ToolMeta(name="sh", description="D.", native={"anthropic": "bash_20250124"}),
    )


def test_native_tools_go_out_as_anthropics_own_each_once():
    assert [
        {"name": "str_replace_based_edit_tool", **EDITOR},
        {"name": "bash", "type": "bash_20250124"},
    ] == ANTHROPIC.tools(native())


def test_their_calls_come_back_as_the_tools_that_they_mean():
    editor = "str_replace_based_edit_tool"
    content = [
        block(editor, {"command": "create", "path": "a", "file_text": "x"}),
        block(editor, '{"command": "view", "path": "a"}'),
        block(editor, {"command": "undo_edit", "path": "a"}),
        block("bash", {"command": "ls"}),
    ]

    assert [
        ("coding.create", {"path": "a", "file_text": "x"}),
        ("coding.view", {"path": "a"}),
        (editor, {"command": "undo_edit", "path": "a"}),
        ("sh", {"command": "ls"}),
    ] == [
        (action.name, action.args) for action in ANTHROPIC.actions({"content": content}, native())
    ]


MESSAGE = {
    "id": "m1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
    "content": [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "On it."},
        block("coding__view", {"path": "a.py"}),
        block(wire_name(LONG, "anthropic"), {"message": "hi"}, "t2"),
        block("coding__picture", {"name": "cat"}, "t3"),
        block("coding__fail", {}, "t4"),
    ],
}


@pytest.fixture
def sdk():
    return pytest.importorskip("anthropic", reason="anthropic is not installed")


def test_the_official_client_goes_round(sdk):
    registry, history = toolbox(), [{"role": "user", "content": "go"}]
    tools = ANTHROPIC.tools(registry, strict=True, cache=True)
    with (
        answering(MESSAGE, MESSAGE) as (address, bodies),
        sdk.Anthropic(base_url=address, api_key="k") as client,
    ):
        said = client.messages.create(model="m", max_tokens=9, messages=history, tools=tools)
        results = run(ANTHROPIC.actions(said, registry), registry)
        history += [ANTHROPIC.assistant(said), *ANTHROPIC.results(results)]
        client.messages.create(model="m", max_tokens=9, messages=history, tools=tools)

    assert ["a.py:1-None", "far: hi", "a picture of cat"] == [each.text for each in results[:3]]
    assert history == bodies[1]["messages"]
    assert tools == bodies[1]["tools"]


def test_the_official_client_assembles_a_stream(sdk):
    begun = {**MESSAGE, "content": [], "stop_reason": None}
    stream = events(
        {"type": "message_start", "message": begun},
        {"type": "content_block_start", "index": 0, "content_block": block("coding__view", {})},
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "input_json_delta", "partial_json": '{"path":'},
        },
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "input_json_delta", "partial_json": ' "a"}'},
        },
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "tool_use"},
            "usage": {"output_tokens": 2},
        },
        {"type": "message_stop"},
        named=True,
    )
    with (
        answering(stream) as (address, _),
        sdk.Anthropic(base_url=address, api_key="k") as client,
        client.messages.stream(model="m", max_tokens=9, messages=[]) as opened,
    ):
        said = opened.get_final_message()

    assert [Action("coding.view", {"path": "a"}, "t1")] == ANTHROPIC.actions(said, toolbox())
    assert {"type", "id", "name", "input"} == set(ANTHROPIC.assistant(said)["content"][0])


def test_the_official_types_take_what_goes_out(sdk):
    pydantic = pytest.importorskip("pydantic")
    from anthropic.types import MessageParam, ToolUnionParam

    tool_type, message_type = (
        pydantic.TypeAdapter(ToolUnionParam),
        pydantic.TypeAdapter(MessageParam),
    )
    results = run(ANTHROPIC.actions(MESSAGE, toolbox()), toolbox())

    for tool in [*ANTHROPIC.tools(toolbox(), strict=True, cache=True), *ANTHROPIC.tools(native())]:
        assert tool == tool_type.dump_python(tool_type.validate_python(tool))
    for message in [ANTHROPIC.assistant(MESSAGE), *ANTHROPIC.results(results)]:
        assert message["role"] == message_type.validate_python(message)["role"]
