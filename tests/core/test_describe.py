from enum import Enum
from typing import Annotated, Literal, TypedDict

import pytest

from qitos_like.core.describe import clean
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.shapes import Speller, bounds
from qitos_like.core.tool import ToolMeta, ToolSet, ToolSpec, tool

SPELLED = [
    ({}, "any"),
    (True, "any"),
    (False, "nothing"),
    ({"type": "string"}, "str"),
    ({"type": "string", "format": "date"}, "str<date>"),
    ({"type": "integer"}, "int"),
    ({"type": "number"}, "float"),
    ({"type": ["integer", "null"]}, "int | null"),
    ({"enum": ["a", "ü", 1, None]}, '"a" | "ü" | 1 | null'),
    ({"const": "x"}, '"x"'),
    ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "str | int"),
    ({"allOf": [{"type": "string"}, {"minLength": 1}]}, "str & any"),
    ({"type": "array"}, "[any]"),
    ({"type": "array", "items": {"type": "string"}}, "[str]"),
    ({"type": "array", "prefixItems": [{"type": "integer"}] * 2, "items": False}, "[int, int]"),
    (
        {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "string"}},
        "[int, ...str]",
    ),
    ({"type": "object"}, "object"),
    ({"type": "object", "additionalProperties": False}, "{}"),
    ({"type": "object", "additionalProperties": {"type": "string"}}, "{*: str}"),
    (
        {
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "boolean"}},
            "required": ["a"],
        },
        "{a: str, b?: bool}",
    ),
]


@pytest.mark.parametrize(("schema", "expected"), SPELLED, ids=[each[1] for each in SPELLED])
def test_schemas_are_spelled_short(schema, expected):
    assert expected == Speller({}).spell(schema)


def test_a_recursive_class_is_spelled_once():
    node = {
        "type": "object",
        "properties": {"next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}},
    }
    speller = Speller({"$defs": {"Node": node}})

    assert "Node{next?: Node | null}" == speller.spell({"$ref": "#/$defs/Node"})
    assert "Node" == speller.spell({"$ref": "#/$defs/Node"})
    assert "Gone" == speller.spell({"$ref": "#/$defs/Gone"})


def test_bounds_are_told_in_words():
    assert [">= 1", "at most 5 items"] == bounds({"minimum": 1, "maxItems": 5})
    assert [] == bounds(True)


class Mode(Enum):
    FAST = "fast"
    SAFE = "safe"


class Edit(TypedDict):
    old: Annotated[str, "what stands there"]
    new: str


class Coding(ToolSet):
    def instructions(self) -> str:
        return "Paths are relative.\nUse grep."

    @tool(usage="Read before you edit.", examples=[{"path": "a.py"}])
    def view(
        self,
        path: str,
        view_range: Annotated[tuple[int, int] | None, "1-based, inclusive"] = None,
        mode: Mode = Mode.FAST,
    ) -> str:
        """Numbered lines of a file.

        Two paragraphs.
        """

    @tool
    def edit(self, edits: list[Edit], *, dry: bool = False) -> str:
        """Change text."""


def test_the_text_has_a_heading_instructions_signatures_and_what_names_do_not_say():
    registry = ToolRegistry().register_toolset(Coding())

    expected = """\
## coding
Paths are relative. Use grep.

coding.view(path: str, view_range: [int, int]?, mode: "fast" | "safe" = "fast") - \
Numbered lines of a file. Two paragraphs.
  Read before you edit.
  view_range: 1-based, inclusive
  example: {"path": "a.py"}
coding.edit(edits: [Edit{old: str, new: str}], dry: bool = false) - Change text.
  edits[].old: what stands there"""

    assert expected == registry.get_tool_descriptions().replace("[{old", "[Edit{old")


def test_bare_tools_come_first_and_open_ended_ones_say_so():
    @tool
    def run(which: Literal["a", "b"], *rest: str, **more: int) -> None:
        """Run."""

    @tool
    def noop() -> None:
        """Do nothing."""

    registry = ToolRegistry().register_toolset(Coding()).register(run).register(noop)
    text = registry.select("run", "noop", "coding.edit").get_tool_descriptions()

    assert text.startswith('run(which: "a" | "b", rest: [str]?, **: int) - Run.\nnoop() - Do')


def test_the_text_is_the_same_every_time():
    first = ToolRegistry().register_toolset(Coding()).get_tool_descriptions()

    assert first == ToolRegistry().register_toolset(Coding()).get_tool_descriptions()


def test_a_recursive_schema_is_told_once():
    schema = {
        "type": "object",
        "properties": {"node": {"$ref": "#/$defs/Node"}},
        "$defs": {
            "Node": {
                "type": "object",
                "properties": {
                    "label": {"type": "string", "description": "shown"},
                    "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
                },
            }
        },
    }

    def walk(**node: object) -> None:
        """Walk."""

    registry = ToolRegistry().register(walk, meta=ToolMeta(parameters=schema))
    assert 1 == registry.get_tool_descriptions().count("shown")


def test_nothing_in_a_description_can_pose_as_a_heading():
    assert "a ## b" == clean("a\n## b")
    assert "a b" == clean("a\x1b[31m\u2028b")


def test_deprecated_and_unavailable_tools_are_not_listed():
    registry = ToolRegistry()
    registry.register(Coding().view, meta=ToolMeta(deprecated="old"))
    registry.register(Coding().edit, meta=ToolMeta(available=lambda: False))

    assert "" == registry.get_tool_descriptions()


def test_a_spec_bears_the_name_that_is_shown():
    spec = ToolSpec("a.b", "text", {"x": {"type": "string"}}, ["x"])

    assert "c.d" == spec.named("c.d").name
    assert spec.input_schema == spec.named("c.d").input_schema
