"""The function documents of a public benchmark import as tools, and rule as they say."""

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from jsonschema import Draft202012Validator

from qitos_like.core.schema.explicit import check_schema, object_schema
from qitos_like.core.schema.signature import read
from qitos_like.core.spec import ToolSpec
from tests.core.schema.bfcl import (
    CONTRADICTIONS,
    Question,
    argument_sets,
    json_schema,
    questions,
    wheel,
)

pytestmark = pytest.mark.timeout(300)
FUNCTIONS = 8_726


@pytest.fixture(scope="module")
def data(request, tmp_path_factory) -> list[Question]:
    cache = getattr(request.config, "cache", None)
    return list(questions(wheel(cache.mkdir("bfcl") if cache else tmp_path_factory.mktemp("bfcl"))))


def spec(document: dict) -> ToolSpec:
    """The tool of a function document, its properties as a property map."""
    parameters = json_schema(document["parameters"])
    required = parameters.get("required", ())
    return ToolSpec(document["name"], document["description"], parameters["properties"], required)


def calls(data: list[Question]) -> Iterator[tuple[str, dict, dict]]:
    """Each question's id, the schema of a function that it calls, and the listed arguments."""
    for question in data:
        schemas = {each["name"]: spec(each).input_schema for each in question.functions}
        for name, listed in question.calls:
            yield question.id, schemas[name], listed


def test_every_document_imports_as_a_property_map_and_as_a_whole_schema(data):
    count = 0
    for question in data:
        for document in question.functions:
            written = json_schema(document["parameters"])
            whole = object_schema(written, tool=document["name"])
            check_schema(whole, tool=document["name"])
            schema = spec(document).input_schema

            assert written == whole
            assert {"type": "object", "additionalProperties": False} == {
                keyword: schema[keyword] for keyword in ("type", "additionalProperties")
            }
            assert written["properties"] == schema["properties"]
            count += 1

    assert FUNCTIONS == count


def test_every_listed_answer_is_accepted_unless_it_contradicts_its_own_document(data, capsys):
    accepted = 0
    refused = set()
    for question, schema, listed in calls(data):
        validator = Draft202012Validator(schema)
        signature = read(lambda **arguments: arguments, explicit=schema)
        for arguments in argument_sets(listed):
            if validator.is_valid(arguments):
                assert arguments == signature.structure(arguments)
                accepted += 1
            else:
                refused.add(question)
    with capsys.disabled():
        print(f"\nBFCL: {accepted} listed answers accepted")  # noqa: T201 (the figure is shown)

    assert accepted > 10_000
    assert CONTRADICTIONS == refused


def drop_required(schema: dict, arguments: dict) -> Iterator[dict]:
    for name in schema.get("required", ()):
        yield {key: value for key, value in arguments.items() if key != name}


def wrong_type(schema: dict, arguments: dict) -> Iterator[dict]:
    wrong = {"string": 1, "integer": "x", "number": "x", "boolean": "x", "array": {}, "object": []}
    for name in arguments:
        kind = schema["properties"].get(name, {}).get("type")
        if kind in wrong:
            yield {**arguments, name: wrong[kind]}


def unknown_key(_schema: dict, arguments: dict) -> Iterator[dict]:
    yield {**arguments, "no_such_parameter": 1}


def outside_enum(schema: dict, arguments: dict) -> Iterator[dict]:
    for name in arguments:
        if "enum" in schema["properties"].get(name, {}):
            yield {**arguments, name: "no such choice"}


@pytest.mark.parametrize("mutate", [drop_required, wrong_type, unknown_key, outside_enum])
def test_a_damaged_answer_is_refused(data, mutate: Callable, capsys):
    counted: Counter[bool] = Counter()
    for question, schema, listed in calls(data):
        validator = Draft202012Validator(schema)
        first = next(argument_sets(listed), {})
        if question not in CONTRADICTIONS and validator.is_valid(first):
            for damaged in mutate(schema, first):
                counted[validator.is_valid(damaged)] += 1
    with capsys.disabled():
        print(f"\nBFCL: {mutate.__name__}: {counted[False]} refused")  # noqa: T201 (the figure is shown)

    assert 0 == counted[True]
    assert counted[False] > 300
