"""A schema in the subset of OpenAPI 3.0 that Gemini takes.

ai.google.dev/api/caching#Schema: references are put in place, null is ``nullable``, values are
listed for texts alone. What has no place there is told in the description, and reported.
"""

from math import inf

from attrs import field, frozen

from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.references import reference_name, referred
from qitos_like.core.schema.problems import path_step
from qitos_like.core.shapes import Speller, bounds, literal

from .kinds import ANNOTATIONS, allowed, is_plain, kinds, kinds_of, of_kind
from .notes import Finding

_KEPT = (
    "title",
    "default",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minProperties",
    "maxProperties",
    "pattern",
)
_FORMATS = frozenset({"date-time", "enum", "int32", "int64", "float", "double"})
_HANDLED = ANNOTATIONS.union(
    _KEPT,
    ["type", "format", "enum", "const", "items", "prefixItems", "properties", "required"],
    ["anyOf", "oneOf", "allOf", "$ref", "$defs", "definitions", "$id"],
)
_CLOSED: tuple[Json, ...] = ({}, False)


def gemini_form(schema: Schema) -> tuple[Schema, list[Finding]]:
    """The schema as Gemini takes it, and what it does not say."""
    converter = _Converter(schema)
    return converter.form(schema, _Place("$")), converter.findings


@frozen
class _Place:
    """Where in a schema the conversion is, and what it was referred from."""

    path: str
    around: tuple[int, ...] = ()

    def at(self, step: str) -> "_Place":
        return _Place(f"{self.path}{step}", self.around)

    def inside(self, target: Schema) -> "_Place":
        return _Place(self.path, (*self.around, id(target)))


