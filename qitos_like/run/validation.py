"""Whether arguments fit a schema: made once for each tool, and kept."""

import logging
from collections.abc import Mapping
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from qitos_like.core._lazy import (
    error_type,
    fast_registry,
    fast_validator_type,
    known_schemas,
    validator_type,
    with_remotes,
)
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.raised import describe
from qitos_like.core.schema.problems import ArgumentsError, Problem

from .explain import explain
from .fastcheck import Accepts, compiled

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator
    from jsonschema_rs import Draft202012Validator as FastValidator

_MOST_ERRORS = 100
#: The names of JSON Schema 2020-12.
_DIALECT = tuple(f"https://json-schema.org/draft/2020-12/schema{end}" for end in ("", "#"))

_log = logging.getLogger("qitos_like")


class Validation:
    """The check by one JSON Schema (2020-12); references lead nowhere outside of it.

    Our own closures say yes at once where they can. With the extra ``fast``, jsonschema-rs gives
    the verdict on what is left; without it, jsonschema does. Why not, jsonschema says in any case.

    Args:
        schema: the schema.
        remotes: more schemas that references may lead to, by URI.
        uses_fast: ``False`` to do without jsonschema-rs.

    >>> checked = Validation({"properties": {"n": {"type": "integer"}}})
    >>> checked.problems({"n": 1}), [str(each) for each in checked.problems({"n": "x"})]
    ([], ['$.n: expected integer, got string "x"'])
    """

    def __init__(
        self,
        schema: Schema,
        *,
        remotes: Mapping[str, Schema] | None = None,
        uses_fast: bool = True,
    ) -> None:
        self.schema = schema
        self._remotes = remotes or {}
        self._uses_fast = uses_fast

    @cached_property
    def _validator(self) -> "Validator":
        known = with_remotes(self._remotes) if self._remotes else known_schemas()
        schema: Json = self.schema
        if isinstance(schema, Mapping) and schema.get("$schema") in _DIALECT:
            # By that name, jsonschema has its own class judge where a reference leads back here.
            schema = {key: value for key, value in schema.items() if key != "$schema"}
        return validator_type()(schema, registry=known)

    @cached_property
    def _accepts(self) -> Accepts | None:
        return compiled(self.schema)

    @property
    def is_compiled(self) -> bool:
        """Whether our own closures know all keywords of the schema."""
        return self._accepts is not None

    @cached_property
    def _fast(self) -> "FastValidator | None":
        kind = fast_validator_type() if self._uses_fast else None
        if kind is None:
            return None
        try:
            return kind(
                self.schema,
                registry=fast_registry(self._remotes),
                validate_formats=False,
                offline=True,
            )
        except Exception:  # an author's schema that it does not take: jsonschema says what is wrong
            _log.debug("jsonschema-rs does not take a schema", exc_info=True)
            return None

    def errors(self, data: Json) -> "list[ValidationError]":
        """The validator's errors, at most a hundred; none if the data is valid.

        Raises:
            ArgumentsError: the schema cannot judge the data.
        """
        if self._surely_accepts(data):
            return []
        verdict = self._fast_verdict(data)
        if verdict:
            return []
        try:
            errors = list(islice(self._validator.iter_errors(data), _MOST_ERRORS))
        except Exception as error:  # an author's schema: a number or pattern it cannot judge
            _log.warning("a schema cannot judge its data", exc_info=True)
            message = f"the schema cannot judge this: {describe(error)}"
            raise ArgumentsError([Problem("$", message)]) from None
        return errors if errors or verdict is None else self._fast_errors(data)

    def _surely_accepts(self, data: Json) -> bool:
        """Whether our own closures say yes; they do not where references go round without end."""
        try:
            return self._accepts is not None and self._accepts(data)
        except RecursionError:
            return False

    def _fast_verdict(self, data: Json) -> bool | None:
        """What jsonschema-rs says; ``None`` where it is not installed or cannot tell."""
        if self._fast is None:
            return None
        try:
            return self._fast.is_valid(data)
        except ValueError:  # no JSON value, which jsonschema judges as it is
            return None

    def _fast_errors(self, data: Json) -> "list[ValidationError]":
        """The errors of jsonschema-rs, for what jsonschema lets pass."""
        found = () if self._fast is None else self._fast.iter_errors(data)
        return [
            error_type()(each.message, path=each.instance_path, instance=each.instance)
            for each in islice(found, _MOST_ERRORS)
        ]

    def problems(self, data: Json) -> list[Problem]:
        """What is wrong in words; empty if the data is valid.

        Raises:
            ArgumentsError: as ``errors``.
        """
        return explain(self.errors(data))
