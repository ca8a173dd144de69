"""The required tests of the JSON Schema test suite for 2020-12, kept under tests/data."""

import json
from pathlib import Path

import pytest

from qitos_like.core._lazy import fast_validator_type
from qitos_like.core.schema.problems import ArgumentsError
from qitos_like.run.validation import Validation

FOLDER = Path(__file__).parents[1] / "data" / "json-schema-suite"
SUITE = json.loads((FOLDER / "tests.json").read_text())
REMOTES = json.loads((FOLDER / "remotes.json").read_text())


def judged(schema, data, *, uses_fast):
    try:
        return not Validation(schema, remotes=REMOTES, uses_fast=uses_fast).errors(data)
    except ArgumentsError as error:
        return str(error)


def wrong(*, uses_fast):
    return [
        f"{file}: {group['description']}: {case['description']}"
        for file, groups in SUITE.items()
        for group in groups
        for case in group["tests"]
        if case["valid"] != judged(group["schema"], case["data"], uses_fast=uses_fast)
    ]


#: What jsonschema gets wrong, and why.
KNOWN = {
    "vocabulary: schema that uses custom metaschema with with no validation vocabulary: "
    "no validation: invalid number, but it still validates": (
        "jsonschema applies all keywords, whichever vocabularies a meta-schema declares"
    ),
}


def test_with_the_fast_extra_every_verdict_is_right():
    if fast_validator_type() is None:
        pytest.skip("jsonschema-rs is not installed")

    assert [] == wrong(uses_fast=True)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_without_it_only_the_known_ones_are_wrong():
    assert sorted(KNOWN) == sorted(wrong(uses_fast=False))


def test_the_whole_suite_is_here():
    count = sum(len(group["tests"]) for groups in SUITE.values() for group in groups)
    assert 1257 == count
