"""The parameters of any callable as they are written, read from code objects where possible."""

import inspect
import types
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from inspect import _ParameterKind
from typing import TypeAlias

from attrs import evolve, frozen

from qitos_like.core.jsontypes import Json
from qitos_like.errors import SignatureError

from .annotations import Annotation

#: How a parameter is filled, by position or by name.
Kind: TypeAlias = _ParameterKind
EMPTY = inspect.Parameter.empty


@frozen
class Written:
    """A parameter as it is written.

    Attributes:
        annotation: perhaps text; ``EMPTY`` for none.
        default: ``EMPTY`` for none.
    """

    name: str
    kind: Kind
    annotation: Annotation
    default: object = EMPTY


@frozen
class WrittenSignature:
    """The parameters of a callable, and where their annotations were written.

    Attributes:
        parameters: those that a call fills; ``self`` and what a partial has filled are left out.
        function: the Python function that has them; ``None`` if there is none to be seen.
        owner: the class of the object that a method is bound to, with its arguments if it has any.
        filled: the names that are left out; no keyword may have them.
    """

    parameters: tuple[Written, ...]
    function: Json = None
    owner: Annotation | None = None
    filled: frozenset[str] = frozenset()


def written(target: Json, owner: type | None = None) -> WrittenSignature:
    """The parameters of a callable; of a plain function with an owner, without the first.

    Raises:
        SignatureError: Python cannot tell them, as for some builtins.
    """
    if type(target) is types.FunctionType:
        signature = _of_function(target)
        return signature if owner is None else _without_first(signature, owner)
    reader = next((read for kind, read in _READERS if isinstance(target, kind)), _of_object)
    return reader(target)


def _of_function(function: Json) -> WrittenSignature:
    """From the code object, unless something else was declared to be the signature."""
    if function.__dict__:
        if "__signature__" in function.__dict__:
            return evolve(_inspected(function), function=function)
        if "__wrapped__" in function.__dict__:
            return _through(function, written(function.__wrapped__))
    return WrittenSignature(tuple(_from_code(function)), function)


def _through(wrapper: types.FunctionType, inner: WrittenSignature) -> WrittenSignature:
    """The parameters that a wrapper hands on, filled in the way that it can take them.

    One that takes neither ``*args`` nor ``**kwargs`` has only those that it names. What it does not
    take by name goes by position.
    """
    own = tuple(_from_code(wrapper))
    kinds = {each.kind for each in own}
    if not {Kind.VAR_POSITIONAL, Kind.VAR_KEYWORD} & kinds:
        told = getattr(inner.function, "__annotations__", None)
        is_own = wrapper.__annotations__ is not told  # ``functools.wraps`` puts theirs in its place
        return evolve(inner, parameters=own, function=wrapper if is_own else inner.function)
    named = [each for each in own if each.kind is Kind.POSITIONAL_OR_KEYWORD]
    pairs = enumerate(zip(named, inner.parameters, strict=False), start=1)
    by_position = max((at for at, (ours, theirs) in pairs if ours.name != theirs.name), default=0)
    if hasattr(wrapper, "dispatch"):  # ``functools.singledispatch`` looks at the first position
        by_position = max(by_position, 1)
    if Kind.VAR_KEYWORD not in kinds:
        by_position = len(inner.parameters)
        inner = _without_untaken(inner, {each.name for each in own})
    return evolve(
        inner,
        parameters=tuple(
            evolve(each, kind=Kind.POSITIONAL_ONLY)
            if at < by_position and each.kind is Kind.POSITIONAL_OR_KEYWORD
            else each
            for at, each in enumerate(inner.parameters)
        ),
    )


def _without_untaken(inner: WrittenSignature, taken: set[str]) -> WrittenSignature:
    """Without the optional keywords that a wrapper with ``*args`` alone does not take."""
    left = tuple(
        each
        for each in inner.parameters
        if each.kind not in {Kind.KEYWORD_ONLY, Kind.VAR_KEYWORD}
        or each.name in taken
        or (each.kind is Kind.KEYWORD_ONLY and each.default is EMPTY)
    )
    return evolve(inner, parameters=left)


