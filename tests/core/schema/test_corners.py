"""Corners that no table of signatures reaches."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from enum import Enum
from ipaddress import ip_address
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Generic, Literal, TypeVar, TypeVarTuple, Unpack

import annotated_types as at
import pydantic
import pytest
import typing_extensions

from qitos_like.core.context import ToolContext
from qitos_like.core.marks import Configured, PathArg
from qitos_like.core.schema import fields
from qitos_like.core.schema.annotations import Scope
from qitos_like.core.schema.infer import Inference
from qitos_like.core.schema.jsonvalues import NotJsonError, identity, to_json
from qitos_like.core.schema.problems import ArgumentsError
from qitos_like.core.schema.signature import read
from qitos_like.errors import SchemaWarning

T = TypeVar("T")
Shape = TypeVarTuple("Shape")


class Colour(Enum):
    RED = "red"


class Tree(pydantic.BaseModel):
    left: "Tree | None" = None


@dataclass
class Box(Generic[T]):
    item: T


class Flaky:
    """Refuses once."""

    made = 0


@dataclass
class Moody:
    n: int

    def __post_init__(self):
        Flaky.made += 1
        if Flaky.made == 1:
            raise ValueError("not today")


@pytest.mark.parametrize(
    ("value", "json"),
    [
        (None, None),
        (True, True),
        (("a", 1), ["a", 1]),
        ({"a": {2}}, {"a": [2]}),
        ({3, 1, 2}, [1, 2, 3]),
        (Colour.RED, "red"),
        (Path("a"), "a"),
        (Decimal("1.0"), "1.0"),
        (ip_address("::1"), "::1"),
        ([Colour.RED], ["red"]),
        (b"hi", "aGk="),
        (timedelta(minutes=1, milliseconds=500), "PT60.5S"),
        (-timedelta(days=1), "-PT86400S"),
    ],
    ids=str,
)
def test_values_have_a_form_in_json(value, json):
    assert json == to_json(value)


@pytest.mark.parametrize(
    "value",
    [object(), float("nan"), {1: 2}, [len], {"a": 1j}],
    ids=["object", "nan", "key", "item", "value"],
)
def test_other_values_have_none(value):
    with pytest.raises(NotJsonError):
        to_json(value)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        ([1], [1.0], True),
        ([1], [True], False),
        ({"a": [1], "b": None}, {"b": None, "a": [1]}, True),
        ({"a": 1}, {"a": True}, False),
        ("1", 1, False),
        ((), (), True),
    ],
    ids=str,
)
def test_json_values_are_the_same_by_the_rules_of_json(one, other, same):
    assert same == (identity(one) == identity(other))


def test_what_is_no_json_is_the_same_as_itself_only():
    unhashable = bytearray(b"a")

    assert identity(unhashable) == identity(unhashable)
    assert identity(unhashable) != identity(bytearray(b"a"))


def test_a_class_without_fields_has_none_to_read():
    with pytest.raises(TypeError, match="has no fields"):
        fields.read(int, Scope())


def test_a_pydantic_model_that_holds_itself():
    def function(x: Tree): ...

    signature = read(function)

    assert {"$ref": "#/$defs/Tree"} == signature.input_schema()["properties"]["x"]
    assert {"x": Tree(left=Tree())} == signature.structure({"x": {"left": {}}})
    with pytest.raises(ArgumentsError, match=r"\$\.x\.left"):
        signature.structure({"x": {"left": 1}})


def test_a_definition_with_unhashable_marks_is_made_once():
    inference = Inference(Scope())
    box = Box[Annotated[int, ["unhashable"]]]

    assert inference.schema(box) == inference.schema(box)
    assert {"type": "object"}.items() <= inference.finished(inference.schema(box)).items()


def test_a_constructor_that_changes_its_mind_is_still_a_refusal():
    def function(x: Moody): ...

    with pytest.raises(ArgumentsError, match="not today"):
        read(function).structure({"x": {"n": 1}})


def test_marks_whose_attributes_are_no_limits_are_ignored():
    mark = SimpleNamespace(ge=lambda: 3, pattern=None, metadata="text")

    def function(x: Annotated[int, mark, at.Ge(1)]): ...

    assert {"type": "integer", "minimum": 1} == read(function).input_schema()["properties"]["x"]


def test_an_empty_closure_cell_is_skipped():
    def make():
        def function(x: "list[int]"):
            return later

        schema = read(function).input_schema()["properties"]
        later = 1
        return schema, function

    assert {"x": {"type": "array", "items": {"type": "integer"}}} == make()[0]


def test_unhashable_marks_beside_a_default_of_none():
    def function(x: dict[str, Annotated[int, ["unhashable"]]] = None): ...  # noqa: RUF013 (the case)

    schema = read(function).input_schema()["properties"]["x"]
    assert {"type": "integer"} == schema["additionalProperties"]


def test_a_literal_of_bytes_is_in_base64():
    def function(x: Literal[b"a"]): ...

    signature = read(function)

    expected = {"type": "string", "enum": ["YQ=="]}
    assert expected == signature.input_schema()["properties"]["x"]
    assert {"x": b"a"} == signature.structure({"x": "YQ=="})


def test_a_type_variable_with_a_default_means_it():
    variable = typing_extensions.TypeVar("variable", default=int)

    def function(x: variable): ...

    assert {"x": {"type": "integer"}} == read(function).input_schema()["properties"]


def test_marks_inside_a_generic_class_are_kept():
    @dataclass
    class Few(Generic[T]):
        items: Annotated[list[T], at.MaxLen(2), "a few"]

    def function(x: Few[int]): ...

    expected = {
        "type": "array",
        "items": {"type": "integer"},
        "maxItems": 2,
        "description": "a few",
    }
    schema = read(function).input_schema()["properties"]["x"]
    assert expected == schema["properties"]["items"]


def test_an_alias_whose_value_is_unknown_takes_any_value():
    class TypeAliasType:
        __name__ = "Late"
        __type_params__ = ()

        @property
        def __value__(self):
            return alias_of_nothing  # noqa: F821

    def function(x): ...

    function.__annotations__["x"] = TypeAliasType()
    with pytest.warns(SchemaWarning, match="'alias_of_nothing' is not known"):
        assert {"x": {}} == read(function).input_schema()["properties"]


def test_a_rest_in_the_older_spelling_of_unpacking():
    def function(*args: Unpack[tuple[int, str]]): ...  # noqa: UP044 (the case)

    expected = [{"type": "integer"}, {"type": "string"}]
    assert expected == read(function).input_schema()["properties"]["args"]["prefixItems"]


def test_a_rest_of_any_number_is_an_array():
    def function(*args: Unpack[Shape]):  # noqa: UP044 (the case)
        return args

    signature = read(function)

    assert {"args": {"type": "array"}} == signature.input_schema()["properties"]
    assert [1, "a"] == signature.bind(signature.structure({"args": [1, "a"]}))[0]
    with pytest.raises(ArgumentsError):
        signature.structure({"args": None})


Shown = typing_extensions.TypeAliasType("Shown", Annotated[str, PathArg])
Maybe = typing_extensions.TypeAliasType("Maybe", "Shown | None")
Settled = typing_extensions.TypeAliasType("Settled", Annotated[int, Configured])
Told = typing_extensions.TypeAliasType("Told", ToolContext)


@pytest.mark.parametrize(
    "path", [Shown, Maybe, Annotated[Shown, "where"], Shown | None], ids=range(4)
)
def test_marks_and_contexts_in_type_statements_are_seen(path):
    def function(path, limit=1, told=None): ...

    function.__annotations__ |= {"path": path, "limit": Settled, "told": Told}
    signature = read(function)

    assert "path" == signature.marked(PathArg)
    assert "told" == signature.context_parameter
    assert ["path"] == list(signature.input_schema()["properties"])
    with pytest.raises(ArgumentsError, match="not yours to give"):
        signature.structure({"path": "a", "limit": 2})
