"""What a path that does not exist may have meant."""

import os
from collections import deque
from collections.abc import Iterator
from difflib import SequenceMatcher

from .paths import folded
from .root import Root

_MAX_ENTRIES = 4000
_NEAR_RATIO = 0.6
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NONBLOCK


def hint(root: Root, relative: str, limit: int = 5) -> str:
    """A sentence that names near files, or else what there is beside the missing one."""
    near = _near(root, relative)[:limit]
    if near:
        wanted = folded(_name(relative))
        meant = (ascii(path) if folded(_name(path)) == wanted else repr(path) for path in near)
        return f"Did you mean {' or '.join(meant)}?"
    folder = _deepest_folder(root, relative)
    names = sorted((name for name, _ in _listed(root, folder)), key=_hidden_last)
    if not names:
        return f"The folder {folder!r} is empty."
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return f"The folder {folder!r} has: {', '.join(names[:limit])}{more}."


def inside(root: Root, path: str) -> str | None:
    """What an absolute path that names another root may have meant: its longest end that exists."""
    parts = [part for part in path.split("/") if part not in {"", ".", ".."}]
    ends = ("/".join(parts[start:]) for start in range(len(parts)))
    return next((end for end in ends if _exists(root, end)), None)


def _exists(root: Root, relative: str) -> bool:
    try:
        with root.spot(relative) as spot:
            os.stat(spot.name, dir_fd=spot.fd, follow_symlinks=False)
    except OSError:
        return False
    return True


def _hidden_last(name: str) -> tuple[bool, str]:
    return name.startswith("."), name


def _near(root: Root, relative: str) -> list[str]:
    wanted_name = _name(relative).casefold()
    scored = []
    for path in _below(root):
        name = _name(path).casefold()
        alike = max(_ratio(wanted_name, name), _ratio(relative.casefold(), path.casefold()))
        if alike >= _NEAR_RATIO:
            scored.append((-alike, len(path), path))
    return [path for _, _, path in sorted(scored)]


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _ratio(one: str, other: str) -> float:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    if matcher.real_quick_ratio() < _NEAR_RATIO or matcher.quick_ratio() < _NEAR_RATIO:
        return 0.0
    return matcher.ratio()


def _below(root: Root) -> Iterator[str]:
    """Files below the root, nearest to it first; hidden folders and links are left out."""
    folders, left = deque(["."]), _MAX_ENTRIES
    while folders and left > 0:
        folder = folders.popleft()
        for name, is_folder in _listed(root, folder):
            left -= 1
            path = name if folder == "." else f"{folder}/{name}"
            if not is_folder:
                yield path
            elif not name.startswith("."):
                folders.append(path)


def _listed(root: Root, folder: str) -> list[tuple[str, bool]]:
    try:
        fd = root.open(folder, _FOLDER)
    except OSError:  # a folder that cannot be read names nothing
        return []
    try:
        with os.scandir(fd) as entries:
            return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    finally:
        os.close(fd)


def _deepest_folder(root: Root, relative: str) -> str:
    folder = relative
    while folder:
        folder = folder.rpartition("/")[0]
        if folder and _listed(root, folder):
            return folder
    return "."