def _from_code(function: types.FunctionType) -> Iterator[Written]:
    code = function.__code__
    notes = function.__annotations__
    names = code.co_varnames
    positional = code.co_argcount
    end = positional + code.co_kwonlyargcount
    defaults = function.__defaults__ or ()
    first_default = positional - len(defaults)
    for index, name in enumerate(names[:positional]):
        kind = Kind.POSITIONAL_OR_KEYWORD
        if index < code.co_posonlyargcount:
            kind = Kind.POSITIONAL_ONLY
        default = defaults[index - first_default] if index >= first_default else EMPTY
        yield Written(name, kind, notes.get(name, EMPTY), default)
    has_rest = bool(code.co_flags & inspect.CO_VARARGS)
    if has_rest:
        yield Written(names[end], Kind.VAR_POSITIONAL, notes.get(names[end], EMPTY))
    keyword_defaults = function.__kwdefaults__ or {}
    for name in names[positional:end]:
        default = keyword_defaults.get(name, EMPTY)
        yield Written(name, Kind.KEYWORD_ONLY, notes.get(name, EMPTY), default)
    if code.co_flags & inspect.CO_VARKEYWORDS:
        name = names[end + has_rest]
        yield Written(name, Kind.VAR_KEYWORD, notes.get(name, EMPTY))


def _of_method(method: Json) -> WrittenSignature:
    bound_to = method.__self__
    owner = bound_to if isinstance(bound_to, type) else _class_of(bound_to)
    return _without_first(written(method.__func__), owner)


def _class_of(instance: object) -> Annotation:
    """The class of an object; with its arguments where it was made as ``Store[int]()``."""
    attributes = getattr(instance, "__dict__", None)
    made_as = attributes.get("__orig_class__") if isinstance(attributes, dict) else None
    return made_as or type(instance)


def _of_static_method(method: Json) -> WrittenSignature:
    return written(method.__func__)


def _of_class_method(method: Json) -> WrittenSignature:
    return _without_first(written(method.__func__), None)


def _of_partial(target: Json) -> WrittenSignature:
    """What the partial has filled is settled: a call cannot change it and is not shown it."""
    inner = written(target.func)
    left = list(inner.parameters)
    for _ in target.args:
        if left and left[0].kind is not Kind.VAR_POSITIONAL:
            left.pop(0)
    parameters: list[Written] = []
    is_by_name = False
    for parameter in left:
        if parameter.name in target.keywords:
            is_by_name = True  # a position would now be another parameter's
        elif is_by_name and parameter.kind is Kind.POSITIONAL_OR_KEYWORD:
            parameters.append(evolve(parameter, kind=Kind.KEYWORD_ONLY))
        else:
            parameters.append(parameter)
    filled = {each.name for each in inner.parameters} - {each.name for each in parameters}
    return evolve(
        inner,
        parameters=tuple(parameters),
        filled=inner.filled | filled | target.keywords.keys(),
    )


def _of_object(target: Json) -> WrittenSignature:
    """An object with ``__call__``, or one that wraps a function as ``functools.cache`` does."""
    if "__signature__" in getattr(target, "__dict__", {}):
        return _inspected(target)
    wrapped = getattr(target, "__wrapped__", None)
    if callable(wrapped):
        return written(wrapped)
    call = inspect.getattr_static(type(target), "__call__", None)
    if isinstance(call, types.FunctionType):
        return _without_first(written(call), type(target))
    return _inspected(target)


def _of_descriptor(target: Json) -> WrittenSignature:
    """``str.upper``: its first argument would be the object.

    Raises:
        SignatureError: always.
    """
    message = f"{target!r} is a method without its object: wrap it in a function"
    raise SignatureError(message)


def _inspected(target: Callable[..., object]) -> WrittenSignature:
    try:
        parameters = inspect.signature(target).parameters.values()
    except (TypeError, ValueError) as error:
        message = f"{target!r} does not tell its parameters: {error}; wrap it in a function"
        raise SignatureError(message) from None
    return WrittenSignature(
        tuple(Written(each.name, each.kind, each.annotation, each.default) for each in parameters)
    )


def _without_first(signature: WrittenSignature, owner: Annotation | None) -> WrittenSignature:
    """Without ``self``, which a method that takes ``*args`` finds among those."""
    first, rest = signature.parameters[:1], signature.parameters[1:]
    if not first or first[0].kind is Kind.VAR_POSITIONAL:
        return evolve(signature, owner=owner or signature.owner)
    filled = {first[0].name} if first[0].kind is not Kind.POSITIONAL_ONLY else set()
    return evolve(
        signature,
        parameters=rest,
        owner=owner or signature.owner,
        filled=signature.filled | filled,
    )


_READERS: Sequence[tuple[type, Callable[[Json], WrittenSignature]]] = (
    (types.MethodType, _of_method),
    (staticmethod, _of_static_method),
    (classmethod, _of_class_method),
    (partial, _of_partial),
    (types.MethodDescriptorType, _of_descriptor),
    (types.WrapperDescriptorType, _of_descriptor),
    (type, _inspected),
)
