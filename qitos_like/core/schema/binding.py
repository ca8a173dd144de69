"""From values by property key to the positional and keyword arguments of a call."""

from collections import deque
from collections.abc import Mapping, Sequence
from copy import deepcopy

from qitos_like.core.context import ToolContext
from qitos_like.errors import SignatureError

from .fields import is_attrs, is_dataclass
from .parameters import Parameter, Role
from .written import Kind

Arguments = tuple[Sequence[object], Mapping[str, object]]

_MUTABLE = (list, dict, set, bytearray, deque)
_LEFT_OUT = object()


def bind(
    parameters: Sequence[Parameter],
    values: Mapping[str, object],
    *,
    context: ToolContext | None,
    config: Mapping[str, object],
) -> Arguments:
    """The arguments of a call, positional and by name.

    A parameter goes by name where it can; its default is passed where a later position needs it,
    and as a copy where it is mutable. Values that are no parameter's go to ``**kwargs``.

    Raises:
        SignatureError: configuration lacks a parameter that has no default.
    """
    positional: list[object] = []
    named: dict[str, object] = {}
    left = dict(values)
    by_position = {Kind.POSITIONAL_ONLY, Kind.VAR_POSITIONAL}
    if any(each.kind is Kind.VAR_POSITIONAL and left.get(each.key) for each in parameters):
        by_position.add(Kind.POSITIONAL_OR_KEYWORD)
    for parameter in parameters:
        value = _value(parameter, left, context=context, config=config)
        if parameter.kind is Kind.VAR_POSITIONAL:
            positional += () if value is _LEFT_OUT else tuple(value)  # type: ignore[arg-type] # a tuple
        elif parameter.kind in by_position:
            positional += [parameter.default if value is _LEFT_OUT else value]
        elif value is not _LEFT_OUT:
            named[parameter.name] = value
    return positional, named | left


def is_plain(parameter: Parameter) -> bool:
    """Whether a parameter takes its value by its own name, and else its default as it stands."""
    return (
        parameter.role is Role.ARGUMENT
        and parameter.kind in {Kind.POSITIONAL_OR_KEYWORD, Kind.KEYWORD_ONLY}
        and parameter.key == parameter.name
        and not _is_mutable(parameter)
    )


def _value(
    parameter: Parameter,
    left: dict[str, object],
    *,
    context: ToolContext | None,
    config: Mapping[str, object],
) -> object:
    """What fills a parameter; an argument is taken out of those that are left."""
    if parameter.role is Role.ARGUMENT and parameter.key in left:
        return left.pop(parameter.key)
    if parameter.role is Role.CONFIGURED and parameter.name in config:
        return config[parameter.name]
    if parameter.role is Role.CONTEXT and (context or parameter.is_required):
        return context
    if parameter.role is Role.CONFIGURED and parameter.is_required:
        message = f"parameter {parameter.name!r} is for configuration to fill, which does not"
        raise SignatureError(message)
    return deepcopy(parameter.default) if _is_mutable(parameter) else _LEFT_OUT


def _is_mutable(parameter: Parameter) -> bool:
    """Whether a call could change the default for the next one."""
    default = parameter.default
    is_record = is_dataclass(type(default)) or is_attrs(type(default))
    return isinstance(default, _MUTABLE) or (is_record and parameter.role is Role.ARGUMENT)
