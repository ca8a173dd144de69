"""``cassette``: answers recorded and played."""

import json
import math
from pathlib import Path

import anyio
import pytest

from qitos_like import (
    Action,
    ActionExecutor,
    Err,
    ErrorCode,
    Ok,
    Part,
    ToolContext,
    ToolError,
    ToolMeta,
    ToolRegistry,
    ToolSet,
    tool,
)
from qitos_like.testing import cassette


class Counting(ToolSet):
    """Answers that differ each time."""

    name = "counting"

    def __init__(self):
        self.count = 0

    @tool
    def next(self, step: int = 1) -> int:
        """The next number."""
        self.count += step
        return self.count


def recorded(path, *actions, mode="record", toolset=None):
    """The answers of an executor with a cassette."""
    registry = ToolRegistry().register_toolset(toolset or Counting())
    with cassette(path, mode) as tape, ActionExecutor(registry, hooks=[tape]) as executor:
        return executor.run_turn_sync(actions)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "calls.jsonl"


def values(answers):
    return [answer.value for answer in answers]


@pytest.mark.parametrize(
    "text", ["a\u2028b", "a\x85b", "a\r\nb\x0c", "\x1c\u2029", "\ud800"], ids=ascii
)
def test_texts_with_any_line_end_are_recorded_and_played(path, text):
    def echo(text: str) -> dict:
        """The text."""
        return {text: text}

    registry = ToolRegistry().register(echo)
    texts = []
    for mode in ("record", "replay"):
        with cassette(path, mode) as tape, ActionExecutor(registry, hooks=[tape]) as executor:
            texts.append(executor("echo", text=text).text)

    assert texts[0] == texts[1]


def test_a_line_is_added_below_one_without_its_end(path):
    recorded(path, Action("counting.next"))
    path.write_bytes(path.read_bytes().rstrip())

    recorded(path, Action("counting.next", {"step": 2}), mode="extend")
    answers = recorded(
        path, Action("counting.next"), Action("counting.next", {"step": 2}), mode="replay"
    )

    assert [1, 2] == values(answers)


def test_what_was_recorded_is_played_and_nothing_runs(path):
    toolset = Counting()
    recorded(path, Action("counting.next"), Action("counting.next", {"step": 4}))

    answers = recorded(
        path,
        Action("counting.next", {"step": 4}),
        Action("counting.next"),
        mode="replay",
        toolset=toolset,
    )

    assert ([5, 1], 0) == (values(answers), toolset.count)


def test_equal_calls_are_played_in_their_order(path):
    recorded(path, *[Action("counting.next")] * 3)

    assert [1, 2, 3] == values(recorded(path, *[Action("counting.next")] * 3, mode="replay"))


def test_equal_calls_that_ran_together_are_played_in_their_order(path):
    async def wait(context: ToolContext) -> str | None:
        """Take longer, the sooner it began."""
        await anyio.sleep(0.2 if context.action.id == "first" else 0)
        return context.action.id

    registry = ToolRegistry().register(wait, meta=ToolMeta(parallel_safe=True))
    turns = []
    for mode in ("record", "replay"):
        with cassette(path, mode) as tape, ActionExecutor(registry, hooks=[tape]) as executor:
            turn = [Action("wait", id="first"), Action("wait", id="second")]
            turns.append(values(executor.run_turn_sync(turn)))

    assert [["first", "second"]] * 2 == turns


def test_a_new_call_fails_the_test_and_is_told_to_the_model(path):
    recorded(path, Action("counting.next"))
    registry = ToolRegistry().register_toolset(Counting())
    tape = cassette(path)

    with ActionExecutor(registry, hooks=[tape]) as executor:
        answers = [executor("counting.next"), executor("counting.next", step=7)]
    with pytest.raises(AssertionError, match=r'counting\.next\(\{"step": 7\}\)'), tape:
        pass

    assert [None, ErrorCode.DENIED] == [answer.code for answer in answers]


