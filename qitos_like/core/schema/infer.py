"""The table of types, and the schemas that it gives."""

import re
from collections.abc import Callable, Container
from typing import get_args

from qitos_like.core.jsontypes import Schema

from .aliases import ALIASES
from .annotations import Annotation, Scope
from .arrays import ARRAYS
from .choices import CHOICES
from .constraints import CONSTRAINTS
from .definitions import inlined, reference
from .jsonkinds import json_types
from .mappings import MAPPINGS
from .models import MODELS
from .records import RECORDS
from .rows import Inferring, Row
from .scalars import SCALAR_CLASSES, SCALARS, anything_hook
from .texts import TEXTS
from .tuples import TUPLES
from .unions import UNIONS


def _nothing_known(annotation: Annotation, inferring: Inferring) -> Schema:
    return inferring.unknown(f"{display(annotation)} has no JSON Schema")


#: A row for each family of types; the first that matches is the one, the last matches all.
ROWS: tuple[Row, ...] = (
    *SCALARS,
    *CONSTRAINTS,
    *UNIONS,
    *CHOICES,
    *SCALAR_CLASSES,
    *TEXTS,
    *ARRAYS,
    *MAPPINGS,
    *MODELS,
    *RECORDS,
    *TUPLES,
    *ALIASES,
    Row(lambda _annotation: True, _nothing_known, anything_hook),
)


def row_of(annotation: Annotation) -> Row:
    """The row of an annotation that is resolved."""
    return next(row for row in ROWS if row.matches(annotation))


def display(annotation: Annotation) -> str:
    """An annotation as its author wrote it, nearly."""
    return annotation.__qualname__ if isinstance(annotation, type) else str(annotation)


class Inference:
    """One schema in the making; it collects what stands under ``$defs`` and what is unknown.

    >>> Inference(Scope()).schema(list[int])
    {'type': 'array', 'items': {'type': 'integer'}}
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        #: Why a part of the schema admits any value, in the order found.
        self.reasons: list[str] = []
        self._names: dict[object, str] = {}
        self._definitions: dict[str, Schema] = {}
        self._recursive: set[str] = set()

    def schema(self, annotation: Annotation) -> Schema:
        """The schema of an annotation, with references to definitions."""
        return row_of(annotation).schema(annotation, self)

    def define(self, annotation: Annotation, name: str, build: Callable[[], Schema]) -> Schema:
        """A reference to a schema under ``$defs``, which is built once."""
        key = _key(annotation)
        if key not in self._names:
            unique = _unique(_with_arguments(name, annotation), self._definitions)
            self._names[key] = unique
            self._definitions[unique] = {}  # the name is taken while the schema is built
            self._definitions[unique] = build()
        elif not self._definitions[self._names[key]]:
            self._recursive.add(self._names[key])
        return reference(self._names[key])

    def define_alias(
        self, annotation: Annotation, name: str, build: Callable[[], Schema]
    ) -> Schema:
        """The schema itself, or a reference to it if it refers to itself."""
        schema = self.define(annotation, name, build)
        unique = self._names[_key(annotation)]
        if unique in self._recursive:
            return schema
        del self._names[_key(annotation)]
        return self._definitions.pop(unique)

    def json_types(self, schema: Schema) -> set[str] | None:
        """The JSON types that one of its schemas may admit; ``None`` for all."""
        return json_types(schema, self._definitions)

    def unknown(self, reason: str) -> Schema:
        """The schema of any value; the reason is kept."""
        if reason not in self.reasons:
            self.reasons.append(reason)
        return {}

    def finished(self, schema: Schema) -> Schema:
        """The schema on its own: what is referred to once stands in its place, the rest below."""
        return inlined(schema, self._definitions)


def _key(annotation: Annotation) -> object:
    """What tells definitions apart; marks in arguments may be unhashable."""
    try:
        hash(annotation)
    except TypeError:
        return repr(annotation)
    return annotation


def _with_arguments(name: str, annotation: Annotation) -> str:
    """``Box_int`` for ``Box[int]``."""
    parts = [name, *map(display, get_args(annotation))]
    return re.sub(r"\W+", "_", "_".join(parts)).strip("_")


def _unique(name: str, taken: Container[str]) -> str:
    number = 2
    unique = name
    while unique in taken:
        unique = f"{name}_{number}"
        number += 1
    return unique
