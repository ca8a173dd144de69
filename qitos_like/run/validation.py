"""Whether arguments fit a schema: made once for each tool, and kept."""

import logging
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from qitos_like.core._lazy import known_schemas, validator_type
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.schema.problems import ArgumentsError, Problem

from .explain import explain
from .failures import describe
from .fastcheck import Accepts, compiled

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

_MOST_ERRORS = 100

_log = logging.getLogger("qitos_like")


class Validation:
    """The check by one JSON Schema (2020-12); references lead nowhere outside of it.

    >>> checked = Validation({"properties": {"n": {"type": "integer"}}})
    >>> checked.problems({"n": 1}), [str(each) for each in checked.problems({"n": "x"})]
    ([], ['$.n: expected integer, got string "x"'])
    """

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    @cached_property
    def _validator(self) -> "Validator":
        return validator_type()(self._schema, registry=known_schemas())

    @cached_property
    def _accepts(self) -> Accepts | None:
        return compiled(self._schema)

    def errors(self, data: Json) -> "list[ValidationError]":
        """The validator's errors, at most a hundred; none if the data is valid.

        Raises:
            ArgumentsError: the schema cannot judge the data.
        """
        if self._accepts is not None and self._accepts(data):
            return []
        try:
            return list(islice(self._validator.iter_errors(data), _MOST_ERRORS))
        except Exception as error:  # an author's schema: a number or pattern it cannot judge
            _log.warning("a schema cannot judge its data", exc_info=True)
            message = f"the schema cannot judge this: {describe(error)}"
            raise ArgumentsError([Problem("$", message)]) from None

    def problems(self, data: Json) -> list[Problem]:
        """What is wrong in words; empty if the data is valid.

        Raises:
            ArgumentsError: as ``errors``.
        """
        return explain(self.errors(data))
