"""The names that entries take in a registry, each of which has one owner."""

from collections.abc import Iterable, Iterator, Mapping

from qitos_like.errors import DuplicateToolError

from .entry import Entry
from .names import bare, qualified
from .traits import Alias

#: What a name stands for: an entry, and the alias of it that it is, if it is one.
Claim = tuple[Entry, Alias | None]


def claimed(
    entries: Iterable[Entry], held: Mapping[str, Entry], aliases: Mapping[str, tuple[Entry, Alias]]
) -> dict[str, Claim]:
    """The names that these entries take beside those that are held already.

    Raises:
        DuplicateToolError: one is held, or taken twice.
    """
    claims: dict[str, Claim] = {}
    for entry in entries:
        for name, alias in _names_of(entry):
            owner, _ = claims.get(name) or aliases.get(name) or (held.get(name), None)
            if owner is not None:
                raise _taken(name, owner, entry)
            claims[name] = (entry, alias)
    return claims


def _names_of(entry: Entry) -> Iterator[tuple[str, Alias | None]]:
    """The qualified names that an entry takes: its own, and its aliases'."""
    yield entry.name, None
    for alias in entry.traits.aliases:
        if alias.name != bare(entry.name):  # one of that name only spells arguments otherwise
            yield qualified(entry.namespace, alias.name), alias


def _taken(name: str, holder: Entry, entry: Entry) -> DuplicateToolError:
    """The error for a name that another entry holds."""
    also = "" if holder.name == name else f", an alias of {holder.name}"
    message = (
        f"the name {name!r} is taken by {holder.origin}{also}; {entry.origin} needs another: "
        "give name=... or namespace=..."
    )
    return DuplicateToolError(message, tool=name)
