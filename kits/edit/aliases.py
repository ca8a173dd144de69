"""The edit tools' names in the vocabulary that is not listed, and their arguments' names in it."""

from qitos_like.core.jsontypes import Json
from qitos_like.core.traits import Alias

_MODERN = {"file_path": "path", "old_string": "old_str", "new_string": "new_str"}


def _only_edit(given: dict[str, Json]) -> dict[str, Json]:
    """The arguments of ``MultiEdit``, if it is about one edit.

    Raises:
        ValueError: there are more, which are one change there.
    """
    rest = {name: value for name, value in given.items() if name != "edits"}
    edits = given.get("edits")
    if not isinstance(edits, list) or len(edits) != 1 or not isinstance(edits[0], dict):
        message = "each edit is a call of its own here: str_replace makes one"
        raise ValueError(message)
    edit: dict[str, Json] = edits[0]
    return {**rest, **{_MODERN.get(name, name): value for name, value in edit.items()}}


#: The text editor of 2025 calls the new text so; of older ones it is ``new_str``.
INSERT = Alias("insert", {"insert_text": "new_str", "file_path": "path"})
EDIT = Alias("Edit", _MODERN)
MIXED_STR_REPLACE = Alias("str_replace", _MODERN)
ONE_EDIT = Alias("MultiEdit", {"file_path": "path"}, adapt=_only_edit)

_CLASSIC = {classic: modern for modern, classic in _MODERN.items()}
STR_REPLACE = Alias("str_replace", _CLASSIC)
MIXED_EDIT = Alias("Edit", _CLASSIC)
MIXED_MULTI_EDIT = Alias("MultiEdit", {"path": "file_path"})
