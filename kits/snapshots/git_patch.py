"""The change of one file as git writes and applies it, binary ones too."""

import hashlib
import os
import string
import zlib
from base64 import b85encode

from attrs import frozen

from kits.text import diff

_LINK = "120000"
_NO_FILE = "0" * 40
_LENGTHS = string.ascii_uppercase + string.ascii_lowercase
_BYTES_PER_LINE = len(_LENGTHS)


@frozen
class Side:
    """A file before or after a change.

    Attributes:
        mode: as git writes it, ``100644``.
        data: its bytes; of a link where it leads.
    """

    mode: str
    data: bytes


def file_patch(name: str, old: Side | None, new: Side | None) -> str:
    r"""What makes one of the other, or nothing of it; empty if they are the same.

    >>> print(file_patch("a", None, Side("100644", b"x\n")).splitlines()[1])
    new file mode 100644
    """
    if old == new:
        return ""
    if old and new and _LINK in {old.mode, new.mode} and old.mode != new.mode:
        return file_patch(name, old, None) + file_patch(name, None, new)
    paths = (_quoted(f"a/{name}"), _quoted(f"b/{name}"))
    before, after = (old.data if old else b""), (new.data if new else b"")
    head = f"diff --git {paths[0]} {paths[1]}\n{_modes(old, new)}"
    if before == after:
        return head
    if not (_is_text(before) and _is_text(after)):
        index = f"index {_blob(old)}..{_blob(new)}"
        return f"{head}{index}\nGIT binary patch\n{_literal(after)}\n{_literal(before)}\n"
    shown = (paths[0] if old else os.devnull, paths[1] if new else os.devnull)
    return f"{head}--- {shown[0]}\n+++ {shown[1]}\n{diff.hunks(before, after)}"


def _modes(old: Side | None, new: Side | None) -> str:
    if old is None and new is not None:
        return f"new file mode {new.mode}\n"
    if new is None and old is not None:
        return f"deleted file mode {old.mode}\n"
    if old is None or new is None or old.mode == new.mode:
        return ""
    return f"old mode {old.mode}\nnew mode {new.mode}\n"


def _is_text(data: bytes) -> bool:
    if b"\0" in data:
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _blob(side: Side | None) -> str:
    """Git's name for the content."""
    if side is None:
        return _NO_FILE
    head = b"blob %d\0" % len(side.data)
    return hashlib.sha1(head + side.data, usedforsecurity=False).hexdigest()


def _literal(data: bytes) -> str:
    """The whole content, as ``git diff --binary`` has it: length letters and base 85."""
    packed = zlib.compress(data)
    lines = [f"literal {len(data)}\n"]
    for start in range(0, len(packed), _BYTES_PER_LINE):
        part = packed[start : start + _BYTES_PER_LINE]
        letter = _LENGTHS[len(part) - 1]
        padded = part + bytes(-len(part) % 4)
        lines.append(f"{letter}{b85encode(padded).decode()}\n")
    return "".join(lines)


def _quoted(path: str) -> str:
    """A path in quotes, with escapes, where git wants it so."""
    data = os.fsencode(path)
    if all(" " <= chr(byte) <= "~" and byte not in b'"\\' for byte in data):
        return path
    escaped = "".join(
        chr(byte) if " " <= chr(byte) <= "~" and byte not in b'"\\' else f"\\{byte:03o}"
        for byte in data
    )
    return f'"{escaped}"'
