"""What a file has beside its bytes: owner, mode, and attributes such as access lists."""

import os
from contextlib import suppress

from .walk import Spot

_PERMISSIONS = 0o777
#: A user's own, and who else may use the file; what grants rights to a program does not stay.
_KEPT = ("user.", "system.posix_acl_access")


def keep(fd: int, like: os.stat_result, spot: Spot) -> None:
    """Give an open file the owner, mode and attributes of the one that it will replace.

    Raises:
        OSError: the mode cannot be set.
    """
    mode = like.st_mode & 0o7777
    own = os.fstat(fd)
    if (own.st_uid, own.st_gid) != (like.st_uid, like.st_gid):
        try:
            os.fchown(fd, like.st_uid, like.st_gid)
        except PermissionError:  # another's file in a folder of ours: its set-id bits must not stay
            mode &= _PERMISSIONS
    os.fchmod(fd, mode)
    if hasattr(os, "listxattr"):
        with suppress(OSError):  # the file cannot be read, or the file system has none
            _copy_attributes(spot, fd)


def _copy_attributes(spot: Spot, fd: int) -> None:
    source = os.open(spot.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=spot.fd)
    try:
        for name in os.listxattr(source):
            if name.startswith(_KEPT):
                os.setxattr(fd, name, os.getxattr(source, name))
    finally:
        os.close(source)
