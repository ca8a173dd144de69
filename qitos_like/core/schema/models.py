"""Rows of pydantic models, which describe and make themselves; pydantic is never imported here."""

from qitos_like.core._lazy import validator_type
from qitos_like.core.jsontypes import Json, Schema

from .annotations import Annotation
from .definitions import mapped, referred
from .rows import Hook, Inferring, RefusalError, Row, Structuring


def _is_model(annotation: Annotation) -> bool:
    return isinstance(annotation, type) and hasattr(annotation, "model_json_schema")


def _schema(annotation: Annotation, inferring: Inferring) -> Schema:
    model: Json = annotation
    raw = model.model_json_schema()
    definitions = raw.pop("$defs", {})

    def converted(schema: Schema) -> Schema:
        name = referred(schema)
        if name is None:
            return mapped(_tidied(schema), converted)
        target = _definition(name)
        return {**_tidied(schema), **target}

    def _definition(name: str) -> Schema:
        return inferring.define((model, name), name, lambda: converted(definitions[name]))

    name = referred(raw)
    if name is not None:
        return _definition(name)
    return inferring.define(annotation, model.__name__, lambda: converted(raw))


def _tidied(schema: Schema) -> Schema:
    """Without titles; an object with properties admits no others unless it says so."""
    tidy = {
        keyword: value
        for keyword, value in schema.items()
        if keyword != "title" or not isinstance(value, str)
    }
    if "properties" in tidy:
        tidy.setdefault("additionalProperties", False)
    return tidy


def _hook(annotation: Annotation, structuring: Structuring) -> Hook:
    """First the model's own schema, which is strict, then the model, which coerces."""
    model: Json = annotation
    validator = validator_type()(structuring.schema(annotation))

    def hook(value: Json, _type: object = None) -> object:
        error = next(validator.iter_errors(value), None)
        if error is not None:
            raise RefusalError(error.message, *error.absolute_path)
        try:
            return model.model_validate(value)
        except ValueError as refusal:
            first = _details(refusal)[0]
            raise RefusalError(first["msg"], *first["loc"]) from None

    return hook


def _details(refusal: Json) -> list[dict[str, Json]]:
    """What pydantic's ``ValidationError`` tells."""
    details: list[dict[str, Json]] = refusal.errors()
    return details


MODELS = (Row(_is_model, _schema, _hook),)
