"""What is a multiple of a number is so by what is written."""

from typing import Annotated

import annotated_types as at
import pytest

from qitos_like.core.multiples import is_multiple
from qitos_like.core.schema.signature import read
from qitos_like.run.validation import Validation

MULTIPLES = [
    (19.99, 0.01),
    (0.3, 0.1),
    (0.0075, 0.0001),
    (1e-7, 1e-9),
    (4.0, 2),
    (0, 0.1),
    (10**400, 0.5),
    (1e308, 1),
]
OTHERS = [(19.995, 0.01), (0.35, 0.1), (1e-9, 1e-7), (3, 2), (1e308, 0.123456789), (1, 1e308)]


@pytest.mark.parametrize(("value", "step"), MULTIPLES)
def test_a_multiple_is_one_for_each_check(value, step):
    def function(x): ...

    function.__annotations__["x"] = Annotated[float, at.MultipleOf(step)]

    assert is_multiple(value, step)
    assert [] == Validation({"multipleOf": step}, uses_fast=False).problems(value)
    if value < 2**1000:
        assert {"x": value} == read(function).structure({"x": value})


@pytest.mark.parametrize(("value", "step"), OTHERS)
def test_what_is_no_multiple_is_told(value, step):
    [problem] = Validation({"multipleOf": step}, uses_fast=False).problems(value)

    assert not is_multiple(value, step)
    assert f"expected multiple of {step}, got number" in f"{problem}".replace("integer", "number")


def test_a_multiple_is_one_where_a_schema_with_the_name_of_its_dialect_refers_to_itself():
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "properties": {"inner": {"$ref": "#"}, "price": {"multipleOf": 0.01}},
    }
    checked = Validation(schema, uses_fast=False)

    assert [] == checked.problems({"inner": {"price": 19.99}})
    assert ["$.inner.price"] == [
        each.path for each in checked.problems({"inner": {"price": 19.995}})
    ]


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_what_is_no_finite_number_is_a_multiple_of_nothing(value):
    assert not is_multiple(value, 0.1)
