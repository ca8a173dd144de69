"""The door to the table of types, which is loaded when a schema or an argument is first needed.

It takes as long to import as the rest of ``core``'s schemas, and registering a common signature
does without; so do the rules for schemas that an author wrote.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from qitos_like.core.jsontypes import Json, Schema

if TYPE_CHECKING:
    from .annotations import Annotation, Scope
    from .arguments import ArgumentStructurer
    from .docstring_entries import ParameterText
    from .parameters import Parameter


@cache
def schema_of_parameters() -> (
    "Callable[[Sequence[Parameter], Mapping[str, ParameterText], Scope], Schema]"
):
    """The function from the parameters of a signature to their schema."""
    from .inferred import object_of

    return object_of


@cache
def unknown_parts() -> "Callable[[Annotation, Scope], list[str]]":
    """The function that says which parts of an annotation have no schema."""
    from .inferred import unknown_parts

    return unknown_parts


@cache
def argument_structurer() -> "type[ArgumentStructurer]":
    """The class that makes a model's arguments the annotated types."""
    from .arguments import ArgumentStructurer

    return ArgumentStructurer


def object_schema(parameters: Json, required: Iterable[str] = (), *, tool: str | None) -> Schema:
    """The one JSON Schema object that an author's ``parameters`` stand for, as a copy.

    Raises:
        SchemaError: they stand for none.
    """
    from . import explicit

    return explicit.object_schema(parameters, required, tool=tool)


def check_schema(schema: Schema, *, tool: str | None) -> None:
    """Return if the schema is valid by the 2020-12 meta-schema and has no loose ends.

    Raises:
        SchemaError: it is not; the text says where and why.
    """
    from . import explicit

    explicit.check_schema(schema, tool=tool)
