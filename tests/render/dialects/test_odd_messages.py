"""Messages as no provider's documentation has them, which models and servers send all the same."""

import json

import pytest

from qitos_like import Action, ActionExecutor, ActionResult, Ok, Part, ToolRegistry, dialect
from tests.render.dialects.toolbox import run


def openai(*calls):
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [openai_call(*each) for each in calls],
    }


def openai_call(name, arguments, call_id):
    function = {"name": name, "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function}


def responses(*calls):
    keys = ("name", "arguments", "call_id")
    return [{"type": "function_call", **dict(zip(keys, call, strict=True))} for call in calls]


def anthropic(*calls):
    keys = ("name", "input", "id")
    return {
        "content": [{"type": "tool_use", **dict(zip(keys, each, strict=True))} for each in calls]
    }


def gemini(*calls):
    keys = ("name", "args", "id")
    return {"parts": [{"functionCall": dict(zip(keys, each, strict=True))} for each in calls]}


def chunks(*calls):
    """As servers stream that number all calls 0."""
    return [
        {"choices": [{"delta": {"tool_calls": [{"index": 0, **openai_call(*each)}]}}]}
        for each in calls
    ]


FORMS = {
    "openai": ("openai", openai),
    "a stream": ("openai", chunks),
    "openai-responses": ("openai-responses", responses),
    "anthropic": ("anthropic", anthropic),
    "gemini": ("gemini", gemini),
}
WHOLE = {name: form for name, form in FORMS.items() if name != "a stream"}
every_form = pytest.mark.parametrize(("provider", "form"), FORMS.values(), ids=FORMS)
whole = pytest.mark.parametrize(("provider", "form"), WHOLE.values(), ids=WHOLE)

GOOD = {
    "nothing": (None, "1"),
    "an empty text": ("", "1"),
    "an empty object": ("{}", "1"),
    "a text": ('{"number": 2}', "2"),
    "a mapping": ({"number": 2}, "2"),
}
BAD = {
    "a list": [1],
    "a listed text": "[1]",
    "a number": 5,
    "a flag": True,
    "a cut text": '{"number": ',
    "too deep": '{"number": ' + "[" * 100_000,
    "no number": '{"number": NaN}',
    "half a character": '{"number": "\\ud800"}',
    "half a character as it is": '{"number": "\ud800"}',
}


def counting():
    registry = ToolRegistry()

    @registry.tool(name="shop.count")
    def count(number: int = 1) -> int:
        """Count."""
        return number

    return registry


def sent(value):
    """As a client puts it on the wire."""
    return json.dumps(value, allow_nan=False, ensure_ascii=False).encode()


@every_form
@pytest.mark.parametrize(("arguments", "expected"), GOOD.values(), ids=GOOD)
def test_arguments_come_in_any_form(provider, form, arguments, expected):
    registry, d = counting(), dialect(provider)
    message = form(("shop__count" if provider != "gemini" else "shop.count", arguments, "c1"))
    [result] = run(d.actions(message, registry), registry)

    assert (True, expected) == (result.ok, result.text)
    assert sent([d.assistant(message), d.results([result])])


@every_form
@pytest.mark.parametrize("arguments", BAD.values(), ids=BAD)
def test_wrong_arguments_are_answered_and_never_taken_for_none(provider, form, arguments):
    registry, d = counting(), dialect(provider)
    message = form(("shop__count" if provider != "gemini" else "shop.count", arguments, "c1"))
    [result] = run(d.actions(message, registry), registry)

    assert "input_invalid" == result.code
    assert sent([d.assistant(message), d.results([result])])


@whole
@pytest.mark.parametrize("ids", [("a", "b"), (None, None), ("", ""), ("a", None)])
def test_calls_with_and_without_ids_are_told_apart(provider, form, ids):
    first, second = dialect(provider).actions(
        form(*(("f", "{}", each) for each in ids)), counting()
    )

    assert first.id
    assert second.id
    assert first.id != second.id


@whole
def test_an_id_that_two_calls_have_is_the_firsts(provider, form):
    d, message = dialect(provider), form(("f", "{}", "same"), ("g", "{}", "same"))
    first, second = d.actions(message, counting())
    answers = d.results(run([first, second], counting()))

    assert "same" == first.id
    assert "same" != second.id
    assert 1 == str(answers).count("'same'")


def test_a_stream_of_calls_that_are_all_numbered_0_is_two_calls():
    message = chunks(("f", '{"a"', "1"), ("", ": 1}", None), ("g", "{}", "2"))

    assert [("f", '{"a": 1}', "1"), ("g", "{}", "2")] == [
        (each.name, each.args, each.id) for each in dialect("openai").actions(message, counting())
    ]


@pytest.mark.parametrize(
    "calls",
    [
        [("f", '{"a": 1}'), ("g", "{}")],
        [("f", '{"a": 1}'), ("f", '{"a": 2}')],
        [("f", "{}"), ("f", '{"a": 2}'), ("g", "{}")],
    ],
    ids=["other names", "other arguments", "three"],
)
def test_a_stream_that_numbers_all_calls_0_and_gives_no_ids_is_as_many_calls(calls):
    actions = dialect("openai").actions(chunks(*((*each, "") for each in calls)), counting())

    assert calls == [(each.name, each.args) for each in actions]


def test_the_texts_of_a_streams_first_choice_are_joined():
    deltas = [
        [
            {"index": 0, "delta": {"reasoning_content": "I "}},
            {"index": 1, "delta": {"content": "b"}},
        ],
        [{"index": 1, "delta": {"content": "c"}}],
        [{"index": 0, "delta": {"reasoning_content": "see", "content": "a"}}],
        [{"delta": {"refusal": "no", "reasoning": {"effort": "low"}}}],
        [{"delta": {"content": [{"type": "thinking", "thinking": []}, {"text": "d"}]}}],
    ]

    assert {
        "role": "assistant",
        "content": "ad",
        "reasoning_content": "I see",
        "refusal": "no",
    } == dialect("openai").assistant([{"choices": each} for each in deltas])


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([("f", "{"), ("f", '"a": 1'), ("f", "}")], ("f", '{"a": 1}')),
        ([("f", '{"a": 1}'), ("f", '{"a": 1}')], ("f", '{"a": 1}')),
        ([("get_", ""), ("it", "{}")], ("get_it", "{}")),
        ([("f", '{"a": "'), ("", "x"), ("", "x"), ("", '"}')], ("f", '{"a": "xx"}')),
    ],
    ids=["names", "arguments", "a name in pieces", "letters"],
)
def test_what_a_server_sends_again_is_taken_once(pieces, expected):
    message = chunks(*((name, arguments, "c1") for name, arguments in pieces))
    [action] = dialect("openai").actions(message, counting())

    assert expected == (action.name, action.args)


