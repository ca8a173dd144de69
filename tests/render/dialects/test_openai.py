import json

import pytest

from qitos_like import Action, ToolMeta, ToolRegistry, dialect, wire_name
from tests.loopback import answering, events
from tests.render.dialects.toolbox import LONG, Edit, run, toolbox

OPENAI = dialect("openai")


def call(name, arguments, call_id="c1"):
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def message(*calls, **more):
    return {"role": "assistant", "content": None, "tool_calls": list(calls), **more}


def by_name(tools):
    return {each["function"]["name"]: each["function"] for each in tools}


def test_tools_are_functions_under_their_wire_names():
    tools = OPENAI.tools(toolbox())

    assert {"function"} == {each["type"] for each in tools}
    assert [
        "coding__view",
        "coding__edit",
        "coding__picture",
        "coding__scan",
        "coding__fail",
        "coding__free",
        wire_name(LONG, "openai"),
    ] == list(by_name(tools))
    assert (
        'Lines of a file.\n\nLook before you edit.\n\nExample: {"path": "a.py"}'
        == by_name(tools)["coding__view"]["description"]
    )


def test_a_tool_is_strict_where_that_loses_nothing():
    tools = by_name(OPENAI.tools(toolbox()))

    assert tools["coding__view"]["strict"] is True
    assert {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "relative"},
            "first": {"type": ["integer", "null"], "description": "1-based (null means 1)"},
            "last": {"type": ["integer", "null"]},
        },
        "additionalProperties": False,
        "required": ["path", "first", "last"],
    } == tools["coding__view"]["parameters"]
    assert tools["coding__free"]["strict"] is False
    assert toolbox()["coding.free"].spec.input_schema == tools["coding__free"]["parameters"]


def test_the_report_says_why_a_tool_is_not_strict():
    assert ["coding.free: $.data: not strict: takes keys that it does not name"] == [
        str(note) for note in OPENAI.report(toolbox())
    ]
    assert [] == OPENAI.report(toolbox(), strict=False)


def test_a_pair_is_strict_and_its_nulls_come_back():
    def draw(line: tuple[Edit, Edit], at: tuple[int, int] | None = None) -> str:
        """Draw."""

    registry = ToolRegistry().register(draw)
    parameters = by_name(OPENAI.tools(registry))["draw"]["parameters"]["properties"]
    sent = {"line": [{"old": "a", "new": "b"}] * 2, "at": None}

    assert ("array", 2, 2) == tuple(
        parameters["line"][key] for key in ("type", "minItems", "maxItems")
    )
    assert {"type": "null"} == parameters["at"]["anyOf"][-1]
    assert sent == OPENAI.actions(message(call("draw", sent)), registry)[0].args


def test_strict_mode_can_be_refused():
    assert not any(
        each["strict"] for each in by_name(OPENAI.tools(toolbox(), strict=False)).values()
    )


def test_what_the_api_refuses_on_top_is_left_out_and_reported():
    parameters = {
        "type": "object",
        "properties": {"a": {}, "b": {}},
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    }

    def either(a: object = None, b: object = None) -> None: ...

    registry = (
        toolbox()
        .select("coding.fail")
        .register(either, meta=ToolMeta(description="One.", parameters=parameters))
    )
    tool = by_name(OPENAI.tools(registry))["either"]

    assert "anyOf" not in tool["parameters"]
    assert "either: $: anyOf is not told: it is checked alone" in map(str, OPENAI.report(registry))


def test_the_list_is_new_each_time_and_its_tools_are_kept():
    registry = toolbox()
    first, second = OPENAI.tools(registry), OPENAI.tools(registry)

    assert first is not second
    assert list(map(id, first)) == list(map(id, second))


def test_the_list_follows_what_is_registered_and_what_is_available():
    usable = [True]
    registry = ToolRegistry()

    @registry.tool(available=lambda: usable[0])
    def wait() -> None:
        """Wait."""

    seen = []
    for is_usable in (True, False, True):
        usable[0] = is_usable
        seen.append([tool["function"]["name"] for tool in OPENAI.tools(registry)])
    registry.unregister("wait")

    assert [["wait"], [], ["wait"]] == seen
    assert [] == OPENAI.tools(registry)


