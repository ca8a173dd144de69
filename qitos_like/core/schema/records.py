"""Rows of classes that are data: objects, and named tuples as arrays."""

from collections.abc import Callable, Iterator, Sequence
from typing import cast

from attrs import Attribute

from qitos_like.core._lazy import class_hook_maker, field_override
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.names import did_you_mean
from qitos_like.core.raised import describe, text_of

from .annotations import Annotation
from .arrays import as_array
from .columns import Columns, by_columns
from .docstrings import read_fields
from .fields import Field, is_attrs, is_dataclass, is_named_tuple, is_typed_dict, read
from .generics import bases_of, class_of
from .mappings import as_object
from .properties import described, with_default
from .rows import Hook, Inferring, Many, Part, RefusalError, Row, Structuring
from .scalars import UNCHANGED, all_by


def _object_schema(annotation: Annotation, inferring: Inferring) -> Schema:
    owner = class_of(annotation)

    def build() -> Schema:
        fields = read(annotation, inferring.scope)
        texts = _texts(annotation)
        properties = {}
        for field in fields:
            text = None if field.marked.text else field.told or texts.get(field.name)
            schema = described(inferring.schema(field.type), text)
            properties[field.key] = with_default(schema, field.default)
        required = [field.key for field in fields if field.is_required]
        return {
            "type": "object",
            "properties": properties,
            **({"required": required} if required else {}),
            "additionalProperties": False,
        }

    return inferring.define(annotation, owner.__name__, build)


def _texts(annotation: Annotation) -> dict[str, str]:
    """What the docstrings of a class and of its bases say of fields, the nearest first."""
    texts: dict[str, str] = {}
    for base in reversed(bases_of(annotation)):
        if base.__module__ != "builtins":
            texts |= read_fields(vars(base).get("__doc__"))
    return texts


def _class_hook(annotation: Annotation, structuring: Structuring) -> Hook:
    """The constructor, called by code that cattrs generates."""
    owner = class_of(annotation)
    fields = read(annotation, structuring.scope)
    override = field_override()
    overrides = {
        field.name: override(rename=field.key, struct_hook=structuring.hook(field.type))
        for field in fields
    }
    allowed = frozenset(field.key for field in fields)
    variables = {variable.__name__: object for variable in getattr(owner, "__parameters__", ())}
    # cattrs reads of a field what our Field has too; the hooks spare it the annotations
    construct = class_hook_maker()(fields, owner, typevar_map=variables, **overrides)

    def hook(value: Json, _type: object = None) -> object:
        given = value if type(value) is dict else as_object(value)
        if not allowed.issuperset(given):
            raise _refusal(given, fields)
        try:
            return construct(given, owner)
        except RefusalError:
            raise
        except Exception as error:  # a class's own constructor and validators may raise anything
            raise _refusal(given, fields, error) from error

    return hook


def _classes(annotation: Annotation, structuring: Structuring) -> Many:
    """Many instances, where the constructor takes its arguments in the order of the fields."""
    owner = cast("Callable[..., object]", class_of(annotation))  # a class is called
    fields = read(annotation, structuring.scope)
    hook = structuring.hook(annotation)
    if any(field.kw_only for field in fields):
        return all_by(hook)

    def make(_array: list[Json], columns: Columns) -> Iterator[object]:
        return map(owner, *columns.values)

    return by_columns(fields, structuring, item=hook, make=make)


def _typed_dicts(annotation: Annotation, structuring: Structuring) -> Many:
    """Many dictionaries, where their keys are those of the objects."""
    fields = read(annotation, structuring.scope)
    hook = structuring.hook(annotation)
    if any(field.name != field.key for field in fields):
        return all_by(hook)

    def make(array: list[Json], columns: Columns) -> list[dict[str, object]]:
        made = [*map(dict, array)]
        for field, given, values in zip(fields, columns.given, columns.values, strict=False):
            if values is not given:
                for each, value in zip(made, values, strict=True):
                    each[field.name] = value
        return made

    return by_columns(fields, structuring, item=hook, make=make)


