"""Expressions for patterns of names, which take no longer than the names are long.

The places that two stars take in a name are never tried against each other: what stands between
them is taken where it comes first, and if that leads nowhere, no other place does.
"""

from collections.abc import Sequence
from itertools import groupby

#: Any character of a name.
ONE = "[^/]"


def name(atoms: Sequence[str | None]) -> str:
    """A part of a name as an expression.

    Args:
        atoms: expressions for one character each; ``None`` for any number of any characters.
    """
    runs = ["".join(run) for run in _split(atoms)]
    if len(runs) == 1:
        return runs[0]
    first, *between, last = runs
    middle = "".join(f"(?>{ONE}*?{run})" for run in between if run)
    return f"{first}{middle}{ONE}*{last}"


def path(names: Sequence[str | None], folder: str) -> str:
    """A path as an expression.

    Args:
        names: expressions for one name each; ``None`` for any number of folders.
        folder: the expression for one of these.
    """
    runs = ["/".join(run) for run in _split(names)]
    if len(runs) == 1:
        return runs[0]
    first, *between, last = runs
    start = f"{first}/" if first else ""
    middle = "".join(f"(?>(?:{folder}/)*?{run}/)" for run in between if run)
    return f"{start}{middle}(?:{folder}/)*{last}"


def _split(items: Sequence[str | None]) -> list[list[str]]:
    """The items between those that are ``None``, of which many are as one."""
    runs: list[list[str]] = [[]]
    for is_gap, group in groupby(items, key=lambda item: item is None):
        if is_gap:
            runs.append([])
        else:
            runs[-1] += [item for item in group if item is not None]
    return runs