ARGUMENTS = [
    ("text", '{"path": "a.py"}', '{"path": "a.py"}'),
    ("a mapping", {"path": "a.py"}, {"path": "a.py"}),
    ("nothing", None, {}),
    (
        "null for what was left out",
        '{"path": "a.py", "first": null, "last": null}',
        {"path": "a.py", "last": None},
    ),
    ("broken text", '{"path": null', '{"path": null'),
    ("a key twice", '{"first": null, "first": 2}', '{"first": null, "first": 2}'),
    ("null in a text", '{"path": "null"}', '{"path": "null"}'),
]


@pytest.mark.parametrize(
    ("sent", "expected"), [row[1:] for row in ARGUMENTS], ids=[row[0] for row in ARGUMENTS]
)
def test_arguments_stay_as_they_were_sent_but_for_nulls_of_strict_mode(sent, expected):
    [action] = OPENAI.actions(message(call("coding__view", sent)), toolbox())

    assert Action("coding.view", expected, "c1") == action


def test_nulls_of_a_tool_that_cannot_be_strict_stay():
    [action] = OPENAI.actions(message(call("coding__free", '{"data": {"a": null}}')), toolbox())

    assert '{"data": {"a": null}}' == action.args


def test_names_come_back_hashed_ones_too():
    registry = toolbox()
    names = ["coding__view", wire_name(LONG, "openai"), "coding__vew", "nope___0123456789abcdef"]
    calls = [call(name, "{}") for name in names]

    assert ["coding.view", LONG, "coding__vew", "nope___0123456789abcdef"] == [
        action.name for action in OPENAI.actions(message(*calls), registry)
    ]


def test_a_call_without_an_id_has_the_same_one_in_the_history():
    sent = message(call("coding__fail", "{}", None), call("coding__fail", "{}", None))
    actions = OPENAI.actions(sent, toolbox())
    kept = OPENAI.assistant(sent)

    assert [action.id for action in actions] == [each["id"] for each in kept["tool_calls"]]
    assert 2 == len({action.id for action in actions})


def test_a_whole_completion_is_read_and_what_a_request_does_not_take_is_left_out():
    sent = message(
        call("coding__view", {"path": "a"}), annotations=[], refusal=None, reasoning_content="hm"
    )
    completion = {"choices": [{"message": sent, "finish_reason": "tool_calls"}]}

    assert {
        "role": "assistant",
        "reasoning_content": "hm",
        "tool_calls": [call("coding__view", '{"path": "a"}')],
    } == OPENAI.assistant(completion)
    assert {"role": "assistant", "content": ""} == OPENAI.assistant({"content": None})
    assert {"id": "a1"} == OPENAI.assistant({"audio": {"id": "a1", "data": "x"}})["audio"]


def test_a_custom_tools_call_gets_an_answer_too():
    custom = {"id": "c2", "type": "custom", "custom": {"name": "sql", "input": "select 1"}}

    assert [Action("sql", {"input": "select 1"}, "c2")] == OPENAI.actions(
        message(custom), toolbox()
    )
    assert [custom] == OPENAI.assistant(message(custom))["tool_calls"]


def test_chunks_of_a_stream_are_one_message():
    def chunk(**delta):
        return {"choices": [{"index": 0, "delta": delta}]}

    def piece(at, **more):
        return {"index": at, **more}

    chunks = [
        chunk(role="assistant", content="Let "),
        chunk(content="me."),
        chunk(tool_calls=[piece(0, id="c1", function={"name": "coding__view", "arguments": ""})]),
        chunk(tool_calls=[piece(1, id="c2", function={"name": "coding__fail", "arguments": "{}"})]),
        chunk(tool_calls=[piece(0, function={"arguments": '{"path": '})]),
        chunk(tool_calls=[piece(0, function={"arguments": '"a.py"}'})]),
        {"choices": []},
    ]

    assert [
        Action("coding.view", '{"path": "a.py"}', "c1"),
        Action("coding.fail", "{}", "c2"),
    ] == OPENAI.actions(chunks, toolbox())
    assert "Let me." == OPENAI.assistant(chunks)["content"]