def test_a_test_that_failed_already_keeps_its_own_error(path):
    path.write_text("")
    registry = ToolRegistry().register_toolset(Counting())

    def test():
        with cassette(path) as tape, ActionExecutor(registry, hooks=[tape]) as executor:
            executor("counting.next").unwrap()

    with pytest.raises(ToolError, match="is not in"):
        test()


def test_extend_plays_what_is_there_and_records_the_rest(path):
    extend = {"mode": "extend", "toolset": Counting()}
    first = recorded(path, Action("counting.next"), **extend)
    both = recorded(path, *[Action("counting.next")] * 2, **extend)

    assert ([1], [1, 2], 2) == (values(first), values(both), len(path.read_text().splitlines()))


def test_record_begins_anew(path):
    recorded(path, *[Action("counting.next")] * 3)
    recorded(path, Action("counting.next"))

    assert 1 == len(path.read_text().splitlines())


RESULTS = [
    "text \ud83d",
    {"path": Path("a.py"), "at": (1, 2)},
    {3, 1},
    b"abc",
    None,
    Ok("seen", structured={"n": 1}, parts=[Part("image/png", b"\x89PNG")], cost_usd=0.5),
    Ok(None, parts=[Part("image/png", b"\x89PNG")]),
    Err("stale_write", "changed", hint="view it", retryable=True, field="$.path"),
    Err("denied", "no", structured={"by": object}),
    math.nan,
]


@pytest.mark.parametrize("serializer", ["auto", "json", "str"])
@pytest.mark.parametrize("result", RESULTS, ids=lambda result: ascii(result)[:20])
def test_a_played_result_reads_as_the_recorded_one(path, result, serializer):
    def produce():
        return result

    meta = ToolMeta(description="Produce.", result_serializer=serializer)
    registry = ToolRegistry().register(produce, meta=meta)
    answers = []
    for mode in ("record", "replay"):
        with cassette(path, mode) as tape, ActionExecutor(registry, hooks=[tape]) as executor:
            answers.append(executor("produce"))

    first, second = answers
    assert (first.text, first.code, first.parts) == (second.text, second.code, second.parts)
    if first.ok:
        assert first.structured == second.structured


@pytest.mark.parametrize(
    "text", ["no json", '{"name": "a"}', '{"name": "a", "args": {}, "result": 1}']
)
def test_another_file_is_told_with_its_line(path, text):
    path.write_text(f"{text}\n")

    with pytest.raises(ValueError, match=r"calls\.jsonl:1 is not of a cassette"):
        cassette(path)


def test_a_missing_file_cannot_be_played(path):
    with pytest.raises(FileNotFoundError):
        cassette(path, "replay")


def test_an_unknown_mode_names_the_known_ones(path):
    with pytest.raises(ValueError, match="one of record, replay, extend, not 'play'"):
        cassette(path, "play")


def test_a_cassette_is_lines_of_json(path):
    recorded(path, Action("counting.next"))

    assert {"name": "counting.next", "args": {}, "value": 1} == {
        **{key: json.loads(path.read_text())[key] for key in ("name", "args")},
        "value": json.loads(path.read_text())["result"]["value"],
    }


@pytest.mark.parametrize("city", ["Oslo", "Atlantis"])
def test_what_is_untrusted_is_marked_when_it_is_played_too(path, city):
    def weather(city: str) -> str:
        """The weather."""
        if city == "Atlantis":
            raise ToolError("no such city")
        return "rain"

    registry = ToolRegistry().register(weather, meta=ToolMeta(output_untrusted=True))
    lines = []
    for mode in ("record", "replay"):
        with cassette(path, mode) as tape, ActionExecutor(registry, hooks=[tape]) as executor:
            lines.append(executor("weather", city=city).text.splitlines())

    assert lines[0][1:-1] == lines[1][1:-1]
    assert all(shown[0].startswith("[untrusted output of weather begins") for shown in lines)
