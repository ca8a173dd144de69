"""Paths that file tools do not write, whether or not they exist."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from glob import has_magic

from kits.errors import denied
from qitos_like.core.traits import texts

from .paths import folded

#: What runs code or changes a policy when another program finds it.
DEFAULT_PROTECTED = (
    ".git/hooks",
    ".git/config",
    ".git/config.worktree",
    ".git/commondir",
    "qitos-like.toml",
    ".mcp.json",
    ".vscode",
)


class Protected:
    """Patterns of paths, at any depth of a tree, that may not be written.

    A pattern covers itself, what is below it, and, if it has no wildcards, a file in the place of
    a folder above it (a file ``.git`` can point to other hooks).

    Args:
        patterns: one, or several; ``*``, ``?`` and ``[...]`` stand for a part of a name, ``**`` for
            any folders.

    Raises:
        ValueError: one of them is no path below a folder.

    >>> Protected([".git/hooks"]).covers(("sub", ".GIT", "hooks", "post-merge"))
    '.git/hooks'
    >>> Protected("keys/*.pem").covers(("keys", "own.pem"))
    'keys/*.pem'
    """

    def __init__(self, patterns: Iterable[str] = DEFAULT_PROTECTED) -> None:
        self.patterns = tuple(map(_normal, texts(patterns)))
        self._folded = [tuple(map(folded, p.split("/"))) for p in self.patterns]

    def covers(self, parts: Iterable[str]) -> str | None:
        """The pattern that covers the path, or ``None``."""
        names = tuple(map(folded, parts))
        for text, pattern in zip(self.patterns, self._folded, strict=True):
            if any(_covers(pattern, names[start:]) for start in range(len(names))):
                return text
        return None

    def check(self, parts: tuple[str, ...]) -> None:
        """Refuse to write there.

        Raises:
            WorkspaceError: a pattern covers it.
        """
        pattern = self.covers(parts)
        if pattern is not None:
            message = f"{'/'.join(parts)!r} is protected ({pattern}): file tools do not write it"
            hint = f"Protected are: {', '.join(self.patterns)}. Other paths can be written."
            raise denied(message, hint=hint)


def _normal(pattern: str) -> str:
    """A pattern by the names it consists of.

    Raises:
        ValueError: it has none, or leads out of the folder.
    """
    names = [name for name in pattern.split("/") if name not in {"", "."}]
    if not names or ".." in names:
        message = f"a protected path is one below the workspace, not {pattern!r}"
        raise ValueError(message)
    return "/".join(names)


def _covers(pattern: Sequence[str], names: Sequence[str]) -> bool:
    """Whether the names begin with what the pattern names, or lie on the way to it."""
    shared = min(len(names), len(pattern))
    if names[:shared] == pattern[:shared]:
        return shared == len(pattern) or not any(map(has_magic, pattern))
    return any(map(has_magic, pattern)) and _fits(pattern, names)


def _fits(pattern: Sequence[str], names: Sequence[str]) -> bool:
    """Whether the first of the names are what wildcards stand for; names may look like patterns."""
    if not pattern:
        return True
    first, rest = pattern[0], pattern[1:]
    if first == "**":
        return any(_fits(rest, names[start:]) for start in range(len(names) + 1))
    is_meant = bool(names) and (names[0] == first or fnmatchcase(names[0], first))
    return is_meant and _fits(rest, names[1:])
