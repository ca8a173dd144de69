"""What a registry shows: the tools that can be used, and the text of them."""

from collections.abc import Iterable, Mapping

from attrs import evolve

from . import describe
from .base import BaseTool
from .detail import fitting, sheet
from .entry import Entry
from .spec import ToolSpec

Texts = dict[str, tuple[str, ...]]


class Listing:
    """The entries of a registry as they are until one comes or goes.

    What was rendered last is kept: as long as the same tools are available and the toolsets say
    the same, it is the same text.
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = tuple(entry for entry in entries if entry.traits.deprecated is None)
        self._checked = frozenset(entry for entry in self._entries if _has_check(entry))
        self._toolsets = _toolsets(self._entries)
        self._last: tuple[object, str] | None = None

    def entries(self) -> tuple[Entry, ...]:
        """The entries that can be used right now, without deprecated ones."""
        if not self._checked:
            return self._entries
        return tuple(
            entry
            for entry in self._entries
            if entry not in self._checked or entry.unavailable() is None
        )

    def text(self, budget_chars: int | None, usages: Mapping[str, str]) -> str:
        """The default text of them."""
        entries = self.entries()
        said = self._said(entries)
        asked = (entries, said, budget_chars, dict(usages))
        last = self._last
        if last is None or last[0] != asked:
            specs = [guided(entry.spec, usages) for entry in entries]
            last = self._last = asked, fitting(sheet(specs, said), budget_chars, describe.text)
        return last[1]

    def _said(self, entries: tuple[Entry, ...]) -> Texts:
        """By namespace, what the toolsets of these entries say, each text once."""
        said = {}
        everything = entries is self._entries
        for namespace, toolsets in (self._toolsets if everything else _toolsets(entries)).items():
            texts = (describe.instructions_text(_instructions(toolset)) for toolset in toolsets)
            said[namespace] = tuple(dict.fromkeys(filter(None, texts)))
        return said


def guided(spec: ToolSpec, usages: Mapping[str, str]) -> ToolSpec:
    """The spec with an agent's own guidance in place of its usage, if it has any."""
    return evolve(spec, usage=usages[spec.name]) if spec.name in usages else spec


def _has_check(entry: Entry) -> bool:
    own = type(entry.tool).available is not BaseTool.available or "available" in vars(entry.tool)
    return own or entry.traits.available is not None


def _toolsets(entries: Iterable[Entry]) -> dict[str, list[object]]:
    """By namespace, the toolsets that have instructions, each once."""
    found: dict[str, dict[int, object]] = {}
    for entry in entries:
        if callable(getattr(entry.toolset, "instructions", None)):
            found.setdefault(entry.namespace, {})[id(entry.toolset)] = entry.toolset
    return {namespace: list(toolsets.values()) for namespace, toolsets in found.items()}


def _instructions(toolset: object) -> object:
    return toolset.instructions()  # type: ignore[attr-defined]  # _toolsets saw the method
