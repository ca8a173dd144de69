"""The arguments of a tool as one plain object, which is all that providers take on top."""

from collections.abc import Iterator, Sequence

from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.references import referred

from .notes import Finding

#: Keywords that providers refuse on top of a tool's schema.
_NOT_ON_TOP = frozenset(["anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else"])
#: The properties of a schema, and the names of those that have to be given.
_Folded = tuple[dict[str, Json], list[str]]


def plain_top(schema: Schema) -> tuple[Schema, list[Finding]]:
    """A schema with the properties of all its parts on top, and what of it is not told so.

    What is a property of some alternatives only is one, and none of them has to be given that not
    all of them demand.
    """
    root, schema = schema, _in_place(schema)
    refused = _NOT_ON_TOP & schema.keys()
    if not refused:
        return schema, []
    kept = {keyword: value for keyword, value in schema.items() if keyword not in refused}
    properties, required = _folded(schema, root, ())
    own = schema.get("properties", {})
    if properties.keys() - own.keys():
        kept.pop("additionalProperties", None)  # it speaks of the schema's own
    if properties:
        kept["properties"] = properties
    if required:
        kept["required"] = required
    return kept, [("$", f"{each} is not told: it is checked alone") for each in sorted(refused)]


def _in_place(root: Schema) -> Schema:
    """A schema that refers to another one as that one; itself if it does not."""
    schema, seen = root, []
    while (target := referred(root, schema)) is not None and target not in seen:
        seen.append(target)
        beside = {keyword: value for keyword, value in schema.items() if keyword != "$ref"}
        schema = {**target, **beside} if isinstance(target, dict) else beside
    return (
        {keyword: value for keyword, value in schema.items() if keyword != "$ref"} if seen else root
    )


def _folded(schema: Json, root: Schema, around: tuple[int, ...]) -> _Folded:
    """The properties of a schema and of its parts."""
    if not isinstance(schema, dict) or id(schema) in around:
        return {}, []
    properties: dict[str, Json] = dict(schema.get("properties", {}))
    required = list(schema.get("required", ()))
    is_closed = schema.get("additionalProperties") is False
    for alternatives in _parts(schema, root):
        more, needed = _united(
            [_folded(each, root, (*around, id(schema))) for each in alternatives]
        )
        if not is_closed:
            properties |= {name: part for name, part in more.items() if name not in properties}
        required += [name for name in needed if name not in required]
    return properties, required


def _parts(schema: Schema, root: Schema) -> Iterator[Sequence[Json]]:
    """What holds beside the schema's own keywords, each part as its alternatives."""
    target = referred(root, schema)
    if target is not None:
        yield [target]
    yield from ([member] for member in schema.get("allOf", ()))
    yield from (schema[keyword] for keyword in ("anyOf", "oneOf") if keyword in schema)
    yield from ([True, schema[keyword]] for keyword in ("then", "else") if keyword in schema)


def _united(alternatives: Sequence[_Folded]) -> _Folded:
    """All properties of any, each as any of them has it; required is what all require."""
    found: dict[str, list[Json]] = {}
    for properties, _ in alternatives:
        for name, part in properties.items():
            known = found.setdefault(name, [])
            if part not in known:
                known.append(part)
    united = {
        name: known[0] if len(known) == 1 else {"anyOf": known} for name, known in found.items()
    }
    first = alternatives[0][1]
    return united, [name for name in first if all(name in needed for _, needed in alternatives)]
