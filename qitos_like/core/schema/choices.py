"""Rows of values that are chosen from a list: ``Literal``, ``Enum``, ``Flag``."""

import json
from collections.abc import Iterable, Sequence
from enum import Enum, Flag
from typing import Literal, cast, get_args, get_origin

from qitos_like.core.jsontypes import Json, Schema

from .annotations import Annotation
from .jsonkinds import SCALARS, kind_of
from .jsonvalues import NotJsonError, identity, to_json
from .rows import Hook, Inferring, RefusalError, Row, Structuring, shown
from .scalars import structure_anything, structure_integer

_LISTED_BITS = 5


def choice_schema(values: Iterable[Json]) -> Schema:
    """An ``enum``, with a type where all values share one."""
    choices = list(values)
    if choices == [None]:
        return {"type": "null"}
    kinds = {*map(kind_of, choices)}
    kind = kinds.pop() if len(kinds) == 1 and kinds.issubset(SCALARS) else None
    return {"type": kind, "enum": choices} if kind else {"enum": choices}


def choice_hook(choices: Sequence[tuple[Json, object]]) -> Hook:
    """A hook from the JSON form of a choice to the choice; 1 is not ``True`` here."""
    table = {identity(choice): value for choice, value in choices}
    allowed = ", ".join(json.dumps(choice, ensure_ascii=False) for choice, _ in choices)

    def hook(value: Json, _type: object = None) -> object:
        key = value if type(value) is str else identity(value)
        if key in table:
            return table[key]
        message = f"must be one of {allowed}, not {shown(value)}"
        raise RefusalError(message)

    return hook


def _literals(annotation: Annotation) -> list[tuple[Json, object]]:
    """Each choice as JSON, and the value that stands for it."""
    return [
        (_member_json(value) if isinstance(value, Enum) else to_json(value), value)
        for value in get_args(annotation)
    ]


def _members(annotation: Annotation) -> list[tuple[Json, object]]:
    return [(_member_json(member), member) for member in _enum(annotation)]


def _member_json(member: Enum) -> Json:
    """A member by its value, or by its name where the value is no JSON."""
    try:
        return to_json(member.value)
    except NotJsonError:
        return member.name


def _enum(annotation: Annotation) -> type[Enum]:
    return cast("type[Enum]", annotation)  # the row matches nothing else


def _is_literal(annotation: Annotation) -> bool:
    return get_origin(annotation) is Literal


def _is_enum(annotation: Annotation) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, Enum)


def _enum_schema(annotation: Annotation, inferring: Inferring) -> Schema:
    members = _members(annotation)
    if not members:
        return inferring.unknown(f"{_enum(annotation).__qualname__} has no members")
    return choice_schema(choice for choice, _ in members)


def _enum_hook(annotation: Annotation, _structuring: Structuring) -> Hook:
    members = _members(annotation)
    return choice_hook(members) if members else structure_anything


def _is_flag(annotation: Annotation) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, Flag)


def _flag_schema(annotation: Annotation, _inferring: Inferring) -> Schema:
    """The bits of a flag add up to an integer; their names are told in words."""
    members = _enum(annotation)
    named = ", ".join(f"{member.name}={member.value}" for member in members)
    return {
        "type": "integer",
        **_flag_range([member.value for member in members]),
        "description": f"a sum of {named}",
    }


def _flag_range(bits: Sequence[int]) -> Schema:
    """Every sum of the bits: a range, or a list where bits are missing in between."""
    total = sum(bits)
    has_gaps = total & (total + 1) != 0
    if has_gaps and len(bits) <= _LISTED_BITS:
        sums = [0]
        for bit in bits:
            sums += [bit + other for other in sums]
        return {"enum": sorted(sums)}
    return {"minimum": 0, "maximum": total}


def _flag_hook(annotation: Annotation, _structuring: Structuring) -> Hook:
    members = _enum(annotation)
    names = [f"{member.name}={member.value}" for member in members]
    total = sum(member.value for member in members)

    def hook(value: Json, _type: object = None) -> object:
        number = structure_integer(value)
        if number < 0 or number & ~total:
            message = f"must be a sum of {', '.join(names)}, not {shown(value)}"
            raise RefusalError(message)
        return members(number)

    return hook


CHOICES = (
    Row(
        _is_literal,
        lambda annotation, _inferring: choice_schema(choice for choice, _ in _literals(annotation)),
        lambda annotation, _structuring: choice_hook(_literals(annotation)),
    ),
    Row(_is_flag, _flag_schema, _flag_hook),
    Row(_is_enum, _enum_schema, _enum_hook),
)
