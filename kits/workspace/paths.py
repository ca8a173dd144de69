"""Paths as a model writes them, made into parts; by text alone, no file is looked at."""

import os
import unicodedata
from collections.abc import Iterable

from kits.errors import denied, invalid

_MAX_PATH_BYTES = 4096


def check_text(path: str) -> None:
    """Refuse what no path of a workspace holds.

    Raises:
        WorkspaceError: it is empty, too long, or holds NUL, control characters or characters
            that no file name can have.
    """
    if not path:
        message = "the path is empty"
        raise invalid(message, hint="'.' is the workspace itself")
    if any(unicodedata.category(character) == "Cc" for character in path):
        message = f"{path!r} holds control characters"
        raise denied(message, hint="A path is plain text without NUL, line breaks or the like.")
    if path == "~" or path.startswith("~/"):
        message = f"{path!r}: '~' is not expanded, and no home folder is in reach"
        raise denied(message, hint="Paths are relative to the workspace ('./~' is a name).")
    try:
        size = len(os.fsencode(path))
    except UnicodeEncodeError:
        message = f"{path!r} holds characters that no file name can have"
        raise invalid(message) from None
    if size > _MAX_PATH_BYTES:
        message = f"the path is too long: {size} bytes, at most {_MAX_PATH_BYTES}"
        raise invalid(message)


def parts_below(path: str, spellings: Iterable[str]) -> list[str] | None:
    """The parts of ``path`` below a root, ``.`` and ``..`` taken out; ``None`` if it is outside.

    ``a/../b`` is ``b`` whatever ``a`` is: what a policy judges by text is then what is opened.

    Args:
        path: relative, or absolute below one of ``spellings``.
        spellings: absolute paths that name the root.
    """
    if not path.startswith("/"):
        return _normalised(path)
    wanted = os.path.normpath(path)
    for spelling in spellings:
        stem = spelling.rstrip("/") + "/"
        if f"{wanted.rstrip('/')}/".startswith(stem):
            return _normalised(wanted[len(stem) :])
    return None


def _normalised(relative: str) -> list[str] | None:
    parts: list[str] = []
    for part in relative.split("/"):
        if part in {"", "."}:
            continue
        if part != "..":
            parts.append(part)
        elif parts:
            parts.pop()
        else:
            return None
    return parts


def folded(part: str) -> str:
    r"""A name as the most forgiving file systems compare it: case, Unicode form, ignorables.

    HFS+ ignores zero-width characters too (CVE-2014-9390), so ``.g\u200cit`` is ``.git`` there.
    """
    plain = "".join(c for c in part if unicodedata.category(c) != "Cf")
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", plain).casefold())