def _typed_dict_hook(annotation: Annotation, structuring: Structuring) -> Hook:
    fields = read(annotation, structuring.scope)
    hooks = [structuring.hook(field.type) for field in fields]
    rows = {
        field.key: (field.name, hook, UNCHANGED.get(hook))
        for field, hook in zip(fields, hooks, strict=True)
    }
    required = {field.key for field in fields if field.is_required}

    def hook(value: Json, _type: object = None) -> object:
        given = as_object(value)
        # A dictionary of as many keys as there are has them all, or one that the loop refuses.
        if len(given) != len(rows) and not required <= given.keys():
            raise _refusal(given, fields)
        made = {}
        for key, part in given.items():
            row = rows.get(key)
            if row is None:
                raise _refusal(given, fields)
            name, item, unchanged = row
            made[name] = part if type(part) is unchanged else item(part, None)
        return made

    return hook


def _refusal(
    given: dict[str, Json], fields: Sequence[Field], error: Exception | None = None
) -> RefusalError:
    """What is wrong with an object's keys; if nothing is, what its constructor raised."""
    keys = [field.key for field in fields]
    for key in given:
        if key not in keys:
            return RefusalError(f"has no property {key!r}{did_you_mean(key, keys)}")
    missing = [field.key for field in fields if field.is_required and field.key not in given]
    if missing:
        return RefusalError(f"lacks {', '.join(map(repr, missing))}")
    cause = error or ValueError("does not fit")
    if len(cause.args) > 1 and isinstance(cause.args[1], Attribute):
        return RefusalError(str(cause.args[0]))  # a validator of attrs, which shows itself too
    said = text_of(cause) if isinstance(cause, ValueError) else ""
    return RefusalError(said or describe(cause))


def _object_parts(annotation: Annotation, value: Json, structuring: Structuring) -> Iterator[Part]:
    if isinstance(value, dict):
        for field in read(annotation, structuring.scope):
            if field.key in value:
                yield Part(field.type, value[field.key], field.key)


def _tuple_schema(annotation: Annotation, inferring: Inferring) -> Schema:
    """Items in their places, each described by its name."""
    owner = class_of(annotation)

    def build() -> Schema:
        fields = read(annotation, inferring.scope)
        items = [
            described(inferring.schema(field.type), None if field.marked.text else field.name)
            for field in fields
        ]
        return {
            "type": "array",
            **({"prefixItems": items} if items else {}),
            "minItems": sum(field.is_required for field in fields),
            "maxItems": len(fields),
        }

    return inferring.define(annotation, owner.__name__, build)


def _tuple_hook(annotation: Annotation, structuring: Structuring) -> Hook:
    owner = cast("Callable[..., object]", class_of(annotation))  # a class is called
    fields = read(annotation, structuring.scope)
    hooks = [structuring.hook(field.type) for field in fields]
    least = sum(field.is_required for field in fields)

    def hook(value: Json, _type: object = None) -> object:
        array = as_array(value)
        if not least <= len(array) <= len(hooks):
            names = ", ".join(field.name for field in fields)
            message = f"must be an array of {names}, not of {len(array)} items"
            raise RefusalError(message)
        return owner(*(item(part, None) for item, part in zip(hooks, array, strict=False)))

    return hook


def _tuple_parts(annotation: Annotation, value: Json, structuring: Structuring) -> Iterator[Part]:
    if isinstance(value, list):
        fields = read(annotation, structuring.scope)
        for index, (field, part) in enumerate(zip(fields, value, strict=False)):
            yield Part(field.type, part, index)


RECORDS = (
    Row(is_attrs, _object_schema, _class_hook, _object_parts, _classes),
    Row(is_dataclass, _object_schema, _class_hook, _object_parts, _classes),
    Row(is_typed_dict, _object_schema, _typed_dict_hook, _object_parts, _typed_dicts),
    Row(is_named_tuple, _tuple_schema, _tuple_hook, _tuple_parts),
)
