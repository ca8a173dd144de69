import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qitos_like.core.schema.explicit import check_schema
from qitos_like.render.schemas.nulls import restored
from qitos_like.render.schemas.strict_form import strict_form
from qitos_like.render.schemas.strictness import ANTHROPIC, OPENAI, obstacles
from tests.render.schemas.values import filled, is_valid, values

TEXT, INT, NULL = {"type": "string"}, {"type": "integer"}, {"type": "null"}


def closed(properties, *required):
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def listed(items, **more):
    return {"type": "array", "items": items, **more}


POINT = closed({"x": INT, "y": {**INT, "default": 0}}, "x")
NODE = closed(
    {"name": TEXT, "next": {"$ref": "#/$defs/Node"}, "all": listed({"$ref": "#/$defs/Node"})},
    "name",
)
TAGGED = {
    "anyOf": [
        closed({"do": {"const": "add"}, "at": TEXT}, "do"),
        closed({"do": {"const": "cut"}, "at": TEXT}, "do"),
    ]
}
LOSSLESS = {
    "text": TEXT,
    "a described text": {**TEXT, "description": "what", "examples": ["a"]},
    "a text with a default": {**TEXT, "default": "a"},
    "a pattern": {**TEXT, "pattern": "[a-c]{1,3}"},
    "a date": {**TEXT, "format": "date"},
    "a uuid": {**TEXT, "format": "uuid"},
    "an integer": INT,
    "bounds": {**INT, "minimum": 1, "maximum": 9},
    "open bounds": {"type": "number", "exclusiveMinimum": -1, "exclusiveMaximum": 3},
    "steps": {**INT, "multipleOf": 3},
    "a number": {"type": "number"},
    "a flag": {"type": "boolean", "default": False},
    "an enum": {"enum": ["a", "b"]},
    "a typed enum": {"type": "string", "enum": ["a", "b"], "default": "a"},
    "numbers listed": {"enum": [1, 2]},
    "a mixed enum": {"enum": ["a", 1, True]},
    "a null listed beside its type": {"type": "string", "enum": ["a", None]},
    "a constant": {"const": "a"},
    "a list": listed(TEXT),
    "a bounded list": listed(INT, minItems=1, maxItems=2),
    "lists in lists": listed(listed(INT)),
    "an object": POINT,
    "an empty object": closed({}),
    "an object of optional things": closed({"a": TEXT, "b": closed({"c": INT})}),
    "objects in a list": listed(POINT),
    "objects in objects": closed({"p": POINT, "q": listed(POINT)}, "p"),
    "a union of scalars": {"type": ["string", "integer"]},
    "a union by anyOf": {"anyOf": [TEXT, INT]},
    "a union with an object": {"anyOf": [TEXT, POINT]},
    "a union with a list": {"anyOf": [TEXT, listed(POINT)]},
    "objects told apart by keys": {"anyOf": [POINT, closed({"z": INT}, "z")]},
    "objects told apart by a tag": TAGGED,
    "a list of tagged objects": listed(TAGGED),
    "lists in a union": {
        "anyOf": [listed(INT), listed(listed(TEXT)), {"type": "null"}],
        "default": None,
    },
    "unions in unions": {"anyOf": [{"anyOf": [TEXT, INT]}, POINT]},
    "an object or a list": {
        "type": ["object", "array"],
        "properties": {"a": TEXT},
        "additionalProperties": False,
        "items": INT,
    },
    "a reference": {"$ref": "#/$defs/Point"},
    "a described reference": {"$ref": "#/$defs/Point", "description": "where"},
    "references in a list": listed({"$ref": "#/$defs/Point"}),
    "a recursive class": {"$ref": "#/$defs/Node"},
}
NULLABLE = {
    "null by default": {"type": ["integer", "null"], "default": None},
    "a null member": {"anyOf": [POINT, NULL], "default": None},
    "null listed": {"enum": ["a", None], "default": None},
    "a nullable reference": {"anyOf": [{"$ref": "#/$defs/Point"}, NULL], "default": None},
}
DEFINITIONS = {"Point": POINT, "Node": NODE}


def with_definitions(part, *required):
    used = {name: each for name, each in DEFINITIONS.items() if name in str(part)}
    return closed({"v": part}, *required) | ({"$defs": used} if used else {})


CASES = {
    f"{name}, {need}": with_definitions(part, *required)
    for name, part in {**LOSSLESS, **NULLABLE}.items()
    for need, required in (("required", ["v"]), ("optional", []))
}

every_case = pytest.mark.parametrize("schema", CASES.values(), ids=CASES)


def test_there_are_cases_enough():
    assert 60 <= len(CASES)


@every_case
def test_a_strict_form_is_what_openai_takes(schema):
    form = strict_form(schema, schema)

    assert [] == obstacles(schema, OPENAI)
    check_schema(form, tool=None)
    for each in objects_in(form):
        assert list(each["properties"]) == each["required"]
        assert each["additionalProperties"] is False
    assert not {"default", "examples", "const", "title"} & keywords_in(form)
    assert not [each for each in enums_in(form) if len(set(map(repr, each))) < len(each)]


def objects_in(schema):
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for each in schema.values():
            yield from objects_in(each)
    if isinstance(schema, list):
        for each in schema:
            yield from objects_in(each)


