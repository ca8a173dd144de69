"""A tool as a configuration has it: options that no model sets, and other defaults."""

from collections.abc import Mapping
from copy import deepcopy

from attrs import evolve, field, fields, frozen

from qitos_like.core.base import BaseTool
from qitos_like.core.context import ToolContext
from qitos_like.core.entry import Entry
from qitos_like.core.function_tool import FunctionTool
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.schema.binding import Arguments
from qitos_like.core.schema.parameters import Parameter, Role
from qitos_like.core.schema.signature import Signature
from qitos_like.core.spec import ToolSpec
from qitos_like.errors import ConfigError

from . import options
from .options import Options, OptionsError
from .tables import broken, unknown
from .validation import Validation

#: Options by a tool's qualified name.
Configuration = Mapping[str, Mapping[str, Json]]


def registry_with(registry: ToolRegistry, configuration: Configuration) -> ToolRegistry:
    """A registry of the same tools, those with options as ``configured``.

    Raises:
        ConfigError: a tool or an option is unknown, or a value does not fit; all are told.
    """
    entries = {entry.name: entry for entry in registry}
    problems: list[str] = []
    for name, table in configuration.items():
        if name not in entries:
            problems.append(f"config: {unknown('tool', name, entries)}")
            continue
        given: object = table
        if not isinstance(given, Mapping):
            problems.append(f"config[{name!r}]: the options of a tool are a mapping, not {given!r}")
            continue
        try:
            entries[name] = configured(entries[name], table)
        except OptionsError as error:
            problems += [f"config[{name!r}]: {message}" for _, message in error.problems]
    if problems:
        raise ConfigError(problems)
    return ToolRegistry(entries.values())


def configured(entry: Entry, table: Mapping[str, Json]) -> Entry:
    """The entry with options filled; the tool that it was made of stays as it was.

    What is no argument of the tool's is set for good. An argument's value is its default, which
    the model is shown and may override.

    Raises:
        OptionsError: the tool takes no such option, or another value; all are told.
    """
    signature = entry.tool.signature
    own = options.read(signature, table)
    keys = {each.name: each.key for each in signature.parameters if each.is_property}
    defaults = {keys[name]: value for name, value in own.data.items() if name in keys}
    schema = _with_defaults(entry.tool.spec.input_schema, defaults)
    _check(schema, defaults)
    parts = {each.name: getattr(signature, each.name) for each in fields(Signature) if each.init}
    parts |= {"explicit": schema, "parameters": _optional(signature, own)}
    bound = _Bound(**parts, options=own)
    tool = _ConfiguredTool(entry.tool, entry.tool.spec.with_schema(schema), bound)
    return evolve(entry, tool=tool)


@frozen(eq=False)
class _Bound(Signature):
    """A signature whose calls are given the options too."""

    options: Options = field(kw_only=True, repr=False)

    def bind(
        self,
        values: Mapping[str, object],
        *,
        context: ToolContext | None = None,
        config: Mapping[str, object] | None = None,
    ) -> Arguments:
        """The arguments of the call; every call has options of its own to change."""
        own: dict[str, object] = deepcopy(self.options.values)
        keys = {each.name: each.key for each in self.parameters if each.role is Role.ARGUMENT}
        defaults = {keys[name]: own[name] for name in own.keys() & keys.keys()}
        fixed = {name: value for name, value in own.items() if name not in keys}
        names = {each.name for each in self.parameters}
        rest = {name: value for name, value in fixed.items() if name not in names}
        return Signature.bind(
            self,
            {**defaults, **values, **rest},
            context=context,
            config={**fixed, **(config or {})},
        )


class _ConfiguredTool(BaseTool):
    """A tool that runs as the one it was made of, with options."""

    def __init__(self, tool: BaseTool, spec: ToolSpec, signature: Signature) -> None:
        super().__init__(spec)
        self.signature = signature
        self.available = tool.available  # type: ignore[method-assign]  # the tool's own answer
        # An async function belongs on the event loop, which is told by the function itself.
        run = tool.function if type(tool) is FunctionTool else tool.run
        self.run = run  # type: ignore[method-assign]  # as above


def _optional(signature: Signature, own: Options) -> tuple[Parameter, ...]:
    """The parameters, none of them required that has an option."""
    return tuple(
        evolve(each, default=own.values[each.name]) if each.name in own.values else each
        for each in signature.parameters
    )


def _with_defaults(schema: Schema, defaults: Mapping[str, Json]) -> Schema:
    properties = dict(schema.get("properties", {}))
    for key, value in defaults.items():
        own = properties.get(key, {})
        properties[key] = {**(own if isinstance(own, dict) else {}), "default": value}
    required = [key for key in schema.get("required", ()) if key not in defaults]
    return {**schema, "properties": properties, "required": required}


def _check(schema: Schema, defaults: Mapping[str, Json]) -> None:
    """Refuse a default that a model could not send either.

    Raises:
        OptionsError: there is one.
    """
    problems = list(broken(Validation({**schema, "required": []}), dict(defaults)))
    if problems:
        raise OptionsError(problems)
