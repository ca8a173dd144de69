"""Schemas that authors write: told apart, completed, checked."""

from types import MappingProxyType

import pytest
from jsonschema import Draft202012Validator

from qitos_like.core.schema.explicit import check_schema, object_schema
from qitos_like.core.schema.wellformed import is_wellformed
from qitos_like.errors import SchemaError

STRING = {"type": "string"}
CLOSED = {"additionalProperties": False}


def schema_of(parameters, required=()):
    schema = object_schema(parameters, required, tool="t")
    check_schema(schema, tool="t")
    return schema


@pytest.mark.parametrize(
    "properties",
    [
        {},
        {"sql": STRING},
        {"type": STRING},
        {"properties": {"type": "object"}},
        {"properties": {"type": "object", "properties": {"a": STRING}}},
        {"properties": {"type": ["object", "null"]}},
        {"required": {"type": "boolean"}},
        {"type": STRING, "properties": STRING, "required": True},
        {"items": {"type": "array"}, "enum": STRING, "default": {}},
        {"title": STRING, "description": STRING, "const": STRING},
        {"$ref": STRING, "anyOf": {"type": "array"}},
        {"not": STRING},
        {"anything": True},
    ],
    ids=str,
)
def test_a_property_map_becomes_a_closed_object(properties):
    assert {"type": "object", "properties": properties, **CLOSED} == schema_of(properties)


@pytest.mark.parametrize(
    "whole",
    [
        {"type": "object"},
        {"type": "object", "properties": {"type": STRING}},
        {"type": "object", "properties": {"a": STRING}, "required": ["a"]},
        {"type": "object", "additionalProperties": STRING},
        {"type": "object", "required": ["not_a_property"]},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": STRING}},
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"},
    ],
    ids=str,
)
def test_a_whole_schema_stays_as_written(whole):
    assert whole == schema_of(whole)