def test_results_are_a_message_each_and_images_follow():
    actions = [
        Action("coding.picture", {"name": "cat"}, "c1"),
        Action("coding.fail", {}, "c2"),
        Action("coding.scan", {}, "c3"),
    ]
    first, second, third, images = OPENAI.results(run(actions, toolbox()))

    assert {"role": "tool", "tool_call_id": "c1", "content": "a picture of cat"} == first
    assert "c2" == second["tool_call_id"]
    assert "no luck" in second["content"]
    assert "[audio/wav, 4 bytes, cannot be shown here]" == third["content"]
    assert "user" == images["role"]
    assert ["text", "image_url", "text", "file"] == [part["type"] for part in images["content"]]
    assert images["content"][1]["image_url"]["url"].startswith("data:image/png;base64,iVBORw")


def test_something_else_is_refused():
    with pytest.raises(TypeError, match="a mapping or an object"):
        OPENAI.assistant(3)


COMPLETION = {
    "id": "x",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [
        {
            "index": 0,
            "finish_reason": "tool_calls",
            "message": message(
                call("coding__view", '{"path": "a.py", "first": null, "last": null}', "c1"),
                call(wire_name(LONG, "openai"), '{"message": "hi"}', "c2"),
                call("coding__picture", '{"name": "cat"}', "c3"),
                call("coding__fail", "{}", "c4"),
            ),
        }
    ],
}


@pytest.fixture
def sdk():
    return pytest.importorskip("openai", reason="openai is not installed")


def test_the_official_client_goes_round(sdk):
    registry, history = toolbox(), [{"role": "user", "content": "go"}]
    with (
        answering(COMPLETION, COMPLETION) as (address, bodies),
        sdk.OpenAI(base_url=address, api_key="k") as client,
    ):
        completion = client.chat.completions.create(
            model="m", messages=history, tools=OPENAI.tools(registry)
        )
        results = run(OPENAI.actions(completion, registry), registry)
        history += [OPENAI.assistant(completion), *OPENAI.results(results)]
        client.chat.completions.create(model="m", messages=history, tools=OPENAI.tools(registry))

    assert ["coding.view", LONG, "coding.picture", "coding.fail"] == [
        each.action.name for each in results
    ]
    assert ["a.py:1-None", "far: hi", "a picture of cat"] == [each.text for each in results[:3]]
    assert ["user", "assistant", "tool", "tool", "tool", "tool", "user"] == [
        each["role"] for each in bodies[1]["messages"]
    ]
    assert json.loads(json.dumps(history)) == bodies[1]["messages"]
    assert OPENAI.tools(registry) == bodies[1]["tools"]


def test_the_official_client_assembles_a_stream(sdk):
    def chunk(**delta):
        return {
            "id": "x",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "delta": delta, "finish_reason": None}],
        }

    begun = {
        "index": 0,
        "id": "c1",
        "type": "function",
        "function": {"name": "coding__view", "arguments": ""},
    }
    pieces = [{"index": 0, "function": {"arguments": part}} for part in ('{"pa', 'th": "a.py"}')]
    stream = events(
        chunk(role="assistant", tool_calls=[begun]),
        *(chunk(tool_calls=[piece]) for piece in pieces),
        "[DONE]",
    )
    expected = [Action("coding.view", '{"path": "a.py"}', "c1")]
    with (
        answering(stream, stream) as (address, _),
        sdk.OpenAI(base_url=address, api_key="k") as client,
    ):
        chunks = list(client.chat.completions.create(model="m", messages=[], stream=True))
        with client.chat.completions.stream(model="m", messages=[]) as opened:
            whole = opened.get_final_completion()

    assert expected == OPENAI.actions(chunks, toolbox())
    assert expected == OPENAI.actions(whole, toolbox())


def test_the_official_types_take_what_goes_out(sdk):
    pydantic = pytest.importorskip("pydantic")
    from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolUnionParam

    tool_type = pydantic.TypeAdapter(ChatCompletionToolUnionParam)
    message_type = pydantic.TypeAdapter(ChatCompletionMessageParam)
    results = run(OPENAI.actions(COMPLETION, toolbox()), toolbox())

    for tool in OPENAI.tools(toolbox()):
        assert tool == tool_type.dump_python(tool_type.validate_python(tool))
    for each in [OPENAI.assistant(COMPLETION), *OPENAI.results(results)]:
        assert each["role"] == message_type.validate_python(each)["role"]
