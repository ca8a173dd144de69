"""A result that has a schema keeps to it."""

import attrs
import pytest

from qitos_like import Ok, SchemaError, ToolSpec, err, ok, tool
from qitos_like.run.promised import Promise
from qitos_like.run.validation import Validation
from tests.run.stub import answer_sync

COUNT = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}


@attrs.frozen
class Counted:
    count: int


KEPT = {
    "mapping": ({"count": 1}, {"count": 1}),
    "record": (Counted(1), {"count": 1}),
    "data of its own": (ok("one", structured={"count": 1}), {"count": 1}),
}
BROKEN = {
    "type": ({"count": "one"}, '$.count: expected integer, got string "one"'),
    "missing": ({}, "$.count: missing, and required (int)"),
    "text": ("one", '$: expected object, got string "one"'),
    "nothing": (None, "$: expected object, got null"),
    "data of its own": (ok({"count": 1}, structured=[]), "$: expected object, got array []"),
}


@pytest.mark.parametrize(("value", "data"), KEPT.values(), ids=KEPT.keys())
def test_a_result_that_keeps_to_its_schema_has_data(value, data):
    def call() -> object:
        return value

    answer = answer_sync(call, output_schema=COUNT)

    assert (True, data) == (answer.ok, answer.structured)


@pytest.mark.parametrize(("value", "problem"), BROKEN.values(), ids=BROKEN.keys())
def test_a_result_that_breaks_its_schema_is_an_error_that_says_where(value, problem):
    def call() -> object:
        return value

    answer = answer_sync(call, output_schema=COUNT, max_retries=2)

    assert ("execution_failed", 1) == (answer.code, answer.attempts)
    message = "call ran, but its result is not what its output schema promises:"
    assert f"{message}\n{problem}" == answer.error


def test_a_list_is_data_too():
    def call() -> list[int]:
        return [1, 2]

    schema = {"type": "array", "items": {"type": "integer"}}

    assert [1, 2] == answer_sync(call, output_schema=schema).structured


def test_an_error_needs_no_data():
    def call():
        return err("no luck", "not_available")

    assert "no luck" == answer_sync(call, output_schema=COUNT).error


def test_a_value_that_is_no_data_says_so():
    def call():
        return {"count": float("nan")}

    answer = answer_sync(call, output_schema=COUNT)

    assert "call ran, but its result cannot be shown: $.count is nan" in answer.error


def test_a_value_that_is_too_deep_to_judge_is_an_error():
    def call():
        value = {}
        for _ in range(300):
            value = {"in": value}
        return value

    answer = answer_sync(call, output_schema={"$ref": "#/$defs/any", "$defs": {"any": {}}})

    assert "$: nested deeper than 200 levels" in answer.error


def test_a_schema_that_cannot_judge_is_an_error_of_that_result():
    promise = Promise("call", Validation({"pattern": "("}, uses_fast=False))

    result = promise.kept(Ok("a"))

    assert "the schema cannot judge this" in result.error


def test_many_problems_are_told_in_part():
    def call():
        return ["a"] * 50

    answer = answer_sync(call, output_schema={"items": {"type": "integer"}})

    assert 20 == len(answer.structured["problems"])


def test_what_a_hook_answers_is_checked():
    async def answers(call, next):
        return "mine"

    def call():
        return {"count": 1}

    assert not answer_sync(call, output_schema=COUNT, options={"hooks": [answers]}).ok


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "strin"}, "the schema of a result: at $.type: 'strin' is no type of JSON Schema"),
        ([], "output_schema must be a mapping, not []"),
    ],
)
def test_a_schema_that_is_none_is_refused_where_it_is_written(schema, message):
    with pytest.raises(SchemaError) as raised:
        tool(output_schema=schema)
    assert message in str(raised.value)
    with pytest.raises(SchemaError):
        ToolSpec("a", "A.", output_schema=schema)
