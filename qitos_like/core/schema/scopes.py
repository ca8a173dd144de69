"""Where the names in annotations are looked up: for a function, for a class body."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from types import CellType, FunctionType
from typing import NewType, TypeVar, get_origin

from .annotations import Annotation, Bindings, Scope
from .generics import bases_of, class_of
from .written import WrittenSignature


def scope_of_signature(
    signature: WrittenSignature, owner: Annotation | None, namespace: Mapping[str, object] | None
) -> Scope:
    """Where the annotations of a callable are looked up.

    Its own type variables come first, then the class whose body it stands in, what was local where it was
    written (``namespace`` and its closure), its module, the builtins.
    """
    function = signature.function
    outer = Scope(namespace or {}, *(() if function is None else _function_layers(function)))
    owner = owner or signature.owner
    if owner is None:
        return outer
    bases = bases_of(owner)
    defining = _defining(signature.function, bases) or class_of(owner)
    return scope_of_class(defining, outer, bases[defining])


def _defining(function: FunctionType | None, bases: Iterable[type]) -> type | None:
    """The class in whose body a method was written, if it is one of these."""
    if function is None:
        return None
    place = function.__module__, function.__qualname__.rpartition(".")[0]
    return next((base for base in bases if (base.__module__, base.__qualname__) == place), None)


def _function_layers(function: FunctionType) -> Iterator[Mapping[str, object]]:
    yield _variables(function)
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    yield {name: cell.cell_contents for name, cell in cells if _is_filled(cell)}
    yield from map(_types_of, _enclosing(function.__qualname__, function.__globals__))
    yield function.__globals__


def _is_filled(cell: CellType) -> bool:
    try:
        return bool(cell.cell_contents) or True
    except ValueError:
        return False


def _variables(owner: object) -> dict[str, object]:
    """The type variables of ``def f[T]`` or ``class C[T]``."""
    return {variable.__name__: variable for variable in getattr(owner, "__type_params__", ())}


def scope_of_class(owner: type, outer: Scope, bindings: Bindings) -> Scope:
    """Where the annotations in a class body are looked up.

    The class's own names come first, then the classes it is nested in, its module, and what is
    known around its use. Its type variables stand for what they are bound to.
    """
    return outer.inside(*_class_layers(owner), bindings=bindings)


def _class_layers(owner: type) -> Iterator[Mapping[str, object]]:
    for base in owner.__mro__[:-1]:
        yield _types_of(base)
    yield {owner.__name__: owner}
    yield _variables(owner)
    for base in owner.__mro__[:-1]:
        module = sys.modules.get(base.__module__)
        names = vars(module) if module else {}
        yield from map(_types_of, _enclosing(base.__qualname__, names))
        yield names


def _types_of(owner: type) -> dict[str, object]:
    return {name: value for name, value in vars(owner).items() if _is_type(value)}


def _is_type(value: object) -> bool:
    """Whether a class attribute may be meant by an annotation: a default or a method is not."""
    return (
        isinstance(value, type | TypeVar | NewType)
        or get_origin(value) is not None
        or hasattr(value, "__value__")
    )


def _enclosing(qualname: str, names: Mapping[str, object]) -> Iterable[type]:
    """The classes that something is nested in, innermost first, as far as the module leads."""
    *outer, _ = qualname.split(".")
    found: list[type] = []
    for part in outer:
        inner = names.get(part)
        if not isinstance(inner, type):
            break
        found.insert(0, inner)
        names = vars(inner)
    return found
