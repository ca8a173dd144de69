"""What references inside a schema stand for, and how a model and a provider see them."""

import json

import pytest

from qitos_like.core.references import reference_name, referred
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.spec import ToolMeta
from qitos_like.render.schemas.used import with_used

NODE = {
    "$anchor": "node",
    "type": "object",
    "properties": {"next": {"$ref": "#node"}, "at": {"type": "integer"}},
}
ROOT = {
    "type": "object",
    "properties": {"a": {"$ref": "#node"}, "b/c": {"type": "string"}},
    "$defs": {"Node": NODE, "Other": {"$dynamicAnchor": "other"}},
    "allOf": [{"minProperties": 1}],
}


@pytest.mark.parametrize(
    ("reference", "name", "target"),
    [
        ("#", "#", ROOT),
        ("#/$defs/Node", "Node", NODE),
        ("#/properties/b~1c", "b/c", {"type": "string"}),
        ("#/allOf/0", "0", {"minProperties": 1}),
        ("#node", "node", NODE),
        ("#o%74her", "o%74her", ROOT["$defs"]["Other"]),
        ("#nobody", "nobody", None),
        ("#/$defs/Nobody", "Nobody", None),
        ("#/allOf/1", "1", None),
        ("https://example.org/node", "node", None),
        ("node", "node", None),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_reference_stands_for_a_schema(reference, name, target):
    schema = {"$ref": reference}

    assert (name, target) == (reference_name(schema), referred(ROOT, schema))


def test_a_model_is_told_what_an_anchor_stands_for():
    registry = ToolRegistry()
    registry.register(
        lambda **given: len(given), meta=ToolMeta(name="walk", description="d", parameters=ROOT)
    )

    text = registry.get_tool_descriptions()

    assert "walk(a: node{next?: node, at?: int}?, b/c: str?" in text.replace('"', "")
    assert "$anchor" not in text


def test_a_definition_that_is_used_by_its_anchor_is_sent():
    assert ["Node"] == list(with_used(ROOT)["$defs"])
    assert json.dumps(NODE) == json.dumps(with_used(ROOT)["$defs"]["Node"])
