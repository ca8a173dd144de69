"""What every match of a pattern holds."""


class Needle:
    """The longest text that every match holds, gathered as the pattern is read."""

    def __init__(self) -> None:
        self._runs = [""]
        self._has_branches = False

    def add(self, literal: str | None, *, depth: int) -> None:
        """A piece of the pattern, and in how many groups it is, from 1."""
        if literal is not None and depth == 1:
            self._runs[-1] += literal
        else:
            self._runs.append("")

    def drop_last(self) -> None:
        """What was just added, and a piece behind it, turned out to be repeated."""
        self._runs[-2] = self._runs[-2][:-1]

    def branch(self, *, depth: int) -> None:
        """Another way to match begins."""
        self._has_branches = self._has_branches or depth == 1

    def longest(self) -> str:
        """The text; empty if there is none."""
        return "" if self._has_branches else max(self._runs, key=len)
