"""``ToolSpec``, everything known about a tool that is data, and ``ToolMeta``, what its author says."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Self, TypeVar

from attrs import evolve, field, fields, frozen

from . import trait_values
from .jsontypes import Json, Schema
from .names import check_name
from .schema._lazy import check_schema, object_schema
from .traits import Traits, texts

T = TypeVar("T")


@frozen(kw_only=True)
class ToolMeta(Traits):
    """What an author says of a tool; everything is optional.

    ``said`` remembers which fields were given, so that a registration can override a tool field
    by field, back to a default too.

    Attributes:
        name: the tool's name; the callable's own if not given.
        description: what the tool does; the docstring if not given.
        parameters: an explicit schema; inferred from the signature if not given.
        required: for ``parameters`` as a property map, the names that must be given.

    Raises:
        RegistrationError: a value is of the wrong kind.

    >>> ToolMeta(timeout_s=2).merged(ToolMeta(timeout_s=None, tags=["a"])).timeout_s is None
    True
    """

    name: str | None = None
    description: str | None = None
    parameters: Mapping[str, Json] | None = None
    required: tuple[str, ...] = field(default=(), converter=texts)
    said: frozenset[str] = field(init=False, eq=False, repr=False)

    def __new__(cls, **said: object) -> Self:
        """Remember which fields were given; attrs' own ``__init__`` sees only their values."""
        meta = object.__new__(cls)
        object.__setattr__(meta, "said", frozenset(said))
        return meta

    def __attrs_post_init__(self) -> None:
        """Check the values that were given."""
        trait_values.check(self, self.said)

    def given(self) -> dict[str, Json]:
        """The fields that were given, by name."""
        return {name: getattr(self, name) for name in sorted(self.said)}

    def merged(self, override: "ToolMeta | None") -> "ToolMeta":
        """This, with what ``override`` says in its place."""
        if override is None or not override.said:
            return self
        return ToolMeta(**{**self.given(), **override.given()})

    def traits(self) -> dict[str, Json]:
        """The given fields that a spec has too, by name; not the name and the schema."""
        own = {"name", "description", "parameters", "required"}
        return {name: value for name, value in self.given().items() if name not in own}


@frozen
class ToolSpec(Traits):
    """Everything known about a tool that is data.

    Attributes:
        name: the name, qualified once the tool is registered.
        description: what the tool does, for the model.
        parameters: a property map (``{"sql": {"type": "string"}}``) or a whole JSON Schema object.
        required: for a property map, the names that must be given.

    Raises:
        ToolNameError: the name is not segments joined by dots.
        SchemaError: the schema is invalid, or requires a name it does not have.
        RegistrationError: the value of a trait is of the wrong kind.

    >>> spec = ToolSpec("query", "Run SQL.", {"sql": {"type": "string"}}, required=["sql"])
    >>> spec.input_schema["required"]
    ['sql']
    """

    name: str
    description: str
    parameters: Mapping[str, Json] = field(factory=dict)
    required: tuple[str, ...] = field(default=(), converter=texts)
    _trusted_schema: Schema | None = field(default=None, kw_only=True, eq=False, repr=False)
    _made: dict[object, Json] = field(init=False, factory=dict, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        """Check the name, and what an author wrote by hand."""
        check_name(self.name)
        if self._trusted_schema is None:
            trait_values.check(self, trait_values.CHECKED)
            check_schema(self.input_schema, tool=self.name)

    @cached_property
    def input_schema(self) -> Schema:
        """The arguments as one JSON Schema object; treat it as read-only."""
        if self._trusted_schema is not None:
            return self._trusted_schema
        return object_schema(self.parameters, self.required, tool=self.name)

    def kept(self, make: "Callable[[ToolSpec], T]") -> T:
        """What ``make`` makes of this spec, made once; treat it as read-only."""
        made = self._made
        if make not in made:
            made[make] = make(self)
        kept: T = made[make]
        return kept

    @classmethod
    def inferred(cls, name: str, description: str, schema: Schema, **traits: Json) -> "ToolSpec":
        """A spec around a schema that is right by construction, which is not checked again."""
        return cls(
            name,
            description,
            schema.get("properties", {}),
            schema.get("required", ()),
            trusted_schema=schema,
            **traits,
        )

    def named(self, name: str) -> "ToolSpec":
        """The same tool under another name."""
        return evolve(self, name=name, trusted_schema=self.input_schema)

    def with_schema(self, schema: Schema, **changes: Json) -> "ToolSpec":
        """The same tool with another schema, which is not checked, and other traits."""
        properties, required = schema.get("properties", {}), schema.get("required", ())
        return evolve(
            self, parameters=properties, required=required, trusted_schema=schema, **changes
        )

    def overridden(self, meta: ToolMeta) -> "ToolSpec":
        """The same tool with what ``meta`` says in its place; the name stays."""
        changes = {key: value for key, value in meta.given().items() if key != "name"}
        if not changes.keys() & {"parameters", "required"}:
            changes["trusted_schema"] = self.input_schema
        return evolve(self, **changes)


def meta_fields() -> tuple[str, ...]:
    """The names that ``@tool`` and ``ToolMeta`` accept."""
    return tuple(attribute.name for attribute in fields(ToolMeta) if attribute.init)
