"""``Parameter``: one parameter of a callable, its annotation resolved and its role known."""

from collections.abc import Iterator
from enum import Enum
from types import GenericAlias
from typing import Annotated, Any, get_args, get_origin

from attrs import frozen

from qitos_like.core.context import ToolContext
from qitos_like.core.marks import Configured

from .annotations import Annotation, Recursive, Scope, is_plain, is_union, union, unpacked
from .fields import is_typed_dict, read
from .marked import Marked, split
from .statements import expanded
from .written import EMPTY, Kind, Written


class Role(Enum):
    """Who fills a parameter."""

    ARGUMENT = "argument"
    CONTEXT = "context"
    CONFIGURED = "configured"


#: The default of a parameter that is left out of the call if no argument fills it.
OMITTED = object()
_VARIADIC = (Kind.VAR_POSITIONAL, Kind.VAR_KEYWORD)


@frozen
class Parameter:
    """One parameter.

    Attributes:
        name: as the callable spells it.
        key: the property of the schema that it is; the name unless a ``Name`` mark says another.
        kind: of ``inspect.Parameter``.
        annotation: resolved, marks included; ``Any`` for none.
        default: ``inspect.Parameter.empty`` if an argument is needed.
        role: who fills it.
    """

    name: str
    key: str
    kind: Kind
    annotation: Annotation = Any
    default: object = EMPTY
    role: Role = Role.ARGUMENT

    @property
    def marked(self) -> Marked:
        """The annotation and its marks."""
        return split(self.annotation)

    @property
    def is_required(self) -> bool:
        """Whether a call needs a value for it."""
        return self.default is EMPTY

    @property
    def is_property(self) -> bool:
        """Whether a model fills it under a name of its own."""
        return self.role is Role.ARGUMENT and self.kind is not Kind.VAR_KEYWORD


def resolved(written: Written, scope: Scope) -> Iterator[Parameter]:
    """The parameter with its annotation resolved; ``**kwargs: Unpack[...]`` gives several."""
    if is_plain(written.annotation) and written.kind not in _VARIADIC:
        annotation = written.annotation
        if written.default is None:
            annotation = union(annotation, None)
        yield Parameter(written.name, written.name, written.kind, annotation, written.default)
        return
    written_as = Any if written.annotation is EMPTY else scope.resolve(written.annotation)
    annotation = expanded(written_as, scope)
    if written.kind is Kind.VAR_POSITIONAL:
        yield _rest(written.name, annotation)
    elif written.kind is Kind.VAR_KEYWORD and (options := unpacked(annotation)) is not None:
        yield from _unpacked(options, scope)
    elif written.kind is Kind.VAR_KEYWORD:
        yield Parameter(written.name, written.name, written.kind, annotation, OMITTED)
    else:
        yield _single(written, annotation)


def _single(written: Written, annotation: Annotation) -> Parameter:
    marked = split(annotation)
    role = Role.ARGUMENT
    if _is_context(marked.base):
        role = Role.CONTEXT
    elif marked.has(Configured):
        role = Role.CONFIGURED
    elif written.default is None and not _admits_none(marked.base):
        optional = _optional(marked.base)
        annotation = Annotated[(optional, *marked.marks)] if marked.marks else optional
    key = marked.name or written.name
    return Parameter(written.name, key, written.kind, annotation, written.default, role)


def _optional(base: Annotation) -> Annotation:
    try:
        return union(base, None)
    except TypeError:  # typing makes no union of what holds unhashable marks
        return base


def _rest(name: str, annotation: Annotation) -> Parameter:
    """``*args: T`` is an array of ``T``; ``*args: *tuple[...]`` is that tuple, with its items."""
    inner = unpacked(annotation)
    items: Annotation = GenericAlias(tuple, (annotation, ...))
    if inner is not None:
        items = inner if get_origin(inner) is tuple else tuple  # a variable is of any number
    parts = get_args(items)
    default = EMPTY if parts and parts[-1] is not ... else OMITTED
    return Parameter(name, name, Kind.VAR_POSITIONAL, items, default)


def _unpacked(annotation: Annotation, scope: Scope) -> Iterator[Parameter]:
    """``**kwargs: Unpack[Options]`` is a parameter for each key of the ``TypedDict``."""
    if is_typed_dict(annotation):
        for field in read(annotation, scope):
            default = EMPTY if field.is_required else OMITTED
            yield Parameter(field.name, field.key, Kind.KEYWORD_ONLY, field.type, default)


def _is_context(base: Annotation) -> bool:
    """``ToolContext``, a subclass, or either as an option."""
    kinds = (
        [kind for kind in get_args(base) if kind is not type(None)] if is_union(base) else [base]
    )
    return len(kinds) == 1 and isinstance(kinds[0], type) and issubclass(kinds[0], ToolContext)


def _admits_none(base: Annotation) -> bool:
    if isinstance(base, Recursive):
        base = base.value
    if is_union(base):
        return any(branch is type(None) for branch in get_args(base))
    return any(base is kind for kind in (Any, object, type(None)))
