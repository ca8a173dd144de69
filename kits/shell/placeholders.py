"""What stands for protected paths that do not exist, as long as any sandbox needs it.

It is removed by the last sandbox on a workspace that ends: a mount on it would be gone with it, in
the others too. Each holds a lock on a file that lists what was made.
"""

import fcntl
import os
import tempfile
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path

from .pipes import in_memory

#: Git reads in this file where a repository's config and hooks are: in itself.
COMMONDIR = (".git/commondir", b".\n")


def hold(root: Path, make: Callable[[], Iterable[Path]]) -> int:
    """Make placeholders; the handle to keep open until they may go.

    Args:
        root: the workspace's folder.
        make: makes them, and gives what it made.

    Raises:
        OSError: they cannot be made.
    """
    handle = _locked(_lock_file(root))
    try:
        made = [os.fsencode(path) + b"\0" for path in make()]
        os.write(handle, b"".join(made))
    except OSError:
        os.close(handle)
        raise
    return handle


def _lock_file(root: Path) -> Path:
    name = sha256(os.fsencode(root)).hexdigest()[:32]
    return Path(in_memory() or tempfile.gettempdir()) / f"qitos-{os.getuid()}-{name}"


def _locked(path: Path) -> int:
    """The lock file, which who has just removed it does not hold any more."""
    while True:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        handle = os.open(path, flags, 0o600)
        fcntl.flock(handle, fcntl.LOCK_SH)
        if path.exists() and os.path.samestat(os.fstat(handle), path.stat()):
            return handle
        os.close(handle)
