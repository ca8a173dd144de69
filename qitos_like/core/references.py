"""References inside a schema: what ``#/$defs/Node`` and ``#node`` stand for."""

from collections.abc import Mapping

from . import _lazy
from .jsontypes import Json, Schema

_ANCHORS = ("$anchor", "$dynamicAnchor")


def referred(root: Schema, schema: Json) -> Json:
    """What a schema's ``$ref`` stands for; ``None`` if it has none or it leads nowhere here.

    >>> referred({"$defs": {"Node": {"$anchor": "node"}}}, {"$ref": "#node"})
    {'$anchor': 'node'}
    """
    target = schema.get("$ref") if isinstance(schema, Mapping) else None
    if not isinstance(target, str) or not target.startswith("#"):
        return None
    fragment = target[1:]
    if "%" in fragment:
        fragment = _lazy.unquote()(fragment)
    if not fragment or fragment.startswith("/"):
        return _pointed(root, fragment)
    return _anchored(root, fragment)


def _pointed(root: Schema, pointer: str) -> Json:
    place: Json = root
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(place, Mapping) and key in place:
            place = place[key]
        elif isinstance(place, list) and key.isdecimal() and int(key) < len(place):
            place = place[int(key)]
        else:
            return None
    return place


def _anchored(root: Schema, name: str) -> Json:
    """The schema that says it has this name."""
    waiting: list[Json] = [root]
    for each in waiting:  # which grows
        if isinstance(each, Mapping):
            if any(each.get(anchor) == name for anchor in _ANCHORS):
                return each
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
    return None


def reference_name(schema: Mapping[str, Json]) -> str:
    """The last step of a schema's ``$ref``, which is how a definition is called."""
    reference = str(schema.get("$ref", ""))
    name = reference.rpartition("/")[2] if "/" in reference else reference.removeprefix("#")
    return name.replace("~1", "/").replace("~0", "~") or reference
