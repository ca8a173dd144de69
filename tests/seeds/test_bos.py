"""The decorator, context and serialiser examples of "Writing Tools" run; ``ep_tool`` is ``tool``."""

import asyncio

import pytest

from qitos_like import (
    Action,
    ActionExecutor,
    DuplicateToolError,
    SignatureError,
    ToolContext,
    ToolRegistry,
    tool,
)
from tests.seeds.blocks import blocks_of, run

BLOCKS = blocks_of("bos")

EP_TOOL = "from bos.core import ep_tool\n"
#: What each block leaves undefined.
PREAMBLES = {
    "minimal": "",
    "anatomy": EP_TOOL,
    "parameters": "",
    "offload": EP_TOOL,
    "context": EP_TOOL,
    "config_only": EP_TOOL,
    "stopwords": "",
}
#: The schema that a block elides with ``{...}``: one required text of this name.
ELIDED = {"anatomy": "text", "offload": "path"}


def block(name):
    schema = {ELIDED.get(name, ""): {"type": "string"}}
    written = BLOCKS[name].replace("{...}", repr({"type": "object", "properties": schema}))
    return run(written, PREAMBLES[name])


def answer(function, **args):
    """What the runner makes of one call."""
    registry = ToolRegistry().register(function)
    (entry,) = registry
    with ActionExecutor(registry) as executor:
        return executor.run_sync(Action(entry.name, args))


def spec_of(function):
    (spec,) = ToolRegistry().register(function).specs()
    return spec


def test_the_table_of_preambles_names_every_block():
    assert set(BLOCKS) == set(PREAMBLES)


def test_the_minimal_tool_counts_words():
    result = answer(block("minimal").word_count, text="one two three")

    assert "3 words" == result.text


def test_a_decorated_function_is_still_awaited_as_written():
    assert "2 words" == asyncio.run(block("minimal").word_count("one two"))


def test_the_schema_is_the_one_declared():
    schema = spec_of(block("minimal").word_count).input_schema

    assert {"text": {"type": "string", "description": "Text to count."}} == schema["properties"]
    assert ["text"] == schema["required"]


def test_a_duplicate_name_raises_at_registration():
    registry = ToolRegistry().register(block("minimal").word_count)

    with pytest.raises(DuplicateToolError, match="WordCount"):
        registry.register(block("stopwords").word_count)


def test_every_part_of_the_anatomy_is_kept():
    spec = spec_of(block("anatomy").word_count)

    assert ("WordCount", "...", "...", True, "auto") == (
        spec.name,
        spec.description,
        spec.usage,
        spec.parallel_safe,
        spec.result_serializer,
    )


def test_usage_stands_in_the_prompt():
    text = ToolRegistry().register(block("minimal").word_count, meta=None)
    with_usage = tool(name="Count", description="Count.", usage="Only for prose.")(lambda: 0)

    assert "Count the words in a text." in text.get_tool_descriptions()
    assert "Only for prose." in ToolRegistry().register(with_usage).get_tool_descriptions()


def test_a_property_that_is_no_parameter_is_refused():
    properties = block("parameters").parameters["properties"]

    with pytest.raises(SignatureError, match="limit"):

        @tool(name="Read", description="Read.", parameters={"properties": properties})
        async def read(path: str): ...


def test_a_function_with_keywords_takes_any_property():
    parameters = block("parameters").parameters

    @tool(name="Read", description="Read.", parameters=parameters)
    async def read(**given):
        return given

    assert {"path": "a", "limit": 3} == answer(read, path="a", limit=3).value


SERIALIZED = [
    ("auto", {"a": [1, None]}, '{"a": [1, null]}'),
    ("auto", [1, 2.5], "[1, 2.5]"),
    ("auto", 7, "7"),
    ("auto", True, "true"),
    ("auto", None, "null"),
    ("auto", "as it is", "as it is"),
    ("auto", 1 + 2j, "(1+2j)"),
    ("json", "quoted", '"quoted"'),
    ("json", {"a": 1}, '{"a": 1}'),
    ("str", {"a": 1}, "{'a': 1}"),
    ("str", None, "None"),
]


@pytest.mark.parametrize(("serializer", "value", "text"), SERIALIZED)
def test_the_serializer_makes_the_text(serializer, value, text):
    give = tool(name="give", description="Give.", result_serializer=serializer)(lambda: value)

    assert text == answer(give).text


def test_a_sync_function_works_too():
    shout = tool(name="Shout", description="Shout.")(lambda text: text.upper())

    assert "ABC" == answer(shout, text="abc").value


def test_blocking_work_is_offloaded(tmp_path):
    (tmp_path / "config").write_text("a = 1")

    assert "a = 1" == answer(block("offload").read_config, path=str(tmp_path / "config")).text


def test_the_context_is_injected_and_stays_out_of_the_schema():
    module = block("context")
    seen = []

    @tool(name="Ask", description="Ask.")
    async def ask(question: str, context: module.ToolContext | None = None) -> str:
        seen.append(context)
        return await module.ask_expert(question, context) or "asked"

    assert "asked" == answer(ask, question="why?").text
    assert isinstance(seen[0], ToolContext)
    assert ["question"] == list(spec_of(module.ask_expert).input_schema["properties"])


def test_without_a_context_the_function_says_so():
    assert "Error: no context available." == asyncio.run(block("context").ask_expert("why?"))


@pytest.mark.parametrize(
    ("name", "function", "args", "key"),
    [
        ("context", "ask_expert", {"question": "why?"}, "context"),
        ("config_only", "grep_search", {"query": "x"}, "extend_ignore"),
        ("stopwords", "word_count", {"text": "x"}, "exclude_stopwords"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_not_in_the_schema_cannot_be_set_by_a_model(name, function, args, key):
    target = getattr(block(name), function)

    result = answer(target, **args, **{key: True})

    assert key not in spec_of(target).input_schema["properties"]
    assert ("input_invalid", True) == (result.code, key in result.error)


def test_a_parameter_for_config_keeps_its_default():
    module = block("stopwords")

    assert "4 words" == answer(module.word_count, text="the cat the dog").text
    assert "2 words" == asyncio.run(module.word_count("the cat the dog", exclude_stopwords=True))
