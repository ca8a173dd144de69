"""Annotations resolved one by one: text and forward references become types.

Resolving never fails. A name that nothing knows, such as one imported under ``TYPE_CHECKING``,
becomes a subclass of ``Unresolved`` that stands for any value.
"""

import ast
import builtins
import collections.abc
import sys
import types
from collections.abc import Callable, Mapping
from typing import (
    Annotated,
    Any,
    ClassVar,
    ForwardRef,
    Literal,
    Self,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
)

from qitos_like.core.context import ToolContext
from qitos_like.core.jsontypes import Json
from qitos_like.core.marks import CommandArg, Configured, Name, PathArg

#: A type as it may stand in an annotation: a class, a generic alias, a special form, a variable.
Annotation: TypeAlias = object
#: What type variables stand for.
Bindings: TypeAlias = Mapping[Annotation, Annotation]

#: Annotations that mean themselves, so that the common parameter costs one look.
_PLAIN = frozenset({str, int, float, bool})
#: Our own names, for annotations whose imports were left to the type checker.
_OURS: dict[str, object] = {
    known.__name__: known for known in (ToolContext, PathArg, CommandArg, Configured, Name)
}


class Unresolved:
    """Stands for a name that is not known while running; each name gets its own subclass.

    Attributes:
        text: the name, or the whole annotation where it is no type.
    """

    text: ClassVar[str] = ""

    def __class_getitem__(cls, _item: object) -> type["Unresolved"]:
        return cls


def unresolved(text: str) -> type[Unresolved]:
    """The stand-in for this name."""
    return type("Unresolved", (Unresolved,), {"text": text})


class Recursive:
    """A plain alias that mentions itself: ``JSON = dict[str, "JSON"] | list["JSON"] | str``.

    Attributes:
        name: the name by which it does.
        value: what it stands for, resolved.
    """

    def __init__(self, name: str, written: Annotation) -> None:
        self.name = name
        self.value: Annotation = Any
        self._written = written

    def __repr__(self) -> str:
        """Its name alone, as it holds itself."""
        return self.name

    def __eq__(self, other: object) -> bool:
        """Whether both are the same alias."""
        return isinstance(other, Recursive) and self._written is other._written

    def __hash__(self) -> int:
        """Of the alias."""
        return hash((Recursive, id(self._written)))


class Scope:
    """Where the names of an annotation are looked up: the nearest mapping first, builtins last.

    Attributes:
        bindings: what type variables, and ``Self``, stand for here.

    >>> Scope({"Age": int}).resolve("list[Age]")
    list[int]
    """

    __slots__ = ("_layers", "bindings")

    def __init__(self, *layers: Mapping[str, object], bindings: Bindings | None = None) -> None:
        self._layers = layers
        self.bindings: Bindings = bindings or {}

    def __getitem__(self, name: str) -> object:
        """What the name means; never a ``KeyError``, so that ``eval`` takes it for local names."""
        for layer in self._layers:
            if name in layer:
                return layer[name]
        if name in _OURS:
            return _OURS[name]
        missing = object()
        builtin = getattr(builtins, name, missing)
        return unresolved(name) if builtin is missing else builtin

    def inside(self, *layers: Mapping[str, object], bindings: Bindings | None = None) -> "Scope":
        """This scope with nearer layers, and other bindings."""
        return Scope(*layers, *self._layers, bindings=bindings)

    def resolve(self, annotation: Annotation) -> Annotation:
        """The annotation without text or forward references in it, its variables bound."""
        return bound(self._resolved(annotation, {}), self.bindings)

    def _resolved(
        self, annotation: Annotation, around: "dict[int, Recursive | None]", name: str = "Recursive"
    ) -> Annotation:
        """The annotation; ``around`` are those that it stands in, which its names may mean again."""
        if isinstance(annotation, str):
            text = annotation.strip()
            known_as = text if text.isidentifier() else name
            return self._resolved(self._evaluated(text), around, known_as)
        if annotation is None:
            return types.NoneType
        if isinstance(annotation, ForwardRef):
            module = sys.modules.get(str(annotation.__forward_module__))
            scope = self.inside(vars(module)) if module else self
            return scope._resolved(annotation.__forward_arg__, around)  # noqa: SLF001 (of the same class)
        return self._made_of_parts(annotation, around, name)

    def _made_of_parts(
        self, annotation: Annotation, around: "dict[int, Recursive | None]", name: str
    ) -> Annotation:
        if get_origin(annotation) is None:
            return annotation
        key = id(annotation)
        if key in around:
            itself = around[key] = around[key] or Recursive(name, annotation)
            return itself
        around[key] = None
        resolved = rewritten(annotation, lambda part: self._resolved(part, around))
        recursive = around.pop(key)
        if recursive is None:
            return resolved
        recursive.value = resolved
        return recursive

    def _evaluated(self, text: str) -> Annotation:
        """What a text means, which is no text again."""
        seen: list[Annotation] = []
        meant: Annotation = text
        while isinstance(meant, str):
            if meant in seen:
                return unresolved(text)
            seen.append(meant)
            meant = self._once(meant.strip())
        return meant

    def _once(self, text: str) -> Annotation:
        if text.isidentifier():
            return None if text == "None" else self[text]
        try:
            # what a tool's author wrote as an annotation; its names are ours to look up
            names = cast("dict[str, object]", self)
            code = compile(_unquoted(text), "<annotation>", "eval")
            return cast(Annotation, eval(code, {"__builtins__": vars(builtins)}, names))  # noqa: S307
        except Exception:  # the author's text: whatever it raises, the parameter takes any value
            return unresolved(text)


