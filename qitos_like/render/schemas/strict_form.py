"""OpenAI's strict form of a schema: each property required, optional ones nullable."""

from qitos_like.core.jsontypes import Schema
from qitos_like.core.schema.definitions import mapped
from qitos_like.core.shapes import literal

from .kinds import is_plain, kinds, kinds_of, of_kind
from .nulls import admits_null

_CONTAINERS = frozenset({"object", "array"})


def strict_form(schema: Schema, root: Schema) -> Schema:
    """The schema with null for "left out"; of a schema without ``obstacles``."""
    if is_plain(schema):
        return {key: value for key, value in schema.items() if key != "default"}
    properties = schema.get("properties")
    bare = {key: value for key, value in schema.items() if key not in _APART}
    form = mapped(bare, lambda inner: strict_form(inner, root))
    if properties is not None:
        required = schema.get("required", ())
        form["properties"] = {
            name: strict_form(part, root) if name in required else _optional(part, root)
            for name, part in properties.items()
        }
        form["required"] = list(properties)
    if "const" in form:
        form["enum"] = [form.pop("const")]
    if "enum" in form:
        form.setdefault("type", kinds_of(form["enum"]))
    described = _described(schema)
    if "$ref" in form and described:  # a reference stands alone there
        form = {"anyOf": [form]}
    return {**_spread(form), **described}


def _optional(schema: Schema, root: Schema) -> Schema:
    form = strict_form(schema, root)
    if is_plain(schema):
        form["type"] = [form["type"], "null"]
    elif not admits_null(schema, root):
        form = _nullable(form)
    default = schema.get("default")
    if default is not None:
        said = f"null means {literal(default)}"
        described = form.get("description")
        form["description"] = f"{described} ({said})" if described else said
    return form


def _nullable(form: Schema) -> Schema:
    if "enum" in form:
        form = {**form, "enum": [*form["enum"], None]}
    named = kinds(form)
    if "enum" in form or (named and _CONTAINERS.isdisjoint(named)):
        return {**form, "type": [*named, "null"]}
    described = {key: form[key] for key in form.keys() & {"description"}}
    bare = {key: value for key, value in form.items() if key != "description"}
    members = bare["anyOf"] if bare.keys() == {"anyOf"} else [bare]
    return {"anyOf": [*members, {"type": "null"}], **described}


def _spread(form: Schema) -> Schema:
    """A list of types with an object or a list among them as one schema for each."""
    named = kinds(form)
    if len(named) == 1 or _CONTAINERS.isdisjoint(named) or "enum" in form:
        return form
    return {"anyOf": [of_kind(form, kind) for kind in named]}


def _described(schema: Schema) -> Schema:
    said = [schema["description"]] if schema.get("description") else []
    said += [f"e.g. {literal(example)}" for example in schema.get("examples", ())]
    return {"description": "; ".join(said)} if said else {}


#: What is dropped, or made apart from the rest.
_APART = frozenset(
    [
        "description",
        "properties",
        "required",
        "title",
        "default",
        "examples",
        "$comment",
        "$schema",
        "deprecated",
        "readOnly",
        "writeOnly",
    ]
)
