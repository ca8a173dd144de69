"""Classes of pydantic and msgspec, which describe and make themselves."""

import datetime as dt
import decimal
import enum
import uuid
from collections.abc import Callable
from typing import Annotated, Literal

import msgspec
import pydantic
import pydantic.dataclasses
import pytest
from pydantic import ConfigDict, Field

from qitos_like.core.schema.problems import ArgumentsError
from qitos_like.core.schema.signature import read
from qitos_like.errors import SchemaWarning
from tests.core.schema.case import Case, closed, one, table

INTEGER = {"type": "integer"}


class Colour(enum.Enum):
    RED = "red"


class Strict(pydantic.BaseModel):
    model_config = ConfigDict(strict=True)

    day: dt.date
    tags: set[int]
    key: uuid.UUID
    colour: Colour
    price: decimal.Decimal = decimal.Decimal(0)


class Cat(pydantic.BaseModel):
    kind: Literal["cat"]


class Dog(pydantic.BaseModel):
    kind: Literal["dog"]


class Owner(pydantic.BaseModel):
    pet: Annotated[Cat | Dog, Field(discriminator="kind")]


class Callback(pydantic.BaseModel):
    run: Callable[[int], int] = Field(default=abs)
    n: int = 0


class Unmakeable:
    @classmethod
    def __get_pydantic_core_schema__(cls, _source, _handler):
        raise ImportError("a package is missing")


def even(value):
    if value % 2:
        raise ValueError("is odd")
    return value


def half(value, _info):
    return value // 2


@pydantic.dataclasses.dataclass
class Node:
    size: int = Field(gt=0)
    inner: "list[Node]" = Field(default_factory=list)


class Struct(msgspec.Struct, rename="camel"):
    full_name: str
    size: Annotated[int, msgspec.Meta(ge=1, description="how big")] = 1
    next: "Struct | None" = None


class First(msgspec.Struct, tag=True):
    a: int


class Second(msgspec.Struct, tag=True):
    a: int


class Row(msgspec.Struct, array_like=True):
    a: int
    b: dt.date | None = None


def takes_node(x: Node):
    return x


def takes_struct(x: Struct):
    return x


NODE = closed(
    {
        "size": {"type": "integer", "exclusiveMinimum": 0},
        "inner": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
    },
    "size",
)


@table(
    Case(
        "a pydantic dataclass",
        takes_node,
        closed({"x": {"$ref": "#/$defs/Node"}}, "x") | {"$defs": {"Node": NODE}},
        {"x": {"size": 1, "inner": [{"size": 2}]}},
        Node(1, [Node(2)]),
        ({"x": {"size": 0}}, {"x": {}}, {"x": {"size": 1, "inner": [{"size": "2"}]}}),
    ),
    one(
        "a discriminated union",
        Owner,
        closed(
            {
                "pet": {
                    "oneOf": [
                        closed({"kind": {"const": kind, "type": "string"}}, "kind")
                        for kind in ("cat", "dog")
                    ]
                }
            },
            "pet",
        ),
        {"pet": {"kind": "dog"}},
        Owner(pet=Dog(kind="dog")),
        {"pet": {"kind": "cow"}},
        {"pet": {}},
    ),
    one(
        "a type of pydantic",
        pydantic.SecretStr,
        {"type": "string", "format": "password", "writeOnly": True},
        "a",
        pydantic.SecretStr("a"),
        1,
    ),
    Case(
        "a struct that holds itself",
        takes_struct,
        closed({"x": {"$ref": "#/$defs/Struct"}}, "x")
        | {
            "$defs": {
                "Struct": closed(
                    {
                        "fullName": {"type": "string"},
                        "size": {
                            "type": "integer",
                            "minimum": 1,
                            "description": "how big",
                            "default": 1,
                        },
                        "next": {
                            "anyOf": [{"$ref": "#/$defs/Struct"}, {"type": "null"}],
                            "default": None,
                        },
                    },
                    "fullName",
                )
            }
        },
        {"x": {"fullName": "a", "next": {"fullName": "b", "size": 2}}},
        Struct("a", 1, Struct("b", 2)),
        ({"x": {"full_name": "a"}}, {"x": {"fullName": "a", "size": 0}}),
    ),
    one(
        "structs told apart by their tag",
        First | Second,
        {
            "anyOf": [
                closed({"type": {"enum": [name]}, "a": INTEGER}, "type", "a")
                for name in ("First", "Second")
            ]
        },
        {"type": "Second", "a": 1},
        Second(1),
        {"type": "Third", "a": 1},
        {"a": 1},
    ),
    one(
        "a struct as an array",
        Row,
        {
            "type": "array",
            "prefixItems": [
                INTEGER,
                {
                    "anyOf": [{"type": "string", "format": "date"}, {"type": "null"}],
                    "default": None,
                },
            ],
            "minItems": 1,
        },
        [1, "2024-05-31"],
        Row(1, dt.date(2024, 5, 31)),
        [],
        ["1"],
        unparsed=[[1, "today"]],
    ),
    one(
        "validators beside a type",
        Annotated[int, pydantic.AfterValidator(even), pydantic.AfterValidator(half)],
        INTEGER,
        4,
        2,
        "4",
        unparsed=[3],
    ),
    one(
        "validators before a type, in a list",
        list[Annotated[str, pydantic.BeforeValidator(str.strip), Field(max_length=4)]],
        {"type": "array", "items": {"type": "string", "maxLength": 4}},
        [" a "],
        ["a"],
        ["abcde"],
        [1],
    ),
    one(
        "any JSON by its name in pydantic",
        pydantic.JsonValue,
        {"$ref": "#/$defs/JsonValue"},
        {"a": [1, None]},
        {"a": [1, None]},
    ),
)
def test_a_model_describes_and_makes_itself(case):
    case.check()


def test_a_strict_model_takes_what_json_has():
    def function(x: Strict): ...

    given = {"day": "2024-05-31", "tags": [1], "key": str(uuid.UUID(int=1)), "colour": "red"}
    expected = Strict(day=dt.date(2024, 5, 31), tags={1}, key=uuid.UUID(int=1), colour=Colour.RED)

    assert {"x": expected} == read(function).structure({"x": given})


def test_the_reason_of_a_model_is_told_at_its_place():
    def function(x: Strict): ...

    given = {"day": "yesterday", "tags": [1], "key": str(uuid.UUID(int=1)), "colour": "red"}
    with pytest.raises(ArgumentsError) as caught:
        read(function).structure({"x": given})

    assert ["$.x.day"] == [problem.path for problem in caught.value.problems]


def test_a_model_that_json_schema_cannot_say_takes_any_value_with_a_warning():
    def function(x: Callback): ...

    with pytest.warns(SchemaWarning, match="'x' takes any value where Callback has no JSON Schema"):
        signature = read(function)

    assert {"x": Callback(n=3)} == signature.structure({"x": {"n": 3}})
    with pytest.raises(ArgumentsError, match=r"\$\.x\.n: "):
        signature.structure({"x": {"n": "three"}})


def test_a_type_that_its_library_cannot_make_takes_any_value_and_leaves_the_others_alone():
    def function(x: Unmakeable | None = None, y: int = 1): ...

    with pytest.warns(SchemaWarning, match="a package is missing"):
        signature = read(function)

    assert {"y": 2} == signature.structure({"y": 2})
    assert {"x": "any"} == signature.structure({"x": "any"})
