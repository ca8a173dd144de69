"""Why arguments break a schema, in words for the model that sent them."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from qitos_like.core.jsontypes import Json
from qitos_like.core.names import did_you_mean
from qitos_like.core.schema.jsonkinds import kind_of
from qitos_like.core.schema.problems import Problem, json_path
from qitos_like.core.shapes import Speller, bounds

if TYPE_CHECKING:
    from jsonschema import ValidationError

_SHOWN_CHARS = 60
_SHOWN_VALUES = 20
_LONG_CHARS = 200


def explain(errors: "Iterable[ValidationError]") -> list[Problem]:
    """Each error as problems at their paths, none twice."""
    return list(dict.fromkeys(problem for error in errors for problem in _problems(error)))


def meant(error: "ValidationError") -> "list[ValidationError] | None":
    """What is wrong in the one member of a union that was meant, if there is one."""
    members: dict[Json, list[ValidationError]] = {}
    for inner in error.context or ():
        members.setdefault(inner.relative_schema_path[0], []).append(inner)
    likely = [
        errors for errors in members.values() if not any(_is_of_another_kind(e) for e in errors)
    ]
    return likely[0] if len(likely) == 1 else None


def shown(value: Json) -> str:
    """A value's type and the beginning of its JSON: ``string "4"``."""
    kind = kind_of(value)
    if value is None:
        return kind
    text = _json(value)
    return f"{kind} {text if len(text) <= _SHOWN_CHARS else f'{text[:_SHOWN_CHARS]}…'}"


def _problems(error: "ValidationError") -> Iterator[Problem]:
    by_keyword = _SPECIAL.get(str(error.validator))
    if by_keyword is not None:
        yield from by_keyword(error)
        return
    path, came = json_path(error.absolute_path), shown(error.instance)
    demanded = bounds({str(error.validator): error.validator_value})
    yield Problem(path, f"expected {demanded[0]}, got {came}" if demanded else _own_words(error))


def _type(error: "ValidationError") -> Iterator[Problem]:
    kinds: Json = error.validator_value
    expected = kinds if isinstance(kinds, str) else " or ".join(kinds)
    message = f"expected {expected}, got {shown(error.instance)}"
    yield Problem(json_path(error.absolute_path), message)


def _required(error: "ValidationError") -> Iterator[Problem]:
    schema, required, instance = _parts(error)
    properties = schema.get("properties", {})
    for name in required:
        if name not in instance:
            path = json_path((*error.absolute_path, name))
            kind = Speller({}).spell(properties.get(name, {}))
            yield Problem(path, f"missing, and required ({kind})")


def _unknown(error: "ValidationError") -> Iterator[Problem]:
    """Keys that the object may not have; a misspelt one is named with the nearest right one."""
    schema, _, instance = _parts(error)
    known = list(schema.get("properties", {}))
    patterns = schema.get("patternProperties", {})
    missing = [name for name in known if name not in instance]
    for name in instance:
        if name not in known and not any(re.search(pattern, name) for pattern in patterns):
            path = json_path((*error.absolute_path, name))
            near = did_you_mean(name, missing, 1) or did_you_mean(name, known, 1)
            others = f"; known: {_listed(known)}" if known else "; there are none"
            yield Problem(path, f"no such argument{near or others}")


def _values(error: "ValidationError") -> Iterator[Problem]:
    _, wanted, instance = _parts(error)
    allowed = wanted if error.validator == "enum" else [wanted]
    texts = [value for value in allowed if isinstance(value, str)]
    near = did_you_mean(instance, texts, 1) if isinstance(instance, str) else ""
    expected = f"one of {_listed(allowed)}" if len(allowed) > 1 else _listed(allowed)
    message = f"expected {expected}, got {shown(instance)}{near}"
    yield Problem(json_path(error.absolute_path), message)


def _union(error: "ValidationError") -> Iterator[Problem]:
    """What is wrong in the member that was meant; else what all of them expect."""
    inner = meant(error)
    if inner is not None:
        yield from explain(inner)
        return
    _, choices, instance = _parts(error)
    kinds = dict.fromkeys(map(Speller({}).spell, choices))
    only = "" if error.context else "only one of "  # a oneOf of which several members fit
    message = f"expected {only}{' or '.join(kinds)}, got {shown(instance)}"
    yield Problem(json_path(error.absolute_path), message)


def _is_of_another_kind(error: "ValidationError") -> bool:
    """Whether a member of a union was not meant: another type, or another tag in a field."""
    depth = len(error.relative_path)
    return (depth == 0 and error.validator in {"type", "enum", "const"}) or (
        depth == 1 and _is_one_value(error)
    )


def _is_one_value(error: "ValidationError") -> bool:
    """Whether the field may be one value alone, as a tag is."""
    allowed: Json = error.validator_value
    return error.validator == "const" or (error.validator == "enum" and len(allowed) == 1)


def _parts(error: "ValidationError") -> tuple[Json, Json, Json]:
    """The schema that is broken, what its keyword demands, and the data that breaks it."""
    return error.schema, error.validator_value, error.instance


def _own_words(error: "ValidationError") -> str:
    """What the validator says of a keyword that needs no words of ours."""
    message = error.message
    return message if len(message) <= _LONG_CHARS else f"{message[:_LONG_CHARS]}…"


def _listed(values: list[Json]) -> str:
    listed = ", ".join(map(_json, values[:_SHOWN_VALUES]))
    more = len(values) - _SHOWN_VALUES
    return f"{listed} and {more} more" if more > 0 else listed


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, default=repr)  # of a host's own options too


_Explanation = Callable[["ValidationError"], Iterator[Problem]]

_SPECIAL: dict[str, _Explanation] = {
    "type": _type,
    "required": _required,
    "additionalProperties": _unknown,
    "enum": _values,
    "const": _values,
    "anyOf": _union,
    "oneOf": _union,
}
