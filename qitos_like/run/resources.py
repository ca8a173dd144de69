"""What an action touches, from what its tool declares and its arguments say."""

import logging
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping

from qitos_like.core.entry import Entry
from qitos_like.core.jsontypes import Json
from qitos_like.core.marks import PathArg
from qitos_like.core.raised import contained
from qitos_like.core.traits import Resources

from .ticket import Access

_PLACE = re.compile(r"\{(\w+)\}")

#: A tool's own function from arguments to names.
Resolve = Callable[[Mapping[str, Json]], Iterable[str]]

#: An action that is in nobody's way, and one that runs alone.
FREE = Access()
ALONE = Access(is_barrier=True)

_log = logging.getLogger("qitos_like")


def access(entry: Entry, given: Mapping[str, Json]) -> Access:
    """What one action touches of the resources that its tool declares.

    Where one cannot be told, the action runs alone.
    """
    traits = entry.traits
    try:
        return Access(
            reads=_named(traits.reads, given, entry), writes=_named(traits.writes, given, entry)
        )
    except Exception:  # user code: a tool's own function from arguments to resources
        _log.warning("the resources of %s cannot be told: it runs alone", entry.name, exc_info=True)
        return ALONE


def _named(resources: Resources, given: Mapping[str, Json], entry: Entry) -> Iterable[str]:
    """The names of resources.

    Raises:
        KeyError: a template needs an argument that was neither given nor has a default.
    """
    if callable(resources):
        return told(resources, given)
    path = entry.tool.signature.marked(PathArg)
    properties = entry.spec.input_schema.get("properties", {})

    def filled(place: re.Match[str]) -> str:
        name = place[1]
        value = given[name] if name in given else properties[name]["default"]
        return normalised(str(value)) if name == path else str(value)

    return [_PLACE.sub(filled, template) for template in resources]


def told(function: Resolve, given: Mapping[str, Json]) -> tuple[str, ...]:
    """The names that a tool's own function tells; a text is one name, not many letters."""
    names = contained(function, given)
    return (names,) if isinstance(names, str) else tuple(map(str, names))


def normalised(path: str) -> str:
    """A path by its text alone: without ``.``, ``..`` and slashes that say nothing."""
    plain = posixpath.normpath(path)
    return plain[1:] if plain.startswith("//") else plain  # POSIX leaves two to the system
