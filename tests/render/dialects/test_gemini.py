import pytest

from qitos_like import Action, ToolRegistry, dialect, wire_name
from tests.loopback import answering, events
from tests.render.dialects.toolbox import LONG, run, toolbox

GEMINI = dialect("gemini")


def part(name, args, call_id=None):
    return {"functionCall": {"name": name, "args": args, **({"id": call_id} if call_id else {})}}


def test_tools_are_declarations_of_one_tool():
    [tool] = GEMINI.tools(toolbox())
    view, *_ = tool["functionDeclarations"]
    names = [each["name"] for each in tool["functionDeclarations"]]

    assert ["coding.view", "coding.edit"] == names[:2]
    assert wire_name(LONG, "gemini") == names[-1]
    assert {
        "type": "OBJECT",
        "properties": {
            "path": {"type": "STRING", "description": "relative"},
            "first": {"type": "INTEGER", "default": 1, "description": "1-based"},
            "last": {"type": "INTEGER", "default": None, "nullable": True},
        },
        "required": ["path"],
    } == view["parameters"]
    assert "parameters" not in tool["functionDeclarations"][4]
    assert [] == GEMINI.tools(ToolRegistry())


def test_calls_come_back_in_either_spelling():
    snake = {
        "function_call": {"name": "coding.view", "args": {"path": "b"}},
        "thought_signature": "c2ln",
    }
    first, second = GEMINI.actions(
        {"parts": [part("coding.view", {"path": "a"}, "f1"), snake]}, toolbox()
    )

    assert Action("coding.view", {"path": "a"}, "f1") == first
    assert ("coding.view", {"path": "b"}) == (second.name, second.args)
    assert "thoughtSignature" in GEMINI.assistant({"parts": [snake]})["parts"][0]


def test_a_call_without_an_id_is_answered_without_one():
    sent = {"parts": [part(wire_name(LONG, "gemini"), {}), part("coding.fail", {}, "f2")]}
    results = run(GEMINI.actions(sent, toolbox()), toolbox())
    [content] = GEMINI.results(results)
    first, second = (each["functionResponse"] for each in content["parts"])

    assert {"name": wire_name(LONG, "gemini"), "response": {"output": "far: "}} == first
    assert ("f2", "coding.fail") == (second["id"], second["name"])
    assert "no luck" in second["response"]["error"]


def test_images_and_documents_stand_in_the_response():
    actions = [
        Action("coding.picture", {"name": "x"}, "f1"),
        Action("coding.scan", {}, "f2"),
        Action("no tool", {}, "f3"),
    ]
    [content] = GEMINI.results(run(actions, toolbox()))
    first, second, third = (each["functionResponse"] for each in content["parts"])

    assert "image/png" == first["parts"][0]["inlineData"]["mimeType"]
    assert "application/pdf" == second["parts"][0]["inlineData"]["mimeType"]
    assert "audio/wav" in second["response"]["output"]
    assert "no_tool" == third["name"]
    assert [] == GEMINI.results([])


RESPONSE = {
    "candidates": [
        {
            "finishReason": "STOP",
            "content": {
                "role": "model",
                "parts": [
                    {"text": "hm", "thought": True},
                    {
                        **part("coding.view", {"path": "a.py"}, "f1"),
                        "thoughtSignature": "c2lnbmVkLz8-",
                    },
                    part(wire_name(LONG, "gemini"), {"message": "hi"}),
                    part("coding.picture", {"name": "cat"}, "f3"),
                    part("coding.fail", {}, "f4"),
                ],
            },
        }
    ]
}


def test_a_whole_response_is_read():
    assert ["coding.view", LONG, "coding.picture", "coding.fail"] == [
        action.name for action in GEMINI.actions(RESPONSE, toolbox())
    ]


@pytest.fixture
def sdk():
    pytest.importorskip("google.genai", reason="google-genai is not installed")
    from google import genai

    return genai


def client_at(sdk, address):
    return sdk.Client(api_key="k", vertexai=False, http_options={"base_url": address})


def asking(registry):
    return {"tools": GEMINI.tools(registry), "automatic_function_calling": {"disable": True}}


def test_the_official_client_goes_round(sdk):
    registry, history = toolbox(), [{"role": "user", "parts": [{"text": "go"}]}]
    with answering(RESPONSE, RESPONSE) as (address, bodies), client_at(sdk, address) as client:
        said = client.models.generate_content(model="m", contents=history, config=asking(registry))
        results = run(GEMINI.actions(said, registry), registry)
        history += [GEMINI.assistant(said), *GEMINI.results(results)]
        client.models.generate_content(model="m", contents=history, config=asking(registry))

    assert ["a.py:1-None", "far: hi", "a picture of cat"] == [each.text for each in results[:3]]
    assert ["user", "model", "user"] == [each["role"] for each in bodies[1]["contents"]]
    called = [
        each.get("functionCall", {}).get("name") for each in bodies[1]["contents"][1]["parts"]
    ]
    answered = [each["functionResponse"]["name"] for each in bodies[1]["contents"][2]["parts"]]
    assert called[1:] == answered
    declared = [each["name"] for each in bodies[1]["tools"][0]["functionDeclarations"]]
    assert [each["name"] for each in GEMINI.tools(registry)[0]["functionDeclarations"]] == declared


def test_what_is_kept_is_what_was_said(sdk):
    with answering(RESPONSE) as (address, _), client_at(sdk, address) as client:
        said = client.models.generate_content(model="m", contents="go")

    assert said.candidates[0].content == sdk.types.Content.model_validate(GEMINI.assistant(said))


def test_the_responses_of_a_stream_are_one_message(sdk):
    def response(each):
        return {"candidates": [{"content": {"role": "model", "parts": [each]}}]}

    stream = events(
        response(part("coding.view", {"path": "a"}, "f1")), response(part("coding.fail", {}, "f2"))
    )
    with answering(stream) as (address, _), client_at(sdk, address) as client:
        said = list(client.models.generate_content_stream(model="m", contents="go"))

    assert [
        Action("coding.view", {"path": "a"}, "f1"),
        Action("coding.fail", {}, "f2"),
    ] == GEMINI.actions(said, toolbox())


def test_the_official_types_take_what_goes_out(sdk):
    results = run(GEMINI.actions(RESPONSE, toolbox()), toolbox())
    [tool] = GEMINI.tools(toolbox())
    taken = sdk.types.Tool.model_validate(tool)

    assert [each["name"] for each in tool["functionDeclarations"]] == [
        each.name for each in taken.function_declarations
    ]
    for content in [GEMINI.assistant(RESPONSE), *GEMINI.results(results)]:
        assert len(content["parts"]) == len(sdk.types.Content.model_validate(content).parts)
