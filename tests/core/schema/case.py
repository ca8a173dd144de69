"""A row of the signature tables: a callable, its schema, what it accepts and what it refuses."""

from collections.abc import Callable

import pytest
from attrs import field, frozen
from jsonschema import Draft202012Validator

from qitos_like.core.schema.explicit import check_schema
from qitos_like.core.schema.problems import ArgumentsError
from qitos_like.core.schema.signature import read


@frozen
class Case:
    """One signature.

    Attributes:
        name: what the row is about.
        function: it returns what arrived.
        schema: its ``properties``, or the whole schema if it has a ``type: object`` on top.
        accepted: arguments that fit.
        arrives: what the function returns for them.
        refused: arguments that both the schema and structuring refuse.
        unparsed: arguments that the schema admits and the type's own parser refuses.
    """

    name: str
    function: Callable
    schema: dict
    accepted: dict
    arrives: object
    refused: tuple[dict, ...]
    unparsed: tuple[dict, ...] = field(default=(), kw_only=True)

    def check(self) -> None:
        """Assert all of it."""
        signature = read(self.function)
        schema = signature.input_schema()

        is_whole = self.schema.get("type") == "object"
        assert self.schema == (schema if is_whole else schema["properties"])
        check_schema(schema, tool=None)

        validator = Draft202012Validator(schema)
        assert [] == [error.message for error in validator.iter_errors(self.accepted)]

        arguments, named = signature.bind(signature.structure(self.accepted))
        arrived = self.function(*arguments, **named)
        assert self.arrives == arrived
        assert repr(self.arrives) == repr(arrived)

        for wrong in self.refused:
            assert not validator.is_valid(wrong), f"the schema admits {wrong}"
        for wrong in self.refused + self.unparsed:
            with pytest.raises(ArgumentsError) as refusal:
                signature.structure(wrong)
            assert all(problem.path.startswith("$") for problem in refusal.value.problems)


def one(name: str, annotation: object, schema: dict, *values, **more) -> Case:
    """A row for a function of one parameter ``x``.

    ``values`` are the JSON value that fits, what arrives, and values that are refused.
    """

    def function(x):
        return x

    function.__annotations__["x"] = annotation
    good, arrives, *bad = values
    unparsed = tuple({"x": value} for value in more.get("unparsed", ()))
    refused = tuple({"x": value} for value in bad)
    return Case(name, function, {"x": schema}, {"x": good}, arrives, refused, unparsed=unparsed)


def table(*cases: Case):
    """The rows as parameters of a test."""
    names = [case.name for case in cases]
    assert len(names) == len(set(names))
    return pytest.mark.parametrize("case", cases, ids=names)


def closed(properties: dict, *required: str) -> dict:
    """An object schema that admits nothing else."""
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return schema | ({"required": list(required)} if required else {})
