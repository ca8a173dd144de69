"""Rows of unions: the branch that a value fits is the one that takes it."""

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import TypeAlias, get_args

from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.raised import text_of

from .annotations import Annotation, is_union
from .jsonkinds import JSON_TYPES, json_types, listed
from .rows import Hook, Inferring, Part, RefusalError, Row, Structuring, shown

#: A branch and the JSON types that it admits, ``None`` for all.
_Typed: TypeAlias = tuple[Annotation, set[str] | None]
#: Keywords that speak of a value of any type, so that branches with them stay apart.
_OF_ANY_TYPE = frozenset({"enum", "const", "anyOf", "oneOf", "allOf", "not", "$ref"})


def union_schema(branches: Sequence[Schema]) -> Schema:
    """One schema for any of these, in the smallest form that says the same.

    Branches whose keywords cannot be mistaken for each other's are merged under one list of
    types; the others stand in ``anyOf``; null comes last.
    """
    distinct: list[Schema] = []
    for branch in branches:
        if not branch:
            return {}
        distinct += [inner for inner in _flat(branch) if inner not in distinct]
    distinct.sort(key=_is_null)
    if len(distinct) == 1:
        return distinct[0]
    return _merged(distinct) or {"anyOf": distinct}


def _flat(branch: Schema) -> list[Schema]:
    """The branches of a branch that is a union itself."""
    if branch.keys() == {"anyOf"}:
        inner: list[Schema] = branch["anyOf"]
        return inner
    return [branch]


def _is_null(branch: Schema) -> bool:
    return branch == {"type": "null"}


def _merged(branches: Sequence[Schema]) -> Schema | None:
    """One schema with a list of types, if at most one branch says more than its type."""
    first = branches[0]
    if len(branches) == 2 and _is_null(branches[1]) and "enum" in first:  # noqa: PLR2004 (choices and null)
        return _choices_or_null(first)
    said = [branch for branch in branches if branch.keys() != {"type"}]
    if len(said) > 1 or any("type" not in branch for branch in branches):
        return None
    kinds = [kind for branch in branches for kind in listed(branch["type"])]
    is_numeric_twice = bool(said) and {"integer", "number"} <= set(kinds)
    if is_numeric_twice or len(set(kinds)) < len(kinds) or any(map(_is_of_any_type, said)):
        return None
    merged: Schema = {"type": kinds}
    for branch in said:
        merged |= {keyword: value for keyword, value in branch.items() if keyword != "type"}
    return merged


def _is_of_any_type(branch: Schema) -> bool:
    return not _OF_ANY_TYPE.isdisjoint(branch)


def _choices_or_null(branch: Schema) -> Schema | None:
    if not branch.keys() <= {"type", "enum"} or None in branch["enum"]:
        return None
    kinds = {"type": [*listed(branch["type"]), "null"]} if "type" in branch else {}
    return {**kinds, "enum": [*branch["enum"], None]}


def _schema(annotation: Annotation, inferring: Inferring) -> Schema:
    return union_schema([inferring.schema(branch) for branch in get_args(annotation)])


def _hook(annotation: Annotation, structuring: Structuring) -> Hook:
    typed = _typed(annotation, structuring)
    by_type = {
        kind: [structuring.hook(branch) for branch in _candidates(typed, kind)]
        for kind in JSON_TYPES
    }
    names = sorted({name for _, admitted in typed for name in admitted or ()})
    expected = f"must be of type {' or '.join(names)}"

    only = {kind: hooks[0] for kind, hooks in by_type.items() if len(hooks) == 1}

    def hook(value: Json, _type: object = None) -> object:
        kind = type(value)
        if kind in only:
            return only[kind](value, None)
        reasons = []
        for candidate in by_type.get(kind, ()):
            try:
                return candidate(value, None)
            except Exception as error:  # a class's own constructor may raise anything
                reasons.append(text_of(error))
        raise RefusalError(
            "; or ".join(dict.fromkeys(reasons)) or f"{expected}, not {shown(value)}"
        )

    return hook


def _typed(annotation: Annotation, structuring: Structuring) -> list[_Typed]:
    """The branches, each with the JSON types that it admits."""
    found = [(branch, structuring.schema(branch)) for branch in get_args(annotation)]
    formats = [schema.get("format") for _, schema in found]
    if {"date", "date-time"} <= {*formats}:
        date, moment = formats.index("date"), formats.index("date-time")
        if moment < date:  # a date alone is read as a moment too
            found.insert(moment, found.pop(date))
    return [(branch, json_types(schema)) for branch, schema in found]


def _candidates(typed: Sequence[_Typed], kind: type) -> list[Annotation]:
    """The branches that may take a value of this type; the one that fits most closely first."""
    closest = {int: "integer", float: "number"}.get(kind)
    found = [
        (admitted is None or closest not in admitted, branch)
        for branch, admitted in typed
        if admitted is None or admitted & JSON_TYPES[kind]
    ]
    return [branch for _, branch in sorted(found, key=itemgetter(0))]


def _parts(annotation: Annotation, value: Json, structuring: Structuring) -> Iterator[Part]:
    """The one branch that may take the value, so that a refusal can look inside."""
    if type(value) in JSON_TYPES:
        candidates = _candidates(_typed(annotation, structuring), type(value))
        if len(candidates) == 1:
            yield Part(candidates[0], value)


UNIONS = (
    Row(
        is_union,
        _schema,
        _hook,
        _parts,
    ),
)
