"""The whole texts of results that were cut, kept in files."""

import os
import shutil
import tempfile
import weakref
from collections import OrderedDict
from contextlib import suppress
from io import BufferedWriter
from os import PathLike
from pathlib import Path
from threading import Lock
from typing import Self

from qitos_like.core.redaction import Redaction
from qitos_like.core.redaction_stream import RedactionStream

_PREFIX = "artifact:"


class ArtifactStore:
    """Keeps texts under the names ``artifact:1``, ``artifact:2`` and so on.

    Without a folder of the host's it makes a private one for the first text, and removes it when
    it is closed, or at exit. Where the quota is used up, the oldest texts go. Stores that share a
    folder leave each other's texts alone; each knows its own.

    Args:
        folder: where the files go; it is made if it is missing, and stays.
        quota_bytes: how much is kept at most.

    >>> from contextlib import closing
    >>> with closing(ArtifactStore()) as store:
    ...     name = store.save("all of it")
    ...     name, store.path(name).read_text()
    ('artifact:1', 'all of it')
    """

    def __init__(
        self, folder: str | PathLike[str] | None = None, *, quota_bytes: int = 256 * 2**20
    ) -> None:
        self._shelf = _Shelf(None if folder is None else Path(folder), quota_bytes)

    def save(self, text: str) -> str | None:
        """Keep a text; its name, or ``None`` if it is larger than all that may be kept.

        Raises:
            OSError: it cannot be written.
        """
        data = text.encode()
        if len(data) > self._shelf.room:
            return None
        with self.draft() as draft:
            return draft.keep() if draft.write(data) else None

    def draft(self, redaction: Redaction | None = None) -> "ArtifactDraft":
        """Begin a text that comes piece by piece.

        Args:
            redaction: hides secrets in it.

        Raises:
            OSError: its file cannot be made.
        """
        return ArtifactDraft(self._shelf, redaction or Redaction())

    def path(self, name: str) -> Path:
        """The file that holds a text, as UTF-8.

        Raises:
            KeyError: there is no such text, or not any more; the message says which there are.
        """
        return self._shelf.path(name)

    def close(self) -> None:
        """Remove the folder that was made here; a host's folder stays as it is."""
        self._shelf.close()


class ArtifactDraft:
    """A text on its way into a store, by one thread at a time; gone if it is not kept.

    Attributes:
        name: what it is called once it is kept.
        size: how many bytes it has.

    >>> from contextlib import closing
    >>> with closing(ArtifactStore(quota_bytes=10)) as store, store.draft() as draft:
    ...     print(draft.write(b"all "), draft.write(b"of it"), draft.write(b" and more"))
    ...     print(store.path(draft.keep()).read_text(), isinstance(draft, ArtifactDraft))
    True True False
    all of it True
    """

    def __init__(self, shelf: "_Shelf", redaction: Redaction) -> None:
        self._hiding = RedactionStream(redaction)
        self.name, self._file = shelf.open_next()
        self.size = 0
        self._shelf = shelf
        self._is_settled = False

    @property
    def room(self) -> int:
        """How many bytes more may be kept, now."""
        return self._shelf.room - self._hiding.size

    def write(self, data: bytes) -> bool:
        """Add some UTF-8; ``False`` if it is more than may be kept, and then nothing is added.

        Raises:
            OSError: it cannot be written.
        """
        return len(data) <= self.room and self._write(self._hiding.feed(data))

    def keep(self) -> str | None:
        """End it; its name, or ``None`` if the store was closed meanwhile.

        Raises:
            OSError: it cannot be written.
        """
        self._write(self._hiding.rest())
        self._file.close()
        self._is_settled = True
        return self.name if self._shelf.add(self.name, self.size) else None

    def _write(self, data: bytes) -> bool:
        if not self._shelf.make_room(len(data)):
            return False
        self.size += len(data)
        self._file.write(data)
        return True

    def discard(self) -> None:
        """Let go of it, unless it is kept; again does nothing."""
        if not self._is_settled:
            self._is_settled = True
            with suppress(OSError):  # what could not be written is not missed
                self._file.close()
            self._shelf.forget(self.name, self.size)

    def __enter__(self) -> Self:
        """The draft itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of it, unless it is kept."""
        self.discard()


class _Shelf:
    """The folder of a store, and what is in it: texts, and drafts of texts.

    Args:
        folder: the host's; ``None`` for one of its own.
        quota_bytes: how much is kept at most, drafts included.
    """

    def __init__(self, folder: Path | None, quota_bytes: int) -> None:
        self._folder = folder
        self._quota_bytes = quota_bytes
        self._sizes: OrderedDict[str, int] = OrderedDict()
        self._kept_bytes = 0
        self._drafted_bytes = 0
        self._number = 0
        self._lock = Lock()
        self._removal: weakref.finalize[[Path, int], _Shelf] | None = None

    @property
    def room(self) -> int:
        """How much a draft may take, if all texts go for it."""
        return self._quota_bytes - self._drafted_bytes

    def open_next(self) -> tuple[str, BufferedWriter]:
        """An empty file, by the next number that no other store has taken in this folder."""
        with self._lock:
            while True:
                self._number += 1
                name = f"{_PREFIX}{self._number}"
                file = self._file(name)
                file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                with suppress(FileExistsError):
                    return name, file.open("xb")

    def make_room(self, size: int) -> bool:
        """Take so much for a draft; the oldest texts go for it, other drafts do not."""
        with self._lock:
            if size > self.room:
                return False
            self._drafted_bytes += size
            while self._sizes and self._kept_bytes + self._drafted_bytes > self._quota_bytes:
                oldest, freed = self._sizes.popitem(last=False)
                self._kept_bytes -= freed
                self._file(oldest).unlink(missing_ok=True)
            return True

    def add(self, name: str, size: int) -> bool:
        """Make a text of a draft; ``False`` if its file is gone, with the folder."""
        with self._lock:
            self._drafted_bytes -= size
            if self._folder is None or not self._file(name).exists():
                return False
            self._kept_bytes += size
            self._sizes[name] = size
            return True

    def forget(self, name: str, size: int) -> None:
        """Remove a draft."""
        with self._lock:
            self._drafted_bytes -= size
            if self._folder is not None:
                self._file(name).unlink(missing_ok=True)

    def path(self, name: str) -> Path:
        """The file of a text.

        Raises:
            KeyError: there is none.
        """
        with self._lock:
            if name not in self._sizes:
                kept = ", ".join(self._sizes) or "none"
                message = f"there is no {name!r} (any more); kept: {kept}"
                raise KeyError(message)
            return self._file(name)

    def close(self) -> None:
        """Forget all, and remove the folder if it is its own."""
        with self._lock:
            if self._removal is not None:
                self._removal()
                self._removal = self._folder = None
            self._sizes.clear()
            self._kept_bytes = 0

    def _file(self, name: str) -> Path:
        """Where a text is kept; the folder is made when first needed."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="qitos-like-"))
            self._removal = weakref.finalize(self, _remove, self._folder, os.getpid())
        return self._folder / f"{name.removeprefix(_PREFIX)}.txt"


def _remove(folder: Path, process: int) -> None:
    """Remove a folder, but for a fork of the process whose folder it is."""
    if process == os.getpid():
        shutil.rmtree(folder, ignore_errors=True)
