"""The project's modules as data for the architecture tests."""

import ast
import io
import tokenize
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parents[2]
PACKAGES = ("qitos_like", "kits")

#: Lowest first; rings of one row may import each other unless the next table forbids it.
RINGS = (
    ("errors",),
    ("core",),
    ("run", "render"),
    ("load", "mcp", "agent", "testing"),
    ("cli",),
    ("__main__",),
)
STRANGERS = {("run", "render"), ("render", "run")}


@frozen(slots=False)
class Module:
    """One Python file under a root folder."""

    root: Path
    path: Path

    @property
    def where(self) -> str:
        return self.path.relative_to(self.root).as_posix()

    @property
    def name(self) -> str:
        parts = self.path.relative_to(self.root).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def package(self) -> str:
        """What a relative import starts from."""
        return self.name if self.path.stem == "__init__" else self.name.rpartition(".")[0]

    @property
    def ring(self) -> str:
        """``kits``, ``qitos_like`` for the front door, else the name below ``qitos_like``."""
        first, _, rest = self.name.partition(".")
        return rest.partition(".")[0] or first if first == "qitos_like" else first

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def comments(self) -> dict[int, str]:
        """By line number."""
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        return {token.start[0]: token.string for token in tokens if token.type == tokenize.COMMENT}

    def imports(self) -> Iterator[tuple[int, str]]:
        """The line and the absolute name of each imported module, wherever it stands."""
        for node in ast.walk(self.tree):
            yield from imported(node, self.package)


def imported(node: ast.AST, package: str) -> Iterator[tuple[int, str]]:
    """What one node imports: ``from a import b`` gives ``a.b``, since b may be a module."""
    if isinstance(node, ast.Import):
        yield from ((node.lineno, alias.name) for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        parts = package.split(".")
        start = parts[: len(parts) - node.level + 1] if node.level else []
        base = ".".join([*start, *([node.module] if node.module else [])])
        yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def modules(root: Path, *packages: str) -> list[Module]:
    """All modules of these packages; projects that are shipped as data are none."""
    found = (path for package in packages for path in sorted((root / package).rglob("*.py")))
    return [Module(root, path) for path in found if is_ours(root, path)]


def is_ours(root: Path, path: Path) -> bool:
    """Whether each folder from the package down to the file is a package."""
    folders = [folder for folder in path.parents if root in folder.parents]
    return all((folder / "__init__.py").exists() for folder in folders[:-1])
