"""Linux's own way below a root: ``openat2`` with ``RESOLVE_BENEATH``, by a plain system call."""

import ctypes
import errno
import os

_SYSCALL = 437  # the same on every architecture that Python runs on but Alpha
_NO_MAGICLINKS, _BENEATH = 0x02, 0x08


class _OpenHow(ctypes.Structure):
    _fields_ = (
        ("flags", ctypes.c_uint64),
        ("mode", ctypes.c_uint64),
        ("resolve", ctypes.c_uint64),
    )


class Openat2:
    """The system call, looked up once.

    >>> Openat2.__name__
    'Openat2'
    """

    def __init__(self) -> None:
        self._syscall = ctypes.CDLL(None, use_errno=True).syscall

    def open_beneath(self, root: int, relative: str, flags: int) -> int:
        """A handle on ``relative``, which is below the folder ``root`` at that very moment.

        Raises:
            OSError: ``EXDEV`` if the way leaves the root or takes an absolute link, ``EAGAIN``
                if the tree moved too much to tell, and whatever ``open`` says.
        """
        how = _OpenHow(flags | os.O_CLOEXEC, 0, _NO_MAGICLINKS | _BENEATH)
        while True:
            fd = self._syscall(
                _SYSCALL, root, os.fsencode(relative), ctypes.byref(how), ctypes.sizeof(how)
            )
            if fd >= 0:
                return int(fd)
            code = ctypes.get_errno()
            if code != errno.EINTR:
                raise OSError(code, os.strerror(code))

    def works(self, root: int) -> bool:
        """Whether kernel and sandbox let us use it."""
        try:
            os.close(self.open_beneath(root, ".", os.O_RDONLY | os.O_DIRECTORY))
        except OSError:
            return False
        return True
