"""Choosing entries by patterns: ``coding.*``, ``*``, ``!coding.run_command``, ``tag:readonly``."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Literal, get_args

from qitos_like.errors import SelectionError

from .entry import Entry
from .names import did_you_mean

Missing = Literal["error", "ignore"]


def select(
    entries: Sequence[Entry], patterns: Sequence[str], missing: Missing = "error"
) -> list[Entry]:
    """The entries that a plain pattern matches and no ``!`` pattern does, in their order.

    Without a plain pattern all entries are meant. The order of the patterns does not matter.

    Raises:
        SelectionError: a pattern matches nothing, unless ``missing`` is ``"ignore"``; or it is no
            text.
        ValueError: ``missing`` is another word.
    """
    if missing not in get_args(Missing):
        message = f"missing is 'error' or 'ignore', not {missing!r}"
        raise ValueError(message)
    chosen: set[str] = set()
    refused: set[str] = set()
    for pattern in map(_checked, patterns):
        body = pattern.removeprefix("!")
        matched = {entry.name for entry in entries if matches(entry, body)}
        if not matched and missing == "error":
            raise _no_match(entries, pattern, body)
        (refused if pattern.startswith("!") else chosen).update(matched)
    if all(pattern.startswith("!") for pattern in patterns):
        chosen = {entry.name for entry in entries}
    return [entry for entry in entries if entry.name in chosen and entry.name not in refused]


def _checked(pattern: object) -> str:
    if isinstance(pattern, str):
        return pattern
    message = f'a pattern is a text, not {pattern!r}: select("coding.*", "!coding.create")'
    raise SelectionError(message, pattern=str(pattern))


def matches(entry: Entry, pattern: str) -> bool:
    """Whether a pattern without ``!`` matches an entry, by its tags or its qualified name."""
    kind, colon, tag = pattern.partition(":")
    if colon and kind == "tag":
        return any(fnmatchcase(own, tag) for own in entry.traits.tags)
    return fnmatchcase(entry.name, pattern)


def _no_match(entries: Sequence[Entry], pattern: str, body: str) -> SelectionError:
    known = {entry.name for entry in entries}
    known |= {f"{entry.namespace}.*" for entry in entries if entry.namespace}
    known |= {f"tag:{tag}" for entry in entries for tag in entry.traits.tags}
    message = f"the pattern {pattern!r} matches no tool{did_you_mean(body, sorted(known))}"
    return SelectionError(message, pattern=pattern)
