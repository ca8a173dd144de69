"""The edit tools' names in the vocabulary that is not listed."""

from qitos_like.core.traits import Alias

_MODERN = {"file_path": "path", "old_string": "old_str", "new_string": "new_str"}

#: The text editor of 2025 calls the new text so; of older ones it is ``new_str``.
INSERT = Alias("insert", {"insert_text": "new_str"})
EDIT = Alias("Edit", _MODERN)

STR_REPLACE = Alias("str_replace", {classic: modern for modern, classic in _MODERN.items()})
