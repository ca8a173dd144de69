"""References inside a schema: what ``#/$defs/Node`` stands for."""

from collections.abc import Mapping

from . import _lazy
from .jsontypes import Json, Schema


def referred(root: Schema, schema: Json) -> Json:
    """What a schema's ``$ref`` stands for; ``None`` if it has none or it leads nowhere here."""
    target = schema.get("$ref") if isinstance(schema, Mapping) else None
    if not isinstance(target, str) or not target.startswith("#"):
        return None
    place: Json = root
    for token in _lazy.unquote()(target[1:]).split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(place, Mapping) and key in place:
            place = place[key]
        elif isinstance(place, list) and key.isdecimal() and int(key) < len(place):
            place = place[int(key)]
        else:
            return None
    return place


def reference_name(schema: Mapping[str, Json]) -> str:
    """The last step of a schema's ``$ref``, which is how a definition is called."""
    return str(schema.get("$ref", "")).rpartition("/")[2].replace("~1", "/").replace("~0", "~")
