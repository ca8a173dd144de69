"""A copy of a whole folder, to work in apart."""

import os
import shutil
from pathlib import Path
from stat import S_ISDIR, S_ISLNK, S_ISREG


def copy_tree(source: Path, target: Path) -> None:
    """Copy files, folders and links with their modes; pipes and the like are left out.

    Links that lead into ``source`` by an absolute path lead into ``target`` afterwards.

    Args:
        source: the folder.
        target: does not exist, or is an empty folder; not inside ``source``.

    Raises:
        FileExistsError: the target has files.
        ValueError: the target is inside the source.
        OSError: something cannot be copied.
    """
    if target.resolve().is_relative_to(source):
        message = f"{target} is inside {source}"
        raise ValueError(message)
    if target.exists() and any(target.iterdir()):
        message = f"{target} has files already"
        raise FileExistsError(message)
    shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True, ignore=_no_files)
    for folder, folders, files in os.walk(target):
        for name in [*folders, *files]:
            _relink(Path(folder) / name, source, target)


def _relink(path: Path, source: Path, target: Path) -> None:
    if path.is_symlink() and path.readlink().is_relative_to(source):
        inside = path.readlink().relative_to(source)
        path.unlink()
        path.symlink_to(target.resolve() / inside)


def _no_files(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if not _is_copied(Path(folder) / name)]


def _is_copied(path: Path) -> bool:
    mode = path.lstat().st_mode
    return S_ISDIR(mode) or S_ISREG(mode) or S_ISLNK(mode)
