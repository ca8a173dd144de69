"""Options from a configuration to the parameters of a callable: checked, merged, typed."""

import os
import warnings
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import get_args

from attrs import evolve, field, frozen

from qitos_like.core.jsontypes import Json
from qitos_like.core.schema.jsonvalues import NotJsonError, to_json
from qitos_like.core.schema.marked import split
from qitos_like.core.schema.parameters import OMITTED, Parameter, Role
from qitos_like.core.schema.problems import ArgumentsError
from qitos_like.core.schema.signature import Signature
from qitos_like.core.schema.signature import read as read_signature
from qitos_like.core.schema.written import EMPTY
from qitos_like.errors import QitosLikeError, SchemaWarning

from .tables import Table, broken, merged
from .validation import Validation


class OptionsError(QitosLikeError):
    """Options that a callable does not take.

    Attributes:
        problems: paths and what is wrong there.
    """

    def __init__(self, problems: Iterable[tuple[str, str]]) -> None:
        self.problems = list(problems)
        super().__init__("; ".join(message for _, message in self.problems))


@frozen
class Options:
    """What a table says of parameters.

    Attributes:
        data: as JSON data, merged into the defaults, by parameter name.
        values: the same as the parameters are annotated.
    """

    data: Table
    values: dict[str, object] = field(repr=False)


def read(signature: Signature, table: Mapping[str, Json]) -> Options:
    """The table as options of these parameters, a mapping merged into the default.

    Raises:
        OptionsError: an option is unknown, or its value does not fit; all are told.

    >>> def tool(query: str, limits: dict[str, int] = {"lines": 10, "files": 3}): ...
    >>> read(read_signature(tool), {"limits": {"files": 1}}).values
    {'limits': {'lines': 10, 'files': 1}}
    """
    parameters = {each.name: each for each in signature.parameters if each.role is not Role.CONTEXT}
    taken = Signature(
        tuple(_as_option(each) for each in parameters.values()), scope=signature.scope
    )
    data = {name: _merged_default(parameters.get(name), value) for name, value in table.items()}
    problems = list(broken(Validation(taken.input_schema()), data))
    if problems:
        raise OptionsError(problems)
    try:
        return Options(data, taken.structure(data))
    except ArgumentsError as error:
        raise OptionsError([(each.path, each.message) for each in error.problems]) from error


def signature_of(factory: Json) -> Signature:
    """The parameters of a class or function; that some take any value is no news here.

    Raises:
        RegistrationError: they cannot be told.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SchemaWarning)
        return read_signature(factory)


def takes_path(parameter: Parameter) -> bool:
    """Whether a parameter takes a path that says so in its type."""
    return _is_path(split(parameter.annotation).base)


def _is_path(annotation: Json) -> bool:
    kind = getattr(annotation, "__origin__", annotation)
    if isinstance(kind, type) and issubclass(kind, os.PathLike | PurePath):
        return True
    return any(map(_is_path, get_args(annotation)))


def _as_option(parameter: Parameter) -> Parameter:
    """Every option can be left out, and has the parameter's own name."""
    default = OMITTED if parameter.default is EMPTY else parameter.default
    return evolve(parameter, key=parameter.name, role=Role.ARGUMENT, default=default)


def _merged_default(parameter: Parameter | None, value: Json) -> Json:
    if parameter is None or not isinstance(value, dict):
        return value
    try:
        default = to_json(parameter.default)
    except NotJsonError:
        return value
    return merged(default, value) if isinstance(default, dict) else value
