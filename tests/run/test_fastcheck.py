import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from qitos_like.run.fastcheck import compiled

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.floats(-3, 12, allow_nan=False)
    | st.sampled_from(["", "a", "ab", "é", "abcdef"])
)
DATA = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=4)
    ),
    max_leaves=12,
)
KINDS = ["string", "integer", "number", "boolean", "null", "array", "object"]
SIZES = ["Length", "Items", "Properties"]


def _object(schemas):
    return st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(st.sampled_from("abc"), schemas, max_size=3),
            "required": st.lists(st.sampled_from("abcd"), max_size=2, unique=True),
            "additionalProperties": schemas,
            "items": schemas,
            "prefixItems": st.lists(schemas, min_size=1, max_size=2),
            "anyOf": st.lists(schemas, min_size=1, max_size=3),
            "allOf": st.lists(schemas, min_size=1, max_size=2),
            "$ref": st.just("#/$defs/D"),
        },
    )


LEAVES = st.booleans() | st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(KINDS) | st.lists(st.sampled_from(KINDS), min_size=1, unique=True),
        "enum": st.lists(SCALARS, min_size=1, max_size=4),
        "const": SCALARS,
        "minimum": st.integers(0, 9),
        "maximum": st.integers(0, 9) | st.floats(0, 9),
        "exclusiveMinimum": st.integers(0, 9),
        "exclusiveMaximum": st.integers(0, 9),
        "multipleOf": st.integers(1, 4),
        **{f"min{noun}": st.integers(0, 3) for noun in SIZES},
        **{f"max{noun}": st.integers(0, 3) for noun in SIZES},
        "description": st.just("text"),
        "default": SCALARS,
    },
)
SCHEMAS = st.recursive(LEAVES, _object, max_leaves=8)
ROOTS = st.builds(
    lambda schema, definition: (
        {**schema, "$defs": {"D": definition}}
        if isinstance(schema, dict)
        else {"allOf": [schema], "$defs": {"D": definition}}
    ),
    SCHEMAS,
    # A reference back from here could go round without end; data ends the tests' own recursion.
    LEAVES | st.just({"properties": {"a": {"$ref": "#/$defs/D"}}, "type": ["object", "null"]}),
)


@given(schema=ROOTS, data=st.lists(DATA, min_size=1, max_size=10))
def test_what_is_accepted_is_valid_and_the_reverse(schema, data):
    accepts = compiled(schema)
    assert accepts is not None

    validator = Draft202012Validator(schema)
    for value in data:
        expected = validator.is_valid(value)
        if accepts(value) != expected:
            # A fraction and a multiple are for jsonschema to judge; all else agrees.
            assert expected
            assert "multipleOf" in repr(schema)


def test_a_recursive_definition_follows_the_data():
    node = {
        "type": "object",
        "properties": {"next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}},
        "additionalProperties": False,
    }
    accepts = compiled({"$ref": "#/$defs/Node", "$defs": {"Node": node}})

    assert accepts({"next": {"next": None}})
    assert not accepts({"next": {"next": 3}})


@pytest.mark.parametrize(
    "schema",
    [
        {"pattern": "a"},
        {"oneOf": [True]},
        {"multipleOf": 0.1},
        {"type": "text"},
        {"enum": [[1]]},
        {"$ref": "#/$defs/Absent"},
        {"$ref": "https://example.org/a"},
        {"items": {"$defs": {}}},
        {"x-other": 1},
    ],
    ids=str,
)
def test_what_is_not_known_is_not_compiled(schema):
    assert compiled(schema) is None


def test_only_what_json_text_gives_is_accepted_at_once():
    assert not compiled({"type": "array"})((1, 2))
    assert not compiled({"type": "integer"})(True)
    assert compiled({"type": "integer"})(1.0)
    assert not compiled({"enum": [1]})(True)
    assert not compiled({"enum": [1]})([1])
