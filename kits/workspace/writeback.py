"""Asking the system to begin writing to disk, so that the wait at the end is short."""

import ctypes

#: So much at a time is given to the disk; less is written as soon by the wait alone.
STEP_BYTES = 4 << 20

_WRITE = 2  # SYNC_FILE_RANGE_WRITE


class WriteBack:
    """Linux's ``sync_file_range``; elsewhere nothing happens, and the wait is longer.

    It promises nothing: only ``fsync`` says that the disk has the bytes.

    >>> WriteBack().begin(0, 0, 0)
    """

    def __init__(self) -> None:
        self._call = getattr(ctypes.CDLL(None), "sync_file_range", None)
        if self._call is not None:
            self._call.argtypes = (ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint)

    def begin(self, fd: int, offset: int, length: int) -> None:
        """Begin with a range of a file; do not wait for it."""
        if self._call is not None:
            self._call(fd, offset, length, _WRITE)
