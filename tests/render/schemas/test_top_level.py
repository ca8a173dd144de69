"""Schemas that providers would refuse, said so that they do not."""

import pytest

from qitos_like import ToolMeta, ToolRegistry, dialect
from qitos_like.render.schemas.items import with_items
from qitos_like.render.schemas.top_level import plain_top

TEXT, INT = {"type": "string"}, {"type": "integer"}


def thing(properties, *required, **more):
    return {"type": "object", "properties": properties, "required": list(required), **more}


POINT = thing({"x": INT, "y": INT}, "x")
TOPS = {
    "alternatives": (
        {"anyOf": [thing({"a": TEXT}, "a"), thing({"b": INT}, "b")]},
        {"properties": {"a": TEXT, "b": INT}},
        ["anyOf"],
    ),
    "alternatives by a tag": (
        {
            "oneOf": [
                thing({"do": {"const": "add"}, "n": INT}, "do", "n", additionalProperties=False),
                thing({"do": {"const": "cut"}, "n": TEXT}, "do", additionalProperties=False),
            ]
        },
        {
            "properties": {
                "do": {"anyOf": [{"const": "add"}, {"const": "cut"}]},
                "n": {"anyOf": [INT, TEXT]},
            },
            "required": ["do"],
        },
        ["oneOf"],
    ),
    "demands alone": (
        {"properties": {"a": TEXT}, "anyOf": [{"required": ["a"]}, True]},
        {"properties": {"a": TEXT}},
        ["anyOf"],
    ),
    "nothing beside what it names": (
        {"properties": {"a": TEXT}, "additionalProperties": False, "anyOf": [POINT]},
        {"properties": {"a": TEXT}, "additionalProperties": False, "required": ["x"]},
        ["anyOf"],
    ),
    "a reference": (
        {"$ref": "#/$defs/Point", "$defs": {"Point": POINT}},
        {"properties": POINT["properties"], "required": ["x"], "$defs": {"Point": POINT}},
        [],
    ),
    "parts by reference": (
        {"allOf": [{"$ref": "#/$defs/Point"}, thing({"z": INT}, "z")], "$defs": {"Point": POINT}},
        {
            "properties": {"x": INT, "y": INT, "z": INT},
            "required": ["x", "z"],
            "$defs": {"Point": POINT},
        },
        ["allOf"],
    ),
    "a condition": (
        {"properties": {"a": TEXT}, "if": {"required": ["a"]}, "then": thing({"b": INT}, "b")},
        {"properties": {"a": TEXT, "b": INT}},
        ["if", "then"],
    ),
    "itself": ({"$ref": "#"}, {}, []),
    "itself among others": (
        {"anyOf": [{"$ref": "#"}, POINT]},
        {"properties": POINT["properties"]},
        ["anyOf"],
    ),
}


@pytest.mark.parametrize(("schema", "expected", "lost"), TOPS.values(), ids=TOPS)
def test_properties_of_all_parts_stand_on_top(schema, expected, lost):
    plain, findings = plain_top({"type": "object", **schema})

    assert {"type": "object", **expected} == plain
    assert [("$", f"{each} is not told: it is checked alone") for each in lost] == findings


ITEMS = {
    "any items": ({"type": "array"}, {"items": {}}),
    "true": ({"type": "array", "items": True}, {"items": {}}),
    "told": ({"type": "array", "items": INT}, {"items": INT}),
    "null or a list": ({"type": ["array", "null"]}, {"items": {}}),
    "a pair": (
        {"type": "array", "prefixItems": [INT, TEXT], "minItems": 2, "maxItems": 2},
        {"items": {"anyOf": [INT, TEXT]}, "maxItems": 2},
    ),
    "a closed pair": (
        {"type": "array", "prefixItems": [INT, INT], "items": False},
        {"items": INT, "maxItems": 2},
    ),
    "no item": ({"type": "array", "items": False}, {"items": {}, "maxItems": 0}),
    "a head": ({"type": "array", "prefixItems": [INT]}, {"items": {}}),
}


