"""OpenAI's strict form of a schema: each property required, optional ones nullable."""

from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.safe_text import visible
from qitos_like.core.schema.definitions import mapped
from qitos_like.core.shapes import literal

from .kinds import ANNOTATIONS, is_flat, is_plain, kinds, kinds_of, of_kind
from .nulls import admits_null

_CONTAINERS = frozenset({"object", "array"})
#: What is dropped, or made apart from the rest.
_APART = ANNOTATIONS | {"properties", "required"}
#: The keywords besides that hold schemas, of those that a strict schema may have.
_HOLDERS = frozenset({"anyOf", "items", "$defs"})


def strict_form(schema: Schema, root: Schema, *, is_optional: bool = False) -> Schema:
    """The schema with null for "left out"; of a schema without ``obstacles``.

    Args:
        schema: the whole schema or one inside it.
        root: the whole one.
        is_optional: whether it is of a property that may be left out.
    """
    if is_plain(schema):
        return _plain_form(schema, is_optional=is_optional)
    form = _form(schema, root)
    if is_optional and not admits_null(schema, root):
        form = _nullable(form)
    told = _told(schema, schema.get("default") if is_optional else None)
    if not told:
        return form
    if "$ref" in form:  # a reference stands alone there
        form = {"anyOf": [form]}
    form["description"] = visible(told)
    return form


def flat_form(schema: Schema) -> Schema | None:
    """The form of a flat schema, which nothing stands in the way of; ``None`` of any other."""
    if not is_flat(schema):
        return None
    required = schema.get("required", ())
    properties = {
        name: _plain_form(part, is_optional=name not in required)
        for name, part in schema.get("properties", {}).items()
    }
    return {**schema, "properties": properties, "required": list(properties)}


def _plain_form(schema: Schema, *, is_optional: bool) -> Schema:
    kind, told = schema["type"], schema.get("description", "")
    form: Schema = {"type": kind}
    if is_optional:
        form["type"] = [kind, "null"]
        told = _with_default(told, schema.get("default"))
    if told:
        form["description"] = visible(told)
    return form


def _form(schema: Schema, root: Schema) -> Schema:
    """The schema without its text."""
    form = {key: value for key, value in schema.items() if key not in _APART}
    if not _HOLDERS.isdisjoint(form):
        form = mapped(form, lambda inner: strict_form(inner, root))
    properties = schema.get("properties")
    if properties is not None:
        required = schema.get("required", ())
        form["properties"] = {
            name: strict_form(part, root, is_optional=name not in required)
            for name, part in properties.items()
        }
        form["required"] = list(properties)
    if "const" in form:
        form["enum"] = [form.pop("const")]
    if "enum" in form:
        form.setdefault("type", kinds_of(form["enum"]))
    return _spread(form)


def _nullable(form: Schema) -> Schema:
    if "enum" in form:
        form = {**form, "enum": [*(value for value in form["enum"] if value is not None), None]}
    named = kinds(form)
    if "enum" in form or (named and _CONTAINERS.isdisjoint(named)):
        return {**form, "type": [*named, "null"]}
    members = form["anyOf"] if form.keys() == {"anyOf"} else [form]
    return {"anyOf": [*members, {"type": "null"}]}


def _spread(form: Schema) -> Schema:
    """A list of types with an object or a list among them as one schema for each."""
    named = kinds(form)
    if len(named) == 1 or _CONTAINERS.isdisjoint(named) or "enum" in form:
        return form
    return {"anyOf": [of_kind(form, kind) for kind in named]}


def _told(schema: Schema, default: Json) -> str:
    """What a schema says in words, and what null means."""
    told: str = schema.get("description", "")
    if "examples" in schema:
        examples = [f"e.g. {literal(example)}" for example in schema["examples"]]
        told = "; ".join([told, *examples] if told else examples)
    return _with_default(told, default)


def _with_default(told: str, default: Json) -> str:
    if default is None:
        return told
    meaning = f"null means {literal(default)}"
    return f"{told} ({meaning})" if told else meaning
