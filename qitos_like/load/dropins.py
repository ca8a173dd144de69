"""Drop-in files: each file of a folder is a plugin; together they are a package of their own."""

import importlib
import sys
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import ModuleType

from .layers import shown
from .plugins import Plugin

_PREFIX = "qitos_like_dropins_"


def find_dropins(folder: Path) -> Iterator[Plugin]:
    """The plugins of a folder's files and packages, by name; none of their code runs.

    What begins with ``_`` or ``.`` is none, but can be imported by the others: ``from ._shared
    import key``. A tool keeps its name, without a namespace.
    """
    for path in sorted(folder.iterdir()):
        is_package = (path / "__init__.py").is_file()
        if path.name.startswith((".", "_")) or not (is_package or path.suffix == ".py"):
            continue
        name = path.name if is_package else path.stem
        load = partial(_load, folder.resolve(), name)
        yield Plugin(id=name, namespace="", load=load, where=shown(path))


def _load(folder: Path, name: str) -> ModuleType:
    """The module, as one of a package that only this folder is."""
    package = f"{_PREFIX}{sha256(str(folder).encode()).hexdigest()[:8]}"
    if package not in sys.modules:
        parent = ModuleType(package, "Drop-in files of one folder.")
        parent.__path__ = [str(folder)]
        sys.modules[package] = parent
    importlib.invalidate_caches()  # a file may be newer than the last look into its folder
    return importlib.import_module(f"{package}.{name}")
