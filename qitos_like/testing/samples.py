"""Values as a JSON Schema has them."""

from collections.abc import Callable
from random import Random
from typing import Final

from qitos_like.core.jsontypes import Json, Schema

TEXTS: Final = (
    "", " ", "a", "src/a.py", "../..", "/", "~", "*", "null", "true", "0", "-1", "1e400", "[1]", '{"a": 1}',
    "'", '"', "\\", "\\u0000", "\n", "\r\n", "\t", "\x00", "\x1b[31m", "$(ls)", "%s{0}", "</tool>", "é", "日本語",
    "\u202e", "\ufeff", "\u2028", "👩‍👩‍👧", "\ud83d", "\udc80", "x" * 5_000, "2026-02-30", "artifact:1",
)  # fmt: skip
_INTEGERS = (0, 1, -1, 2, 7, 100, 2**31, -(2**63), 2**64, 10**30)
_NUMBERS = (0.0, -0.0, 0.1, 1.0, -2.5, 1e-300, 1e300, 7)
_DEEP = 6
_TOO_DEEP = 12
_MORE = 3
_RANGE = 100


class Sampler:
    """Makes values for one schema, and for those that it refers to.

    Patterns, formats and conditions are not looked at.

    >>> schema = {"type": "array", "items": {"const": 1}, "minItems": 2, "maxItems": 2}
    >>> Sampler(Random(0), schema).value(schema, 0)
    [1, 1]
    """

    def __init__(self, source: Random, root: Schema) -> None:
        self.source = source
        self.root = root

    def value(self, schema: Json, depth: int) -> Json:
        """A value; from some depth on the shortest that there is."""
        if not isinstance(schema, dict) or depth > _TOO_DEEP:
            return self.source.choice(TEXTS)
        for keyword, make in _BY_KEYWORD:
            if keyword in schema:
                return make(self, schema, depth)
        return self.source.choice(TEXTS)


def _referred(sampler: Sampler, schema: Schema, depth: int) -> Json:
    target: Json = sampler.root
    for step in str(schema["$ref"]).removeprefix("#").split("/")[1:]:
        target = target.get(step.replace("~1", "/").replace("~0", "~"), {})
    return sampler.value(target, depth + 1)


def _constant(_sampler: Sampler, schema: Schema, _depth: int) -> Json:
    return schema["const"]


def _listed(sampler: Sampler, schema: Schema, _depth: int) -> Json:
    return sampler.source.choice(schema["enum"])


def _alternative(sampler: Sampler, schema: Schema, depth: int) -> Json:
    choices = schema.get("anyOf") or schema["oneOf"]
    if depth > _DEEP and {"type": "null"} in choices:
        return None
    return sampler.value(sampler.source.choice(choices), depth + 1)


def _typed(sampler: Sampler, schema: Schema, depth: int) -> Json:
    kind = schema["type"]
    if isinstance(kind, list):
        kind = sampler.source.choice(kind)
    return _BY_TYPE[kind](sampler, schema, depth)


def _object(sampler: Sampler, schema: Schema, depth: int) -> Json:
    properties = schema.get("properties", {})
    required = schema.get("required", ())
    made = {
        name: sampler.value(part, depth + 1)
        for name, part in properties.items()
        if name in required or (depth <= _DEEP and sampler.source.random() < 1 / 2)
    }
    others = schema.get("additionalProperties")
    if isinstance(others, dict) and depth <= _DEEP:
        made |= {name: sampler.value(others, depth + 1) for name in sampler.source.sample(TEXTS, 2)}
    return made


def _array(sampler: Sampler, schema: Schema, depth: int) -> Json:
    first = [sampler.value(part, depth + 1) for part in schema.get("prefixItems", ())]
    least = schema.get("minItems", 0)
    most = min(schema.get("maxItems", least + _MORE), least + (_MORE if depth <= _DEEP else 0))
    more = max(sampler.source.randint(least, max(least, most)) - len(first), 0)
    items = schema.get("items", {})
    return [*first, *(sampler.value(items, depth + 1) for _ in range(more if items else 0))]


def _text(sampler: Sampler, schema: Schema, _depth: int) -> Json:
    text = sampler.source.choice(TEXTS).ljust(schema.get("minLength", 0), "é")
    return text[: schema.get("maxLength")]


def _integer(sampler: Sampler, schema: Schema, _depth: int) -> Json:
    if "minimum" not in schema and "maximum" not in schema:
        return sampler.source.choice(_INTEGERS)
    least = schema.get("minimum", schema.get("maximum", 0) - _RANGE)
    most = schema.get("maximum", least + _RANGE)
    return sampler.source.randint(int(least), int(most))


def _number(sampler: Sampler, schema: Schema, depth: int) -> Json:
    bounded = "minimum" in schema or "maximum" in schema
    return _integer(sampler, schema, depth) if bounded else sampler.source.choice(_NUMBERS)


def _boolean(sampler: Sampler, _schema: Schema, _depth: int) -> Json:
    return sampler.source.random() < 1 / 2


def _null(_sampler: Sampler, _schema: Schema, _depth: int) -> Json:
    return None


_Make = Callable[[Sampler, Schema, int], Json]

_BY_TYPE: dict[str, _Make] = {
    "object": _object,
    "array": _array,
    "string": _text,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "null": _null,
}

_BY_KEYWORD: tuple[tuple[str, _Make], ...] = (
    ("$ref", _referred),
    ("const", _constant),
    ("enum", _listed),
    ("anyOf", _alternative),
    ("oneOf", _alternative),
    ("type", _typed),
    ("properties", _object),
)