@pytest.mark.parametrize(("part", "added"), ITEMS.values(), ids=ITEMS)
def test_each_array_tells_its_items(part, added):
    inside = {"type": "array", "items": {"type": "object", "properties": {"v": part}}}
    told = with_items(thing({"list": inside}))

    assert {**part, **added} == told["properties"]["list"]["items"]["properties"]["v"]


@pytest.mark.parametrize("provider", ["openai", "openai-responses"])
def test_openai_is_told_the_items_of_each_array(provider):
    def sort(values: list, pair: tuple[int, str] = (1, "a")) -> None:
        """Sort."""

    [tool] = dialect(provider).tools(ToolRegistry().register(sort))
    properties = tool.get("function", tool)["parameters"]["properties"]

    assert {"type": "array", "items": {}} == properties["values"]
    assert {"anyOf": [INT, TEXT]} == properties["pair"]["items"]


@pytest.mark.parametrize("provider", ["openai", "openai-responses", "anthropic", "gemini"])
def test_each_provider_is_told_the_properties_of_alternatives(provider):
    def move(**where: object) -> None: ...

    parameters = {"type": "object", "anyOf": [POINT, thing({"name": TEXT}, "name")]}
    meta = ToolMeta(description="Move.", parameters=parameters)
    tools = dialect(provider).tools(ToolRegistry().register(move, meta=meta))

    assert all(f"'{name}': {{'type'" in str(tools) for name in ("x", "y", "name"))


def test_making_a_list_leaves_the_schema_of_the_tool_as_it_was():
    registry = ToolRegistry().register(
        lambda **_: None, "run", meta=ToolMeta(description="Run.", parameters={"type": "object"})
    )
    dialect("openai").tools(registry)

    assert {"type": "object"} == registry["run"].spec.input_schema


LONG = {
    "paragraphs": ("a" * 600, "b" * 600, "\n\n"),
    "lines": ("a " * 400 + "a", "b " * 300 + "b", "\n"),
    "words": ("a " * 511 + "a", "b b b", " "),
    "one word": ("a" * 1_024, "a" * 9, ""),
}


@pytest.mark.parametrize("strict", [None, False])
@pytest.mark.parametrize(("head", "rest", "between"), LONG.values(), ids=LONG)
def test_the_rest_of_a_long_description_is_told_with_the_parameters(head, rest, between, strict):
    def run(a: int) -> None: ...

    meta = ToolMeta(description=head + between + rest)
    [tool] = dialect("openai").tools(ToolRegistry().register(run, meta=meta), strict=strict)
    function = tool["function"]

    assert (head, rest) == (function["description"], function["parameters"]["description"])
    assert [] == dialect("openai").report(ToolRegistry().register(run, meta=meta))


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_definitions_that_nothing_uses_are_not_told_and_stand_in_no_ones_way(provider):
    definitions = {"Point": {**POINT, "additionalProperties": False}, "Odd": {"not": {}}}
    definitions["Odder"] = {"$ref": "#/$defs/Odd"}
    parameters = thing({"v": {"$ref": "#/$defs/Point"}}, "v", additionalProperties=False)

    def draw(v: dict) -> None: ...

    meta = ToolMeta(description="Draw.", parameters={**parameters, "$defs": definitions})
    [tool] = dialect(provider).tools(ToolRegistry().register(draw, meta=meta), strict=True)

    assert tool.get("function", tool)["strict"]
    assert "Point" in str(tool)
    assert "Odd" not in str(tool)


@pytest.mark.parametrize("provider", ["openai", "openai-responses", "anthropic", "gemini", "mcp"])
def test_a_reference_that_leads_to_itself_alone_is_no_error(provider):
    loops = {"A": {"$ref": "#/$defs/B"}, "B": {"anyOf": [{"$ref": "#/$defs/A"}]}}
    parameters = {**thing({"v": {"$ref": "#/$defs/A"}}, description="d" * 2_000), "$defs": loops}

    def loop(v: object = None) -> None: ...

    registry = ToolRegistry().register(
        loop, meta=ToolMeta(description="Loop.", parameters=parameters)
    )

    assert 1 == len(dialect(provider).tools(registry, strict=True))
