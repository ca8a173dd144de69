"""An author's own schema and a callable's parameters, put together."""

from collections.abc import Sequence

from attrs import evolve

from qitos_like.core.jsontypes import Schema
from qitos_like.core.names import did_you_mean
from qitos_like.errors import SignatureError

from .parameters import Parameter, Role
from .written import Kind


def fitted(parameters: Sequence[Parameter], schema: Schema, *, tool: str) -> tuple[Parameter, ...]:
    """The parameters in the roles that an explicit schema leaves them.

    A parameter that is no property is for configuration, if it has a default.

    Raises:
        SignatureError: a property has no parameter, or a parameter that nothing fills.
    """
    properties = schema.get("properties", {})
    takes_any = any(each.kind is Kind.VAR_KEYWORD for each in parameters)
    keys = [each.key for each in parameters if each.is_property]
    for name in properties:
        if name not in keys and not takes_any:
            near = did_you_mean(name, keys)
            message = f"{tool}: the schema's property {name!r} is no parameter{near}"
            raise SignatureError(message, tool=tool)
    unfilled = [
        each.name
        for each in parameters
        if each.is_property and each.is_required and each.key not in properties
    ]
    if unfilled:
        message = (
            f"{tool}: nothing fills {', '.join(unfilled)}: add it to the schema, give it a default, "
            "or annotate it ToolContext"
        )
        raise SignatureError(message, tool=tool)
    return tuple(_in_role(each, properties) for each in parameters)


def _in_role(parameter: Parameter, properties: Schema) -> Parameter:
    is_variadic = parameter.kind in {Kind.VAR_POSITIONAL, Kind.VAR_KEYWORD}
    if is_variadic or not parameter.is_property or parameter.key in properties:
        return parameter
    return evolve(parameter, role=Role.CONFIGURED)