@frozen
class _Converter:
    root: Schema
    findings: list[Finding] = field(factory=list)

    def form(self, schema: Json, place: _Place) -> Schema:
        """One schema and those inside it."""
        if is_plain(schema):
            return _plain_form(schema)
        if not isinstance(schema, dict):
            if not schema:
                self._lost(place, "admits nothing, which cannot be said")
            return {}
        target = referred(self.root, schema)
        if isinstance(target, dict):
            return self._in_place(schema, target, place)
        members = schema.get("anyOf") or schema.get("oneOf")
        if members:
            return self._union(schema, members, place)
        if schema.get("allOf"):
            return self._merged(schema, place)
        return self._plain(schema, place)

    def _in_place(self, schema: Schema, target: Schema, place: _Place) -> Schema:
        beside = {keyword: value for keyword, value in schema.items() if keyword != "$ref"}
        if id(target) not in place.around:
            return self.form({**target, **beside}, place.inside(target))
        return self._plain(self._cut(schema, place), place)

    def _merged(self, schema: Schema, place: _Place) -> Schema:
        """The form of an intersection as one schema, as far as its parts do not contradict."""
        whole = {keyword: value for keyword, value in schema.items() if keyword != "allOf"}
        for member in schema["allOf"]:
            part, place = self._part(member, place)
            whole["properties"] = {**whole.get("properties", {}), **part.get("properties", {})}
            whole["required"] = [*whole.get("required", ()), *part.get("required", ())]
            beside = {key: part[key] for key in part.keys() - {"properties", "required"}}
            if any(whole.get(key, value) != value for key, value in beside.items()):
                self._lost(place, "that all parts of allOf hold cannot be said")
            whole = {**beside, **whole}
        kept = {
            key: value
            for key, value in whole.items()
            if value or key not in {"properties", "required"}
        }
        return self.form(kept, place)

    def _part(self, member: Json, place: _Place) -> tuple[Schema, _Place]:
        """A member of an intersection, and the place with what it was referred from."""
        target = referred(self.root, member)
        if not isinstance(target, dict):
            return (member if isinstance(member, dict) else {}), place
        if id(target) in place.around:
            return self._cut(member, place), place
        return target, place.inside(target)

    def _cut(self, schema: Schema, place: _Place) -> Schema:
        """What stands for a schema inside itself."""
        name = reference_name(schema)
        self._lost(place, f"refers to itself, which is cut: any object stands for {name}")
        return {"type": "object", "description": f"another {name}"}

    def _union(self, schema: Schema, members: list[Json], place: _Place) -> Schema:
        beside = {key: value for key, value in schema.items() if key not in {"anyOf", "oneOf"}}
        forms = [self.form(member, place) for member in members if not _is_null(member)]
        nullable = {"nullable": True} if any(map(_is_null, members)) else {}
        own = self._plain(beside, place)
        if len(forms) < 2:  # noqa: PLR2004 (one alternative is none)
            return {**(forms[0] if forms else {}), **own, **nullable}
        if "oneOf" in schema:
            self._lost(place, "that exactly one alternative fits cannot be said")
        return {"anyOf": forms, **own, **nullable}

    def _plain(self, schema: Schema, place: _Place) -> Schema:
        named, values = kinds(schema), allowed(schema)
        nullable = {"nullable": True} if "null" in named or None in values else {}
        named = [kind for kind in named if kind != "null"]
        if len(named) > 1:
            bare = {key: value for key, value in schema.items() if key != "description"}
            forms = [self._plain(of_kind(bare, kind), place) for kind in named]
            return {"anyOf": forms, **_description(schema, []), **nullable}
        form: Schema = {keyword: schema[keyword] for keyword in _KEPT if keyword in schema}
        if not self._has_odd_format(schema) and "format" in schema:
            form["format"] = schema["format"]
        if named:
            form["type"] = named[0].upper()
        told = self._listed(form, values, place) + self._told(schema, place)
        self._containers(form, schema, place)
        return {**form, **_description(schema, told), **nullable}

    def _containers(self, form: Schema, schema: Schema, place: _Place) -> None:
        if "properties" in schema:
            form["properties"] = {
                name: self.form(part, place.at(path_step(name)))
                for name, part in schema["properties"].items()
            }
        if schema.get("required"):
            form["required"] = list(schema["required"])
        if form.get("type") == "ARRAY":
            form["items"] = self._items(form, schema, place)

    def _items(self, form: Schema, schema: Schema, place: _Place) -> Schema:
        first = schema.get("prefixItems", [])
        if not first:
            return self.form(schema.get("items", True), place.at("[]"))
        rest = schema.get("items", True)
        if rest is False:
            form.setdefault("maxItems", len(first))
        elif form.get("maxItems", inf) <= len(first):
            rest = False
        forms = [self.form(part, place.at("[]")) for part in [*first, rest] if part is not False]
        distinct = [one for at, one in enumerate(forms) if one not in forms[:at]]
        if len(distinct) == 1:
            return distinct[0]
        self._lost(place, "which item has which type cannot be said")
        return {"anyOf": distinct}

    def _listed(self, form: Schema, values: list[Json], place: _Place) -> list[str]:
        """Texts are listed as values; others can be told only."""
        if not values:
            return []
        given = [value for value in values if value is not None]
        if given and all(isinstance(value, str) for value in given):
            form |= {"type": "STRING", "enum": given}
            return []
        self._lost(place, "has values that are no texts: they are in the description alone")
        if "type" not in form:
            types = [kind.upper() for kind in kinds_of(given)]
            form |= (
                {"type": types[0]}
                if len(types) == 1
                else {"anyOf": [{"type": kind} for kind in types]}
            )
        return [f"one of {', '.join(map(literal, given))}"]

    def _told(self, schema: Schema, place: _Place) -> list[str]:
        """In words, what Gemini's schemas have no keyword for."""
        beyond = {key: value for key, value in schema.items() if key not in _HANDLED}
        more = beyond.pop("additionalProperties", False)
        told = bounds(beyond)
        wordless = {key: value for key, value in beyond.items() if not bounds({key: value})}
        told += [f"also {literal(wordless)}"] if wordless else []
        told += [f"of the form {schema['format']}"] if self._has_odd_format(schema) else []
        told += (
            [f"keys of any name: {Speller(self.root).spell(more)}"] if more not in _CLOSED else []
        )
        told += [f"e.g. {literal(example)}" for example in schema.get("examples", ())]
        lost = sorted(beyond) + (["additionalProperties"] if more not in _CLOSED else [])
        lost += ["format"] if self._has_odd_format(schema) else []
        for keyword in lost:
            self._lost(place, f"no place for {keyword}")
        return told

    def _has_odd_format(self, schema: Schema) -> bool:
        return schema.get("format", "enum") not in _FORMATS

    def _lost(self, place: _Place, text: str) -> None:
        if (place.path, text) not in self.findings:
            self.findings.append((place.path, text))


def _plain_form(schema: Schema) -> Schema:
    """What ``_plain`` would make of it too."""
    default = {"default": schema["default"]} if "default" in schema else {}
    return {**default, "type": schema["type"].upper(), **_description(schema, [])}


def _description(schema: Schema, told: list[str]) -> Schema:
    said = [schema["description"]] if schema.get("description") else []
    return {"description": "; ".join([*said, *told])} if said or told else {}


def _is_null(schema: Json) -> bool:
    return isinstance(schema, dict) and (schema.get("type") == "null" or allowed(schema) == [None])
