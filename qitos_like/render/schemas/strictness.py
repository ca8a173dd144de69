"""Whether a schema can be enforced while a model writes, by what each provider's grammar knows."""

import re
from collections.abc import Iterator
from itertools import combinations

from attrs import frozen

from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.references import referred
from qitos_like.core.schema.problems import path_step

from .kinds import ANNOTATIONS, allowed, is_flat, kinds
from .notes import Finding, parts
from .nulls import admits_null, alternatives, are_apart, has_optional, is_optional

_BASIC = frozenset(
    [
        "type",
        "enum",
        "const",
        "anyOf",
        "$ref",
        "$defs",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "format",
        "pattern",
        "minItems",
    ]
)
_FORMATS = frozenset(
    ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"]
)
_SAYS_A_TYPE = frozenset(["type", "enum", "const", "anyOf", "$ref"])
#: Lookaround, back references and word borders, which no grammar of a provider has.
_BEYOND_GRAMMAR = re.compile(r"\(\?[=!<]|\\[1-9bB]|\(\?P=")


@frozen
class Grammar:
    """What a provider's strict mode can say.

    Attributes:
        keywords: of JSON Schema.
        formats: of texts.
        is_recursive: whether a schema may refer to itself.
        needs_all: whether each property must be sent, so that optional ones become nullable.
        most_min_items: the largest ``minItems``.
        max_optional: how many parameters may be optional, at any depth.
        max_depth: how deep objects and lists may be nested.
        max_properties, max_enum: how many names and values there may be in all.
    """

    keywords: frozenset[str]
    formats: frozenset[str] = _FORMATS
    is_recursive: bool = True
    needs_all: bool = False
    most_min_items: float = float("inf")
    max_optional: float = float("inf")
    max_depth: float = float("inf")
    max_properties: float = float("inf")
    max_enum: float = float("inf")


#: developers.openai.com/api/docs/guides/structured-outputs, "Supported schemas".
OPENAI = Grammar(
    _BASIC
    | {"maxItems", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
    needs_all=True,
    max_depth=10,
    max_properties=5_000,
    max_enum=1_000,
)
#: platform.claude.com/docs/en/build-with-claude/structured-outputs, "JSON Schema limitations".
ANTHROPIC = Grammar(
    _BASIC, _FORMATS | {"uri"}, is_recursive=False, most_min_items=1, max_optional=24
)


def obstacles(schema: Schema, grammar: Grammar) -> list[Finding]:
    """Each place that a strict form could not say without loss; none if there is one."""
    if is_flat(schema):
        return []
    search = _Search(schema, grammar)
    found = list(dict.fromkeys(search.walk(schema, "$", ())))
    if "anyOf" in schema or "$ref" in schema or "enum" in schema or "const" in schema:
        found.append(("$", "the arguments as a whole have to be one object"))
    return found or list(_sizes(schema, grammar))


def optional_count(schema: Schema) -> int:
    """How many parameters may be left out, at any depth."""
    return sum(
        is_optional(name, each) for _, each in _nested(schema, 1) for name in _properties(each)
    )


@frozen
class _Search:
    root: Schema
    grammar: Grammar

    def walk(self, schema: Json, path: str, around: tuple[int, ...]) -> Iterator[Finding]:
        """What stands in the way in a schema and in those inside it."""
        if not isinstance(schema, dict) or _SAYS_A_TYPE.isdisjoint(schema):
            yield path, "takes any value"
            return
        yield from ((path, reason) for reason in self._reasons(schema))
        if self.grammar.needs_all:
            yield from self._null_reasons(schema, path)
        target = referred(self.root, schema)
        if target is not None:
            if id(target) not in around:
                yield from self.walk(target, path, (*around, id(target)))
            elif not self.grammar.is_recursive:
                yield path, "refers to itself"
        for where, part in parts(schema, path):
            yield from self.walk(part, where, around)

    def _reasons(self, schema: Schema) -> Iterator[str]:
        unknown = schema.keys() - self.grammar.keywords - ANNOTATIONS
        yield from (f"has no place for {keyword}" for keyword in sorted(unknown))
        if schema.get("format", "date") not in self.grammar.formats:
            yield f"has no place for the format {schema['format']}"
        if _BEYOND_GRAMMAR.search(schema.get("pattern", "")):
            yield "has no place for the pattern's lookaround or references"
        if schema.get("minItems", 0) > self.grammar.most_min_items:
            yield "has no place for minItems"
        if any(isinstance(value, dict | list) for value in allowed(schema)):
            yield "has no place for objects and lists as allowed values"
        alone = {"anyOf", "$ref"} & schema.keys()
        if alone and schema.keys() - ANNOTATIONS - alone - {"$defs"}:
            yield f"has no place for anything beside {alone.pop()}"
        yield from _open_ends(schema)

    def _null_reasons(self, schema: Schema, path: str) -> Iterator[Finding]:
        for name, part in schema.get("properties", {}).items():
            if is_optional(name, schema) and admits_null(part, self.root):
                default = part.get("default", ...) if isinstance(part, dict) else ...
                if default is not None:
                    yield f"{path}{path_step(name)}", "null is a value here, and not the default"
        if "anyOf" not in schema:
            return
        members = alternatives(schema, self.root)
        for kind in ("object", "array"):
            same = [member for member in members if kind in kinds(member)]
            if any(self._is_unclear(one, other, kind) for one, other in combinations(same, 2)):
                yield path, "its alternatives cannot be told apart once all is sent"

    def _is_unclear(self, one: Schema, other: Schema, kind: str) -> bool:
        is_apart = kind == "object" and are_apart(one, other)
        return not is_apart and (has_optional(one, self.root) or has_optional(other, self.root))


def _open_ends(schema: Schema) -> Iterator[str]:
    if "object" in kinds(schema) and schema.get("additionalProperties") is not False:
        yield "takes keys that it does not name"
    if not set(schema.get("required", ())) <= schema.get("properties", {}).keys():
        yield "requires what it does not name"
    if "array" in kinds(schema) and "items" not in schema:
        yield "takes items of any type"
    reference = schema.get("$ref", "#/$defs/")
    if not reference.startswith("#/$defs/") or "/" in reference.removeprefix("#/$defs/"):
        yield f"has no place for the reference {reference}"


def _sizes(schema: Schema, grammar: Grammar) -> Iterator[Finding]:
    nested = list(_nested(schema, 1))
    counts = {
        "nested more than {:g} deep": (max(depth for depth, _ in nested), grammar.max_depth),
        "more than {:g} properties": (
            sum(len(_properties(each)) for _, each in nested),
            grammar.max_properties,
        ),
        "more than {:g} allowed values": (
            sum(len(each.get("enum", ())) for _, each in nested),
            grammar.max_enum,
        ),
        "more than {:g} optional parameters": (optional_count(schema), grammar.max_optional),
    }
    yield from (("$", words.format(most)) for words, (n, most) in counts.items() if n > most)


def _properties(schema: Schema) -> Schema:
    properties: Schema = schema.get("properties", {})
    return properties


def _nested(schema: Json, depth: int) -> Iterator[tuple[int, Schema]]:
    """Each schema inside one, with its depth; definitions count where they stand."""
    if isinstance(schema, dict):
        yield depth, schema
        for _, part in parts(schema, "$"):
            yield from _nested(part, depth + 1)
        for part in schema.get("$defs", {}).values():
            yield from _nested(part, depth + 1)
