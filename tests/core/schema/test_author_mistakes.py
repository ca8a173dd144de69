"""Callables that cannot be tools, and what their authors are told."""

import dataclasses
import functools
import math

import attrs
import pydantic
import pytest

from qitos_like.core.function_tool import FunctionTool
from qitos_like.core.schema.signature import read
from qitos_like.core.spec import ToolMeta
from qitos_like.errors import SignatureError


class Shelf:
    def put(self, item: str) -> None:
        """Keep it."""

    @functools.cache  # noqa: B019 (a wrapped method is the case)
    def kept(self, item: str) -> str:
        return item


def of_pydantic(n: int = pydantic.Field(3, ge=1)): ...


def of_dataclasses(n: int = dataclasses.field(default=3)): ...


def of_attrs(n: int = attrs.field(default=3)): ...


@pytest.mark.parametrize("function", [of_pydantic, of_dataclasses, of_attrs])
def test_a_field_in_place_of_a_default_is_refused(function):
    with pytest.raises(SignatureError) as caught:
        FunctionTool(function, ToolMeta(name="count"))

    assert "count: the default of 'n' is a " in str(caught.value)
    assert "write Annotated[type, Field(...)] = default" in str(caught.value)
    assert "count" == caught.value.tool


def test_a_method_without_its_object_is_refused():
    with pytest.raises(SignatureError) as caught:
        FunctionTool(Shelf.put)

    expected = "put: Shelf.put is a method without its object: take it from an instance"
    assert expected == str(caught.value)
    assert "put" == caught.value.tool


@pytest.mark.parametrize("target", [str.upper, dict.get, int.__add__], ids=str)
def test_a_method_of_a_builtin_class_is_refused(target):
    with pytest.raises(SignatureError, match="mine: .* is a method without its object: wrap it"):
        FunctionTool(target, ToolMeta(name="mine"))


@pytest.mark.parametrize("target", [max, math.hypot], ids=str)
def test_what_does_not_tell_its_parameters_is_refused_by_name(target):
    with pytest.raises(SignatureError, match="^mine: .* does not tell its parameters: ") as caught:
        FunctionTool(target, ToolMeta(name="mine"))

    assert "mine" == caught.value.tool


def test_a_plain_function_may_call_a_parameter_self():
    def function(self, item: int): ...

    assert ["self", "item"] == list(read(function).input_schema()["properties"])
