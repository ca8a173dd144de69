"""Which projects a user trusts: by the project's file, as it was when it was trusted."""

import json
import os
import tempfile
from pathlib import Path

from attrs import evolve, frozen

from qitos_like.core.jsontypes import Json
from qitos_like.errors import ConfigError

from .layers import Layer

FILE = "trusted.json"
#: What a project that nobody trusts may say: it can only tighten.
_TIGHTENING = ("deny", "ask", "default")


@frozen
class Trust:
    """What a user trusts.

    Attributes:
        folder: the user's own, where that is kept.
    """

    folder: Path

    def holds(self, layer: Layer) -> bool:
        """Whether this project's file was trusted as it is now."""
        return self._known().get(_key(layer)) == layer.digest

    def add(self, layer: Layer) -> None:
        """Trust a project's file as it is now.

        Raises:
            ConfigError: that cannot be kept.
        """
        self._keep({**self._known(), _key(layer): layer.digest})

    def remove(self, layer: Layer) -> bool:
        """Trust it no more; whether it was known."""
        known = self._known()
        was_known = known.pop(_key(layer), None) is not None
        if was_known:
            self._keep(known)
        return was_known

    def _known(self) -> dict[str, str]:
        file = self.folder / FILE
        try:
            known = json.loads(file.read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except (OSError, ValueError) as error:
            raise ConfigError([f"{file}: it cannot be read: {error}"]) from error
        return dict(known) if isinstance(known, dict) else {}

    def _keep(self, known: dict[str, str]) -> None:
        file = self.folder / FILE
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            number, name = tempfile.mkstemp(dir=self.folder, prefix=FILE)
            with os.fdopen(number, "w", encoding="utf-8") as opened:
                json.dump(known, opened, indent=2)
            Path(name).replace(file)
        except OSError as error:
            raise ConfigError([f"{file}: it cannot be written: {error.strerror}"]) from error


def tightening(layer: Layer) -> Layer:
    """Of a project's layer what counts without trust: ``deny``, ``ask`` and ``default``."""
    said = layer.data.get("permissions")
    kept = {key: said[key] for key in _TIGHTENING if key in said} if isinstance(said, dict) else {}
    return evolve(layer, data={"permissions": kept} if kept else {}, is_trusted=False)


def entries(data: Json) -> int:
    """How many values there are in tables."""
    return sum(map(entries, data.values())) if isinstance(data, dict) else 1


def _key(layer: Layer) -> str:
    """The file where it was found: a link to one that is trusted is no such file."""
    file = (layer.file or layer.folder).absolute()
    return str(file.parent.resolve() / file.name)
