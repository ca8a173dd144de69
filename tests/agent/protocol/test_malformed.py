"""Texts as models write them: the right call, or a word on what is wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qitos_like import Action, ToolRegistry
from qitos_like.agent.protocol.reading import read

ADD = Action("add", {"a": 1, "b": 2})
SAY = Action("say", {"text": "it's"})


def add(a: int, b: int) -> int:
    """Add two integers."""
    return a + b


def say(text: str) -> str:
    """Say it."""
    return text


REGISTRY = ToolRegistry().register(add).register(say)

RIGHT = [
    ("as told", '```json\n{"tool": "add", "args": {"a": 1, "b": 2}}\n```', [ADD]),
    ("prose around", 'So:\n```json\n{"tool":"add","args":{"a":1,"b":2}}\n```\nDone.', [ADD]),
    ("an unclosed fence", '```json\n{"tool": "add", "args": {"a": 1, "b": 2}}', [ADD]),
    ("closed on its line", '```json\n{"tool": "add", "args": {"a": 1, "b": 2}}```', [ADD]),
    ("no language", '```\n{"tool": "add", "args": {"a": 1, "b": 2}}\n```', [ADD]),
    ("another language", '```tool_call\n{"name": "add", "args": {"a": 1, "b": 2}}\n```', [ADD]),
    ("tildes", '~~~json\n{"tool": "add", "args": {"a": 1, "b": 2}}\n~~~', [ADD]),
    ("indented", '  ```json\n  {"tool": "add", "args": {"a": 1, "b": 2}}\n  ```', [ADD]),
    (
        "two blocks",
        (
            '```json\n{"tool": "add", "args": {"a": 1, "b": 2}}\n```\nand\n'
            '```json\n{"tool": "say", "args": {"text": "it\'s"}}\n```'
        ),
        [ADD, SAY],
    ),
    (
        "two in a block",
        (
            '```json\n{"tool": "add", "args": {"a": 1, "b": 2}}\n'
            '{"tool": "say", "args": {"text": "it\'s"}}\n```'
        ),
        [ADD, SAY],
    ),
    ("a list", '```json\n[{"tool": "add", "args": {"a": 1, "b": 2}}]\n```', [ADD]),
    ("single quotes", "```json\n{'tool': 'add', 'args': {'a': 1, 'b': 2}}\n```", [ADD]),
    ("mixed quotes", "```json\n{'tool': 'say', 'args': {'text': \"it's\"}}\n```", [SAY]),
    (
        "Python's words",
        "```json\n{'tool': 'say', 'args': {'text': None, 'a': True}}\n```",
        [Action("say", {"text": None, "a": True})],
    ),
    ("smart quotes", "```json\n{“tool”: “add”, “args”: {“a”: 1, “b”: 2}}\n```", [ADD]),
    ("smart single quotes", "{‘tool’: ‘add’, ‘args’: {‘a’: 1, ‘b’: 2}}", [ADD]),
    ("a trailing comma", '```json\n{"tool": "add", "args": {"a": 1, "b": 2,},}\n```', [ADD]),
    ("keys without quotes", "```json\n{tool: 'add', args: {a: 1, b: 2}}\n```", [ADD]),
    ("comments", '```json\n{"tool": "add", // sum\n"args": {"a": 1, "b": 2}}\n```', [ADD]),
    (
        "a line break in a string",
        '```json\n{"tool": "say", "args": {"text": "a\nb"}}\n```',
        [Action("say", {"text": "a\nb"})],
    ),
    (
        "a fence in a string",
        '```json\n{"tool": "say", "args": {"text": "x\n```\ny"}}\n```',
        [Action("say", {"text": "x\n```\ny"})],
    ),
    (
        "a string in triple quotes",
        '```json\n{"tool": "say", "args": {"text": """a "b" c"""}}\n```',
        [Action("say", {"text": 'a "b" c'})],
    ),
    (
        "a backslash that escapes nothing",
        r'{"tool": "say", "args": {"text": "\d+\n"}}',
        [Action("say", {"text": "\\d+\n"})],
    ),
    ("no fence", '{"tool": "add", "args": {"a": 1, "b": 2}}', [ADD]),
    ("no fence after prose", 'I add. {"tool": "add", "args": {"a": 1, "b": 2}} Wait.', [ADD]),
    (
        "a provider's shape",
        '{"type": "function", "function": {"name": "add", "arguments": "{\\"a\\": 1}"}}',
        [Action("add", '{"a": 1}')],
    ),
    ("arguments beside the name", '```json\n{"tool": "add", "a": 1, "b": 2}\n```', [ADD]),
    ("a known name is enough", '```json\n{"name": "add", "a": 1, "b": 2}\n```', [ADD]),
    ("an action", '{"action": "add", "action_input": {"a": 1, "b": 2}}', [ADD]),
    ("no arguments", '{"tool": "add", "args": null}', [Action("add")]),
    (
        "JSON in a tag",
        '<tool_call>{"name": "add", "arguments": {"a": 1, "b": 2}}</tool_call>',
        [ADD],
    ),
    ("an unclosed tag", '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": 2}}', [ADD]),
    (
        "entities in JSON",
        (
            "<tool_call>{&quot;name&quot;: &quot;say&quot;, "
            "&quot;arguments&quot;: {&quot;text&quot;: &quot;it&#39;s&quot;}}</tool_call>"
        ),
        [SAY],
    ),
    ("a tag with a name", '<tool_call name="add">{"a": 1, "b": 2}</tool_call>', [ADD]),
    (
        "entities in parameters",
        '<invoke name="say"><parameter name="text">a &lt; b &amp;&amp; &#x63;</parameter></invoke>',
        [Action("say", {"text": "a < b && c"})],
    ),
    (
        "a function in a tag",
        "<tool_call>\n<function=say>\n<parameter=text>\nit's\n</parameter>\n</function>\n</tool_call>",
        [SAY],
    ),
    ("a function with JSON", '<function=add>{"a": 1, "b": 2}</function>', [ADD]),
    ("an empty tag", '<tool name="add"/>', [Action("add")]),
    (
        "an unclosed call",
        "<invoke name='say'><parameter name='text'>it's</parameter>",
        [SAY],
    ),
    (
        "a call that was only considered",
        (
            '<think>```json\n{"tool": "say", "args": {}}\n```</think>'
            '```json\n{"tool": "add", "args": {"a": 1, "b": 2}}\n```'
        ),
        [ADD],
    ),
    (
        "characters by number",
        r'{"tool": "say", "args": {"text": "caf\u00e9 \ud83d\ude00"}}',
        [Action("say", {"text": "café 😀"})],
    ),
    ("a fraction", '{"tool": "add", "args": {"a": 1.5e2}}', [Action("add", {"a": 150.0})]),
    (
        "a provider's list",
        '{"tool_calls": [{"function": {"name": "add", "arguments": {"a": 1, "b": 2}}}]}',
        [ADD],
    ),
    (
        "two tags",
        (
            '<function=add>{"a": 1, "b": 2}</function><invoke name="say">'
            '<parameter name="text">it\'s</parameter></invoke>'
        ),
        [ADD, SAY],
    ),
    ("an unknown tool", '```json\n{"tool": "sum", "args": {}}\n```', [Action("sum")]),
]

PROSE = [
    ("an answer", "It is 3."),
    ("nothing", ""),
    ("data", 'The person:\n```json\n{"name": "Ada", "born": 1815}\n```'),
    ("broken data", "```json\n{name: 'Ada', born: ...}\n```"),
    ("a list of data", "```json\n[1, 2]\n```"),
    ("a mixed list", '```json\n[{"tool": "add", "args": {}}, 1]\n```'),
    ("code", "```python\nprint({'a': 1})\n```"),
    ("a table in braces", "{action: none"),
    ("a thought", '<think>{"tool": "add", "args": {}}'),
]

WRONG = [
    ("cut in a string", '```json\n{"tool": "say", "args": {"text": "it', "not closed"),
    ("a bracket that is missing", '```json\n{"tool": "add", "args": {"a": 1}\n```', "was expected"),
    ("the text ends", '{"tool": "add", "args": {"a": 1', "but the text ends"),
    ("no colon", '```json\n{"tool" "add"}\n```', "':' was expected"),
    ("a key twice", '{"tool": "add", "args": {"a": 1, "a": 2}}', "the key 'a' is given twice"),
    ("no value", '{"tool": "add", "args": {"a": }}', "a value was expected at '}}'"),
    ("no word", '{"tool": "add", "args": {"a": yes}}', "a value was expected at 'yes}}'"),
    ("no key", '{"tool": "add", "args": {1: 2}}', "a key was expected"),
    ("digits", '{"tool": "add", "args": {"a": ' + "1" * 5000, "digits"),
    ("depth", '{"tool": "add", "args": ' + "[" * 100, "deeper than 64"),
    ("no JSON", "<tool_call>add(1, 2)</tool_call>", "a value was expected at 'add(1, 2)'"),
    ("an empty tag", "<tool_call></tool_call>", "<tool_call> is empty"),
    ("no name", '<tool_call>{"a": 1}</tool_call>', "the JSON names no tool"),
    ("code of a call", "```tool_code\nadd(1, 2)\n```", "a block of tool_code holds no call"),
    ("a parameter", '<invoke name="say"><parameter name="text">it', "'text' is not closed"),
    (
        "a parameter twice",
        "<function=say><parameter=text>a</parameter><parameter=text>b</parameter></function>",
        "'text' is given twice",
    ),
    (
        "a right one beside",
        '```json\n{"tool": "add", "args": {"a": 1, "b": 2}}\n{"tool": "add", "args": {\n```',
        "a key was expected",
    ),
]


MARKS = [
    "```json\n",
    "```",
    "\n",
    "{",
    "}",
    "[",
    "'",
    '"',
    "“",
    ",",
    ":",
    "tool",
    "args",
    "<tool_call>",
]
MARKS += ["<invoke name=x>", "<parameter name=p>", "</parameter>", "&#x110000;", "\\ud800", "\\u12"]


def table(rows):
    return {"argvalues": [row[1:] for row in rows], "ids": [row[0] for row in rows]}


@pytest.mark.parametrize(("text", "expected"), **table(RIGHT))
def test_the_right_calls_are_read(text, expected):
    reading = read(text, REGISTRY)

    assert (expected, None) == (list(reading.actions), reading.problem)


@pytest.mark.parametrize("text", [row[1] for row in PROSE], ids=[row[0] for row in PROSE])
def test_prose_is_no_call(text):
    reading = read(text, REGISTRY)

    assert ((), None) == (reading.actions, reading.problem)


@pytest.mark.parametrize(("text", "expected"), **table(WRONG))
def test_what_was_meant_as_a_call_is_told(text, expected):
    assert expected in read(text, REGISTRY).problem


@pytest.mark.parametrize("text", [row[1] for row in RIGHT], ids=[row[0] for row in RIGHT])
def test_no_beginning_of_a_call_is_an_exception(text):
    for end in range(len(text)):
        assert read(text[:end], REGISTRY) is not None


@given(st.lists(st.sampled_from(MARKS) | st.text(max_size=2)).map("".join))
def test_no_text_is_an_exception(text):
    assert len(text) >= read(text, REGISTRY).begin
