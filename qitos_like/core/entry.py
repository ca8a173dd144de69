"""One tool as registered: its qualified name, its spec under that name, where it came from."""

from functools import cached_property
from typing import Literal

from attrs import evolve, field, frozen

from .availability import AvailabilityCheck, why_unavailable
from .base import BaseTool
from .lifecycle import Lifecycle, one_for_each_owner
from .spec import ToolMeta, ToolSpec
from .traits import Traits


@frozen
class Origin:
    """Where a tool came from.

    Attributes:
        kind: what brought it.
        name: the callable, class, toolset, plugin or server.
        version: its own version, if it says one.
    """

    kind: Literal["function", "class", "toolset", "plugin", "mcp"]
    name: str
    version: str | None = None

    def __str__(self) -> str:
        """``toolset coding 1.2``."""
        return " ".join(part for part in (self.kind, self.name, self.version) if part)


@frozen(kw_only=True, eq=False)
class Entry:
    """One tool as registered; the tool itself stays as it was written.

    Attributes:
        name: the qualified name, ``coding.view``.
        tool: the tool, shared with every other registry that has it.
        origin: where it came from.
        override: what the registration said over what the tool says.
        lifecycle: what must be started before the first call.
        toolset: the toolset it came with; ``None`` for a single tool.
    """

    name: str
    tool: BaseTool
    origin: Origin
    override: ToolMeta = field(factory=ToolMeta)
    lifecycle: Lifecycle = field(factory=Lifecycle)
    toolset: object = None

    @property
    def namespace(self) -> str:
        """What comes before the last dot of the name; empty for none."""
        return self.name.rpartition(".")[0]

    @cached_property
    def spec(self) -> ToolSpec:
        """The tool's spec as this registry has it, under the qualified name."""
        return self.tool.spec.overridden(self.override).named(self.name)

    @property
    def traits(self) -> Traits:
        """What is said of the tool besides its schema; cheaper than ``spec``."""
        return self.spec if self.override.said else self.tool.traits

    def among(self, known: dict[int, Lifecycle]) -> "Entry":
        """The same, set up once with what else is of its toolset among these lifecycles."""
        lifecycle = one_for_each_owner(self.lifecycle, known)
        return self if lifecycle is self.lifecycle else evolve(self, lifecycle=lifecycle)

    def unavailable(self) -> str | None:
        """Why the tool cannot be used right now; ``None`` if it can."""
        for check in self._checks:
            reason = why_unavailable(check, self.name)
            if reason is not None:
                return reason
        return None

    @property
    def is_always_available(self) -> bool:
        """Whether nothing is asked about it."""
        return not self._checks

    @cached_property
    def _checks(self) -> tuple[AvailabilityCheck, ...]:
        """What says whether it can be used; not what every tool inherits, which says yes."""
        own, said = self.tool.available, self.traits.available
        is_inherited = getattr(own, "__func__", None) is BaseTool.available
        return (*([] if said is None else [said]), *([] if is_inherited else [own]))
