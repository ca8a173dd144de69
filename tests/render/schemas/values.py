"""Values of a schema, and what a model in strict mode would send for them."""

from hypothesis import strategies as st
from jsonschema import Draft202012Validator

SCALARS = {
    "string": st.text(max_size=4),
    "boolean": st.booleans(),
    "null": st.none(),
}
DEEP = 3
FORMATS = {"date": st.dates().map(str), "uuid": st.uuids().map(str)}


def is_valid(value, schema, root):
    return Draft202012Validator({"$defs": root.get("$defs", {}), "allOf": [schema]}).is_valid(value)


def values(schema, root, depth=0):
    """A strategy for values that the schema admits."""
    if "$ref" in schema:
        return values(root["$defs"][schema["$ref"].rpartition("/")[2]], root, depth + 1)
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        members = schema["anyOf"]
        ends = [member for member in members if member.get("type") == "null"]
        return st.one_of(
            [values(each, root, depth) for each in (ends if depth > DEEP and ends else members)]
        )
    kinds = schema["type"]
    each = [
        of_kind(kind, schema, root, depth)
        for kind in ([kinds] if isinstance(kinds, str) else kinds)
    ]
    return st.one_of(each).filter(lambda value: is_valid(value, schema, root))


def of_kind(kind, schema, root, depth):
    if kind == "object":
        return objects(schema, root, depth)
    if kind == "array":
        if depth > DEEP:
            return st.just([])
        least, most = schema.get("minItems", 0), schema.get("maxItems", 3)
        return st.lists(values(schema["items"], root, depth + 1), min_size=least, max_size=most)
    if kind in {"integer", "number"}:
        low = schema.get("minimum", schema.get("exclusiveMinimum", -30))
        step = schema.get("multipleOf", 1 if kind == "integer" else 0.5)
        return st.integers(0, 40).map(lambda n: low + n * step)
    if "pattern" in schema:
        return st.from_regex(schema["pattern"], fullmatch=True)
    return FORMATS.get(schema.get("format"), SCALARS.get(kind))


def objects(schema, root, depth):
    required = schema.get("required", ())
    must, may = {}, {}
    for name, part in schema.get("properties", {}).items():
        if name in required:
            must[name] = values(part, root, depth + 1)
        elif depth <= DEEP:
            may[name] = values(part, root, depth + 1)
    return st.fixed_dictionaries(must, optional=may)


def filled(value, schema, root):
    """The value with a null for each property that is left out."""
    if "$ref" in schema:
        return filled(value, root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    if "anyOf" in schema:
        member = next(each for each in schema["anyOf"] if is_valid(value, each, root))
        return filled(value, member, root)
    if isinstance(value, dict):
        parts = schema.get("properties", {})
        return {
            name: filled(value[name], part, root) if name in value else None
            for name, part in parts.items()
        }
    if isinstance(value, list):
        return [filled(each, schema["items"], root) for each in value]
    return value
