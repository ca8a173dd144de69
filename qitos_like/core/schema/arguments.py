"""A model's arguments as a whole: each to its parameter's type, or every reason why not."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NoReturn

from qitos_like.core.jsontypes import Json
from qitos_like.core.names import did_you_mean
from qitos_like.core.raised import contained, text_of

from .annotations import Scope
from .parameters import Parameter, Role
from .problems import ArgumentsError, Problem, json_path
from .rows import Hook, RefusalError
from .scalars import UNCHANGED
from .structure import Structurer
from .written import Kind


class ArgumentStructurer:
    """The hooks of all parameters of one signature.

    >>> ArgumentStructurer([], frozenset(), Scope()).structure({})
    {}
    """

    def __init__(
        self, parameters: Sequence[Parameter], filled: frozenset[str], scope: Scope
    ) -> None:
        self._structurer = Structurer(scope)
        self._properties = {each.key: each for each in parameters if each.is_property}
        rest = [each for each in parameters if each.kind is Kind.VAR_KEYWORD]
        self._rest = rest[0] if rest else None
        self._reserved = filled.union(
            *({each.name, each.key} for each in parameters if each.role is not Role.ARGUMENT),
            (each.name for each in parameters if each.kind is not Kind.POSITIONAL_ONLY),
        ).difference(self._properties, (each.name for each in rest))
        self._required = tuple(key for key, each in self._properties.items() if each.is_required)
        hook = self._structurer.hook
        self._hooks = {key: hook(each.annotation) for key, each in self._properties.items()}
        self._unchanged = {key: UNCHANGED.get(each) for key, each in self._hooks.items()}
        self._rest_hook: Hook = hook(self._rest.annotation) if self._rest else _refuse

    def structure(self, arguments: Mapping[str, Json]) -> dict[str, object]:
        """The values by property key.

        Raises:
            ArgumentsError: with every reason, each at its innermost place.
        """
        try:
            return contained(self.fit, arguments)
        except Exception as error:  # a class's own constructor may raise anything
            raise self._error(arguments, error) from error

    def fit(self, arguments: Mapping[str, Json]) -> dict[str, object]:
        """As ``structure``, but that what is wrong is not looked for.

        Raises:
            RefusalError: a value does not fit, or the names are wrong.
            Exception: what a class's own constructor raises.
        """
        unchanged = self._unchanged.get
        for key, value in arguments.items():
            if type(value) is not unchanged(key):
                values = self._made(arguments)
                break
        else:
            values = {**arguments}
        # As many as there are properties, and none that is another, are all of them.
        if self._rest is not None or len(values) != len(self._hooks):
            self._check_names(values)
        return values

    def _made(self, arguments: Mapping[str, Json]) -> dict[str, object]:
        find, rest = self._hooks.get, self._rest_hook
        return {key: find(key, rest)(value, None) for key, value in arguments.items()}

    def _check_names(self, values: Mapping[str, object]) -> None:
        for key in self._required:
            if key not in values:
                _refuse(key, None)
        if self._rest is not None and not self._reserved.isdisjoint(values):
            _refuse(values, None)

    def _error(self, arguments: Mapping[str, Json], cause: Exception) -> ArgumentsError:
        try:
            problems = list(self._problems(arguments))
        except RecursionError:
            problems = [Problem("$", "is nested too deep")]
        return ArgumentsError(problems or [Problem("$", text_of(cause))])

    def _problems(self, arguments: Mapping[str, Json]) -> Iterator[Problem]:
        for key, value in arguments.items():
            parameter = self._properties.get(key, self._rest)
            if key in self._reserved:
                yield Problem(json_path((key,)), "is not yours to give: leave it out")
            elif parameter is None:
                near = did_you_mean(key, self._properties)
                yield Problem(json_path((key,)), f"is no parameter{near}")
            else:
                yield from self._structurer.problems(parameter.annotation, value, (key,))
        for key in self._properties:
            if key in self._required and key not in arguments:
                yield Problem(json_path((key,)), "is missing")


def _refuse(_value: Json, _type: object) -> NoReturn:
    message = "is no parameter, or is missing"
    raise RefusalError(message)
