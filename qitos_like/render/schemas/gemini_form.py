"""A schema in the subset of OpenAPI 3.0 that Gemini takes.

ai.google.dev/api/caching#Schema: references are put in place, null is ``nullable``, values are
listed for texts alone, and each schema says a type. What has no place there is told in the
description, and reported.
"""

from math import inf

from attrs import field, frozen

from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.references import reference_name, referred
from qitos_like.core.schema.problems import path_step
from qitos_like.core.shapes import Speller, bounds, literal

from .kinds import ANNOTATIONS, allowed, implied_kinds, is_plain, kinds, kinds_of, of_kind
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
_FORMATS = {
    "string": {"date-time", "enum"},
    "integer": {"int32", "int64"},
    "number": {"float", "double"},
}
_ASIDE = ("$defs", "definitions", "$id")
#: What demands something of a value without saying how to write one.
_DEMANDS = frozenset({"required", "not"})
_HANDLED = ANNOTATIONS.union(
    _KEPT,
    ["type", "format", "enum", "const", "items", "prefixItems", "properties", "required"],
    ["anyOf", "oneOf", "allOf", "$ref", *_ASIDE],
)
_CLOSED: tuple[Json, ...] = ({}, False)
#: Any value, but for a list.
_ANYTHING: Schema = {
    "anyOf": [{"type": kind} for kind in ("STRING", "NUMBER", "BOOLEAN", "OBJECT")],
    "nullable": True,
}


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
            return self._anything({}, place)
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
        common = {key: beside[key] for key in beside.keys() - ANNOTATIONS - set(_ASIDE)}
        told = {key: value for key, value in beside.items() if key not in common}
        if common and all(isinstance(each, dict) and each.keys() <= _DEMANDS for each in members):
            self._lost(place, "that one of its alternatives holds cannot be said")
            return self.form(beside, place)
        given = [member for member in members if not _is_null(member)]
        if common:
            given = [{"allOf": [common, member]} for member in given]
        forms = [self.form(member, place) for member in given]
        distinct = [one for at, one in enumerate(forms) if one not in forms[:at]]
        if not distinct:
            return self._plain({"type": "null", **told}, place)
        nullable = {"nullable": True} if len(given) < len(members) else {}
        own = {
            **{key: told[key] for key in _KEPT if key in told},
            **_description(told, _shown(told)),
        }
        if len(distinct) == 1:
            return {**distinct[0], **own, **nullable}
        if "oneOf" in schema:
            self._lost(place, "that exactly one alternative fits cannot be said")
        return {"anyOf": distinct, **own, **nullable}

    def _plain(self, schema: Schema, place: _Place) -> Schema:
        values = allowed(schema)
        named = kinds(schema)
        if len(named) != 1:
            named = kinds_of(values) or named or self._implied(schema, place)
        if named in ([], ["null"]):
            return self._null(schema) if named else self._anything(schema, place)
        nullable = {"nullable": True} if "null" in named or None in values else {}
        named = [kind for kind in named if kind != "null"]
        told = self._listed(values, place)
        if len(named) > 1:
            hidden = {"description", *(["enum", "const"] if told else [])}
            bare = {key: value for key, value in schema.items() if key not in hidden}
            forms = [self._plain(of_kind(bare, kind), place) for kind in named]
            return {"anyOf": forms, **_description(schema, told), **nullable}
        formats = {"format": schema["format"]} if "format" in schema else {}
        own = of_kind(schema, named[0]) | formats
        form: Schema = {keyword: own[keyword] for keyword in _KEPT if keyword in own}
        form["type"] = named[0].upper()
        if "format" in own and not _has_odd_format(own):
            form["format"] = own["format"]
        if values and not told and named == ["string"]:
            form["enum"] = [value for value in values if value is not None]
        told += self._told(own, place)
        self._containers(form, own, place)
        return {**form, **_description(own, told), **nullable}

    def _implied(self, schema: Schema, place: _Place) -> list[str]:
        """The types that a schema without one is about, as far as it is about any."""
        named = implied_kinds(schema)
        if named:
            self._lost(place, "takes values of other types too, which cannot be said")
        return named

    def _anything(self, schema: Schema, place: _Place) -> Schema:
        """The form of any value, since a schema has to say a type."""
        self._lost(place, "lists in lists of any values cannot be said")
        told = {key: schema[key] for key in _KEPT if key in schema}
        words = _description(schema, self._told(schema, place))
        lists = [] if place.path.endswith("[]") else [{"type": "ARRAY", "items": _ANYTHING}]
        return {**told, "anyOf": [*_ANYTHING["anyOf"], *lists], **words, "nullable": True}

    def _null(self, schema: Schema) -> Schema:
        told = {key: schema[key] for key in _KEPT if key in schema}
        return {**told, "type": "NULL", **_description(schema, _shown(schema))}

    def _containers(self, form: Schema, schema: Schema, place: _Place) -> None:
        properties = {
            name: self.form(part, place.at(path_step(name)))
            for name, part in schema.get("properties", {}).items()
        }
        required = [name for name in schema.get("required", ()) if name in properties]
        if len(required) < len(schema.get("required", ())):
            self._lost(place, "requires what it does not name, which cannot be said")
        form |= {"properties": properties} if properties else {}
        form |= {"required": required} if required else {}
        if form["type"] == "ARRAY":
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

    def _listed(self, values: list[Json], place: _Place) -> list[str]:
        """In words, the values of a list that has more than texts; a text has to have letters."""
        given = [value for value in values if value is not None]
        if all(isinstance(value, str) and value for value in given):
            return []
        self._lost(place, "has values that are no texts: they are in the description alone")
        return [f"one of {', '.join(map(literal, given))}"]

    def _told(self, schema: Schema, place: _Place) -> list[str]:
        """In words, what Gemini's schemas have no keyword for."""
        beyond = {key: value for key, value in schema.items() if key not in _HANDLED}
        more = beyond.pop("additionalProperties", False)
        told = bounds(beyond)
        wordless = {key: value for key, value in beyond.items() if not bounds({key: value})}
        told += [f"also {literal(wordless)}"] if wordless else []
        told += [f"of the form {schema['format']}"] if _has_odd_format(schema) else []
        told += (
            [f"keys of any name: {Speller(self.root).spell(more)}"] if more not in _CLOSED else []
        )
        told += _shown(schema)
        lost = sorted(beyond) + (["additionalProperties"] if more not in _CLOSED else [])
        lost += ["format"] if _has_odd_format(schema) else []
        for keyword in lost:
            self._lost(place, f"no place for {keyword}")
        return told

    def _lost(self, place: _Place, text: str) -> None:
        if (place.path, text) not in self.findings:
            self.findings.append((place.path, text))


def _plain_form(schema: Schema) -> Schema:
    """What ``_plain`` would make of it too."""
    default = {"default": schema["default"]} if "default" in schema else {}
    return {**default, "type": schema["type"].upper(), **_description(schema, [])}


def _has_odd_format(schema: Schema) -> bool:
    known = _FORMATS.get(schema.get("type", ""), ())
    return "format" in schema and schema["format"] not in known


def _shown(schema: Schema) -> list[str]:
    return [f"e.g. {literal(example)}" for example in schema.get("examples", ())]


def _description(schema: Schema, told: list[str]) -> Schema:
    said = [schema["description"]] if schema.get("description") else []
    return {"description": "; ".join([*said, *told])} if said or told else {}


def _is_null(schema: Json) -> bool:
    return isinstance(schema, dict) and (schema.get("type") == "null" or allowed(schema) == [None])
