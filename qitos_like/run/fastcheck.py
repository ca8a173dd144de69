"""A schema compiled to closures that say yes quickly; jsonschema has the last word on a no.

The closures know the keywords that our own schemas use. A schema with any other keyword is not
compiled, and what they do not accept is judged by jsonschema: speed never changes a verdict.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from qitos_like.core.jsontypes import Json

#: Whether a JSON value is surely valid.
Accepts = Callable[[Json], bool]

_ANNOTATIONS = frozenset(
    {
        "$comment",
        "$defs",
        "$id",
        "$schema",
        "default",
        "deprecated",
        "description",
        "examples",
        "format",
        "readOnly",
        "title",
        "writeOnly",
    }
)


class UnknownKeywordError(Exception):
    """A keyword that is not compiled."""


def compiled(schema: Json) -> Accepts | None:
    """The schema as one function, or ``None`` where it uses what is not compiled.

    >>> accepts = compiled({"type": "array", "items": {"enum": ["a", 1]}})
    >>> accepts(["a", 1]), accepts(["a", True])
    (True, False)
    """
    try:
        return _Compiler(schema).accepts(schema)
    except (UnknownKeywordError, RecursionError):
        return None


def _yes(_value: Json) -> bool:
    return True


def _no(_value: Json) -> bool:
    return False


class _Compiler:
    def __init__(self, root: Json) -> None:
        definitions = root.get("$defs", {}) if isinstance(root, Mapping) else {}
        self._definitions: Mapping[str, Json] = definitions
        self._compiled: dict[str, Accepts] = {}
        self._is_root = True

    def accepts(self, schema: Json) -> Accepts:
        if isinstance(schema, bool):
            return _yes if schema else _no
        is_root, self._is_root = self._is_root, False
        unknown = schema.keys() - _KEYWORDS - _ANNOTATIONS
        if unknown or (not is_root and schema.keys() & {"$id", "$defs"}):
            raise UnknownKeywordError
        rules = (rule for keywords, rule in _RULES if not keywords.isdisjoint(schema))
        return _all([rule(self, schema) for rule in rules])

    def reference(self, schema: Mapping[str, Json]) -> Accepts:
        """A definition, found when it is called: it may be the one being compiled."""
        prefix, _, name = schema["$ref"].rpartition("/")
        if prefix != "#/$defs" or name not in self._definitions or "~" in name or "%" in name:
            raise UnknownKeywordError
        if name not in self._compiled:
            self._compiled[name] = _no  # taken while it is compiled
            self._compiled[name] = self.accepts(self._definitions[name])
        known = self._compiled
        return lambda value: known[name](value)  # noqa: PLW0108 (found late, see above)


def _all(parts: Sequence[Accepts]) -> Accepts:
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return _yes
    if len(parts) == 2:  # noqa: PLR2004 (the common case, without a loop)
        first, second = parts
        return lambda value: first(value) and second(value)
    return lambda value: all(part(value) for part in parts)


def _is_string(value: Json) -> bool:
    return type(value) is str


def _is_integer(value: Json) -> bool:
    return type(value) is int or (type(value) is float and value.is_integer())


def _is_number(value: Json) -> bool:
    return type(value) is int or type(value) is float


def _is_boolean(value: Json) -> bool:
    return value is True or value is False


def _is_null(value: Json) -> bool:
    return value is None


def _is_array(value: Json) -> bool:
    return type(value) is list


def _is_object(value: Json) -> bool:
    return type(value) is dict


_TYPES: dict[str, Accepts] = {
    "string": _is_string,
    "integer": _is_integer,
    "number": _is_number,
    "boolean": _is_boolean,
    "null": _is_null,
    "array": _is_array,
    "object": _is_object,
}


def _type(_compiler: _Compiler, schema: Mapping[str, Json]) -> Accepts:
    kinds = schema["type"]
    names = [kinds] if isinstance(kinds, str) else kinds
    if not all(name in _TYPES for name in names):
        raise UnknownKeywordError
    return _any([_TYPES[name] for name in names])


def _any(parts: Sequence[Accepts]) -> Accepts:
    if len(parts) == 1:
        return parts[0]
    if len(parts) == 2:  # noqa: PLR2004 (the common case, without a loop)
        first, second = parts
        return lambda value: first(value) or second(value)
    return lambda value: any(part(value) for part in parts)


def _choice(values: Sequence[Json]) -> Accepts:
    """One of these; ``True`` is not ``1``, and numbers are equal by value."""
    if not all(value is None or isinstance(value, str | int | float) for value in values):
        raise UnknownKeywordError
    known = frozenset((isinstance(value, bool), value) for value in values)
    kinds = (str, int, float, bool, type(None))
    return lambda value: type(value) in kinds and (isinstance(value, bool), value) in known


def _enum(_compiler: _Compiler, schema: Mapping[str, Json]) -> Accepts:
    return _choice(schema["enum"])


def _const(_compiler: _Compiler, schema: Mapping[str, Json]) -> Accepts:
    return _choice([schema["const"]])


def _any_of(compiler: _Compiler, schema: Mapping[str, Json]) -> Accepts:
    return _any([compiler.accepts(branch) for branch in schema["anyOf"]])


def _all_of(compiler: _Compiler, schema: Mapping[str, Json]) -> Accepts:
    return _all([compiler.accepts(branch) for branch in schema["allOf"]])


def _limit(keyword: str, _compiler: _Compiler, schema: Mapping[str, Json]) -> Accepts:
    """A bound of numbers; other kinds of value it lets pass."""
    limit, within = schema[keyword], _NUMBER_LIMITS[keyword]
    return lambda value: not _is_number(value) or within(value, limit)


_NUMBER_LIMITS: dict[str, Callable[[Json, Json], bool]] = {
    "minimum": lambda value, limit: not value < limit,
    "maximum": lambda value, limit: not value > limit,
    "exclusiveMinimum": lambda value, limit: not value <= limit,
    "exclusiveMaximum": lambda value, limit: not value >= limit,
}


def _size(keyword: str, kind: Accepts, _compiler: _Compiler, schema: Mapping[str, Json]) -> Accepts:
    """A bound of lengths; other kinds of value it lets pass."""
    limit = schema[keyword]
    if keyword.startswith("min"):
        return lambda value: not kind(value) or len(value) >= limit
    return lambda value: not kind(value) or len(value) <= limit


def _multiple_of(_compiler: _Compiler, schema: Mapping[str, Json]) -> Accepts:
    """Whole numbers alone; what rounding decides is left to jsonschema."""
    step = schema["multipleOf"]
    if type(step) is not int:
        raise UnknownKeywordError
    return lambda value: type(value) is int and value % step == 0


def _items(compiler: _Compiler, schema: Mapping[str, Json]) -> Accepts:
    """``items`` and ``prefixItems``, which say one thing together."""
    first = [compiler.accepts(item) for item in schema.get("prefixItems", ())]
    rest = compiler.accepts(schema.get("items", True))
    skipped = len(first)

    def accepts(value: Json) -> bool:
        if type(value) is not list:
            return True
        if skipped:
            begin = zip(first, value, strict=False)
            return all(part(item) for part, item in begin) and all(map(rest, value[skipped:]))
        return all(map(rest, value))

    return accepts


def _properties(compiler: _Compiler, schema: Mapping[str, Json]) -> Accepts:
    """``properties``, ``required`` and ``additionalProperties``, which say one thing together."""
    known = {name: compiler.accepts(value) for name, value in schema.get("properties", {}).items()}
    required = tuple(schema.get("required", ()))
    find, rest = known.get, compiler.accepts(schema.get("additionalProperties", True))

    def accepts(value: Json) -> bool:
        if type(value) is not dict:
            return True
        for name in required:
            if name not in value:
                return False
        for name, item in value.items():  # noqa: SIM110 (a generator costs more than the loop)
            if not find(name, rest)(item):
                return False
        return True

    return accepts


_Rule = Callable[[_Compiler, Mapping[str, Json]], Accepts]

_LENGTHS = {"Length": _is_string, "Items": _is_array, "Properties": _is_object}
#: Keywords that are judged together, and how; the cheapest first.
_RULES: tuple[tuple[frozenset[str], _Rule], ...] = (
    (frozenset({"type"}), _type),
    (frozenset({"enum"}), _enum),
    (frozenset({"const"}), _const),
    *((frozenset({keyword}), partial(_limit, keyword)) for keyword in _NUMBER_LIMITS),
    (frozenset({"multipleOf"}), _multiple_of),
    *(
        (frozenset({f"{side}{noun}"}), partial(_size, f"{side}{noun}", kind))
        for side in ("min", "max")
        for noun, kind in _LENGTHS.items()
    ),
    (frozenset({"properties", "required", "additionalProperties"}), _properties),
    (frozenset({"prefixItems", "items"}), _items),
    (frozenset({"$ref"}), _Compiler.reference),
    (frozenset({"anyOf"}), _any_of),
    (frozenset({"allOf"}), _all_of),
)
_KEYWORDS = frozenset().union(*(keywords for keywords, _ in _RULES))
