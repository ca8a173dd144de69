"""Values as a JSON Schema has them."""

from collections.abc import Callable
from math import ceil, floor
from random import Random
from typing import Final

from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.references import referred
from qitos_like.core.schema.jsonvalues import identity

TEXTS: Final = (
    "", " ", "a", "src/a.py", "../..", "/", "~", "*", "null", "true", "0", "-1", "1e400", "[1]", '{"a": 1}',
    "'", '"', "\\", "\\u0000", "\n", "\r\n", "\t", "\x00", "\x1b[31m", "$(ls)", "%s{0}", "</tool>", "é", "日本語",
    "\u202e", "\ufeff", "\u2028", "👩‍👩‍👧", "\ud83d", "\udc80", "x" * 5_000, "2026-02-30", "artifact:1",
)  # fmt: skip
_INTEGERS = (0, 1, -1, 2, 7, 100, 2**31, -(2**63), 2**64, 10**30)
_NUMBERS = (0.0, -0.0, 0.1, 1.0, -2.5, 1e-300, 1e300, 7)
#: Texts of a format, of which odd ones are made too.
_FORMATS = {
    "date-time": ("2024-05-31T12:00:00+00:00", "1999-12-31T23:59:59Z"),
    "date": ("2024-05-31", "0001-01-01", "9999-12-31"),
    "time": ("12:30:00", "00:00:00.000001"),
    "duration": ("P1DT2H", "PT0S", "-PT1.5S"),
    "uuid": ("12345678-1234-5678-1234-567812345678", "0" * 32),
    "decimal": ("1.50", "-0", "1e-9"),
    "ipv4": ("127.0.0.1",),
    "ipv6": ("::1",),
    "regex": ("^a+$", ""),
    "uri": ("https://example.org/a?b#c",),
    "email": ("someone@example.org",),
    "base64": ("aGk=", ""),
}
_MOSTLY = 0.9
_TINY = 1e-6
_DEEP = 6
_TOO_DEEP = 12
_MORE = 3
_RANGE = 100


class Sampler:
    """Makes values for one schema, and for those that it refers to.

    Patterns and conditions are not looked at; one text in ten is not of its format.

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
    return sampler.value(referred(sampler.root, schema), depth + 1)


def _constant(_sampler: Sampler, schema: Schema, _depth: int) -> Json:
    return schema["const"]


def _listed(sampler: Sampler, schema: Schema, _depth: int) -> Json:
    return sampler.source.choice(schema["enum"] or [None])


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
        names = {"type": "string", **schema.get("propertyNames", {})}
        more = {str(sampler.value(names, depth + 1)) for _ in range(2)}
        made |= {name: sampler.value(others, depth + 1) for name in sorted(more)}
    return made


def _array(sampler: Sampler, schema: Schema, depth: int) -> Json:
    first = [sampler.value(part, depth + 1) for part in schema.get("prefixItems", ())]
    least = schema.get("minItems", 0)
    most = min(schema.get("maxItems", least + _MORE), least + (_MORE if depth <= _DEEP else 0))
    more = max(sampler.source.randint(least, max(least, most)) - len(first), 0)
    items = schema.get("items", {})
    made = [*first, *(sampler.value(items, depth + 1) for _ in range(more))]
    return (
        list({identity(item): item for item in made}.values()) if "uniqueItems" in schema else made
    )


def _text(sampler: Sampler, schema: Schema, _depth: int) -> Json:
    if "format" in schema or "contentEncoding" in schema:
        written = _FORMATS.get(schema.get("format", "base64"))
        if written is not None and sampler.source.random() < _MOSTLY:
            return sampler.source.choice(written)
    text = sampler.source.choice(TEXTS).ljust(schema.get("minLength", 0), "é")
    return text[: schema.get("maxLength")]


def _integer(sampler: Sampler, schema: Schema, _depth: int) -> Json:
    least, most = _bounds(schema, 1)
    step = int(schema.get("multipleOf", 1)) or 1
    if least is None and most is None:
        return sampler.source.choice(_INTEGERS) * step
    least = floor(most) - _RANGE * step if least is None else ceil(least)
    most = least + _RANGE * step if most is None else floor(most)
    return (
        sampler.source.randint(ceil(least / step), max(floor(most / step), ceil(least / step)))
        * step
    )


def _number(sampler: Sampler, schema: Schema, _depth: int) -> Json:
    least, most = _bounds(schema, _TINY)
    if least is None and most is None:
        return sampler.source.choice(_NUMBERS)
    least = most - _RANGE if least is None else least
    most = least + _RANGE if most is None else most
    return sampler.source.uniform(least, most)


def _bounds(schema: Schema, above: float) -> tuple[Json, Json]:
    """The least and the greatest number, ``None`` for none."""
    least = [
        schema[key] + gap
        for key, gap in (("minimum", 0), ("exclusiveMinimum", above))
        if key in schema
    ]
    most = [
        schema[key] - gap
        for key, gap in (("maximum", 0), ("exclusiveMaximum", above))
        if key in schema
    ]
    return max(least, default=None), min(most, default=None)


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
