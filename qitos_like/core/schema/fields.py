"""The fields of a class that is data: dataclass, attrs, ``TypedDict``, ``NamedTuple``."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import InitVar
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    NotRequired,
    Protocol,
    Required,
    get_args,
    get_origin,
)

import attrs
from attrs import NOTHING, evolve, frozen

from qitos_like.core.jsontypes import Json

from .annotations import Annotation, Bindings, Marked, Scope, bound, split
from .scopes import scope_of_class

#: The default of a key that a ``TypedDict`` may be without; it is no JSON, so it is never shown.
_ABSENT = object()


@frozen
class Field:
    """One field; its attributes are also those that cattrs reads of an attrs field.

    Attributes:
        name: the attribute.
        alias: the parameter of the class's constructor.
        type: the annotation, resolved, with its marks and without ``Required`` and the like.
        default: ``NOTHING`` if the field has to be given; else anything, it is never used.
        kw_only: the constructor takes it by name only.
    """

    name: str
    alias: str
    type: Annotation
    default: object = NOTHING
    kw_only: bool = True
    init: bool = True

    @property
    def marked(self) -> Marked:
        """The annotation and its marks."""
        return split(self.type)

    @property
    def key(self) -> str:
        """The property in JSON: a ``Name`` mark's, else the constructor's."""
        return self.marked.name or self.alias

    @property
    def is_required(self) -> bool:
        """Whether the field has no default."""
        return self.default is NOTHING


def read(annotation: Annotation, outer: Scope) -> tuple[Field, ...]:
    """The fields of a class or of a generic class with arguments, each annotation resolved.

    Raises:
        TypeError: the class is none of these.
    """
    owner = class_of(annotation)
    reader = next((read for is_kind, read in _READERS if is_kind(owner)), None)
    if reader is None:
        message = f"{owner!r} has no fields"
        raise TypeError(message)
    bases = _bases(annotation)
    found = []
    for field in reader(owner):
        base, bindings = _definition(field.name, owner, bases)
        resolved = scope_of_class(base, outer).resolve(field.type)
        unwrapped = _unwrapped(evolve(field, type=bound(resolved, bindings)))
        if unwrapped is not None:
            found.append(unwrapped)
    return tuple(found)


def class_of(annotation: Annotation) -> type:
    """The class of a generic alias, or the class itself."""
    origin = get_origin(annotation) or annotation
    return origin if isinstance(origin, type) else type(None)


def is_dataclass(annotation: Annotation) -> bool:
    """Whether this is a dataclass, with arguments or without."""
    return hasattr(class_of(annotation), "__dataclass_fields__")


def is_attrs(annotation: Annotation) -> bool:
    """Whether this is an attrs class, with arguments or without."""
    return hasattr(class_of(annotation), "__attrs_attrs__")


def is_typed_dict(annotation: Annotation) -> bool:
    """Whether this is a ``TypedDict``, of typing or of typing_extensions."""
    owner = class_of(annotation)
    return issubclass(owner, dict) and hasattr(owner, "__total__")


def is_named_tuple(annotation: Annotation) -> bool:
    """Whether this is a named tuple, annotated or not."""
    owner = class_of(annotation)
    return issubclass(owner, tuple) and hasattr(owner, "_fields")


def _dataclass_fields(owner: Json) -> Iterator[Field]:
    for field in owner.__dataclass_fields__.values():
        if field.init:
            is_required = (
                field.default is dataclasses.MISSING
                and field.default_factory is dataclasses.MISSING
            )
            default = NOTHING if is_required else field.default
            yield Field(field.name, field.name, field.type, default, kw_only=field.kw_only)


def _attrs_fields(owner: Json) -> Iterator[Field]:
    for field in attrs.fields(owner):
        if field.init:
            annotation = Any if field.type is None else field.type
            yield Field(field.name, field.alias, annotation, field.default, kw_only=field.kw_only)


def _typed_dict_fields(owner: Json) -> Iterator[Field]:
    for name, annotation in owner.__annotations__.items():
        default = NOTHING if name in owner.__required_keys__ else _ABSENT
        yield Field(name, name, annotation, default)


def _named_tuple_fields(owner: Json) -> Iterator[Field]:
    annotations = getattr(owner, "__annotations__", {})
    for name in owner._fields:
        default = owner._field_defaults.get(name, NOTHING)
        yield Field(name, name, annotations.get(name, Any), default)


_READERS: tuple[tuple[Callable[[Annotation], bool], Callable[[Json], Iterator[Field]]], ...] = (
    (is_attrs, _attrs_fields),
    (is_dataclass, _dataclass_fields),
    (is_typed_dict, _typed_dict_fields),
    (is_named_tuple, _named_tuple_fields),
)


def _unwrapped(field: Field) -> Field | None:
    """The field without ``Required``, ``InitVar`` and the like; a ``ClassVar`` is no field."""
    marked = field.marked
    inner: Annotation
    if isinstance(marked.base, InitVar):
        inner = marked.base.type
    else:
        origin = get_origin(marked.base)
        if origin is ClassVar or marked.base is ClassVar:
            return None
        if getattr(origin, "_name", None) not in _QUALIFIERS:
            return field
        inner = get_args(marked.base)[0]
        if origin in {Required, NotRequired}:
            field = evolve(field, default=NOTHING if origin is Required else _ABSENT)
    return _unwrapped(evolve(field, type=_marked_again(inner, marked.marks)))


_QUALIFIERS = frozenset({"Required", "NotRequired", "ReadOnly", "Final"})


def _marked_again(base: Annotation, marks: tuple[object, ...]) -> Annotation:
    return Annotated[(base, *marks)] if marks else base


def _bases(annotation: Annotation) -> dict[type, Bindings]:
    """The class and its bases, each with what its type variables stand for."""
    found: dict[type, Bindings] = {}

    def walk(alias: Annotation) -> None:
        owner = class_of(alias)
        variables = getattr(owner, "__parameters__", ())
        found[owner] = dict(zip(variables, get_args(alias), strict=False))
        for base in getattr(owner, "__orig_bases__", owner.__bases__):
            if get_origin(base) not in {Generic, Protocol}:
                walk(bound(base, found[owner]))

    walk(annotation)
    return found


def _definition(name: str, owner: type, bases: Mapping[type, Bindings]) -> tuple[type, Bindings]:
    """The class whose body annotates a field, and what its type variables stand for.

    A ``TypedDict`` repeats the annotations of its bases, so that the last one counts there.
    """
    defining = [base for base in bases if name in vars(base).get("__annotations__", {})]
    if not defining:
        return owner, bases[owner]
    base = defining[-1] if is_typed_dict(owner) else defining[0]
    return base, bases[base]
