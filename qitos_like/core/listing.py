"""What a registry shows: the tools that can be used, and the text of them."""

from collections.abc import Iterable, Mapping

from attrs import evolve

from ._first_use import described, instructions_text
from .base import BaseTool
from .entry import Entry
from .shown import Shown
from .spec import ToolSpec
from .traits import Traits

Texts = dict[str, tuple[str, ...]]


class Listing:
    """The entries of a registry as they are until one comes or goes.

    What was made of them is kept as long as the same tools are available; their text, which was
    rendered last, as long as the toolsets say the same too.
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        shown: list[Entry] = []
        checked: list[Entry] = []
        for entry in entries:
            traits = entry.traits
            if traits.deprecated is None:
                shown.append(entry)
                if _has_check(entry.tool, traits):
                    checked.append(entry)
        self._entries = Shown(shown)
        self._checked = frozenset(checked)
        self._available = self._entries
        self._last: tuple[object, str] | None = None

    def entries(self) -> Shown[Entry]:
        """The entries that can be used right now, without deprecated ones."""
        if not self._checked:
            return self._entries
        last, now = self._available, Shown(filter(self._is_available, self._entries))
        if now != last:
            last = self._available = now
        return last

    def specs(self, usages: Mapping[str, str]) -> Shown[ToolSpec]:
        """The specs of them, with an agent's own guidance in place of their usage."""
        return _guided(self.entries(), usages)

    def text(self, budget_chars: int | None, usages: Mapping[str, str]) -> str:
        """The default text of them."""
        entries = self.entries()
        said = _said(entries)
        asked = (entries, said, budget_chars, dict(usages))
        last = self._last
        if last is None or last[0] != asked:
            text = described(_guided(entries, usages), said, budget_chars)
            last = self._last = asked, text
        return last[1]

    def _is_available(self, entry: Entry) -> bool:
        return entry not in self._checked or entry.unavailable() is None


def _has_check(tool: BaseTool, traits: Traits) -> bool:
    own = type(tool).available is not BaseTool.available or "available" in vars(tool)
    return own or traits.available is not None


def _guided(entries: Shown[Entry], usages: Mapping[str, str]) -> Shown[ToolSpec]:
    specs = entries.kept(_specs)
    if not usages:
        return specs
    return Shown(
        evolve(spec, usage=usages[spec.name]) if spec.name in usages else spec for spec in specs
    )


def _specs(entries: Shown[Entry]) -> Shown[ToolSpec]:
    return Shown(entry.spec for entry in entries)


def _said(entries: Shown[Entry]) -> Texts:
    """By namespace, what the toolsets of these entries say, each text once."""
    said = {}
    for namespace, toolsets in entries.kept(_toolsets).items():
        texts = (instructions_text(_instructions(toolset)) for toolset in toolsets)
        said[namespace] = tuple(dict.fromkeys(filter(None, texts)))
    return said


def _toolsets(entries: Iterable[Entry]) -> dict[str, list[object]]:
    """By namespace, the toolsets that have instructions, each once."""
    found: dict[str, dict[int, object]] = {}
    for entry in entries:
        if callable(getattr(entry.toolset, "instructions", None)):
            found.setdefault(entry.namespace, {})[id(entry.toolset)] = entry.toolset
    return {namespace: list(toolsets.values()) for namespace, toolsets in found.items()}


def _instructions(toolset: object) -> object:
    return toolset.instructions()  # type: ignore[attr-defined]  # _toolsets saw the method
