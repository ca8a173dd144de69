"""Why data breaks a schema, in words for a model."""

import pytest

from qitos_like.core.schema.problems import ArgumentsError
from qitos_like.run.validation import Validation

CIRCLE = {
    "type": "object",
    "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}},
    "required": ["kind", "radius"],
}
SQUARE = {
    "type": "object",
    "properties": {"kind": {"const": "square"}, "side": {"type": "number"}},
    "required": ["kind", "side"],
}

ROWS = {
    "type": ({"type": "integer"}, "4", '$: expected integer, got string "4"'),
    "types": ({"type": ["integer", "null"]}, [], "$: expected integer or null, got array []"),
    "null": ({"type": "string"}, None, "$: expected string, got null"),
    "flag": ({"type": "integer"}, True, "$: expected integer, got boolean true"),
    "minimum": ({"minimum": 1}, 0, "$: expected >= 1, got integer 0"),
    "length": ({"maxLength": 2}, "abc", '$: expected at most 2 characters, got string "abc"'),
    "pattern": ({"pattern": "^a"}, "b", '$: expected matches ^a, got string "b"'),
    "unique": ({"uniqueItems": True}, [1, 1], "$: expected no item twice, got array [1, 1]"),
    "const": ({"const": "a"}, "b", '$: expected "a", got string "b"'),
    "enum": (
        {"enum": ["red", "blue"]},
        "rde",
        '$: expected one of "red", "blue", got string "rde"',
    ),
    "union": (
        {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "string"}}]},
        "x",
        '$: expected int or [str], got string "x"',
    ),
    "union, one meant": (
        {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "string"}}]},
        ["a", 1],
        "$[1]: expected string, got integer 1",
    ),
    "tagged union": (
        {"oneOf": [CIRCLE, SQUARE]},
        {"kind": "square", "side": "x"},
        '$.side: expected number, got string "x"',
    ),
    "tagged by lists of one value": (
        {
            "anyOf": [
                {"properties": {"kind": {"enum": ["circle"]}, "radius": {"type": "number"}}},
                {"properties": {"kind": {"enum": ["square"]}, "side": {"type": "number"}}},
            ]
        },
        {"kind": "square", "side": "x"},
        '$.side: expected number, got string "x"',
    ),
    "both of one": (
        {"oneOf": [{"type": "integer"}, {"minimum": 0}]},
        1,
        "$: expected only one of int or any, got integer 1",
    ),
    "open keys": (
        {"patternProperties": {"^x-": {}}, "properties": {"a": {}}, "additionalProperties": False},
        {"x-1": 1, "b": 2},
        '$.b: no such argument; known: "a"',
    ),
    "no keys": ({"additionalProperties": False}, {"b": 2}, "$.b: no such argument; there are none"),
    "others": (
        {"not": {"type": "integer"}},
        1,
        "$: 1 should not be valid under {'type': 'integer'}",
    ),
}


@pytest.mark.parametrize(("schema", "data", "expected"), ROWS.values(), ids=ROWS.keys())
def test_a_broken_keyword_is_told_in_words(schema, data, expected):
    found = [str(problem) for problem in Validation(schema).problems(data)]

    assert 1 == len(found)
    assert found[0].startswith(expected)


def test_long_values_are_shortened():
    [problem] = Validation({"type": "integer"}).problems("x" * 500)

    assert f'expected integer, got string "{"x" * 59}…' == problem.message


def test_many_values_are_shortened():
    [problem] = Validation({"enum": list(range(100))}).problems("x")

    assert "18, 19 and 80 more, got" in problem.message


def test_long_words_of_the_validator_are_shortened():
    [problem] = Validation({"not": {"type": "string"}}).problems("x" * 500)

    assert 201 == len(problem.message)


def test_a_hundred_errors_are_enough():
    assert 100 == len(Validation({"items": {"type": "string"}}).problems(list(range(1000))))


@pytest.mark.parametrize(
    ("schema", "data"),
    [
        ({"$id": "urn:a", "$ref": "https://example.com/other"}, 1),
        ({"pattern": "("}, "a"),
        ({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}}, 1),
    ],
    ids=[
        "a reference that nothing is fetched for",
        "a pattern that is none",
        "a reference to itself",
    ],
)
def test_what_the_schema_cannot_judge_is_refused(schema, data):
    with pytest.raises(ArgumentsError) as raised:
        Validation(schema, uses_fast=False).problems(data)

    [problem] = raised.value.problems
    assert problem.message.startswith("the schema cannot judge this: ")