BLANK = {
    "anthropic": (
        {
            "content": [
                {"type": "text", "text": " \n"},
                {"type": "tool_use", "name": "f", "id": "1"},
            ]
        },
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "name": "f", "id": "1", "input": {}}],
        },
    ),
    "anthropic alone": (
        {"content": [{"type": "text", "text": ""}]},
        {"role": "assistant", "content": [{"type": "text", "text": "(nothing)"}]},
    ),
    "gemini": (
        {"parts": [{}, {"text": ""}, {"thought": True}, {"thoughtSignature": "s"}]},
        {"role": "model", "parts": [{"text": ""}, {"text": "", "thoughtSignature": "s"}]},
    ),
    "gemini alone": (
        {"candidates": [{"finishReason": "STOP", "content": {"role": "model"}}]},
        {"role": "model", "parts": [{"text": "(nothing)"}]},
    ),
}


TEXTS = {
    "openai": lambda text: {"content": text},
    "openai-responses": lambda text: {
        "output": [{"type": "message", "content": [{"type": "output_text", "text": text}]}]
    },
    "anthropic": lambda text: {"content": [{"type": "text", "text": text}]},
    "gemini": lambda text: {"parts": [{"text": text}]},
}


@pytest.mark.parametrize(("provider", "saying"), TEXTS.items(), ids=TEXTS)
def test_half_a_character_in_a_text_is_not_sent_back(provider, saying):
    kept = sent(dialect(provider).assistant(saying("a \ud83c\udf78 b \ud83c c"))).decode()

    assert "a \U0001f378 b ? c" in kept


@pytest.mark.parametrize("arguments", ["", " ", None])
@pytest.mark.parametrize("provider", ["openai", "openai-responses"])
def test_no_arguments_go_back_as_an_object_that_any_server_reads(provider, arguments):
    form = FORMS[provider][1]
    kept = sent(dialect(provider).assistant(form(("f", arguments, "1")))).decode()

    assert '"arguments": "{}"' in kept


@pytest.mark.parametrize("case", BLANK)
def test_a_message_that_says_nothing_goes_back_as_the_api_takes_it(case):
    message, expected = BLANK[case]

    assert expected == dialect(case.split()[0]).assistant(message)


@pytest.mark.parametrize("provider", ["openai", "openai-responses", "anthropic"])
def test_an_image_that_no_provider_shows_is_told_in_words(provider):
    parts = [Part("image/svg+xml", b"<svg/>"), Part("image/jpg", b"...")]
    result = ActionResult(action=Action("draw", id="c1"), result=Ok("", parts=parts), text="drawn")
    told = str(dialect(provider).results([result]))

    assert "[image/svg+xml, 6 bytes, cannot be shown here]" in told
    assert "image/jpeg" in told
    assert "image/jpg" not in told


ILLEGAL = {
    "functions.view": "functions_view",
    "a b": "a_b",
    "é": "_",
    "": "_",
    "x" * 300: "x" * 64,
}


@pytest.mark.parametrize(("name", "expected"), ILLEGAL.items(), ids=map(ascii, range(len(ILLEGAL))))
def test_a_name_that_the_model_made_up_goes_back_as_the_api_takes_it(name, expected):
    d, message = dialect("openai"), openai((name, "{}", "c1"))
    [action] = d.actions(message, counting())
    [result] = run([action], counting())

    assert name == action.name
    assert "unknown_tool" == result.code
    assert expected == d.assistant(message)["tool_calls"][0]["function"]["name"]


@pytest.mark.parametrize("provider", ["openai-responses", "anthropic", "gemini"])
def test_so_it_does_with_other_providers(provider):
    form = FORMS[provider][1]
    kept = dialect(provider).assistant(form(("a b", {}, "c1")))

    assert "a_b" in str(kept)
    assert "a b" not in str(kept)


@every_form
def test_there_is_one_answer_to_each_of_a_hundred_calls(provider, form):
    registry, d = counting(), dialect(provider)
    name = "shop.count" if provider == "gemini" else "shop__count"
    message = form(*((name, json.dumps({"number": each}), f"c{each}") for each in range(100)))
    with ActionExecutor(registry) as executor:
        answers = d.results(executor.run_turn_sync(d.actions(message, registry)))
    told = str(answers)

    assert [1] * 100 == [told.count(f"'c{each}'") for each in range(100)]
    assert sorted(map(told.index, ids := [f"'c{each}'" for each in range(100)])) == [
        told.index(each) for each in ids
    ]
