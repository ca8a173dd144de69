"""Keeping the whole of a text that is cut, and telling how to read it."""

import logging

from attrs import field, frozen

from qitos_like.core.given import instance
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.spec import ToolSpec

from .artifacts import ArtifactStore

#: Tools with this tag read artifacts: their argument ``path`` takes an artifact's name.
READERS = "artifacts"

_log = logging.getLogger("qitos_like")


@frozen
class Kept:
    """Where the whole of a text is.

    Attributes:
        name: the artifact; ``None`` if it is not kept.
        note: how to read it, for the model.
    """

    name: str | None = None
    note: str = ""


@frozen(eq=False)
class Keeper:
    """Keeps texts for one executor."""

    _store: ArtifactStore = field(validator=instance(ArtifactStore))
    _registry: ToolRegistry

    def keep(self, text: str, spec: ToolSpec | None) -> Kept:
        """Keep a text, unless it was read from an artifact itself."""
        if spec is not None and READERS in spec.tags:
            return Kept()
        try:
            name = self._store.save(text)
        except Exception:  # user code: a host's own store; and disks that are full
            _log.warning("the whole of a result cannot be kept", exc_info=True)
            return Kept()
        return Kept() if name is None else Kept(name, self._note(name))

    def _note(self, name: str) -> str:
        """A reader that is registered, if there is one."""
        for entry in self._registry:
            if READERS in entry.traits.tags and entry.unavailable() is None:
                return f'all of it: {entry.name}(path="{name}")'
        return ""