@pytest.mark.parametrize(
    "whole",
    [
        {"properties": {"a": STRING}},
        {"properties": {"a": STRING}, "required": ["a"]},
        {"properties": {"a": STRING}, "description": "what it takes"},
        {"properties": {}},
        {"properties": {"type": STRING, "properties": STRING}},
        {"additionalProperties": False},
        {"additionalProperties": STRING},
        {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
        {"description": "anything"},
        {"$ref": "#/$defs/A", "$defs": {"A": {"type": "object"}}},
    ],
    ids=str,
)
def test_a_whole_schema_without_a_type_is_an_object(whole):
    assert {"type": "object", **whole} == schema_of(whole)


def test_required_names_are_added():
    assert ["a"] == schema_of({"a": STRING, "b": STRING}, ["a"])["required"]
    assert ["b", "a"] == schema_of(
        {"type": "object", "properties": {"a": STRING, "b": STRING}, "required": ["b"]},
        ["a", "b"],
    )["required"]


def test_the_schema_is_a_deep_copy_in_plain_types():
    inner = {"type": "string", "enum": ("a", "b")}
    written = MappingProxyType({"a": MappingProxyType(inner)})

    schema = schema_of(written)
    inner["enum"] = ()

    assert {"a": {"type": "string", "enum": ["a", "b"]}} == schema["properties"]
    assert dict is type(schema["properties"]["a"])


@pytest.mark.parametrize(
    ("parameters", "required", "message"),
    [
        ("sql", (), "must be a mapping"),
        (["sql"], (), "must be a mapping"),
        ({"a": STRING}, ["b"], "required name 'b' has no property"),
        ({"path": STRING}, ["paht"], "did you mean 'path'"),
        ({"type": "object", "properties": {"a": STRING}}, ["b"], "required name 'b'"),
        ({"type": "object"}, ["b"], "required name 'b'"),
        ({"type": "array"}, (), r"at \$\.type: the arguments of a tool are an object"),
        ({"type": ["object", "null"]}, (), r"at \$\.type"),
        ({"a": {"type": "strnig"}}, (), r"at \$\.properties\.a\.type: 'strnig'"),
        ({"a": {"type": "string", "minLength": -1}}, (), r"at \$\.properties\.a\.minLength"),
        ({"a": {"anyOf": [STRING, {"type": 3}]}}, (), r"\$\.properties\.a\.anyOf\[1\]\.type"),
        ({"a": {"anyOf": []}}, (), r"\$\.properties\.a\.anyOf"),
        ({"a": {"required": "b"}}, (), r"\$\.properties\.a\.required"),
        ({"a": {"enum": "b"}}, (), r"\$\.properties\.a\.enum"),
        ({"a": "string"}, (), r"\$\.properties\.a: 'string'"),
        ({"description": "d", "a": STRING}, (), r"\$\.properties\.description"),
        ({"type": "object", "required": "a"}, ["b"], "required name 'b'"),
        ({"type": "object", "required": "a"}, (), r"at \$\.required"),
        ({"type": "object", "properties": [STRING]}, (), r"at \$\.properties"),
        ({"a": {"$ref": "#/$defs/A"}}, (), r"\$\.properties\.a\['\$ref'\]: .*leads nowhere"),
        ({"a": {"$ref": "other.json"}}, (), "'other.json' leads nowhere"),
        ({"a": {"$ref": "#nope"}}, (), "'#nope' leads nowhere"),
        ({"a": {"pattern": "(a"}}, (), r"\$\.properties\.a\.pattern: the pattern '\(a' is wrong"),
        (
            {"a": {"patternProperties": {"[": True}}},
            (),
            r"a\.patternProperties\['\['\]: the pattern",
        ),
        ({"a": {1: STRING}}, (), r"at \$\.a: the key 1 is not text"),
        ({"a": {"default": object}}, (), r"at \$\.a\.default: .* is no JSON value"),
        ({"a": {"default": float("nan")}}, (), r"at \$\.a\.default: nan is no JSON value"),
    ],
    ids=str,
)
def test_a_bad_schema_is_an_error_that_says_where(parameters, required, message):
    with pytest.raises(SchemaError, match=message) as caught:
        schema_of(parameters, required)

    assert "t" == caught.value.tool
    assert str(caught.value).startswith("the schema of t: ")


def test_a_schema_that_holds_itself_is_an_error():
    schema = {"type": "object"}
    schema["properties"] = {"a": schema}

    with pytest.raises(SchemaError, match="nested too deep"):
        schema_of(schema)


@pytest.mark.parametrize(
    "schema",
    [
        {"a": {"$ref": "#/$defs/A~1b%20c"}, "$defs": {"A/b c": STRING}},
        {"a": {"$ref": "#"}},
        {"a": {"$ref": "#here"}, "b": {"$anchor": "here"}},
        {"a": {"$ref": "#/properties/b/prefixItems/0"}, "b": {"prefixItems": [STRING]}},
        {"a": {"$ref": "other"}, "b": {"$id": "other"}},
        {"a": {"$ref": "https://json-schema.org/draft/2020-12/schema"}},
        {"a": {"enum": [{"$ref": "#/nowhere"}], "default": {"pattern": "("}}},
    ],
    ids=str,
)
def test_references_that_lead_somewhere_are_kept(schema):
    definitions = {"$defs": schema.pop("$defs")} if "$defs" in schema else {}

    check_schema({"type": "object", "properties": schema, **definitions}, tool=None)


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {},
        {"type": ["string", "null"], "minLength": 1, "pattern": "^a", "format": "email"},
        {"enum": [1, None], "const": 1, "default": 1, "examples": [1], "title": "t"},
        {"type": "number", "minimum": 0, "exclusiveMaximum": 1.5, "multipleOf": 0.1},
        {"type": "array", "items": {}, "prefixItems": [True], "uniqueItems": True, "minItems": 0},
        {"type": "object", "properties": {"a": {}}, "required": ["a"], "propertyNames": False},
        {"allOf": [{}], "oneOf": [{}], "anyOf": [{}], "not": {}, "$defs": {"a": {}}},
    ],
    ids=str,
)
def test_the_quick_yes_knows_common_schemas(schema):
    assert is_wellformed(schema)
    Draft202012Validator.check_schema(schema)


def test_the_quick_yes_gives_up_where_it_is_deep():
    schema = {}
    for _ in range(40):
        schema = {"items": schema}

    assert not is_wellformed(schema)
    check_schema(schema, tool=None)
