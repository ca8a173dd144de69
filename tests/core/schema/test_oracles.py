"""msgspec and pydantic as second opinions, where they know the type."""

import json
from pathlib import Path

import msgspec
import pydantic
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from qitos_like.core.schema.problems import ArgumentsError
from tests.core.schema.test_agreement import signature_of
from tests.core.schema.types_at_random import PARSED, SCALARS, damaged, kinds

#: msgspec reads no text as a path, and pydantic's bytes are not in base64.
LEFT_OUT = {"by_msgspec": Path, "by_pydantic": bytes}


def whole_numbers(value):
    """The same JSON with 1.0 written as 1, which both refuse for some types of integers."""
    if isinstance(value, list):
        return [whole_numbers(part) for part in value]
    if isinstance(value, dict):
        return {key: whole_numbers(part) for key, part in value.items()}
    return int(value) if isinstance(value, float) and value.is_integer() else value


def by_msgspec(annotation, value):
    return msgspec.json.decode(json.dumps(value), type=annotation)


def by_pydantic(annotation, value):
    return pydantic.TypeAdapter(annotation).validate_python(value)


@pytest.mark.parametrize("convert", [by_msgspec, by_pydantic])
@given(data=st.data())
def test_what_we_accept_they_accept_and_read_alike(convert, data):
    leaves = [
        leaf for leaf in SCALARS + PARSED if leaf.annotation is not LEFT_OUT[convert.__name__]
    ]
    kind = data.draw(kinds(leaves))
    signature = signature_of(kind.annotation)
    value = kind.to_json(data.draw(kind.values))
    value = data.draw(st.just(value) | damaged(value))
    try:
        ours = signature.structure({"x": value})["x"]
    except ArgumentsError:
        assume(False)
    try:
        theirs = convert(kind.annotation, whole_numbers(value))
    except (
        TypeError,
        NotImplementedError,
        pydantic.PydanticUserError,
        pydantic.errors.PydanticSchemaGenerationError,
    ) as error:
        event(f"unknown: {type(error).__name__}")
        return

    event("known")
    assert ours == theirs
