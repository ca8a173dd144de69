"""``Signature``: the parameters of a callable, their schema, and how arguments fill them."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import FunctionType
from typing import TYPE_CHECKING

from attrs import field, frozen

from qitos_like.core.callables import describe_callable, own_docstring
from qitos_like.core.context import ToolContext
from qitos_like.core.frames import level_outside
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.errors import SchemaError, SchemaWarning, SignatureError

from . import binding
from ._lazy import argument_structurer, schema_of_parameters, unknown_parts
from .annotations import Scope, is_known, is_plain
from .docstring_entries import ParameterText
from .docstrings import read as read_docstring
from .fit import fitted
from .parameters import Parameter, Role, resolved
from .scopes import scope_of_signature
from .written import EMPTY, WrittenSignature, written

if TYPE_CHECKING:
    from .arguments import ArgumentStructurer


#: Descriptions of fields, which do not stand for a default: the module of each class.
_FIELDS = {
    "FieldInfo": "pydantic.fields",
    "Field": "dataclasses",
    "_CountingAttr": "attr._make",
}


@frozen(eq=False)
class Signature:
    """How a model's arguments become the parameters of a callable.

    Attributes:
        parameters: in the callable's order; what a bound object or a partial fills is left out.
        docstrings: texts that may describe the parameters, the nearest first.
        explicit: the author's own schema, if there is one.
        filled: names that no keyword may have, since the callable has them already.
        scope: where the annotations of classes in annotations are looked up.

    >>> signature = read(lambda n, /, *rest: n)
    >>> signature.bind(signature.structure({"n": 1, "rest": [2, 3]}))
    ([1, 2, 3], {})
    """

    parameters: tuple[Parameter, ...]
    docstrings: tuple[str, ...] = field(default=(), repr=False)
    explicit: Schema | None = field(default=None, repr=False)
    filled: frozenset[str] = field(default=frozenset(), repr=False)
    scope: Scope = field(factory=Scope, repr=False)

    @property
    def context_parameter(self) -> str | None:
        """The parameter that takes the ``ToolContext``."""
        names = (each.name for each in self.parameters if each.role is Role.CONTEXT)
        return next(names, None)

    def marked(self, mark: type) -> str | None:
        """The property whose parameter bears this mark, such as ``PathArg``."""
        keys = (each.key for each in self.parameters if each.is_property and each.marked.has(mark))
        return next(keys, None)

    def texts(self) -> dict[str, ParameterText]:
        """What the docstrings say of parameters, by name."""
        found: dict[str, ParameterText] = {}
        for text in reversed(self.docstrings):
            found |= read_docstring(text).parameters
        return found

    def input_schema(self) -> Schema:
        """The arguments as one JSON Schema object, made once; treat it as read-only."""
        return self._inferred if self.explicit is None else self.explicit

    def structure(self, arguments: Mapping[str, Json]) -> dict[str, object]:
        """The arguments as values of the annotated types, by property key.

        Raises:
            ArgumentsError: a value does not fit, one is missing, or one is not a model's to give.
        """
        return self._structurer.structure(arguments)

    @property
    def fit(self) -> Callable[[Mapping[str, Json]], dict[str, object]]:
        """As ``structure``, as a function that raises anything and does not say what is wrong."""
        return self._structurer.fit

    def bind(
        self,
        values: Mapping[str, object],
        *,
        context: ToolContext | None = None,
        config: Mapping[str, object] | None = None,
    ) -> binding.Arguments:
        """The positional and the keyword arguments of the call, from values by property key.

        Mutable defaults are copied. ``config`` is by parameter name.

        Raises:
            SignatureError: configuration lacks a parameter that has no default.
        """
        if self.is_plain:
            return (), values
        return binding.bind(self.parameters, values, context=context, config=config or {})

    @cached_property
    def is_plain(self) -> bool:
        """Whether each value goes to the parameter of its name, and nothing else is filled."""
        return all(map(binding.is_plain, self.parameters))

    @cached_property
    def _structurer(self) -> "ArgumentStructurer":
        return argument_structurer()(self.parameters, self.filled, self.scope)

    @cached_property
    def _inferred(self) -> Schema:
        return schema_of_parameters()(self.parameters, self.texts(), self.scope)


def read(
    target: Json,
    *,
    owner: type | None = None,
    namespace: Mapping[str, object] | None = None,
    explicit: Schema | None = None,
    tool: str | None = None,
) -> Signature:
    """The signature of any callable.

    Args:
        target: a function, method, partial, callable object, or what wraps one.
        owner: the class a method lives in; of a plain function the first parameter is then left
            out, and the class's docstring may describe parameters too.
        namespace: names that were local where the callable was written.
        explicit: the author's own schema; it then rules, and parameters that it does not have are
            for configuration.
        tool: the tool's name, for messages.

    Raises:
        SignatureError: the parameters cannot be filled as the schema promises.
        SchemaError: no value can be of a parameter's type.

    Warns:
        SchemaWarning: a parameter's annotation is unknown, so that it takes any value.
    """
    name = tool or describe_callable(target)
    signature = _written(target, owner, name)
    needs_scope = not all(is_plain(each.annotation) for each in signature.parameters)
    scope = Scope() if not needs_scope else scope_of_signature(signature, owner, namespace)
    parameters = tuple(each for one in signature.parameters for each in resolved(one, scope))
    _check(parameters, name)
    uncertain = [each for each in parameters if not is_known(each.annotation)]
    if explicit is not None:
        parameters = fitted(parameters, explicit, tool=name)
    else:
        _warn_of_unknown(uncertain, scope, name)
    docs = (own_docstring(target), owner.__doc__ if owner else None)
    return Signature(
        parameters,
        docstrings=tuple(filter(None, docs)),
        explicit=explicit,
        filled=signature.filled,
        scope=scope if uncertain else Scope(),  # it keeps whole modules and frames alive
    )


def _written(target: Json, owner: type | None, tool: str) -> WrittenSignature:
    try:
        signature = written(target, owner)
    except SignatureError as error:
        message = f"{tool}: {error}"
        raise SignatureError(message, tool=tool) from None
    if owner is None and isinstance(target, FunctionType):
        _check_bound(target, signature, tool)
    return signature


def _check_bound(function: FunctionType, signature: WrittenSignature, tool: str) -> None:
    """Return unless this is a method that still waits for its object."""
    outer = function.__qualname__.rpartition(".")[0]
    first = signature.parameters[0] if signature.parameters else None
    is_self = first is not None and first.name == "self" and first.annotation is EMPTY
    if is_self and outer and not outer.endswith("<locals>"):
        message = (
            f"{tool}: {function.__qualname__} is a method without its object: take it from an "
            "instance"
        )
        raise SignatureError(message, tool=tool)


def _check(parameters: tuple[Parameter, ...], tool: str) -> None:
    for parameter in parameters:
        kind = type(parameter.default)
        if _FIELDS.get(kind.__name__) == kind.__module__:
            message = (
                f"{tool}: the default of {parameter.name!r} is a {kind.__name__}, which only its "
                "library understands: write Annotated[type, Field(...)] = default"
            )
            raise SignatureError(message, tool=tool)
    contexts = [each.name for each in parameters if each.role is Role.CONTEXT]
    if len(contexts) > 1:
        message = f"{tool}: {' and '.join(contexts)} both take the ToolContext; keep one"
        raise SignatureError(message, tool=tool)
    keys: set[str] = set()
    for parameter in parameters:
        if parameter.key in keys:
            message = f"{tool}: two parameters are the property {parameter.key!r}"
            raise SignatureError(message, tool=tool)
        keys.add(parameter.key)


def _warn_of_unknown(parameters: Sequence[Parameter], scope: Scope, tool: str) -> None:
    for parameter in parameters:
        if parameter.role is not Role.ARGUMENT:
            continue
        try:
            reasons = unknown_parts()(parameter.annotation, scope)
        except SchemaError as error:
            message = f"{tool}: parameter {parameter.name!r}: {error}"
            raise SchemaError(message, tool=tool) from None
        for reason in reasons:
            warnings.warn(
                f"{tool}: parameter {parameter.name!r} takes any value where {reason}; annotate it "
                "with a type that has a schema, or give parameters=...",
                SchemaWarning,
                stacklevel=level_outside(),
            )
