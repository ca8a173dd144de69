import pytest

from qitos_like.core.schema.signature import read
from qitos_like.render.schemas.gemini_form import gemini_form

TEXT, INT, NULL = {"type": "string"}, {"type": "integer"}, {"type": "null"}


SOME = [{"type": kind} for kind in ("STRING", "NUMBER", "BOOLEAN", "OBJECT")]
ITEMS = {"anyOf": SOME, "nullable": True}
ANY = {"anyOf": [*SOME, {"type": "ARRAY", "items": ITEMS}], "nullable": True}


def closed(properties):
    return {"type": "object", "properties": properties, "additionalProperties": False}


def form_of(part, definitions=None):
    form, findings = gemini_form({**closed({"v": part}), "$defs": definitions or {}})
    return form["properties"]["v"], [f"{path}: {text}" for path, text in findings]


FORMS = [
    ("a text", TEXT, {"type": "STRING"}),
    ("a description", {**TEXT, "description": "d"}, {"type": "STRING", "description": "d"}),
    (
        "null in a list of types",
        {"type": ["integer", "null"]},
        {"type": "INTEGER", "nullable": True},
    ),
    ("null in a union", {"anyOf": [INT, NULL]}, {"type": "INTEGER", "nullable": True}),
    (
        "a described union with null",
        {"anyOf": [{**INT, "minimum": 1}, NULL], "description": "d", "default": None},
        {"type": "INTEGER", "minimum": 1, "description": "d", "default": None, "nullable": True},
    ),
    ("a union", {"anyOf": [TEXT, INT]}, {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}]}),
    (
        "types in a list",
        {"type": ["string", "array", "null"], "minLength": 1, "items": INT},
        {
            "anyOf": [
                {"type": "STRING", "minLength": 1},
                {"type": "ARRAY", "items": {"type": "INTEGER"}},
            ],
            "nullable": True,
        },
    ),
    ("null alone", NULL, {"type": "NULL"}),
    ("nulls in a union", {"anyOf": [NULL]}, {"type": "NULL"}),
    ("an object of no properties", closed({}), {"type": "OBJECT"}),
    (
        "keywords of other types",
        {**TEXT, "properties": {"a": INT}, "items": INT, "minLength": 1},
        {"type": "STRING", "minLength": 1},
    ),
    (
        "a union beside what its alternatives share",
        {"type": "object", "properties": {"a": TEXT}, "anyOf": [closed({"b": INT}), NULL]},
        {
            "type": "OBJECT",
            "properties": {"a": {"type": "STRING"}, "b": {"type": "INTEGER"}},
            "nullable": True,
        },
    ),
    ("alternatives that look the same", {"anyOf": [TEXT, {**TEXT}]}, {"type": "STRING"}),
    ("texts listed", {"enum": ["a", "b"]}, {"type": "STRING", "enum": ["a", "b"]}),
    ("texts and null", {"enum": ["a", None]}, {"type": "STRING", "enum": ["a"], "nullable": True}),
    ("a constant text", {"const": "a"}, {"type": "STRING", "enum": ["a"]}),
    (
        "a pair",
        {"type": "array", "prefixItems": [INT, INT], "items": False, "minItems": 2},
        {"type": "ARRAY", "items": {"type": "INTEGER"}, "minItems": 2, "maxItems": 2},
    ),
    ("a format of integers", {**INT, "format": "int64"}, {"type": "INTEGER", "format": "int64"}),
    ("a date and time", {**TEXT, "format": "date-time"}, {"type": "STRING", "format": "date-time"}),
    ("a list", {"type": "array", "items": TEXT}, {"type": "ARRAY", "items": {"type": "STRING"}}),
    (
        "a pair by its length",
        {"type": "array", "prefixItems": [INT, INT], "minItems": 2, "maxItems": 2},
        {"type": "ARRAY", "items": {"type": "INTEGER"}, "minItems": 2, "maxItems": 2},
    ),
    (
        "a list that begins as it goes on",
        {"type": "array", "prefixItems": [INT], "items": INT},
        {"type": "ARRAY", "items": {"type": "INTEGER"}},
    ),
    ("an example", {**TEXT, "examples": ["x"]}, {"type": "STRING", "description": 'e.g. "x"'}),
    (
        "an intersection",
        {"allOf": [{"type": "object", "properties": {"a": TEXT}, "required": ["a"]}]},
        {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}, "required": ["a"]},
    ),
]


@pytest.mark.parametrize(
    ("part", "expected"), [row[1:] for row in FORMS], ids=[row[0] for row in FORMS]
)
def test_what_gemini_can_say_is_said_without_a_note(part, expected):
    assert (expected, []) == form_of(part)


