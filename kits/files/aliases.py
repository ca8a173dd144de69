"""The file tools' names in the vocabulary that is not listed, and their arguments' names in it."""

from qitos_like.core.jsontypes import Json
from qitos_like.core.traits import Alias

from . import viewing


def _to_view_range(given: dict[str, Json]) -> dict[str, Json]:
    """``offset`` and ``limit`` as a ``view_range``.

    Raises:
        ValueError: there is nothing to read.
    """
    rest = {name: value for name, value in given.items() if name not in {"offset", "limit"}}
    offset, limit = _number(given.get("offset")), _number(given.get("limit"))
    if offset is None and limit is None:
        return rest
    first = offset or 1  # many count from 0
    if limit is None or not isinstance(first, int) or not isinstance(limit, int):
        return {**rest, "view_range": [first, -1 if limit is None else limit]}
    if limit < 1:
        message = f"limit is {limit}, and has to be at least 1"
        raise ValueError(message)
    return {**rest, "view_range": [first, first + limit - 1]}


def _number(given: Json) -> Json:
    """A number that came as text; what is none is refused later, by its place."""
    if isinstance(given, float) and given.is_integer():
        return int(given)
    if isinstance(given, str) and given.removeprefix("-").isdecimal():
        return int(given)
    return given


def _from_view_range(given: dict[str, Json]) -> dict[str, Json]:
    """A ``view_range`` as ``offset`` and ``limit``.

    Raises:
        WorkspaceError: it is no range of lines.
    """
    rest = {name: value for name, value in given.items() if name != "view_range"}
    view_range = given.get("view_range")
    if view_range is None:
        return rest
    if isinstance(view_range, list):
        view_range = [*map(_number, view_range)]
    first, last = viewing.bounds(view_range)
    return {**rest, "offset": first, **({} if last == -1 else {"limit": last - first + 1})}


READ = Alias("Read", {"file_path": "path"}, adapt=_to_view_range)
LS = Alias("LS", adapt=lambda given: {"path": ".", **given})
WRITE = Alias("Write", {"file_path": "path"})
MIXED_VIEW = Alias("view", {"file_path": "path"}, adapt=_to_view_range)
MIXED_CREATE = Alias("create", {"file_path": "path", "content": "file_text"})
MIXED_WRITE_FILE = Alias("write_file", {"file_path": "path", "file_text": "content"})

VIEW = Alias("view", {"path": "file_path"}, adapt=_from_view_range)
WRITE_FILE = Alias("write_file", {"path": "file_path"})
MIXED_READ = Alias("Read", {"path": "file_path"}, adapt=_from_view_range)
MIXED_WRITE = Alias("Write", {"path": "file_path", "file_text": "content"})
CREATE = Alias("create", {"path": "file_path", "file_text": "content"})
