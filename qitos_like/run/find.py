"""The first step: from the name a model used to the entry it means."""

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from qitos_like.core.entry import Entry
from qitos_like.core.names import MAX_NAME_CHARS, WIRE_RULES, bare, near_names, wire_name
from qitos_like.core.registry import ToolRegistry
from qitos_like.core.results import Err, ErrorCode
from qitos_like.core.traits import Alias

_HASHED = re.compile(r"___([0-9a-f]{16})$")
_FEW = 10
_NEAR = 5


class Found(NamedTuple):
    """The entry that is meant, and the alias it was called by, if it was."""

    entry: Entry
    alias: Alias | None = None


def find(registry: ToolRegistry, name: object) -> Found | Err:
    """The tool of this name: qualified, as a provider spells it, an alias, or its last segment.

    An unavailable tool is an error that says why.
    """
    entry = registry.get(name) if isinstance(name, str) else None
    found = _search(registry, name) if entry is None else _named(entry)
    if isinstance(found, Err):
        return found
    reason = found.entry.unavailable()
    if reason is None:
        return found
    message = f"{found.entry.name} is not available: {reason}"
    return Err(ErrorCode.NOT_AVAILABLE, message, hint="go on without it", retryable=False)


def _named(entry: Entry) -> Found:
    """A tool that was called by its own name, which may have another spelling of arguments."""
    aliases = entry.traits.aliases
    if not aliases:
        return Found(entry)
    name = bare(entry.name)
    return Found(entry, next((alias for alias in aliases if alias.name == name), None))


def _search(registry: ToolRegistry, name: object) -> Found | Err:
    if not isinstance(name, str) or not name or len(name) > MAX_NAME_CHARS:
        return _unknown(registry, name)
    aliases = registry.aliases()
    for spelled in (name, name.replace("__", ".")):
        entry = registry.get(spelled)
        if entry is not None:
            return _named(entry)
        if spelled in aliases:
            return Found(*aliases[spelled])
    return _hashed(registry, name) or _bare(registry, name) or _unknown(registry, name)


def _hashed(registry: ToolRegistry, name: str) -> Found | None:
    """The tool whose hashed wire name this is, at any provider."""
    digest = _HASHED.search(name)
    if digest is None:
        return None
    for known, found in _names(registry):
        if sha256(known.encode()).hexdigest().startswith(digest[1]) and name in _wire_names(known):
            return found
    return None


def _bare(registry: ToolRegistry, name: str) -> Found | None:
    """The one tool, or else the one alias, whose last segment this is."""
    entries = [entry for entry in registry if bare(entry.name) == name]
    if len(entries) == 1:
        return _named(entries[0])
    owned = [each for known, each in registry.aliases().items() if bare(known) == name]
    return Found(*owned[0]) if len(owned) == 1 and not entries else None


def _names(registry: ToolRegistry) -> Iterator[tuple[str, Found]]:
    for entry in registry:
        yield entry.name, _named(entry)
    for name, (entry, alias) in registry.aliases().items():
        yield name, Found(entry, alias)


def _wire_names(name: str) -> set[str]:
    return {wire_name(name, provider) for provider in WIRE_RULES}


def _unknown(registry: ToolRegistry, name: object) -> Err:
    spelled = name if isinstance(name, str) else repr(name)
    if len(spelled) > MAX_NAME_CHARS:
        spelled = f"{spelled[:MAX_NAME_CHARS]}…"
    listed = [entry.name for entry in registry if entry.traits.deprecated is None]
    near = _of_the_same_name(registry, spelled) or near_names(spelled, listed)
    if near:
        hint = f"did you mean {' or '.join(near)}?"
    elif len(listed) <= _FEW:
        hint = f"the tools are: {', '.join(listed) or 'none'}"
    else:
        hint = "use a tool that was listed"
    message = f"there is no tool {spelled!r}"
    return Err(
        ErrorCode.UNKNOWN_TOOL, message, hint=hint, retryable=False, structured={"near": near}
    )


def _of_the_same_name(registry: ToolRegistry, spelled: str) -> list[str]:
    """The tools whose last segment, or whose other name, this is but for capitals and a prefix."""
    last = bare(spelled.replace("__", ".")).casefold()
    found = [
        entry.name
        for entry in registry
        if entry.traits.deprecated is None and bare(entry.name).casefold() == last
    ]
    other = [
        entry.name
        for known, (entry, _) in registry.aliases().items()
        if bare(known).casefold() == last
    ]
    return list(dict.fromkeys(found or other))[:_NEAR]
