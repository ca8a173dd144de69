"""Cassettes, calls looked back on, generated inputs."""

import json
import math
from pathlib import Path
from typing import Literal

import anyio
import pytest
from jsonschema import Draft202012Validator

from qitos_like import (
    Action,
    ActionExecutor,
    Environment,
    Err,
    ErrorCode,
    Ok,
    Part,
    PermissionPolicy,
    ToolContext,
    ToolError,
    ToolMeta,
    ToolPermission,
    ToolRegistry,
    ToolSet,
    tool,
)
from qitos_like.testing import assert_called, cassette, fuzz
from qitos_like.testing.inputs import Inputs


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


def add(a: int, b: int = 1) -> int:
    """Add."""
    return a + b


def say() -> None:
    """Say."""


@pytest.fixture
def executor():
    registry = ToolRegistry().register(add, namespace="sums").register(say)
    policy = PermissionPolicy(["deny sums.add(666)"])
    with ActionExecutor(registry, policy=policy) as executor:
        executor("sums__add", a="4", b=2)
        executor("sums.add", a=666)
        executor("sums.add", a="four")
        yield executor


@pytest.mark.parametrize("name", ["sums.add", "sums__add", "add"])
@pytest.mark.parametrize("args", [{}, {"a": 4}, {"a": 4, "b": 2}], ids=str)
def test_a_call_is_found_by_any_name_and_some_of_its_arguments(executor, name, args):
    assert_called(executor, name, **args)


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("add", {"a": 5}, "sums.add was not called with {'a': 5}, but with:\n{'a': 4, 'b': 2}"),
        ("add", {"c": None}, "sums.add was not called with {'c': None}, but"),
        ("add", {"a": 666}, "sums.add was not called with {'a': 666}, but"),
        ("say", {}, "say was not called; sums.add was"),
        ("sums.ad", {}, "sums.ad was not called; sums.add was; there is no tool 'sums.ad'"),
    ],
)
def test_what_was_not_called_is_told_with_what_was(executor, name, args, message):
    with pytest.raises(AssertionError) as caught:
        assert_called(executor, name, **args)
    assert message in str(caught.value)


def test_nothing_called_is_told():
    with pytest.raises(AssertionError, match="add was not called; nothing was"):
        assert_called(ActionExecutor(ToolRegistry().register(add)), "add")


FORMS = {
    "type": "object",
    "properties": {
        "kind": {"oneOf": [{"const": 1}, {"type": ["null", "boolean"]}]},
        "part": {"type": "number", "maximum": 1, "minimum": 0},
        "ratio": {"type": "number"},
        "few": {"type": "integer", "maximum": 3},
        "many": {"type": "integer", "minimum": 9},
        "pair": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}]},
        "short": {"type": "string", "minLength": 2, "maxLength": 3},
        "loose": {"properties": {"any": True}},
        "free": {},
    },
    "required": ["kind", "part", "few", "many", "pair", "short", "loose", "free"],
}
TREE = {
    "type": "object",
    "properties": {"root": {"$ref": "#/$defs/node"}},
    "required": ["root"],
    "$defs": {
        "node": {
            "type": "object",
            "properties": {
                "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]},
                "more": {"type": "array", "items": {"$ref": "#/$defs/node"}},
            },
            "required": ["next"],
            "additionalProperties": {"enum": ["a", "b"]},
        }
    },
}


def everything(
    text: str,
    number: int = 0,
    ratio: float = 0.0,
    flag: bool = False,
    kind: Literal["a", "b"] = "a",
    texts: list[str] = (),
    pairs: dict[str, list[int]] | None = None,
) -> dict[str, object]:
    """Take everything."""
    return {"text": text, "number": number, "texts": list(texts), "pairs": pairs}


def all_kinds():
    return ToolRegistry().register(add).register(everything)


@pytest.mark.parametrize("schema", [TREE, FORMS], ids=["tree", "forms"])
def test_fitting_arguments_are_valid(schema):
    inputs = Inputs(seed=3)
    validator = Draft202012Validator(schema)

    made = [inputs.fitting(schema) for _ in range(300)]

    assert [] == [args for args in made if not validator.is_valid(args)]
    assert len({str(args) for args in made}) > 100


def test_tools_that_hold_are_called_with_right_and_wrong_arguments():
    kinds = fuzz(all_kinds(), 2_000)

    assert {"ok", "input_invalid"} == set(kinds)
    assert (2_000, True) == (kinds.total(), min(kinds.values()) > 300)


def test_the_same_seed_makes_the_same_calls():
    assert fuzz(all_kinds(), 200, 5) == fuzz(all_kinds(), 200, 5)


def raises(number: int) -> int:
    """Fail at two."""
    return 1 // (number - 2)


def ends(number: int) -> None:
    """End."""
    raise SystemExit


def unprintable(number: int) -> float:
    """Nothing that JSON has."""
    return math.inf


def no_data(number: int) -> Err:
    """An error that is no data."""
    return Err("denied", "no", structured={"at": object})


@pytest.mark.parametrize(
    ("function", "breach"),
    [
        (raises, "raises({'number': 2}): raises failed: ZeroDivisionError"),
        (ends, "ends tried to end the program"),
        (unprintable, "unprintable ran, but its result cannot be shown"),
        (no_data, "its answer is not JSON in UTF-8"),
    ],
)
def test_a_tool_that_breaks_is_told_with_the_call(function, breach):
    with pytest.raises(AssertionError) as caught:
        fuzz(ToolRegistry().register(function), 300)
    assert breach in str(caught.value)


def test_a_tool_may_refuse():
    def refuse(number: int) -> int:
        """Refuse."""
        raise ToolError("not this one")

    assert {"execution_failed", "input_invalid"} == set(fuzz(ToolRegistry().register(refuse), 100))


def test_what_is_not_granted_does_not_run():
    @tool(permissions=ToolPermission(command=True))
    def run(command: str) -> None:
        """Run."""
        raise SystemExit

    registry = ToolRegistry().register(run)

    assert "denied" in fuzz(registry, 100)
    with pytest.raises(AssertionError):
        fuzz(registry, 100, environment=Environment(permissions=ToolPermission(command=True)))


def test_a_registry_without_tools_has_nothing_to_break():
    assert 0 == fuzz(ToolRegistry(), 10).total()


def test_an_error_of_the_executor_names_the_call():
    class Broken(ToolRegistry):
        def get(self, name):
            raise KeyError(name)

    registry = Broken().register(add)

    with pytest.raises(KeyError) as caught:
        fuzz(registry, 1)
    assert "in the answer to add(" in caught.value.__notes__[0]


@pytest.mark.stress
@pytest.mark.timeout(1800)
def test_a_hundred_thousand_inputs_have_their_answers():
    assert 100_000 == fuzz(all_kinds(), 100_000, seed=7).total()


def test_a_cassette_is_lines_of_json(path):
    recorded(path, Action("counting.next"))

    assert {"name": "counting.next", "args": {}, "value": 1} == {
        **{key: json.loads(path.read_text())[key] for key in ("name", "args")},
        "value": json.loads(path.read_text())["result"]["value"],
    }
