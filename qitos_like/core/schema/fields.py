"""The fields of a class that is data: dataclass, attrs, ``TypedDict``, ``NamedTuple``."""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import InitVar
from types import FunctionType
from typing import Annotated, Any, ClassVar, NotRequired, Required, get_args, get_origin

import attrs
from attrs import NOTHING, evolve, frozen

from qitos_like.core.jsontypes import Json

from .annotations import Annotation, Scope
from .generics import bases_of, class_of
from .marked import Marked, split
from .scopes import scope_of_class, scope_of_signature
from .statements import expanded
from .written import EMPTY, Kind, written

Reader = Callable[[Json], Iterator["Field"]]

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
        told: what its metadata says of it.
    """

    name: str
    alias: str
    type: Annotation
    default: object = NOTHING
    kw_only: bool = True
    init: bool = True
    told: str | None = None

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
    bases = bases_of(annotation)
    found = []
    for field in reader(owner):
        base = _definition(field.name, owner, bases)
        scope = scope_of_class(base, outer, bases[base])
        resolved = expanded(scope.resolve(field.type), scope)
        unwrapped = _unwrapped(evolve(field, type=resolved))
        if unwrapped is not None:
            found.append(unwrapped)
    return tuple(found)


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
            yield Field(
                field.name,
                field.name,
                field.type,
                default,
                kw_only=field.kw_only,
                told=_told(field.metadata),
            )


def _attrs_fields(owner: Json) -> Iterator[Field]:
    for field in attrs.fields(owner):
        if field.init:
            annotation = Any if field.type is None else field.type
            if field.converter is not None:
                annotation = _converted(field.converter) or annotation
            yield Field(
                field.name,
                field.alias,
                annotation,
                field.default,
                kw_only=field.kw_only,
                told=_told(field.metadata),
            )


def _told(metadata: Mapping[str, Json]) -> str | None:
    """A description under the key that libraries of data classes have for one."""
    text = metadata.get("description")
    return text if isinstance(text, str) else None


def _converted(converter: Json) -> Annotation | None:
    """What a converter is annotated to take, which is what its field is given."""
    function = getattr(converter, "converter", converter)  # of an attrs.Converter
    if not isinstance(function, FunctionType):
        return None  # a class or a builtin: what it makes, it mostly takes too
    signature = written(function)
    first = next(iter(signature.parameters), None)
    if first is None or first.annotation is EMPTY:
        return None
    taken = scope_of_signature(signature, None, None).resolve(first.annotation)
    return None if taken is Any or taken is object else taken


def _as_constructed(reader: Reader) -> Reader:
    """The fields, or the parameters of ``__init__`` where a class has written its own."""

    def fields(owner: Json) -> Iterator[Field]:
        found = list(reader(owner))
        init = owner.__init__
        taken = written(init, owner).parameters if isinstance(init, FunctionType) else ()
        names = [each.name for each in taken]
        if not taken or {*names} == {field.alias for field in found}:
            # One of its own may take them in another order, so that they go by name.
            is_in_order = not taken or names == [field.alias for field in found]
            yield from (evolve(field, kw_only=field.kw_only or not is_in_order) for field in found)
            return
        types = {field.alias: field.type for field in found}
        for each in taken:
            if each.kind not in {Kind.VAR_POSITIONAL, Kind.VAR_KEYWORD}:
                annotation = (
                    types.get(each.name, Any) if each.annotation is EMPTY else each.annotation
                )
                default = NOTHING if each.default is EMPTY else each.default
                is_by_name = each.kind is Kind.KEYWORD_ONLY
                yield Field(each.name, each.name, annotation, default, kw_only=is_by_name)

    return fields


def _typed_dict_fields(owner: Json) -> Iterator[Field]:
    for name, annotation in owner.__annotations__.items():
        default = NOTHING if name in owner.__required_keys__ else _ABSENT
        yield Field(name, name, annotation, default)


def _named_tuple_fields(owner: Json) -> Iterator[Field]:
    annotations: dict[str, Annotation] = {}
    for base in reversed(owner.__mro__):  # a subclass that adds methods has none of its own
        annotations |= vars(base).get("__annotations__", {})
    for name in owner._fields:
        default = owner._field_defaults.get(name, NOTHING)
        yield Field(name, name, annotations.get(name, Any), default)


_READERS: tuple[tuple[Callable[[Annotation], bool], Reader], ...] = (
    (is_attrs, _as_constructed(_attrs_fields)),
    (is_dataclass, _as_constructed(_dataclass_fields)),
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


def _definition(name: str, owner: type, bases: Iterable[type]) -> type:
    """The class whose body annotates a field.

    A ``TypedDict`` repeats the annotations of its bases, so that the last one counts there.
    """
    defining = [base for base in bases if name in vars(base).get("__annotations__", {})]
    if not defining:
        return owner
    return defining[-1] if is_typed_dict(owner) else defining[0]
