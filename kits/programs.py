"""Programs of the host that tools start, mostly in the workspace, which must not bring its own."""

import os
import shutil


def folders() -> str:
    """PATH without what is named from where a program runs, such as ``.``."""
    return os.pathsep.join(filter(os.path.isabs, os.get_exec_path()))


def find(name: str) -> str | None:
    """Where a program is; ``None`` if it is not installed.

    >>> find("no-such-program") is None
    True
    """
    return shutil.which(name, path=folders())
