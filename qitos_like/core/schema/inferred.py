"""The schema of all parameters of a signature, by the type table."""

from collections.abc import Mapping, Sequence

from attrs import NOTHING

from qitos_like.core.jsontypes import Json, Schema

from .annotations import Annotation, Scope
from .docstring_entries import ParameterText
from .infer import Inference
from .parameters import Parameter
from .properties import described, with_default
from .written import EMPTY, Kind


def object_of(
    parameters: Sequence[Parameter], texts: Mapping[str, ParameterText], scope: Scope
) -> Schema:
    """The object schema of parameters, with what docstrings say of them by name."""
    inference = Inference(scope)
    properties: Schema = {}
    others: Json = False
    for parameter in parameters:
        if parameter.is_property:
            properties[parameter.key] = _property(parameter, texts, inference)
        elif parameter.kind is Kind.VAR_KEYWORD:
            others = inference.schema(parameter.annotation) or True
    required = [each.key for each in parameters if each.is_property and each.is_required]
    return inference.finished(
        {
            "type": "object",
            "properties": properties,
            **({"required": required} if required else {}),
            "additionalProperties": others,
        }
    )


def unknown_parts(annotation: Annotation, scope: Scope) -> list[str]:
    """Why parts of an annotation admit any value; none if its schema says all."""
    inference = Inference(scope)
    inference.schema(annotation)
    return inference.reasons


def _property(
    parameter: Parameter, texts: Mapping[str, ParameterText], inference: Inference
) -> Schema:
    """The type, the text (a docstring's only if there is no other) and the default."""
    schema = inference.schema(parameter.annotation)
    said = texts.get(parameter.name)
    if said and not parameter.marked.text:
        schema = described(schema, said.text)
    return with_default(schema, NOTHING if parameter.default is EMPTY else parameter.default)
