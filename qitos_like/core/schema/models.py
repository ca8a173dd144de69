"""Rows of pydantic's and msgspec's classes, which describe and make themselves.

Neither library is imported here: whoever has such a class has imported it.
"""

import json
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from attrs import frozen

from qitos_like.core._lazy import validator_type
from qitos_like.core.jsontypes import Json, Schema

from .annotations import Annotation
from .definitions import mapped, referred
from .generics import class_of
from .rows import Hook, Inferring, RefusalError, Row, Structuring
from .scalars import structure_anything


@frozen
class _Library:
    """A library whose classes know their own schema.

    Attributes:
        name: its module.
        marks: attributes of which its classes have one.
        schema: of the module and an annotation, the JSON Schema.
        maker: of the module and an annotation, a function from a JSON value to an instance.
        reason: from what that function raises as ``ValueError`` to the reason and its place.
    """

    name: str
    marks: tuple[str, ...]
    schema: Callable[[Json, Annotation], Schema]
    maker: Callable[[Json, Annotation], Callable[[Json], object]]
    reason: Callable[[Json], tuple[str, Sequence[str | int]]]

    @property
    def module(self) -> Json:
        """The module, if it is imported."""
        return sys.modules.get(self.name)


def _pydantic_maker(pydantic: Json, annotation: Annotation) -> Callable[[Json], object]:
    """In its mode for JSON, in which strict models take dates as texts and sets as arrays."""
    adapter = pydantic.TypeAdapter(annotation)
    return lambda value: adapter.validate_json(json.dumps(value))


def _first_error(error: Json) -> tuple[str, Sequence[str | int]]:
    first = error.errors()[0]
    return first["msg"], first["loc"]


_LIBRARIES = (
    _Library(
        "pydantic",
        ("__pydantic_core_schema__", "__get_pydantic_core_schema__"),
        lambda pydantic, annotation: pydantic.TypeAdapter(annotation).json_schema(),
        _pydantic_maker,
        _first_error,
    ),
    _Library(
        "msgspec",
        ("__struct_fields__",),
        lambda msgspec, annotation: msgspec.json.schema(annotation),
        lambda msgspec, annotation: lambda value: msgspec.convert(value, annotation),
        lambda error: (str(error), ()),
    ),
)


def _library(annotation: Annotation) -> _Library | None:
    owner = class_of(annotation)
    return next(
        (each for each in _LIBRARIES if each.module and any(hasattr(owner, m) for m in each.marks)),
        None,
    )


def _known(annotation: Annotation) -> _Library:
    return _library(annotation) or _LIBRARIES[0]  # the row matches nothing else


def _is_model(annotation: Annotation) -> bool:
    return _library(annotation) is not None


def _schema(annotation: Annotation, inferring: Inferring) -> Schema:
    library, owner = _known(annotation), class_of(annotation)
    try:
        raw = library.schema(library.module, annotation)
    except Exception as error:  # a model's author may have put in what JSON Schema cannot say
        reason = str(error).partition("\n")[0]
        return inferring.unknown(f"{owner.__qualname__} has no JSON Schema ({reason})")
    definitions = raw.pop("$defs", {})

    def converted(schema: Schema) -> Schema:
        name = referred(schema)
        if name is None:
            return mapped(_tidied(schema), converted)
        return {**_tidied(schema), **definition(name)}

    def definition(name: str) -> Schema:
        return inferring.define((annotation, name), name, lambda: converted(definitions[name]))

    name = referred(raw)
    if name is not None:
        return definition(name)
    return inferring.define(annotation, owner.__name__, lambda: converted(raw))


def _tidied(schema: Schema) -> Schema:
    """Without titles and OpenAPI's discriminators, whose references would lead nowhere.

    An object with properties admits no others unless it says so.
    """
    tidy = {
        keyword: value
        for keyword, value in schema.items()
        if (keyword, type(value)) not in {("title", str), ("discriminator", dict)}
    }
    if "properties" in tidy:
        tidy.setdefault("additionalProperties", False)
    return tidy


def _hook(annotation: Annotation, structuring: Structuring) -> Hook:
    """First the model's own schema, which is strict, then the model, which coerces."""
    library = _known(annotation)
    validator = validator_type()(structuring.schema(annotation))
    try:
        make = library.maker(library.module, annotation)
    except Exception:  # what the library cannot make has no schema either, and was warned of
        return structure_anything

    def hook(value: Json, _type: object = None) -> object:
        error = next(validator.iter_errors(value), None)
        if error is not None:
            raise RefusalError(error.message, *error.absolute_path)
        try:
            return make(value)
        except ValueError as refusal:
            reason, steps = library.reason(refusal)
            raise RefusalError(reason, *steps) from None

    return hook


def validated(inner: Hook, marks: Sequence[object]) -> Hook:
    """The hook of a type, with pydantic's validators beside that type around it.

    They are given what fits the type alone, so that arguments are what the schema says.
    """
    found = [mark for mark in marks if type(mark).__name__ in _VALIDATORS]
    pydantic = sys.modules.get("pydantic")
    if not found or pydantic is None:
        return inner
    first = [mark for mark in found if type(mark).__name__ == "BeforeValidator"]
    then = [mark for mark in found if mark not in first]
    before, after = (_passed_through(pydantic, each) for each in (first, then))

    def hook(value: Json, _type: object = None) -> object:
        made = inner(value, None)
        return after(inner(before(value), None) if first else made)

    return hook


_VALIDATORS = ("BeforeValidator", "AfterValidator", "PlainValidator", "WrapValidator")


def _passed_through(pydantic: Json, validators: Sequence[object]) -> Callable[[Json], Json]:
    """A function from a value to what validators make of it."""
    adapter = pydantic.TypeAdapter(Annotated[(Any, *validators)] if validators else Any)

    def validate(value: Json) -> Json:
        try:
            return adapter.validate_python(value)
        except ValueError as refusal:
            reason, _ = _first_error(refusal)
            raise RefusalError(reason) from None

    return validate


MODELS = (Row(_is_model, _schema, _hook),)
