"""Who may import whom: each function yields a line for each breach."""

import ast
import tomllib
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from packaging.requirements import Requirement

from tests.architecture.source import (
    PACKAGES,
    RINGS,
    ROOT,
    STRANGERS,
    Module,
    imported,
    modules,
)

HEIGHT = {ring: height for height, row in enumerate(RINGS) for ring in row}

#: Modules whose purpose is to import late.
LATE_MODULES = {
    "qitos_like",
    "kits",
    "qitos_like.core._lazy",
    "qitos_like.core._first_use",
    "qitos_like.core.schema._lazy",
}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
#: Libraries that may be missing.
EXTRAS = {
    Requirement(line).name.replace("-", "_")
    for lines in PROJECT["optional-dependencies"].values()
    for line in lines
}


def upward_imports(module: Module) -> Iterator[str]:
    """A lower ring imports a higher one, or one that it must not know."""
    if module.ring not in HEIGHT:
        return
    for line, name in module.imports():
        ring = ring_of(name)
        if ring is None or ring not in HEIGHT:
            continue
        if HEIGHT[ring] > HEIGHT[module.ring] or (module.ring, ring) in STRANGERS:
            yield f"{module.where}:{line}: {module.ring} imports {ring}"


def unknown_rings(module: Module) -> Iterator[str]:
    """A module of the library that stands in no ring."""
    if module.ring not in {*HEIGHT, *PACKAGES}:
        yield f"{module.where}: {module.ring} is no ring"


def front_door_imports(module: Module) -> Iterator[str]:
    """The library imports itself by its front door, or knows the kits."""
    if module.ring in PACKAGES:
        return
    for line, name in module.imports():
        if name == "qitos_like" or is_front_door_name(module, name):
            yield f"{module.where}:{line}: imports the front door"
        if name.partition(".")[0] == "kits":
            yield f"{module.where}:{line}: imports kits"


def is_front_door_name(module: Module, name: str) -> bool:
    """Whether ``qitos_like.X`` names something other than a module of the library."""
    package, _, rest = name.partition(".")
    if package != "qitos_like" or "." in rest:
        return False
    below = module.root / package / rest
    return not (below.is_dir() or below.with_suffix(".py").exists())


def kit_imports(module: Module) -> Iterator[str]:
    """A kit imports more of the library than its front door and core."""
    if module.ring != "kits":
        return
    for line, name in module.imports():
        if ring_of(name) in HEIGHT.keys() - {"core"}:
            yield f"{module.where}:{line}: a kit imports {name}"


def local_imports(module: Module) -> Iterator[str]:
    """An import inside a function, optional extras aside."""
    if module.name in LATE_MODULES:
        return
    functions = (node for node in ast.walk(module.tree) if is_function(node))
    inner = {node for function in functions for node in ast.walk(function)}
    for node in inner:
        for line, name in imported(node, module.package):
            if name.partition(".")[0] not in EXTRAS:
                yield f"{module.where}:{line}: imports {name} inside a function"


def cycles(root: Path) -> Iterator[str]:
    """Modules that import each other, type-checking imports included."""
    names = {module.name for module in modules(root, *PACKAGES)}
    graph = {
        module.name: {known_module(name, names) for _, name in module.imports()} - {None}
        for module in modules(root, *PACKAGES)
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        yield " -> ".join(error.args[1])


def known_module(name: str, names: set[str]) -> str | None:
    """The module that ``from a import b`` loads: ``a.b`` if it is one, else ``a``."""
    return name if name in names else (name.rpartition(".")[0] if "." in name else None)


def ring_of(name: str) -> str | None:
    """The ring of an imported module of the library, else ``None``."""
    package, _, rest = name.partition(".")
    return rest.partition(".")[0] if package == "qitos_like" else None


def is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
