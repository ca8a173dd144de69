"""``fuzz``: generated inputs, and what must hold for each answer."""

import math
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Literal
from uuid import UUID

import pytest
from annotated_types import Lt
from jsonschema import Draft202012Validator

from qitos_like import (
    Action,
    Environment,
    ToolError,
    ToolPermission,
    ToolRegistry,
    Unavailable,
    tool,
)
from qitos_like.testing import fuzz
from qitos_like.testing.fuzzing import _shown
from qitos_like.testing.inputs import Inputs


def add(a: int, b: int = 1) -> int:
    """Add."""
    return a + b


FORMS = {
    "type": "object",
    "properties": {
        "kind": {"oneOf": [{"const": 1}, {"type": ["null", "boolean"]}]},
        "part": {"type": "number", "maximum": 1, "minimum": 0},
        "ratio": {"type": "number"},
        "few": {"type": "integer", "maximum": 3},
        "many": {"type": "integer", "minimum": 9},
        "pair": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}]},
        "short": {"type": "string", "minLength": 2, "maxLength": 3},
        "loose": {"properties": {"any": True}},
        "free": {},
    },
    "required": ["kind", "part", "few", "many", "pair", "short", "loose", "free"],
}
BOUNDS = {
    "type": "object",
    "properties": {
        "share": {"type": "number", "minimum": 0.5, "exclusiveMaximum": 1},
        "above": {"type": "number", "exclusiveMinimum": 3},
        "below": {"type": "number", "maximum": -2.5},
        "three": {"type": "integer", "multipleOf": 3},
        "even": {"type": "integer", "multipleOf": 2, "exclusiveMinimum": 0, "maximum": 8},
        "positive": {"type": "integer", "exclusiveMinimum": 0},
        "negative": {"type": "integer", "maximum": -0.5},
        "once": {"type": "array", "items": {"enum": [1, 2]}, "uniqueItems": True},
        "some": {"type": "array", "minItems": 2},
        "named": {
            "type": "object",
            "propertyNames": {"enum": ["a", "b"]},
            "additionalProperties": {"type": "boolean"},
        },
        "part": {"$ref": "#/properties/pair/prefixItems/0"},
        "pair": {"type": "array", "prefixItems": [{"const": 1}], "minItems": 1, "maxItems": 1},
    },
    "required": [
        "share",
        "above",
        "below",
        "three",
        "even",
        "positive",
        "negative",
        "once",
        "some",
    ],
}
TREE = {
    "type": "object",
    "properties": {"root": {"$ref": "#/$defs/node"}},
    "required": ["root"],
    "$defs": {
        "node": {
            "type": "object",
            "properties": {
                "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]},
                "more": {"type": "array", "items": {"$ref": "#/$defs/node"}},
            },
            "required": ["next"],
            "additionalProperties": {"enum": ["a", "b"]},
        }
    },
}


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


def everything(
    text: str,
    number: int = 0,
    ratio: float = 0.0,
    flag: bool = False,
    kind: Literal["a", "b"] = "a",
    texts: list[str] = (),
    pairs: dict[str, list[int]] | None = None,
) -> dict[str, object]:
    """Take everything."""
    return {"text": text, "number": number, "texts": list(texts), "pairs": pairs}


def all_kinds():
    return ToolRegistry().register(add).register(everything)


@pytest.mark.parametrize("schema", [TREE, FORMS, BOUNDS], ids=["tree", "forms", "bounds"])
def test_fitting_arguments_are_valid(schema):
    inputs = Inputs(seed=3)
    validator = Draft202012Validator(schema)

    made = [inputs.fitting(schema) for _ in range(300)]

    assert [] == [args for args in made if not validator.is_valid(args)]
    assert len({str(args) for args in made}) > 100


def test_a_reference_that_leads_nowhere_and_a_choice_of_nothing_have_values_too():
    schema = {"type": "object", "properties": {"a": {"$ref": "#/gone"}, "b": {"enum": []}}}

    assert isinstance(Inputs(seed=1).fitting({**schema, "required": ["a", "b"]})["a"], str)