LOSSES = [
    (
        "numbers listed",
        {"enum": [1, 2]},
        {"type": "INTEGER", "description": "one of 1, 2"},
        "no texts",
    ),
    (
        "typed numbers listed",
        {**INT, "enum": [1, 2], "exclusiveMaximum": 3, "minimum": 1},
        {"type": "INTEGER", "minimum": 1, "description": "one of 1, 2; < 3"},
        "exclusiveMaximum",
    ),
    (
        "mixed values",
        {"enum": ["a", 1]},
        {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}], "description": 'one of "a", 1'},
        "no texts",
    ),
    (
        "lists listed",
        {"enum": [[1, 2], ["a"]]},
        {
            "type": "ARRAY",
            "items": {**ANY, "anyOf": SOME},
            "description": 'one of [1, 2], ["a"]',
        },
        "no texts",
    ),
    (
        "values of some of the types",
        {"type": ["string", "integer", "null"], "enum": [1, None]},
        {"type": "INTEGER", "nullable": True, "description": "one of 1"},
        "no texts",
    ),
    (
        "open bounds",
        {**INT, "exclusiveMinimum": 0},
        {"type": "INTEGER", "description": "> 0"},
        "exclusiveMinimum",
    ),
    (
        "a format",
        {**TEXT, "format": "uuid", "description": "d"},
        {"type": "STRING", "description": "d; of the form uuid"},
        "no place for format",
    ),
    (
        "free keys",
        {"type": "object", "additionalProperties": INT},
        {"type": "OBJECT", "description": "keys of any name: int"},
        "additionalProperties",
    ),
    (
        "a keyword without words",
        {**TEXT, "not": {"const": "a"}},
        {"type": "STRING", "description": 'also {"not": {"const": "a"}}'},
        "no place for not",
    ),
    (
        "exactly one",
        {"oneOf": [TEXT, INT]},
        {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}]},
        "exactly one",
    ),
    (
        "a tuple of types",
        {"type": "array", "prefixItems": [TEXT, INT], "items": False},
        {
            "type": "ARRAY",
            "maxItems": 2,
            "items": {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}]},
        },
        "which item has which type",
    ),
    (
        "a tuple by its length",
        {"type": "array", "prefixItems": [TEXT, INT], "maxItems": 2},
        {
            "type": "ARRAY",
            "maxItems": 2,
            "items": {"anyOf": [{"type": "STRING"}, {"type": "INTEGER"}]},
        },
        "which item has which type",
    ),
    ("nothing", False, ANY, "admits nothing"),
    ("anything", {}, ANY, "lists in lists"),
    ("true", True, ANY, "lists in lists"),
    ("anything described", {"description": "d"}, {**ANY, "description": "d"}, "lists in lists"),
    (
        "any list",
        {"type": "array"},
        {"type": "ARRAY", "items": {**ANY, "anyOf": ANY["anyOf"][:-1]}},
        "lists in lists",
    ),
    (
        "an empty text among the values",
        {"enum": ["", "a"]},
        {"type": "STRING", "description": 'one of "", "a"'},
        "no texts",
    ),
    (
        "a required name without a property",
        {"type": "object", "properties": {"a": TEXT}, "required": ["a", "b"]},
        {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}, "required": ["a"]},
        "requires what it does not name",
    ),
    (
        "alternatives that only demand something",
        {"type": "object", "properties": {"a": TEXT}, "anyOf": [{"required": ["a"]}, {"not": {}}]},
        {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}},
        "one of its alternatives",
    ),
    (
        "a type that is only implied",
        {"properties": {"a": TEXT}},
        {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}},
        "other types",
    ),
    (
        "a format of another type",
        {**INT, "format": "date-time"},
        {"type": "INTEGER", "description": "of the form date-time"},
        "no place for format",
    ),
    (
        "parts that differ",
        {"allOf": [{**TEXT, "minLength": 1}, {"minLength": 2}]},
        {"type": "STRING", "minLength": 1},
        "all parts of allOf",
    ),
]


@pytest.mark.parametrize(
    ("part", "expected", "note"), [row[1:] for row in LOSSES], ids=[row[0] for row in LOSSES]
)
def test_what_gemini_cannot_say_is_in_the_description_and_reported(part, expected, note):
    form, notes = form_of(part)

    assert expected == form
    assert any(note in line and line.startswith("$.v") for line in notes), notes


def test_references_are_put_in_place():
    point = closed({"x": INT})
    described = {"$ref": "#/$defs/Point", "description": "where"}
    form, notes = form_of(described, {"Point": point})

    assert {
        "type": "OBJECT",
        "properties": {"x": {"type": "INTEGER"}},
        "description": "where",
    } == form
    assert [] == notes


def test_a_recursive_class_is_cut_and_reported():
    node = closed({"label": TEXT, "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}}})
    form, notes = form_of({"$ref": "#/$defs/Node"}, {"Node": node})

    assert {"type": "OBJECT", "description": "another Node"} == form["properties"]["children"][
        "items"
    ]
    assert ["$.v.children[]: refers to itself, which is cut: any object stands for Node"] == notes


def test_a_recursion_through_parts_of_an_intersection_is_cut_and_reported():
    node = closed({"next": {"allOf": [{"$ref": "#/$defs/Node"}]}})
    form, notes = form_of({"$ref": "#/$defs/Node"}, {"Node": node})

    assert {"type": "OBJECT", "description": "another Node"} == form["properties"]["next"]
    assert ["$.v.next: refers to itself, which is cut: any object stands for Node"] == notes


def test_the_official_type_takes_every_form():
    types = pytest.importorskip("google.genai.types", reason="google-genai is not installed")

    for part in [*(row[1] for row in FORMS), *(row[1] for row in LOSSES)]:
        types.Schema.model_validate(form_of(part)[0])


def test_each_schema_says_a_type():
    for part in [*(row[1] for row in FORMS), *(row[1] for row in LOSSES)]:
        pending = [form_of(part)[0]]
        while pending:
            form = pending.pop()
            assert form.keys() & {"type", "anyOf"}, form
            pending += [*form.get("anyOf", ()), *form.get("properties", {}).values()]
            pending += [form["items"]] if "items" in form else []


def test_an_inferred_schema_passes():
    def book(
        rooms: list[dict[str, int]], pair: tuple[int, str], note: str | None = None
    ) -> None: ...

    form, notes = gemini_form(read(book).input_schema())

    assert "OBJECT" == form["type"]
    assert 2 == len(notes)
