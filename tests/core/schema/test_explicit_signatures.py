"""An explicit schema and a callable's own parameters."""

import warnings
from enum import Enum
from typing import Annotated

import pytest

from qitos_like.core.context import ToolContext
from qitos_like.core.marks import Configured, Name
from qitos_like.core.schema.explicit import object_schema
from qitos_like.core.schema.problems import ArgumentsError
from qitos_like.core.schema.signature import read
from qitos_like.errors import SignatureError


class Unit(Enum):
    KM = "km"


def explicit(*names, required=(), **more):
    schema = object_schema({name: {} for name in names}, required, tool=None)
    return schema | more


def call(function, arguments, schema, **more):
    signature = read(function, explicit=schema)
    positional, named = signature.bind(signature.structure(arguments), **more)
    return function(*positional, **named)


def test_the_schema_is_the_authors():
    def function(a: int): ...

    schema = explicit("a")

    assert schema is read(function, explicit=schema).input_schema()


def test_arguments_still_arrive_as_annotated():
    def function(n: int, unit: Unit, anything):
        return n, unit, anything

    arguments = {"n": 1.0, "unit": "km", "anything": [1]}

    assert (1, Unit.KM, [1]) == call(function, arguments, explicit("n", "unit", "anything"))


def test_other_parameters_are_for_configuration():
    def function(q: str, limit: int = 10, *, key="k"):
        return q, limit, key

    schema = explicit("q")

    assert ("a", 10, "k") == call(function, {"q": "a"}, schema)
    assert ("a", 5, "k") == call(function, {"q": "a"}, schema, config={"limit": 5})
    with pytest.raises(ArgumentsError, match=r"\$\.limit: is not yours to give"):
        read(function, explicit=schema).structure({"q": "a", "limit": 5})


def test_the_context_needs_no_property():
    def function(q: str, context: ToolContext):
        return context

    context = ToolContext()

    assert context is call(function, {"q": "a"}, explicit("q"), context=context)


def test_configured_parameters_need_no_default():
    def function(q: str, key: Annotated[str, Configured]):
        return key

    assert "k" == call(function, {"q": "a"}, explicit("q"), config={"key": "k"})


def test_keywords_take_any_property():
    def function(**kwargs):
        return kwargs

    assert {"a": 1, "b": 2} == call(function, {"a": 1, "b": 2}, explicit("a", "b"))


def test_a_property_may_be_named_by_a_mark():
    def function(after: Annotated[int, Name("-A")] = 0):
        return after

    assert 3 == call(function, {"-A": 3}, explicit("-A"))


def test_the_rest_is_a_property_like_others():
    def function(a, *args: int):
        return a, args

    assert (1, (2,)) == call(function, {"a": 1, "args": [2]}, explicit("a", "args"))
    assert (1, ()) == call(function, {"a": 1}, explicit("a"))


@pytest.mark.parametrize(
    ("function", "schema", "message"),
    [
        (lambda path: path, explicit("paht"), "'paht' is no parameter; did you mean 'path'"),
        (lambda a, b: a, explicit("a"), "nothing fills b"),
        (lambda a, *, b, c=1: a, explicit("a"), "nothing fills b"),
        (lambda: None, explicit("a"), "'a' is no parameter"),
    ],
    ids=["unknown property", "unfilled", "unfilled keyword", "no parameters"],
)
def test_a_schema_that_does_not_fit_is_refused(function, schema, message):
    with pytest.raises(SignatureError, match=message) as caught:
        read(function, explicit=schema, tool="t")

    assert "t" == caught.value.tool


def test_a_context_that_is_a_property_is_refused():
    def function(context: ToolContext): ...

    with pytest.raises(SignatureError, match="'context' is no parameter"):
        read(function, explicit=explicit("context"), tool="t")


def test_a_missing_argument_without_a_default_is_a_problem_even_if_the_schema_allows_it():
    def function(a): ...

    with pytest.raises(ArgumentsError, match=r"\$\.a: is missing"):
        read(function, explicit=explicit("a")).structure({})


def test_unknown_annotations_do_not_matter():
    class Db: ...

    def function(a: Db): ...

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(function, explicit=explicit("a"))