def _unquoted(text: str) -> ast.Expression | str:
    """The text; if it has a union with a text in it, which is no union yet, without the quotes."""
    if "|" not in text or not ("'" in text or '"' in text):
        return text
    tree = ast.parse(text, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            node.left, node.right = _meant(node.left), _meant(node.right)
    return ast.fix_missing_locations(tree)


def _meant(branch: ast.expr) -> ast.expr:
    if isinstance(branch, ast.Constant) and isinstance(branch.value, str):
        return ast.parse(branch.value, mode="eval").body
    return branch


def rewritten(annotation: Annotation, change: Callable[[Annotation], Annotation]) -> Annotation:
    """The same generic alias with its arguments changed; anything else as it is."""
    origin = get_origin(annotation)
    if origin in {None, Literal, collections.abc.Callable}:
        return annotation
    old = get_args(annotation)
    changing = 1 if origin is Annotated else len(old)
    new = (*map(change, old[:changing]), *old[changing:])
    if all(before is after for before, after in zip(old, new, strict=True)):
        return annotation
    return _alias(annotation, origin, new)


def _alias(annotation: Annotation, origin: Json, arguments: tuple[Annotation, ...]) -> Annotation:
    """A generic alias like another one, of these arguments."""
    if origin is Annotated:
        return Annotated[arguments]
    if origin in {Union, types.UnionType}:
        return union(*arguments)
    if isinstance(annotation, types.GenericAlias):
        alias = types.GenericAlias(origin, arguments)
        return next(iter(alias)) if annotation.__unpacked__ else alias
    copy_with = getattr(annotation, "copy_with", None)
    return cast(Annotation, copy_with(arguments) if copy_with else origin[arguments])


def is_union(annotation: Annotation) -> bool:
    """Whether this is a union in either spelling."""
    return get_origin(annotation) in {Union, types.UnionType}


def is_plain(annotation: Annotation) -> bool:
    """Whether an annotation is one of the common scalars."""
    return type(annotation) is type and annotation in _PLAIN


def is_known(annotation: Annotation) -> bool:
    """Whether an annotation surely has a schema: scalars, and what is made of them alone.

    It is a quick yes for common annotations; the type table decides on the others.
    """
    if is_plain(annotation) or any(annotation is kind for kind in (Any, types.NoneType)):
        return True
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return is_known(arguments[0])
    if origin is dict:
        return arguments[:1] == (str,) and is_known(arguments[1])
    is_made_of_parts = origin in {list, Union, types.UnionType}
    return origin is Literal or (is_made_of_parts and all(map(is_known, arguments)))


def union(*branches: Annotation) -> Annotation:
    """The union of these; of one, itself."""
    return cast(Annotation, Union[branches])  # noqa: UP007 (made of values)


def bound(annotation: Annotation, bindings: Bindings) -> Annotation:
    """The annotation with what its type variables stand for in their place."""
    if not bindings:
        return annotation
    if isinstance(annotation, TypeVar) or annotation is Self:
        return bindings.get(annotation, annotation)
    return rewritten(annotation, lambda part: bound(part, bindings))


def unpacked(annotation: Annotation) -> Annotation | None:
    """What ``*tuple[int, str]`` or ``Unpack[Options]`` unpacks; ``None`` for any other.

    ``Unpack`` is known by its name: that of typing_extensions may be another one.
    """
    if getattr(get_origin(annotation), "_name", None) == "Unpack":
        inner: Annotation = get_args(annotation)[0]
        return inner
    if getattr(annotation, "__unpacked__", False):
        return types.GenericAlias(tuple, get_args(annotation))
    return None
