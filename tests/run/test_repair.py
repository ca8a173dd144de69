"""Arguments that were refused are mended where only one thing can have been meant."""

from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qitos_like.core.action import Action
from qitos_like.run import repair
from qitos_like.run.validation import Validation
from tests.run.stub import executor_of

STRINGS = {"type": "array", "items": {"type": "string"}}
INTEGERS = {"type": "array", "items": {"type": "integer"}}
NULL = {"type": "null"}
OBJECT = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
TAGGED = {
    "anyOf": [
        {"properties": {"kind": {"enum": [kind]}, "n": {"type": type_}}, "required": ["kind"]}
        for kind, type_ in (("a", "string"), ("b", "integer"))
    ]
}
OPTIONAL = {"anyOf": [OBJECT, NULL]}


def schema_of(value):
    return {"type": "object", "properties": {"v": value}, "additionalProperties": False}


MENDED = {
    "integer": ({"type": "integer"}, "4", 4),
    "negative integer": ({"type": "integer"}, " -4 ", -4),
    "integer with nothing behind its point": ({"type": "integer"}, "4.0", 4),
    "number": ({"type": "number"}, "4.5e1", 45.0),
    "whole number": ({"type": "number"}, "4", 4),
    "boolean": ({"type": "boolean"}, "True", True),
    "array of JSON text": (STRINGS, '["a", "b"]', ["a", "b"]),
    "object of JSON text": (OBJECT, '{"n": 1}', {"n": 1}),
    "object in a code fence": (OBJECT, '```json\n{"n": 1}\n```', {"n": 1}),
    "array in JSON of JSON": (INTEGERS, '"[1]"', [1]),
    "object, or a list, of JSON text": ({"type": ["object", "array"]}, '{"n": 1}', {"n": 1}),
    "in the member of a tagged union": (TAGGED, {"kind": "b", "n": "1"}, {"kind": "b", "n": 1}),
    "integer beside words": ({"anyOf": [{"enum": ["all"]}, {"type": "integer"}]}, "5", 5),
    "array beside words": ({"anyOf": [STRINGS, {"const": "all"}]}, '["a"]', ["a"]),
    "one for a list": (STRINGS, "a", ["a"]),
    "one number for a list": (INTEGERS, 4, [4]),
    "text in a list": (INTEGERS, ["1", 2], [1, 2]),
    "text of a text in a list": (INTEGERS, "1", [1]),
    "JSON text with texts inside": (OBJECT, '{"n": "1"}', {"n": 1}),
    "optional union": ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "4", 4),
    "in an optional object": (OPTIONAL, {"n": "1"}, {"n": 1}),
    "in an optional object of JSON text": (OPTIONAL, '{"n": "1"}', {"n": 1}),
    "null in an optional object": (
        {"anyOf": [{**OBJECT, "properties": {**OBJECT["properties"], "m": STRINGS}}, NULL]},
        {"n": 1, "m": None},
        {"n": 1},
    ),
    "one of a list": ({"type": "integer", "enum": [1, 2]}, "1", 1),
    "types": ({"type": ["integer", "null"]}, "4", 4),
}

LEFT = {
    "text that is allowed": ({"type": ["string", "integer"]}, "4"),
    "a word": ({"type": "integer"}, "four"),
    "a fraction": ({"type": "integer"}, "4.5"),
    "leading zeros": ({"type": "integer"}, "007"),
    "too many digits": ({"type": "integer"}, "9" * 400),
    "yes": ({"type": "boolean"}, "yes"),
    "a number for a text": ({"type": "string"}, 4),
    "JSON text of another type": (OBJECT, "[1]"),
    "half of a list": (STRINGS, ' ["a"'),
    "a list of Python": (STRINGS, "['a']"),
    "a string of JSON": (STRINGS, '"a"'),
    "null for a list": (STRINGS, "null"),
    "nothing for a list": ({"anyOf": [STRINGS, NULL]}, " "),
    "none for a list": ({"anyOf": [STRINGS, NULL]}, "None"),
    "none of a list": ({"type": "integer", "enum": [1, 2]}, "3"),
    "an object for a list": (STRINGS, {"a": 1}),
    "one of two meanings": ({"anyOf": [{"type": "integer"}, INTEGERS]}, "4"),
    "a wrong word": ({"anyOf": [STRINGS, {"const": "all"}]}, "every"),
    "a wrong text": ({"anyOf": [STRINGS, {"type": "string", "pattern": "^x"}]}, '["a"]'),
    "out of bounds": ({"type": "integer", "minimum": 5}, "4"),
    "not in the enum": ({"enum": [1, 2]}, "1"),
    "too few of an object": ({"type": "object", "minProperties": 1}, {}),
    "null in a list": (INTEGERS, [None]),
    "a union that fails inside": ({"anyOf": [OBJECT, {"type": "null"}]}, {"n": "x"}),
}


