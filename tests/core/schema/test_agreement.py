"""What the schema admits, structuring accepts, and the reverse."""

from copy import deepcopy

from hypothesis import event, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from qitos_like.core.schema.explicit import check_schema
from qitos_like.core.schema.problems import ArgumentsError
from qitos_like.core.schema.signature import Signature, read
from tests.core.schema.types_at_random import JSON, PARSED, SCALARS, damaged, kinds


def signature_of(annotation: object) -> Signature:
    def function(x): ...

    function.__annotations__["x"] = annotation
    return read(function)


def structures(signature: Signature, arguments: dict) -> bool:
    try:
        signature.structure(arguments)
    except ArgumentsError:
        return False
    return True


@given(st.data(), kinds(SCALARS + PARSED))
def test_a_value_survives_the_way_through_json(data, kind):
    value = data.draw(kind.values)
    signature = signature_of(kind.annotation)
    schema = signature.input_schema()
    check_schema(schema, tool=None)

    arguments = {"x": kind.to_json(value)}
    before = deepcopy(arguments)

    assert [] == [error.message for error in Draft202012Validator(schema).iter_errors(arguments)]
    arrived = signature.structure(arguments)["x"]
    assert value == arrived
    assert type(value) is type(arrived)
    assert before == arguments


@given(st.data(), kinds(SCALARS))
def test_schema_and_structuring_give_the_same_verdict(data, kind):
    signature = signature_of(kind.annotation)
    validator = Draft202012Validator(signature.input_schema())
    arguments = {"x": data.draw(damaged(kind.to_json(data.draw(kind.values))))}

    is_valid = validator.is_valid(arguments)
    event(f"valid: {is_valid}")

    assert is_valid == structures(signature, arguments)


@given(st.data(), kinds(SCALARS), kinds(SCALARS))
def test_the_verdict_on_a_union_is_the_same_too(data, first, second):
    signature = signature_of(
        first.annotation | second.annotation if first.annotation else second.annotation
    )
    validator = Draft202012Validator(signature.input_schema())
    branch = data.draw(st.sampled_from([first, second]))
    arguments = {"x": data.draw(JSON | damaged(branch.to_json(data.draw(branch.values))))}

    assert validator.is_valid(arguments) == structures(signature, arguments)


@given(st.data(), kinds(SCALARS + PARSED))
def test_what_the_schema_refuses_structuring_refuses(data, kind):
    signature = signature_of(kind.annotation)
    validator = Draft202012Validator(signature.input_schema())
    arguments = {"x": data.draw(damaged(kind.to_json(data.draw(kind.values))))}

    assert validator.is_valid(arguments) or not structures(signature, arguments)
