"""Paths that file tools do not write, whether or not they exist."""

from collections.abc import Iterable

from kits.errors import denied

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

    A pattern covers itself, what is below it, and a file in the place of a folder above it (a
    file ``.git`` can point to other hooks).

    >>> Protected([".git/hooks"]).covers(("sub", ".GIT", "hooks", "post-merge"))
    '.git/hooks'
    """

    def __init__(self, patterns: Iterable[str] = DEFAULT_PROTECTED) -> None:
        self.patterns = tuple(patterns)
        self._folded = [tuple(map(folded, p.strip("/").split("/"))) for p in self.patterns]

    def covers(self, parts: Iterable[str]) -> str | None:
        """The pattern that covers the path, or ``None``."""
        names = tuple(map(folded, parts))
        for text, pattern in zip(self.patterns, self._folded, strict=True):
            for start in range(len(names)):
                tail = names[start:]
                shared = min(len(tail), len(pattern))
                if tail[:shared] == pattern[:shared]:
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
