"""What an agent has read of which file, so that it never overwrites what it has not seen."""

import os
import threading
import zlib
from collections import OrderedDict
from hashlib import sha256
from typing import Literal

from attrs import frozen

#: ``strict``: every change of an existing file needs that it was read; ``auto``: overwriting
#: needs it, and edits by line number want what was read to be unchanged; ``off``: nothing does.
LedgerMode = Literal["strict", "auto", "off"]

MAX_HASHED_BYTES = 8 << 20
_MAX_KEPT_FILE_BYTES = 1 << 20
_MAX_KEPT_BYTES = 32 << 20


@frozen
class Record:
    """A file as it was when it was read or written.

    Attributes:
        digest: of its bytes; ``None`` for a file of more than 8 MB.
        packed: its bytes, compressed, to tell later what changed; ``None`` if too large.
    """

    inode: int
    size: int
    mtime_ns: int
    digest: str | None
    packed: bytes | None

    @classmethod
    def of(cls, facts: os.stat_result, data: bytes | None) -> "Record":
        """The record of a file with these facts; ``data`` is all of it, if it was read whole."""
        is_kept = data is not None and len(data) <= _MAX_KEPT_FILE_BYTES
        packed = zlib.compress(data, 1) if data is not None and is_kept else None
        return cls(facts.st_ino, facts.st_size, facts.st_mtime_ns, digest(data), packed)

    def is_same(self, facts: os.stat_result, data: bytes) -> bool:
        """Whether the file is as it was: by its bytes where they are known, else by its facts."""
        if self.digest is not None:
            return self.digest == digest(data)
        now = (facts.st_ino, facts.st_size, facts.st_mtime_ns)
        return now == (self.inode, self.size, self.mtime_ns)

    @property
    def data(self) -> bytes | None:
        """Its bytes, where they were kept."""
        return None if self.packed is None else zlib.decompress(self.packed)


class Ledger:
    """The records of one agent, by the file's absolute path.

    >>> Ledger().get("/a") is None
    True
    """

    def __init__(self) -> None:
        self._records: OrderedDict[str, Record] = OrderedDict()
        self._kept = 0
        self._lock = threading.Lock()

    def get(self, name: str) -> Record | None:
        """What is known of the file; ``None`` if it was never read."""
        return self._records.get(name)

    def put(self, name: str, record: Record) -> None:
        """Remember the file as it is now."""
        with self._lock:
            self._forget(name)
            self._records[name] = record
            self._kept += len(record.packed or b"")
            self._drop_oldest_bytes()

    def forget(self, name: str) -> None:
        """The file is gone."""
        with self._lock:
            self._forget(name)

    def _forget(self, name: str) -> None:
        old = self._records.pop(name, None)
        if old is not None:
            self._kept -= len(old.packed or b"")

    def _drop_oldest_bytes(self) -> None:
        for name, record in list(self._records.items()):
            if self._kept <= _MAX_KEPT_BYTES:
                return
            self._kept -= len(record.packed or b"")
            facts = (record.inode, record.size, record.mtime_ns, record.digest)
            self._records[name] = Record(*facts, packed=None)


def digest(data: bytes | None) -> str | None:
    """SHA-256 of a whole file, in hex; ``None`` if it was not read whole or is too large."""
    if data is None or len(data) > MAX_HASHED_BYTES:
        return None
    return sha256(data).hexdigest()
