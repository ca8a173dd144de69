"""What ``type`` statements stand for."""

import sys
from typing import Annotated, get_args, get_origin

from qitos_like.core.jsontypes import Json

from .annotations import Annotation, Scope, bound, is_union, union, unresolved


def statement_of(annotation: Annotation) -> Json:
    """The ``type`` statement behind an alias, or behind one with arguments."""
    return get_origin(annotation) or annotation


def is_statement(annotation: Annotation) -> bool:
    """Whether this is such an alias; its class exists from Python 3.12 on, and in typing_extensions."""
    return type(statement_of(annotation)).__name__ == "TypeAliasType"


def value_of(annotation: Annotation, scope: Scope) -> Annotation:
    """What an alias stands for, resolved; its own name means itself."""
    statement = statement_of(annotation)
    bindings = dict(zip(statement.__type_params__, get_args(annotation), strict=False))
    try:
        value = statement.__value__
    except NameError as error:  # evaluated only now
        return unresolved(str(error.name))
    module = sys.modules.get(statement.__module__)
    own = scope.inside({statement.__name__: statement}, vars(module) if module else {})
    return bound(own.resolve(value), bindings)


def expanded(annotation: Annotation, scope: Scope) -> Annotation:
    """The annotation with what aliases stand for on top of it, so that their marks are seen.

    One that mentions itself stays, and is told by its name.
    """
    if is_statement(annotation):
        value = value_of(annotation, scope)
        is_recursive = _mentions(value, statement_of(annotation))
        return annotation if is_recursive else expanded(value, scope)
    parts = get_args(annotation)
    if get_origin(annotation) is Annotated:
        base = expanded(parts[0], scope)
        return annotation if base is parts[0] else Annotated[(base, *parts[1:])]
    if is_union(annotation):
        branches = [expanded(each, scope) for each in parts]
        same = all(old is new for old, new in zip(parts, branches, strict=True))
        return annotation if same else union(*branches)
    return annotation


def _mentions(annotation: Annotation, statement: Json) -> bool:
    """Whether an alias is told by itself, directly or by way of another one."""
    pending, seen = [annotation], [statement]
    while pending:
        each = pending.pop()
        own = statement_of(each)
        if own is statement:
            return True
        pending += get_args(each)
        if is_statement(each) and not any(own is known for known in seen):
            seen.append(own)
            pending.append(getattr(own, "__value__", None))
    return False
