"""Rows of JSON's own scalars, and of any value."""

from collections.abc import Callable
from typing import Any, LiteralString, cast

from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.raised import text_of

from .annotations import Annotation, Unresolved
from .rows import Hook, Inferring, Many, RefusalError, Row, Structuring, shown


def is_one_of(*kinds: object) -> Callable[[Annotation], bool]:
    """A predicate: the annotation is one of these, by identity."""
    return lambda annotation: any(annotation is kind for kind in kinds)


def _fixed(annotation: Annotation, schema: Schema, hook: Hook) -> Row:
    return Row(
        is_one_of(annotation),
        lambda _annotation, _inferring: dict(schema),
        lambda _annotation, _structuring: hook,
    )


def structure_text(value: Json, _type: object = None) -> str:
    """A string as it is."""
    if isinstance(value, str):
        return value
    message = f"must be a string, not {shown(value)}"
    raise RefusalError(message)


def structure_integer(value: Json, _type: object = None) -> int:
    """An integer; JSON Schema counts 1.0 among them, and it arrives as 1."""
    if type(value) is int:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    message = f"must be an integer, not {shown(value)}"
    raise RefusalError(message)


def structure_number(value: Json, _type: object = None) -> float:
    """A number as a float."""
    if type(value) is float:
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            message = "must be a number that a 64-bit float can hold"
            raise RefusalError(message) from None
    message = f"must be a number, not {shown(value)}"
    raise RefusalError(message)


def _structure_any_number(value: Json, _type: object = None) -> Json:
    """A number as it is."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    return structure_number(value)


def structure_boolean(value: Json, _type: object = None) -> bool:
    """``True`` or ``False`` and nothing that merely equals them."""
    if isinstance(value, bool):
        return value
    message = f"must be a boolean, not {shown(value)}"
    raise RefusalError(message)


def structure_null(value: Json, _type: object = None) -> None:
    """``None``."""
    if value is not None:
        message = f"must be null, not {shown(value)}"
        raise RefusalError(message)


def structure_anything(value: Json, _type: object = None) -> Json:
    """Any JSON value; a tool may change what it is given, so that it gets a copy."""
    if type(value) is dict:
        return {key: structure_anything(part) for key, part in value.items()}
    if type(value) is list:
        return list(map(structure_anything, value))
    return value


def _abstract(annotation: Annotation) -> tuple[str, Hook] | None:
    """One of the abstract numbers, by its name, so that none is imported here."""
    if getattr(annotation, "__module__", None) != "numbers":
        return None
    return _NUMBERS.get(getattr(annotation, "__qualname__", ""))


_NUMBERS: dict[str, tuple[str, Hook]] = {
    "Integral": ("integer", structure_integer),
    "Rational": ("integer", structure_integer),
    **dict.fromkeys(("Real", "Complex", "Number"), ("number", _structure_any_number)),
}


def _abstract_schema(annotation: Annotation, _inferring: Inferring) -> Schema:
    return {"type": cast("tuple[str, Hook]", _abstract(annotation))[0]}


def _abstract_hook(annotation: Annotation, _structuring: Structuring) -> Hook:
    return cast("tuple[str, Hook]", _abstract(annotation))[1]


def _is_unresolved(annotation: Annotation) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, Unresolved)


def _unresolved_schema(annotation: Annotation, inferring: Inferring) -> Schema:
    text = getattr(annotation, "text", "")
    return inferring.unknown(f"{text!r} is not known at run time")


def anything_hook(_annotation: Annotation, _structuring: Structuring) -> Hook:
    """The hook of annotations that admit any value."""
    return structure_anything


#: By the hooks that do, the type of which they let values pass as they are.
UNCHANGED: dict[Hook, type] = {
    structure_text: str,
    structure_integer: int,
    structure_number: float,
    structure_boolean: bool,
}


def all_by(hook: Hook) -> Many:
    """All items of an array by a hook; the array itself if it would change none of them."""
    unchanged = {UNCHANGED.get(hook)}

    def many(array: list[Json]) -> list[object]:
        if {*map(type, array)} == unchanged:
            return array
        return [hook(part, None) for part in array]

    return many


_STRUCTURE: dict[type, tuple[str, Hook]] = {
    str: ("string", structure_text),
    int: ("integer", structure_integer),
    float: ("number", structure_number),
}


def _scalar_base(annotation: Annotation) -> type | None:
    """The scalar that a class derives from."""
    bases = annotation.__mro__ if isinstance(annotation, type) else ()
    return next((base for base in bases if base in _STRUCTURE), None)


def _subclass_schema(annotation: Annotation, _inferring: Inferring) -> Schema:
    return {"type": _STRUCTURE[cast("type", _scalar_base(annotation))][0]}


def _subclass_hook(annotation: Annotation, _structuring: Structuring) -> Hook:
    """The scalar, then the class's own constructor."""
    base = _STRUCTURE[cast("type", _scalar_base(annotation))][1]
    make = cast("Callable[[object], object]", annotation)

    def hook(value: Json, _type: object = None) -> object:
        scalar = base(value, None)
        try:
            return make(scalar)
        except Exception as error:  # a class's own constructor may raise anything
            raise RefusalError(text_of(error)) from error

    return hook


SCALARS = (
    _fixed(str, {"type": "string"}, structure_text),
    _fixed(int, {"type": "integer"}, structure_integer),
    _fixed(bool, {"type": "boolean"}, structure_boolean),
    _fixed(float, {"type": "number"}, structure_number),
    _fixed(type(None), {"type": "null"}, structure_null),
    _fixed(Any, {}, structure_anything),
    _fixed(object, {}, structure_anything),
    _fixed(LiteralString, {"type": "string"}, structure_text),
    Row(_is_unresolved, _unresolved_schema, anything_hook),
)
#: Classes that derive from a scalar; enums among them have rows of their own.
SCALAR_CLASSES = (
    Row(lambda annotation: _abstract(annotation) is not None, _abstract_schema, _abstract_hook),
    Row(lambda annotation: _scalar_base(annotation) is not None, _subclass_schema, _subclass_hook),
)
