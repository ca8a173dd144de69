"""What a configuration says: its keys, checked, and its layers put together."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from attrs import field, frozen

from qitos_like.core.jsontypes import Json
from qitos_like.core.schema import signature
from qitos_like.core.schema.problems import json_path
from qitos_like.errors import ConfigError
from qitos_like.run.rules import Effect
from qitos_like.run.tables import Table, broken, merged
from qitos_like.run.validation import Validation

from .layers import Layer


@frozen
class _AtLeast:
    """A bound, as annotations have it."""

    ge: int


@frozen
class Plugins:
    """Where tools come from besides toolsets.

    Attributes:
        modules: are imported, and their tools included.
        directories: hold drop-in files.
        enabled: installed plugins by name; others stay off.
    """

    modules: tuple[str, ...] = ()
    directories: tuple[str, ...] = ()
    enabled: tuple[str, ...] = ()


@frozen
class AgentTools:
    """Which tools an agent has.

    Attributes:
        enabled: patterns of names or tags; every tool if not given.
        disabled: patterns of what it has not all the same.
        usages: guidance in place of a tool's own, by its name.
    """

    enabled: tuple[str, ...] | None = None
    disabled: tuple[str, ...] = ()
    usages: Mapping[str, str] = field(factory=dict)


@frozen
class TokenPrice:
    """What a model costs, in US dollars per million tokens.

    Attributes:
        input, output: tokens read, and written.
        cached, cache_write: tokens read from the provider's cache, and written to it; as ``input``
            if not given.
    """

    input: Annotated[float, _AtLeast(0)]
    output: Annotated[float, _AtLeast(0)]
    cached: Annotated[float, _AtLeast(0)] | None = None
    cache_write: Annotated[float, _AtLeast(0)] | None = None


@frozen
class AgentSettings:
    """One agent.

    Attributes:
        tools: which it has.
        model: the model, as ``provider:name``.
        price: what that costs; without it the cost of a run is unknown.
        system: what it is told ahead of its tools.
        max_steps: how often the model is asked, at most.
    """

    tools: AgentTools = AgentTools()
    model: str | None = None
    price: TokenPrice | None = None
    system: str | None = None
    max_steps: Annotated[int, _AtLeast(1)] | None = None


@frozen
class Permissions:
    """Rules, without their effect: ``coding.run_command(git push*)``.

    Attributes:
        deny, ask, allow: what is denied, asked for and allowed.
        default: what holds where no rule does.
    """

    deny: tuple[str, ...] = ()
    ask: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    default: Effect | None = None


@frozen
class Settings:
    """The whole.

    Attributes:
        plugins: where tools come from besides toolsets.
        toolsets: options by namespace; ``use`` names the class.
        tools: options by a tool's name.
        agents: by name.
        permissions: those of the nearest layer; all layers count, see ``permissions_of``.
    """

    plugins: Plugins = Plugins()
    toolsets: Mapping[str, Table] = field(factory=dict)
    tools: Mapping[str, Table] = field(factory=dict)
    agents: Mapping[str, AgentSettings] = field(factory=dict)
    permissions: Permissions = Permissions()


@frozen
class Said:
    """Settings, and who says what.

    Attributes:
        settings: of all layers together, the nearer before the farther.
        layers: the farthest first.
    """

    settings: Settings
    layers: tuple[Layer, ...]

    def at(self, *steps: str | int) -> "Spot":
        """A place in the settings."""
        return Spot(self, steps)


@frozen
class Spot:
    """A place in the settings.

    Attributes:
        said: the settings.
        steps: keys and indices.
    """

    said: Said
    steps: tuple[str | int, ...]

    def at(self, *more: str | int) -> "Spot":
        """A place within this one."""
        return Spot(self.said, (*self.steps, *more))

    @property
    def layer(self) -> Layer:
        """The layer that says what stands here."""
        return self._layer(json_path(self.steps)) or self.said.layers[-1]

    def __str__(self) -> str:
        """The file and the line."""
        return self.layer.place(json_path(self.steps))

    def error(self, message: str) -> ConfigError:
        """An error about what stands here."""
        return ConfigError([f"{self}: {message}"])

    def errors(self, problems: Iterable[tuple[str, str]]) -> ConfigError:
        """An error about parts of what stands here, each by its own path."""
        lines = []
        for path, message in problems:
            whole = json_path(self.steps) + path.removeprefix("$")
            layer = self._layer(whole) or self.layer
            lines.append(f"{layer.place(whole)}: {message}")
        return ConfigError(lines)

    def _layer(self, path: str) -> Layer | None:
        """The nearest layer with something at a path."""
        return next((each for each in reversed(self.said.layers) if path in each.places), None)


def together(layers: Sequence[Layer]) -> Said:
    """The layers as one; of settings the nearer wins, tables are merged, lists replaced.

    Raises:
        ConfigError: a key is unknown, or a value is not what belongs there; all are told.
    """
    whole = signature.read(Settings)
    validation = Validation(whole.input_schema())
    problems = [
        f"{layer.place(path)}: {message}"
        for layer in layers
        for path, message in broken(validation, layer.data)
    ]
    if problems:
        raise ConfigError(problems)
    data: Table = {}
    for layer in layers:
        data = merged(data, layer.data)
    values: Json = whole.structure(data)
    return Said(Settings(**values), tuple(layers))


def permissions_of(layer: Layer) -> Permissions:
    """What one layer, which has been checked, says of permissions."""
    values: Json = signature.read(Permissions).structure(layer.data.get("permissions", {}))
    return Permissions(**values)