@pytest.mark.parametrize(("schema", "value", "expected"), MENDED.values(), ids=MENDED.keys())
def test_a_value_is_taken_as_its_type_has_it(schema, value, expected):
    args = {"v": value}
    before = deepcopy(args)

    mended = repair.to_schema(args, Validation(schema_of(schema)))

    assert {"v": expected} == mended.value
    assert type(expected) is type(mended.value["v"])
    assert mended.notes
    assert all(note.startswith("$.v") for note in mended.notes)
    assert before == args


@pytest.mark.parametrize(("schema", "value"), LEFT.values(), ids=LEFT.keys())
def test_what_is_not_clear_stays_wrong_or_as_it_is(schema, value):
    mended = repair.to_schema({"v": value}, Validation(schema_of(schema)))

    assert mended is None or ({"v": value}, ()) == (mended.value, mended.notes)


def test_null_for_an_optional_argument_means_its_default():
    mended = repair.to_schema({"v": None}, Validation(schema_of({"type": "integer"})))

    assert ({}, ("$.v: null left out",)) == (mended.value, mended.notes)


def test_null_for_a_required_argument_stays_wrong():
    required = {**schema_of({"type": "integer"}), "required": ["v"]}

    assert repair.to_schema({"v": None}, Validation(required)) is None


def test_if_anything_stays_wrong_nothing_is_mended():
    schema = schema_of({"type": "integer"})

    assert repair.to_schema({"v": "4", "w": 1}, Validation(schema)) is None


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ('```json\n{"v": 4}\n```', ("$: taken out of a code fence",)),
        ('\n```\n{"v": 4}```\n', ("$: taken out of a code fence",)),
        ('```JSON\n{"v": 4}\n```', ("$: taken out of a code fence",)),
        ('"{\\"v\\": 4}"', ("$: taken out of a string",)),
        ('```\n"{\\"v\\": 4}"\n```', ("$: taken out of a code fence", "$: taken out of a string")),
    ],
    ids=["fence", "plain fence", "loud fence", "encoded twice", "both"],
)
def test_an_object_is_taken_out_of_what_is_around_it(text, notes):
    mended = repair.from_text(text)

    assert ({"v": 4}, notes) == (mended.value, mended.notes)


@pytest.mark.parametrize("text", ["```json\n[1]\n```", '"[1]"', "{", '"x"', "```json\n{\n```"])
def test_what_holds_no_object_stays_wrong(text):
    assert repair.from_text(text) is None


def take(number: int, texts: list[str] = (), free: str = "") -> str:
    return f"{number} {list(texts)} {free}"


def test_a_repair_is_recorded():
    with executor_of(take) as executor:
        result = executor.run_sync(Action("take", '```\n{"number": "4", "texts": "a"}\n```'))

    assert "4 ['a'] " == result.text
    assert result.repairs == (
        "$: taken out of a code fence",
        "$.number: text read as an integer",
        "$.texts: one value put into a list",
    )


@pytest.mark.parametrize("free", ["true", "null", "[1]", '{"a": 1}', "4"])
def test_a_valid_text_is_never_touched(free):
    with executor_of(take) as executor:
        result = executor("take", number=1, free=free)

    assert (f"1 [] {free}", ()) == (result.text, result.repairs)


@pytest.mark.parametrize(
    "args", ['```\n{"number": 4}\n```', {"number": "4"}], ids=["text", "value"]
)
def test_repair_can_be_turned_off(args):
    with executor_of(take, options={"repair": False}) as executor:
        assert "input_invalid" == executor.run_sync(Action("take", args)).code


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    st.lists,
    max_leaves=5,
)


@given(st.sampled_from([row[0] for row in (*MENDED.values(), *LEFT.values())]), JSON)
def test_what_is_mended_is_valid_and_what_was_valid_is_not_mended(schema, value):
    validation = Validation(schema_of(schema))
    args = {"v": value}

    mended = repair.to_schema(args, validation)

    if not validation.problems(args):
        assert (args, ()) == (mended.value, mended.notes)
    elif mended is not None:
        assert [] == validation.problems(mended.value)
        assert mended.notes
