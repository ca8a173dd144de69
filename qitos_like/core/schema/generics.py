"""What type variables stand for in a class and in each of its bases."""

from typing import Generic, Protocol, Self, get_args, get_origin

from .annotations import Annotation, Bindings, bound


def class_of(annotation: Annotation) -> type:
    """The class of a generic alias, or the class itself."""
    origin = get_origin(annotation) or annotation
    return origin if isinstance(origin, type) else type(None)


def bases_of(annotation: Annotation) -> dict[type, Bindings]:
    """The class and its bases, each with what its type variables stand for; ``Self`` is the class."""
    found: dict[type, Bindings] = {}

    def walk(alias: Annotation) -> None:
        owner = class_of(alias)
        variables = getattr(owner, "__parameters__", ())
        arguments = zip(variables, get_args(alias), strict=False)
        found[owner] = {Self: annotation, **dict(arguments)}
        for base in vars(owner).get("__orig_bases__", owner.__bases__):
            if get_origin(base) not in {Generic, Protocol}:
                walk(bound(base, found[owner]))

    walk(annotation)
    return found
