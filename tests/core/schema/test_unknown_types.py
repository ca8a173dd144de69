"""Annotations that say nothing to us: any value, and a warning that names the parameter."""

# ruff: noqa: UP044 (the older spelling is the case)

import contextlib
import re
import warnings
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from dataclasses import dataclass
from re import Match
from typing import (
    IO,
    Annotated,
    Any,
    ClassVar,
    ForwardRef,
    Generic,
    NamedTuple,
    Never,
    NoReturn,
    ParamSpec,
    Protocol,
    Self,
    TypedDict,
    TypeGuard,
    TypeVarTuple,
    Union,
    Unpack,
)

import pytest
from attrs import frozen
from typing_extensions import TypeAliasType

from qitos_like.core.marks import Configured
from qitos_like.core.schema.explicit import check_schema
from qitos_like.core.schema.problems import ArgumentsError
from qitos_like.core.schema.signature import read
from qitos_like.errors import SchemaError, SchemaWarning

Shape = TypeVarTuple("Shape")


class Client:
    pass


@dataclass
class Request:
    client: Client
    n: int = 0


class Grid(Generic[Unpack[Shape]]):
    pass


@frozen
class Row(Generic[Unpack[Shape]]):
    cells: tuple[Unpack[Shape]]


def schema_of(annotation):
    def function(x): ...

    function.__annotations__["x"] = annotation
    signature = read(function, tool="t")
    return signature.input_schema()["properties"]["x"], signature.structure


@pytest.mark.parametrize(
    ("annotation", "schema", "reason", "value"),
    [
        (Client, {}, "Client has no JSON Schema", [1]),
        (Client | None, {}, "Client has no JSON Schema", [1]),
        (list[Client], {"type": "array"}, "Client has no JSON Schema", [1]),
        (Callable[[int], str], {}, r".*Callable\[\[int\], str\] has no JSON Schema", "f"),
        (type[int], {}, r"type\[int\] has no JSON Schema", "int"),
        ("\x00", {}, r"'\\x00' is not known", 1),
        (complex, {}, "complex has no JSON Schema", 1),
        (Grid[int, str], {}, r".*Grid\[int, str\] has no JSON Schema", {}),
        (
            dict[tuple[int, int], str],
            {"type": "object", "additionalProperties": {"type": "string"}},
            "keys of an object are texts or integers",
            {"a": "b"},
        ),
        (
            dict[int | str, Any],
            {"type": "object"},
            "keys of an object are texts or integers",
            {"1": 1},
        ),
    ],
    ids=str,
)
def test_an_unknown_type_takes_any_value_with_a_warning(annotation, schema, reason, value):
    with pytest.warns(SchemaWarning, match=f"t: parameter 'x' takes any value where {reason}"):
        shown, structure = schema_of(annotation)

    assert schema == shown
    assert {"x": value} == structure({"x": value})


def test_an_unknown_type_of_a_field_is_named_too():
    with pytest.warns(SchemaWarning, match="Client has no JSON Schema"):
        shown, structure = schema_of(Request)

    assert {} == shown["properties"]["client"]
    assert {"x": Request(client=[1])} == structure({"x": {"client": [1]}})


def test_one_reason_is_told_once():
    with pytest.warns(SchemaWarning) as caught:
        schema_of(dict[str, Client] | list[Client])

    assert 1 == len(caught)


def test_the_warning_is_of_the_line_that_reads_the_signature():
    with pytest.warns(SchemaWarning) as caught:
        schema_of(Client)

    assert __file__ == caught[0].filename


def test_what_a_model_does_not_fill_may_be_of_any_type():
    def function(x: int, client: Annotated[Client, Configured]): ...

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(function)


def test_type_variables_of_any_number_are_any_values():
    shown, structure = schema_of(Row[int, str])

    assert {"type": "array"} == shown["properties"]["cells"]
    assert {"x": Row((1, "a"))} == structure({"x": {"cells": [1, "a"]}})


def test_an_alias_of_typing_extensions_means_what_it_stands_for():
    shown, structure = schema_of(TypeAliasType("Size", int) | None)

    assert {"type": ["integer", "null"]} == shown
    assert {"x": 1} == structure({"x": 1.0})


def test_a_recursive_alias_stands_under_defs():
    names = {}
    names["Tree"] = TypeAliasType("Tree", "dict[str, Tree] | int")  # noqa: F821 (it is late)

    def function(x): ...

    function.__annotations__["x"] = "Tree"
    signature = read(function, namespace=names)

    assert {"$ref": "#/$defs/Tree"} == signature.input_schema()["properties"]["x"]
    assert {"x": {"a": {"b": 1}}} == signature.structure({"x": {"a": {"b": 1.0}}})


def test_keywords_of_what_is_no_typed_dict_are_left_out():
    def function(a: int, **kwargs: Unpack[Client]): ...

    assert ["a"] == list(read(function).input_schema()["properties"])


@pytest.mark.parametrize(
    "annotation",
    [set[list[int]], frozenset[Request], dict[str, set[dict[str, int]]], set[Request] | None],
    ids=str,
)
def test_a_set_of_what_python_cannot_hash_is_refused_at_once(annotation):
    with pytest.raises(
        SchemaError, match="t: parameter 'x': a set cannot hold .* no hash"
    ) as error:
        schema_of(annotation)

    assert "t" == error.value.tool
    assert "<class" not in str(error.value)


def test_a_set_of_tuples_with_lists_inside_is_refused_by_structuring():
    _, structure = schema_of(set[tuple[list[int], int]])

    with pytest.raises(ArgumentsError, match="must hold strings"):
        structure({"x": [[[1], 2]]})


def test_a_name_that_the_closure_has_not_yet_is_unknown():
    def make():
        def function(x: "Later"): ...

        with pytest.warns(SchemaWarning, match="'Later' is not known"):
            schema = read(function).input_schema()

        def use():
            return Later

        Later = int  # noqa: N806
        return schema, use

    assert {"x": {}} == make()[0]["properties"]


@pytest.mark.parametrize(
    "annotation",
    [
        *(3, ..., NotImplemented, print, [int], (int, str), {"a": int}, {1, 2}, 1j, "", " ", "a b"),
        *("(", "yield", "lambda: 0", "[x for x in y]", "'Nope'", "Nope.a", "Nope[0]()", "1/0"),
        *(list["Nope"], "dict[K, V] | None", ForwardRef("Nope")),  # noqa: F821
        *(Any, Never, NoReturn, Self, Callable, ClassVar[int], Hashable, IO[str], TypeGuard[int]),
        *(property, range, bytearray, Exception, type, Protocol, Generic, AsyncIterator[int]),
        *(Match[str], Counter, Awaitable[int], ParamSpec("P"), TypedDict, NamedTuple, Union),
    ],
    ids=lambda annotation: re.sub(" at 0x[0-9a-f]+", "", repr(annotation)),
)
@pytest.mark.parametrize("default", [(), (None,)], ids=["required", "optional"])
@pytest.mark.filterwarnings("ignore::qitos_like.errors.SchemaWarning")
def test_no_annotation_keeps_a_function_from_being_a_tool(annotation, default):
    def function(x): ...

    function.__annotations__["x"] = annotation
    function.__defaults__ = default
    signature = read(function)

    check_schema(signature.input_schema(), tool=None)
    with contextlib.suppress(ArgumentsError):
        signature.structure({"x": 1})
