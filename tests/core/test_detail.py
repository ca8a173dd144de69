import pytest

from qitos_like.core.registry import ToolRegistry
from qitos_like.core.tool import ToolMeta, ToolSet, tool

EXAMPLES, TEXTS, USAGE = "example:", "where it stands", "Ask first."
NESTED = "{old: str, new: str}"


class Editing(ToolSet):
    name = "editing"

    def instructions(self):
        return "Read before you write."

    @tool(
        usage=USAGE,
        examples=[{"path": "a.py", "edits": []}],
        parameters={
            "path": {"type": "string", "description": TEXTS},
            "edits": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"old": {"type": "string"}, "new": {"type": "string"}},
                    "required": ["old", "new"],
                },
            },
        },
    )
    def edit(self, path: str = "", edits: list | None = None) -> None:
        """Change a file."""


def view() -> None:
    """Show it."""


def registry_of(count):
    registry = ToolRegistry()
    for number in range(count):
        registry.register_toolset(Editing(), namespace=f"editing_{number}")
    return registry


def test_without_a_budget_nothing_is_left_out():
    text = registry_of(2).get_tool_descriptions()

    assert all(part in text for part in (EXAMPLES, TEXTS, USAGE, NESTED))
    assert "Left out" not in text


def test_a_budget_takes_one_thing_after_the_other_and_says_so():
    registry = registry_of(3)
    full = registry.get_tool_descriptions()
    seen = []
    for budget in range(len(full), 0, -1):
        text = registry.get_tool_descriptions(budget_chars=budget)
        gone = tuple(part not in text for part in (EXAMPLES, TEXTS, USAGE, NESTED))
        if not seen or seen[-1] != gone:
            seen.append(gone)
            assert sum(gone) == 0 or "(Left out for length: examples" in text

    assert [(True,) * lost + (False,) * (4 - lost) for lost in range(5)] == seen


def test_then_namespaces_shrink_to_a_line_the_last_first():
    registry = registry_of(3)
    budgets = range(1_000, 0, -1)
    texts = (registry.get_tool_descriptions(budget_chars=budget) for budget in budgets)
    text = next(text for text in texts if "not shown" in text)

    assert "editing_2.*: 1 tool, not shown" in text
    assert "tools of 1 namespace" in text
    assert "editing_0.edit(" in text


@pytest.mark.parametrize("budget", [300, 1_000, 3_000, 8_000, 20_000, 100_000])
def test_a_thousand_tools_fit_and_no_tool_is_cut(budget):
    registry = ToolRegistry()
    for number in range(1_000):
        registry.register(view, f"space_{number // 25}.view_{number}")
    text = registry.get_tool_descriptions(budget_chars=budget)

    assert len(text) <= budget
    shown = [line for line in text.splitlines() if ".view_" in line]
    assert all(line.endswith("() - Show it.") for line in shown)
    assert 1_000 == len(shown) or "Left out for length" in text


def test_a_tool_that_is_always_included_stays():
    registry = registry_of(20)
    registry.register(view, "editing_19.view", ToolMeta(always_include=True))
    text = registry.get_tool_descriptions(budget_chars=300)

    assert "editing_19.view() - Show it." in text
    assert "editing_18.edit(" not in text


def test_an_agents_own_guidance_stands_in_place_of_usage():
    registry = registry_of(1)
    text = registry.get_tool_descriptions(usages={"editing_0.edit": "Only in src."})

    assert "  Only in src." in text
    assert USAGE not in text
    assert USAGE in registry.get_tool_descriptions()


def test_the_text_is_kept_until_something_changes():
    registry = registry_of(1)
    first = registry.get_tool_descriptions()

    assert first is registry.get_tool_descriptions()
    registry.register(view)
    assert "view() - Show it." in registry.get_tool_descriptions()
    registry.unregister("view")
    assert first == registry.get_tool_descriptions()


def test_the_text_follows_what_a_toolset_says_and_what_is_available():
    said, usable = ["One."], [True]

    class Changing(ToolSet):
        def instructions(self):
            return said[0]

        @tool(available=lambda: usable[0])
        def act(self) -> None:
            """Act."""

    registry = ToolRegistry().register_toolset(Changing())
    first = registry.get_tool_descriptions()
    said[0] = "Two."
    second = registry.get_tool_descriptions()
    usable[0] = False

    assert ("One." in first, "Two." in second) == (True, True)
    assert "" == registry.get_tool_descriptions()
    assert () == registry.listed()


def test_a_recursive_shape_is_flattened():
    node = {
        "type": "object",
        "properties": {"next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}},
    }
    schema = {
        "type": "object",
        "properties": {"node": {"$ref": "#/$defs/Node"}, "n": {"type": "integer", "default": 1}},
        "$defs": {"Node": node},
    }

    def walk(**more: object) -> None:
        """Walk."""

    registry = ToolRegistry()
    for number in range(5):
        registry.register(walk, f"walk_{number}", ToolMeta(parameters=schema))
    full = registry.get_tool_descriptions()
    text = registry.get_tool_descriptions(budget_chars=len(full) - 1)

    assert "walk_4(node: object?, n: int = 1) - Walk." in text
