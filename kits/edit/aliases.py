"""The edit tools' names in the vocabulary that is not listed."""

from qitos_like.core.traits import Alias

_MODERN = {"file_path": "path", "old_string": "old_str", "new_string": "new_str"}

EDIT = Alias("Edit", _MODERN)

STR_REPLACE = Alias("str_replace", {classic: modern for modern, classic in _MODERN.items()})
