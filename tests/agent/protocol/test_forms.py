"""More texts as models write them: what only shows a call, forms of other libraries, slips."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qitos_like import Action
from qitos_like.agent.protocol.reading import read
from tests.agent.protocol.test_malformed import ADD, REGISTRY, RIGHT, table

J = '{"tool": "add", "args": {"a": 1, "b": 2}}'
HI = Action("say", {"text": "hi"})
SAY_HI = '{"tool": "say", "args": {"text": "hi"}}'

CALLS = [
    ("nothing but code in a line", f"`{J}`", [ADD]),
    ("a fence in one line", f"```json {J} ```", [ADD]),
    ("a fence after words", f"Sure: ```json\n{J}\n```\nDone.", [ADD]),
    ("a fence in a list", f"1. First\n   ```json\n   {J}\n   ```\n2. Then I wait.", [ADD]),
    ("a fence of apostrophes", f"'''json\n{J}\n'''", [ADD]),
    ("a comment ahead", f"```json\n// the sum\n{J}\n```", [ADD]),
    ("words ahead", f"```json\njson\n{J}\n```", [ADD]),
    ("a brace too many", f"```json\n{J}}}\n```", [ADD]),
    ("a tag in a fence", '```xml\n<invoke name="say"><parameter name="text">hi</parameter>\n```', [HI]),
    ("a tag in a plain fence", f"```\n<tool_call>{SAY_HI}</tool_call>\n```", [HI]),
    ("a thought beside the call", '{"thought": "I add.", "tool": "add", "args": {"a": 1, "b": 2}}', [ADD]),
    ("another provider's block", '{"type": "tool_use", "id": "x", "name": "add", "input": {"a": 1, "b": 2}}', [ADD]),
    ("a call in its own key", '{"tool": {"name": "add", "args": {"a": 1, "b": 2}}}', [ADD]),
    ("a list in a key", f'{{"actions": [{J}, {SAY_HI}]}}', [ADD, HI]),
    ("a list after a token", '[TOOL_CALLS][{"name": "add", "arguments": {"a": 1, "b": 2}}]', [ADD]),
    ("a token ahead", '<|python_tag|>{"name": "add", "parameters": {"a": 1, "b": 2}}', [ADD]),
    ("labels", 'Thought: I add.\nAction: add\nAction Input: {"a": 1, "b": 2}\nObservation: 4', [ADD]),
    ("labels in bold", '**Action:** `add`\n**Action Input:**\n```json\n{"a": 1, "b": 2}\n```', [ADD]),
    ("wide marks", '{"tool"："add"，"args"：{"a"：1，"b"：2}}', [ADD]),
    ("a byte order mark", f"\ufeff{J}", [ADD]),
    ("a name with an escape", '{"tool": "a\\_dd", "args": {}}', [Action("a_dd")]),
    ("a near name", '```json\n{"name": "ad", "arguments": {"a": 1}}\n```', [Action("ad", {"a": 1})]),
    (
        "attributes",
        '<invoke id="7" name="say" x="y"><parameter name="text" type="string">hi</parameter></invoke>',
        [HI],
    ),
    ("attributes around JSON", f'<tool_call id="c1" type="function">{SAY_HI}</tool_call>', [HI]),
    (
        "CDATA in a parameter",
        '<invoke name="say"><parameter name="text"><![CDATA[a < b </parameter> &amp;]]></parameter></invoke>',
        [Action("say", {"text": "a < b </parameter> &amp;"})],
    ),
    (
        "tags under a name",
        '<｜DSML｜tool_calls><｜DSML｜invoke name="say"><｜DSML｜parameter name="text">hi</｜DSML｜parameter></｜DSML｜invoke>',
        [HI],
    ),
    (
        "tags under a name, with other bars",
        '<|DSML|invoke name="say"><|DSML|parameter name="text">hi</|DSML|parameter></|DSML|invoke>',
        [HI],
    ),
    ("CDATA around JSON", f"<tool_call><![CDATA[{SAY_HI}]]></tool_call>", [HI]),
    (
        "its own tag in a string",
        '<tool_call>{"tool": "say", "args": {"text": "</tool_call>"}}</tool_call>',
        [Action("say", {"text": "</tool_call>"})],
    ),
    (
        "a function's tag in a string",
        '<function=say>{"text": "</function>"}</function>',
        [Action("say", {"text": "</function>"})],
    ),
    (
        "thoughts in a string",
        '{"tool": "say", "args": {"text": "<think>x"}}',
        [Action("say", {"text": "<think>x"})],
    ),
    ("code in a string", '{"tool": "say", "args": {"text": "a `b` c"}}', [Action("say", {"text": "a `b` c"})]),
    ("a call after code", f"Like `x`: {J}", [ADD]),
    ("a call after a quotation", f"> {SAY_HI}\n\n```json\n{J}\n```", [ADD]),
    ("a call after a thought in capitals", f"<THINK>{SAY_HI}</THINK>{J}", [ADD]),
    ("arguments first", '{"args": {"a": 1, "b": 2}, "tool": "add"}', [ADD]),
    ("data first", '{"thoughts": {"plan": "add"}, "tool": "add", "args": {"a": 1, "b": 2}}', [ADD]),
    ("a quote in a thought", '{"thought": "\\"3\\"?", "tool": "add", "args": {"a": 1, "b": 2}}', [ADD]),
    ("tool_args", '{"tool_name": "add", "tool_args": {"a": 1, "b": 2}}', [ADD]),
    ("kwargs", '{"tool": "add", "kwargs": {"a": 1, "b": 2}}', [ADD]),
    ("a recipient", '{"tool_uses": [{"recipient_name": "add", "parameters": {"a": 1, "b": 2}}]}', [ADD]),
    ("lines of JSON", f"```jsonl\n{J}\n{SAY_HI}\n```", [ADD, HI]),
    ("a hyphen", f"```tool-call\n{J}\n```", [ADD]),
    ("a namespace", '<m:invoke name="say"><m:parameter name="text">hi</m:parameter></m:invoke>', [HI]),
    ("capitals", '<Invoke name="say"><Parameter name="text">hi</Parameter></Invoke>', [HI]),
    ("results made up", f"```json\n{J}\n```\nResult of add: ok\n3\n```json\n{SAY_HI}\n```", [ADD]),
    ("a response made up", f"<tool_call>{J}</tool_call>\n<tool_response>3</tool_response>\n{SAY_HI}", [ADD]),
    (
        "an observation made up",
        'Action: add\nAction Input: {"a": 1, "b": 2}\nObservation: 3\nAction: say\nAction Input: {"text": "hi"}',
        [ADD],
    ),
    ("a call beside an example", f"```python\nx = {SAY_HI}\n```\n```json\n{J}\n```", [ADD]),
]  # fmt: skip

#: These say something else as long as the end of the thought is not there.
LATE = [
    ("a call after a thought whose beginning is missing", f"or {SAY_HI}\n</think>\n{J}", [ADD]),
    ("a call after a block of thought", f"```json\n{SAY_HI}\n```\n</think>\n\n```json\n{J}\n```", [ADD]),
]  # fmt: skip

SHOWN = [
    ("code in a line", f"You could write `{J}` to add."),
    ("a tag in a line", f"Write `<tool_call>{J}</tool_call>` to add."),
    ("a quotation", f"> ```json\n> {J}\n> ```\nwas in the file."),
    ("a quoted tag", f"> <tool_call>{J}</tool_call>"),
    ("code of another language", f"```python\ncall = {J}\nprint(call)\n```"),
    ("a log", f"```text\n12:00 {J}\n```"),
    ("a block in a block", f"````markdown\n```json\n{J}\n```\n````"),
    ("a block in a block of tildes", f"~~~markdown\n```json\n{J}\n```\n~~~"),
    ("a block in a plain block", f"~~~~\n```json\n{J}\n```\n~~~~"),
    ("a thought", f"<thinking>{J}</thinking>It is 3."),
    ("a thought of another kind", f"[THINK]{J}[/THINK]It is 3."),
    ("a thought whose beginning is missing", f"or {J}</think>It is 3."),
    ("reasoning", f"<reasoning>\n```json\n{J}\n```\n</reasoning>\nIt is 3."),
    ("a thought in a namespace", f"<seed:think>{J}</seed:think>It is 3."),
    ("a thought in triangles", f"\u25c1think\u25b7{J}\u25c1/think\u25b7It is 3."),
    ("a thought in tokens", f"<|begin_of_thought|>{J}<|end_of_thought|>It is 3."),
    ("a channel of thought", f"<|channel|>analysis<|message|>{J}<|end|>It is 3."),
    ("data of that name", '```json\n{"name": "add", "version": "1.0"}\n```'),
    ("a list of tools", '{"tools": [{"name": "add", "description": "Adds."}]}'),
    ("other actions", '{"actions": [{"name": "build", "status": "ok"}]}'),
    ("code that shows how", "So:\n```python\nfrom sums import add\nprint(add(1, 2))\n```"),
    ("arguments in a sentence", 'I called add with {"a": 1, "b": 2} and got 3.'),
    ("a description of a tool", '```json\n{"name": "add", "parameters": {"type": "object", "properties": {}}}\n```'),
    ("another action", '```json\n{"action": "buy", "parameters": {"shares": 1}}\n```'),
    ("no tool", '{"tool": null}'),
    ("a call in a sentence", "I would call add(1, 2) here."),
    ("HTML", "<b>bold</b> and <add>"),
    ("labels without input", "Action: none needed.\nIt is 3."),
]  # fmt: skip

TOLD = [
    ("a call in another language", f"```python\n{J}\n```", "it stands in a block of python"),
    ("a call as text", f"```text\n{J}\n```", "it stands in a block of text"),
    ("YAML", "```yaml\ntool: add\nargs:\n  a: 1\n```", "it stands in a block of yaml"),
    ("code", "add(a=1, b=2)", "add(...) is no JSON"),
    ("code in a list", "[add(1, 2)]", "add(...) is no JSON"),
    ("code that prints", "print(add(1, 2))", "add(...) is no JSON"),
    ("code in a block", "```python\nadd(a=1, b=2)\n```", "add(...) is no JSON"),
    ("code with a namespace", "functions.add(a=1, b=2)", "functions.add(...) is no JSON"),
    ("code at the end", "I add.\n\nx = await add(a=1, b=2)", "add(...) is no JSON"),
    ("code in a tag", "<tool_code>add(a=1, b=2)</tool_code>", "add(...) is no JSON"),
    ("a name ahead", 'add\n{"a": 1, "b": 2}', "add does not stand in its JSON"),
    ("a name as the key", '```json\n{"add": {"a": 1, "b": 2}}\n```', "add does not stand in its JSON"),
    ("a name as the language", '```add\n{"a": 1, "b": 2}\n```', "add stands as the language"),
    ("a name in brackets", '[Calling tool: add({"a": 1, "b": 2})]', "add does not stand in its JSON"),
    ("a name as the tag", '<add>{"a": 1, "b": 2}</add>', "add does not stand in its JSON"),
    ("other labels", 'Tool: add\nArgs: {"a": 1, "b": 2}', "add does not stand in its JSON"),
    ("a label and code", "Action: add(1, 2)", "'Action: add(' is no form of a call"),
    ("a label alone", "Thought: I add.\nAction: add", "'Action: add' is no form of a call"),
    ("YAML without a block", "tool: add\nargs:\n  a: 1", "'tool: add' is no form of a call"),
    (
        "a parameter that is not closed",
        "<function=add><parameter=a>1\n<parameter=b>2</parameter></function>",
        "the parameter 'a' is not closed",
    ),
    ("elements", "<add><a>1</a><b>2</b></add>", "<add> is no form of a call"),
    ("an element", '<say text="hi"/>', "<say> is no form of a call"),
    ("a name in a tag", "<tool_use><name>add</name></tool_use>", "its tags name no tool"),
    ("entities", "&lt;invoke name=add&gt;", "its tags are entities"),
    ("another model's tokens", "<｜tool▁calls▁begin｜>function<｜tool▁sep｜>add", "of another form"),
    ("a token and code", "<|python_tag|>add(a=1, b=2)", "of another form"),
    ("a token and a name", '[TOOL_CALLS]add[ARGS]{"a": 1, "b": 2}', "of another form"),
    ("a channel", '<|channel|>commentary to=functions.add<|message|>{"a": 1}<|call|>', "of another form"),
    ("tags under a name, cut off", "<｜DSML｜tool_calls>\n<｜DSML｜inv", "of another form"),
    ("a string", json.dumps(J), "it is JSON inside a string"),
    ("labels without JSON", "Action: add\nAction Input: 1, 2", "the Action Input is no JSON object"),
    ("labels that are cut", 'Action: add\nAction Input: {"a": ', "a value was expected"),
    ("a tuple", '{"tool": "add", "args": (1, 2)}', "a value was expected at '(1, 2)}'"),
    ("hexadecimal", '{"tool": "add", "args": {"a": 0x1F}}', "a value was expected at '0x1F}}'"),
    ("no number", '{"tool": "add", "args": {"a": NaN}}', "a value was expected at 'NaN}}'"),
    ("two strings", '{"tool": "say", "args": {"text": "a" + "b"}}', "was expected at '+"),
    ("a semicolon", '{"tool": "add", "args": {"a": 1; "b": 2}}', "was expected at ';"),
    ("a comma that is missing", '{"tool": "add" "args": {}}', "',' or '}' was expected"),
    ("a brace that is missing", J[:-1], "but the text ends"),
    ("a tag that is cut", "<invoke name='add'>", "<invoke> is not closed"),
    ("a function that is cut", "<tool_call><function=add>\n", "<function> is not closed"),
    ("a name in words", "<tool_call>add</tool_call>", "a value was expected at 'add'"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), **table(CALLS + LATE))
def test_the_right_calls_are_read(text, expected):
    reading = read(text, REGISTRY)

    assert (expected, None) == (list(reading.actions), reading.problem)


@pytest.mark.parametrize("text", [row[1] for row in SHOWN], ids=[row[0] for row in SHOWN])
def test_what_is_only_shown_is_no_call(text):
    reading = read(text, REGISTRY)

    assert ((), None) == (reading.actions, reading.problem)


@pytest.mark.parametrize(("text", "expected"), **table(TOLD))
def test_what_was_meant_as_a_call_is_told(text, expected):
    reading = read(text, REGISTRY)

    assert ((), True) == (reading.actions, expected in (reading.problem or "")), reading


@pytest.mark.parametrize(("text", "expected"), **table(RIGHT + CALLS))
def test_a_text_that_is_not_whole_holds_no_other_call(text, expected):
    for end in range(len(text)):
        reading = read(text[:end], REGISTRY)
        if reading.problem is None and reading.actions:
            assert list(reading.actions) == expected[: len(reading.actions)]


TEXTS = st.text() | st.sampled_from(
    ["```", "\n```\n", "</think>", "<think>", "`x`", "> a", "</tool_call>", "<invoke name='a'>"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=6,
)
FORMS = ["```json\n{}\n```", "{}", "I add.\n```\n{}\n```\nDone.", "<tool_call>{}</tool_call>"]


@given(args=st.dictionaries(TEXTS, JSON, max_size=3), form=st.sampled_from(FORMS))
def test_arguments_of_any_kind_arrive_as_they_were_written(args, form):
    text = form.replace("{}", json.dumps({"tool": "add", "args": args}, ensure_ascii=False))

    reading = read(text, REGISTRY)

    assert ([Action("add", args)], None) == (list(reading.actions), reading.problem)


def test_what_a_model_says_ahead_of_its_calls_is_kept_without_thoughts():
    assert "I add." == read(f"<think>hm</think>I add.\n{J}", REGISTRY).spoken.strip()


@pytest.mark.parametrize(
    "part",
    ["{a:", '{"a": ', '{"a":{"b":1},', "add ", "Action: ", "add: {", "a", "</think>", "```\n", '```json\n{"a":1}\n```\n', "<tool_call>", '{"tool":', "`a` ", "<tool a=a ",
     '{"name": "a", ', "> a\n", "Action: a\nAction Input: {", "<add><"],
)  # fmt: skip
def test_a_model_that_repeats_itself_is_read_in_a_moment(part):
    read(part * (40_000 // len(part)), REGISTRY)  # the time limit of a test would tell
