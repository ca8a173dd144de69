"""``Dialect``: what every provider's wire format has to do."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from attrs import field, frozen

from qitos_like.core.action import Action, ActionResult
from qitos_like.core.entry import Entry
from qitos_like.core.jsontypes import Json, Schema
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.spec import ToolSpec
from qitos_like.render.schemas.notes import Finding, Note


@frozen
class Export:
    """One tool as a provider takes it.

    Attributes:
        tool: the provider's form; treat it as read-only.
        notes: what it does not say.
        is_native: whether it is the provider's own tool, which several of ours may share.
    """

    tool: Schema
    notes: tuple[Note, ...] = ()
    is_native: bool = field(default=False, kw_only=True)


class Dialect(ABC):
    """A provider's wire format, both ways. It holds no state and imports no SDK.

    Attributes:
        name: of the provider, as in ``wire_name``.
    """

    name: ClassVar[str]
    _makers: ClassVar[Mapping[bool | None, "_Maker"]]

    def __init_subclass__(cls) -> None:
        """Make what makes exports, by which tools and lists find what was made of them."""
        cls._makers = {strict: _Maker(cls, strict) for strict in (None, False, True)}

    def tools(
        self, registry: ToolRegistry, *, strict: bool | None = None, cache: bool = False
    ) -> list[Schema]:
        """The list of tools that the provider's API takes.

        The list is a new one, but the tools in it are kept and given to whoever asks: treat them
        as read-only, and copy one to change it.

        Args:
            registry: the tools; those that are unavailable or deprecated are left out.
            strict: whether the provider holds the model to the schema, wherever that loses
                nothing; ``None`` leaves it to the dialect.
            cache: whether to ask for the list to be cached, where the provider wants to be asked.
        """
        offer = self._offer(registry, strict)
        return self._listed(list(offer.tools), cache=cache)

    def report(self, registry: ToolRegistry, *, strict: bool | None = None) -> list[Note]:
        """What the provider is not told or not promised by ``tools``, and why."""
        return list(self._offer(registry, strict).notes)

    def _offer(self, registry: ToolRegistry, strict: bool | None) -> "_Offer":  # noqa: FBT001
        given: object = registry
        if not isinstance(given, ToolRegistry):
            message = f"a dialect shows a ToolRegistry, not {given!r}"
            raise TypeError(message)
        return registry.listed().kept(self._makers[strict].offer)

    @abstractmethod
    def actions(self, message: object, registry: ToolRegistry) -> list[Action]:
        """The calls in a model's message, in order, by the names of the registry.

        A call without an id is given one, the same each time. Arguments stay as they were sent,
        text or mapping, for the executor to check.

        Args:
            message: an object of the provider's SDK or the same as plain JSON data; the whole
                response or the message in it.
            registry: the tools that the model was shown.
        """

    @abstractmethod
    def assistant(self, message: object) -> Json:
        """The model's message as plain JSON data for the history, each call with an id."""

    @abstractmethod
    def results(self, action_results: Iterable[ActionResult]) -> list[Schema]:
        """The messages that answer a message's calls, one answer to each."""

    @abstractmethod
    def _export(self, spec: ToolSpec, *, strict: bool | None) -> Export:
        """One tool."""

    def _exports(self, specs: Sequence[ToolSpec], *, strict: bool | None) -> list[Export]:
        """The tools of one request."""
        export = self._makers[strict].export
        return [spec.kept(export) for spec in specs]

    def _listed(self, tools: list[Schema], *, cache: bool) -> list[Schema]:  # noqa: ARG002
        """The whole list, from the single tools."""
        return tools


@frozen
class _Offer:
    """What a provider is given of all that is shown, and what it is not told."""

    tools: tuple[Schema, ...]
    notes: tuple[Note, ...]


@frozen(eq=False)
class _Maker:
    """Makes what one dialect exports."""

    dialect: type[Dialect]
    strict: bool | None

    def export(self, spec: ToolSpec) -> Export:
        return self.dialect()._export(spec, strict=self.strict)  # noqa: SLF001

    def offer(self, entries: Iterable[Entry]) -> _Offer:
        """A tool of the provider's own comes once, even if several of ours stand for it."""
        specs = [entry.spec for entry in entries]
        exports = self.dialect()._exports(specs, strict=self.strict)  # noqa: SLF001
        tools = [
            each.tool
            for at, each in enumerate(exports)
            if not each.is_native or each not in exports[:at]
        ]
        return _Offer(tuple(tools), tuple(note for each in exports for note in each.notes))


def notes_of(
    spec: ToolSpec, findings: Sequence[Finding], *, not_strict: Sequence[Finding] = ()
) -> tuple[Note, ...]:
    """Findings about a tool's schema as notes, first those for which it is not strict."""
    if not findings and not not_strict:
        return ()
    found = [*((path, f"not strict: {text}") for path, text in not_strict), *findings]
    return tuple(Note(spec.name, path, text) for path, text in found)