def when(day: date, at: datetime, key: UUID, price: Decimal, share: Annotated[float, Lt(1)]) -> str:
    """Take what has a format."""
    return f"{day} {at} {key} {price} {share}"


def test_texts_are_mostly_of_their_format():
    kinds = fuzz(ToolRegistry().register(when), 400)

    assert kinds["ok"] > 80


def test_tools_that_hold_are_called_with_right_and_wrong_arguments():
    kinds = fuzz(all_kinds(), 2_000)

    assert {"ok", "input_invalid"} == set(kinds)
    assert (2_000, True) == (kinds.total(), min(kinds.values()) > 300)


def test_the_same_seed_makes_the_same_calls():
    assert fuzz(all_kinds(), 200, 5) == fuzz(all_kinds(), 200, 5)


def raises(number: int) -> int:
    """Fail at two."""
    return 1 // (number - 2)


def ends(number: int) -> None:
    """End."""
    raise SystemExit


def unprintable(number: int) -> float:
    """Nothing that JSON has."""
    return math.inf


@pytest.mark.parametrize(
    ("function", "breach"),
    [
        (raises, "raises({'number': 2}): raises failed: ZeroDivisionError"),
        (ends, "ends tried to end the program"),
        (unprintable, "unprintable ran, but its result cannot be shown"),
    ],
)
def test_a_tool_that_breaks_is_told_with_the_call(function, breach):
    with pytest.raises(AssertionError) as caught:
        fuzz(ToolRegistry().register(function), 300)
    assert breach in str(caught.value)


@pytest.mark.parametrize("text", ["not this one", "refuse failed: not this one"])
def test_a_tool_may_refuse(text):
    def refuse(number: int) -> int:
        """Refuse."""
        raise ToolError(text)

    assert {"execution_failed", "input_invalid"} == set(fuzz(ToolRegistry().register(refuse), 100))


def test_what_is_not_granted_does_not_run():
    @tool(permissions=ToolPermission(command=True))
    def run(command: str) -> None:
        """Run."""
        raise SystemExit

    registry = ToolRegistry().register(run)

    assert "denied" in fuzz(registry, 100)
    with pytest.raises(AssertionError):
        fuzz(registry, 100, environment=Environment(permissions=ToolPermission(command=True)))


@pytest.mark.filterwarnings("ignore:.*has no description:UserWarning")
@pytest.mark.parametrize(
    ("tools", "said"),
    [
        ([], "there is nothing to fuzz\nno tool"),
        (
            [tool(name="mail", available=lambda: Unavailable("no key"))(lambda to: to)],
            "there is nothing to fuzz\nmail is not available: no key",
        ),
    ],
    ids=["empty", "unavailable"],
)
def test_a_registry_in_which_nothing_can_be_called_is_told_so(tools, said):
    registry = ToolRegistry()
    for each in tools:
        registry.register(each)

    with pytest.raises(AssertionError) as caught:
        fuzz(registry, 10)
    assert said == str(caught.value)


def test_an_error_of_the_executor_names_the_call():
    class Broken(ToolRegistry):
        def get(self, name):
            raise KeyError(name)

    registry = Broken().register(add)

    with pytest.raises(KeyError) as caught:
        fuzz(registry, 1)
    assert "in the answer to add(" in caught.value.__notes__[0]


@pytest.mark.stress
@pytest.mark.timeout(1800)
def test_a_hundred_thousand_inputs_have_their_answers():
    assert 100_000 == fuzz(all_kinds(), 100_000, seed=7).total()


@pytest.mark.parametrize("value", [10**5_000, nested(100_000)], ids=["digits", "depth"])
def test_arguments_that_python_cannot_print_are_told_so(value):
    assert "add(what Python cannot print)" == _shown(Action("add", {"a": value}))