def enums_in(schema):
    if isinstance(schema, dict):
        yield schema.get("enum", [])
    for each in schema.values() if isinstance(schema, dict) else ():
        yield from enums_in(each)


def keywords_in(schema):
    found = set(schema) - set(schema.get("properties", {}))
    parts = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()]
    parts += [*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else [])]
    return found.union(*map(keywords_in, parts))


@every_case
@settings(max_examples=20)
@given(data=st.data())
def test_what_a_model_sends_in_strict_mode_is_what_the_schema_admits(schema, data):
    form = strict_form(schema, schema)
    sent = data.draw(values(form, form))

    assert is_valid(restored(sent, schema, schema), schema, schema)


@every_case
@settings(max_examples=20)
@given(data=st.data())
def test_all_that_the_schema_admits_can_be_sent_in_strict_mode(schema, data):
    form = strict_form(schema, schema)
    meant = data.draw(values(schema, schema))
    sent = filled(meant, schema, schema)

    assert is_valid(sent, form, form)
    assert without_null_defaults(meant) == without_null_defaults(restored(sent, schema, schema))


def without_null_defaults(value):
    """Null where null is the default is the same as nothing."""
    return {name: part for name, part in value.items() if part is not None}


OBSTACLES = [
    ({}, "$.v: takes any value"),
    ({"type": "object"}, "$.v: takes keys that it does not name"),
    ({"type": "object", "additionalProperties": INT}, "$.v: takes keys"),
    ({"type": "array"}, "$.v: takes items of any type"),
    (listed({}), "$.v[]: takes any value"),
    ({"oneOf": [TEXT, INT]}, "$.v: takes any value"),
    ({**TEXT, "minLength": 1}, "$.v: has no place for minLength"),
    ({**TEXT, "format": "binary"}, "$.v: has no place for the format binary"),
    ({**TEXT, "pattern": "a(?=b)"}, "lookaround"),
    (listed(INT, uniqueItems=True), "has no place for uniqueItems"),
    ({"type": "array", "prefixItems": [INT], "items": False}, "has no place for prefixItems"),
    ({**TEXT, "not": {"const": "a"}}, "has no place for not"),
    ({"allOf": [TEXT]}, "$.v: takes any value"),
    ({"enum": [["a"]]}, "objects and lists as allowed values"),
    ({"anyOf": [TEXT], "minLength": 1}, "beside anyOf"),
    ({"type": ["integer", "null"], "default": 5}, "$.v: null is a value here"),
    ({"type": ["integer", "null"]}, "$.v: null is a value here"),
    ({"anyOf": [True, TEXT]}, "$.v: takes any value"),
    ({"anyOf": [listed(POINT), listed(closed({"a": INT}))]}, "cannot be told apart"),
    ({"anyOf": [closed({"a": INT}), closed({"a": TEXT})]}, "cannot be told apart"),
    ({**closed({}), "required": ["gone"]}, "requires what it does not name"),
    ({"$ref": "#/properties/v"}, "has no place for the reference"),
    (closed({"a": closed({"b": {}})}, "a"), "$.v.a.b: takes any value"),
]


@pytest.mark.parametrize(("part", "expected"), OBSTACLES, ids=[row[1] for row in OBSTACLES])
def test_what_cannot_be_strict_is_told_with_its_place(part, expected):
    found = [f"{path}: {text}" for path, text in obstacles(closed({"v": part}), OPENAI)]

    assert any(expected in line for line in found), found


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (closed({f"p{n}": INT for n in range(5_001)}), "more than 5000 properties"),
        (closed({"v": {"enum": list(range(1_001))}}), "more than 1000 allowed values"),
        ({**closed({}), "anyOf": [closed({})]}, "one object"),
        ({"type": "object", "properties": {"a": INT}}, "takes keys that it does not name"),
    ],
    ids=["properties", "values", "union", "open"],
)
def test_limits_of_a_whole_schema_are_told(schema, expected):
    assert any(expected in text for _, text in obstacles(schema, OPENAI))


def test_a_schema_that_is_nested_too_deep_is_not_strict():
    part = INT
    for _ in range(11):
        part = closed({"v": part}, "v")

    assert ["nested more than 10 deep"] == [text for _, text in obstacles(part, OPENAI)]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (closed({"v": {**INT, "minimum": 1}}), ["has no place for minimum"]),
        (closed({"v": listed(INT, minItems=2)}), ["has no place for minItems"]),
        (with_definitions(LOSSLESS["a recursive class"]), ["refers to itself"]),
        (closed({f"p{n}": INT for n in range(25)}), ["more than 24 optional parameters"]),
        (closed({"v": {"type": ["integer", "null"], "default": 5}}), []),
        (closed({"v": listed(POINT, minItems=1)}), []),
    ],
    ids=["bounds", "length", "recursion", "many optional", "null and a default", "plain"],
)
def test_anthropics_grammar_has_its_own_limits(schema, expected):
    assert expected == list(dict.fromkeys(text for _, text in obstacles(schema, ANTHROPIC)))


def test_a_default_is_told_in_words():
    form = strict_form(closed({"n": {**INT, "default": 5, "description": "how many"}}), {})

    assert {"type": ["integer", "null"], "description": "how many (null means 5)"} == form[
        "properties"
    ]["n"]
