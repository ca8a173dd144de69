"""The door to the table of types, which is loaded when a schema or an argument is first needed.

It takes as long to import as the rest of ``core``'s schemas, and registering a common signature
does without.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from qitos_like.core.jsontypes import Schema

if TYPE_CHECKING:
    from .annotations import Annotation, Scope
    from .arguments import ArgumentStructurer
    from .docstrings import ParameterText
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
