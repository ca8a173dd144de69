"""The decorator, context and serialiser examples of "Writing Tools" run; ``ep_tool`` is ``tool``."""

import asyncio
import threading

import anyio
import pytest

from qitos_like import (
    Action,
    ActionExecutor,
    Agent,
    Decision,
    DuplicateToolError,
    Engine,
    ScriptedModel,
    SignatureError,
    ToolContext,
    ToolRegistry,
    dialect,
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
    return answers(function, args)[0]


def answers(function, *calls):
    """What the runner makes of calls in one message of a model."""
    registry = ToolRegistry().register(function)
    (entry,) = registry
    with ActionExecutor(registry) as executor:
        return executor.run_turn_sync([Action(entry.name, args) for args in calls])


def spec_of(function):
    (spec,) = ToolRegistry().register(function).specs()
    return spec


def test_writing_tools_means_every_block_of_the_document():
    assert {*PREAMBLES, "config_only.toml", "stopwords.toml", "agents.toml"} == set(BLOCKS)


def test_writing_tools_gives_a_model_functions_to_call_during_a_turn():
    script = [
        Decision.act([Action("WordCount", {"text": "one two three"})]),
        Decision.final("Three."),
    ]

    result = Agent(ScriptedModel(script), [block("minimal").word_count]).run("How many words?")

    assert ("3 words", "Three.") == (result.steps[0].results[0].text, result.final_answer)


def test_minimal_example_counts_words():
    assert "3 words" == answer(block("minimal").word_count, text="one two three").text


def test_minimal_example_is_still_awaited_as_written():
    assert "2 words" == asyncio.run(block("minimal").word_count("one two"))


def test_minimal_example_has_the_schema_that_it_declares():
    schema = spec_of(block("minimal").word_count).input_schema

    assert {"text": {"type": "string", "description": "Text to count."}} == schema["properties"]
    assert ["text"] == schema["required"]


def test_full_decorator_anatomy_is_kept_part_by_part():
    spec = spec_of(block("anatomy").word_count)

    assert ("WordCount", "...", "...", True, "auto") == (
        spec.name,
        spec.description,
        spec.usage,
        spec.parallel_safe,
        spec.result_serializer,
    )


def test_full_decorator_anatomy_has_no_other_part():
    with pytest.raises(TypeError, match="no option 'usge'; did you mean 'usage'"):
        tool(name="WordCount", usge="...")


def test_name_is_what_the_model_calls():
    assert "WordCount" == spec_of(block("minimal").word_count).name


def test_name_that_is_taken_raises_at_registration():
    registry = ToolRegistry().register(block("minimal").word_count)

    with pytest.raises(DuplicateToolError, match="WordCount"):
        registry.register(block("stopwords").word_count)


def test_description_goes_into_the_schema_that_the_model_receives():
    registry = ToolRegistry().register(block("minimal").word_count)

    (sent,) = dialect("openai").tools(registry)

    assert ("WordCount", "Count the words in a text.") == (
        sent["function"]["name"],
        sent["function"]["description"],
    )


def test_parameters_of_a_property_that_the_function_lacks_are_refused():
    properties = block("parameters").parameters["properties"]

    with pytest.raises(SignatureError, match="limit"):

        @tool(name="Read", description="Read.", parameters={"properties": properties})
        async def read(path: str): ...


def test_parameters_of_any_name_fit_a_function_with_keywords():
    parameters = block("parameters").parameters

    @tool(name="Read", description="Read.", parameters=parameters)
    async def read(**given):
        return given

    assert {"path": "a", "limit": 3} == answer(read, path="a", limit=3).value


def test_parameters_reach_the_model_exactly_as_they_are_declared():
    parameters = block("parameters").parameters

    @tool(name="Read", description="Read.", parameters=parameters)
    async def read(path: str, limit: int = 500): ...

    (sent,) = dialect("openai").tools(ToolRegistry().register(read), strict=False)

    assert parameters.items() <= sent["function"]["parameters"].items()


def test_usage_stands_in_the_prompt():
    counting = tool(name="Count", description="Count.", usage="Only for prose.")(lambda: 0)

    assert "Only for prose." in ToolRegistry().register(counting).get_tool_descriptions()


def test_usage_that_is_left_out_is_the_description():
    registry = ToolRegistry().register(block("minimal").word_count)

    assert "Count the words in a text." in registry.get_tool_descriptions()


def meeting(parallel_safe):
    """A tool whose call tells how many calls are at work."""
    at_work = []

    @tool(name="Meet", description="Meet.", parallel_safe=parallel_safe)
    async def meet() -> int:
        at_work.append(1)
        for _ in range(5):
            await anyio.lowlevel.checkpoint()
        together = len(at_work)
        at_work.pop()
        return together

    return meet


def test_parallel_safe_calls_of_one_message_run_at_once():
    assert 2 == max(result.value for result in answers(meeting(parallel_safe=True), {}, {}))


def test_parallel_safe_is_not_what_a_tool_is_by_default():
    assert not spec_of(block("minimal").word_count).parallel_safe
    assert [1, 1] == [result.value for result in answers(meeting(parallel_safe=False), {}, {})]


SERIALIZED = [
    ("auto", {"a": [1, None]}, '{"a": [1, null]}'),
    ("auto", [1, 2.5], "[1, 2.5]"),
    ("auto", 7, "7"),
    ("auto", 2.5, "2.5"),
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
def test_result_serializer_makes_the_text(serializer, value, text):
    give = tool(name="give", description="Give.", result_serializer=serializer)(lambda: value)

    assert text == answer(give).text


def test_result_serializer_is_auto_by_default():
    assert "auto" == spec_of(block("minimal").word_count).result_serializer


def test_sync_vs_async_does_not_matter_to_who_calls():
    shout = tool(name="Shout", description="Shout.")(lambda text: text.upper())

    assert "ABC" == answer(shout, text="abc").value
    assert "1 words" == answer(block("minimal").word_count, text="abc").value


def test_sync_vs_async_work_that_blocks_is_offloaded(tmp_path):
    (tmp_path / "config").write_text("a = 1")

    assert "a = 1" == answer(block("offload").read_config, path=str(tmp_path / "config")).text


@pytest.mark.anyio
async def test_sync_vs_async_the_loop_stays_free_while_a_sync_function_blocks():
    released = threading.Event()
    wait = tool(name="Wait", description="Wait.")(lambda: released.wait(60))

    async with (
        ActionExecutor(ToolRegistry().register(wait)) as executor,
        anyio.create_task_group() as group,
    ):
        group.start_soon(executor.run, Action("Wait"))
        await anyio.lowlevel.checkpoint()
        released.set()  # never reached if the call had blocked the loop

    assert released.is_set()


def test_toolcontext_injection_stays_out_of_the_schema():
    module = block("context")
    seen = []

    @tool(name="Ask", description="Ask.")
    async def ask(question: str, context: module.ToolContext | None = None) -> str:
        seen.append(context)
        return await module.ask_expert(question, context) or "asked"

    assert "asked" == answer(ask, question="why?").text
    assert isinstance(seen[0], ToolContext)
    assert ["question"] == list(spec_of(module.ask_expert).input_schema["properties"])


def test_toolcontext_injection_can_be_left_out_of_a_direct_call():
    assert "Error: no context available." == asyncio.run(block("context").ask_expert("why?"))


def test_toolcontext_injection_gives_the_parent_of_a_nested_turn():
    expert = Agent(
        ScriptedModel(
            [Decision.act([Action("WordCount", {"text": "why?"})]), Decision.final("Because.")]
        ),
        [block("minimal").word_count],
    )

    @tool(name="AskExpert", description="Ask a specialist agent.")
    async def ask_expert(question: str, context: ToolContext | None = None) -> str:
        result = await Engine(expert, parent=context.parent).arun(question)
        return f"{result.steps[0].results[0].text}: {result.final_answer}"

    assert "1 words: Because." == answer(ask_expert, question="why?").text


@pytest.mark.parametrize(
    ("name", "function", "args", "key"),
    [
        ("context", "ask_expert", {"question": "why?"}, "context"),
        ("config_only", "grep_search", {"query": "x"}, "extend_ignore"),
        ("stopwords", "word_count", {"text": "x"}, "exclude_stopwords"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_toolcontext_injection_and_options_are_not_for_the_model(name, function, args, key):
    target = getattr(block(name), function)

    result = answer(target, **args, **{key: True})

    assert key not in spec_of(target).input_schema["properties"]
    assert ("input_invalid", True) == (result.code, key in result.error)


def test_example_reading_per_tool_config_keeps_its_default_without_any():
    module = block("stopwords")

    assert "4 words" == answer(module.word_count, text="the cat the dog").text
    assert "2 words" == asyncio.run(module.word_count("the cat the dog", exclude_stopwords=True))
