"""The whole texts of results that were cut, kept in files."""

import shutil
import tempfile
import weakref
from collections import OrderedDict
from os import PathLike
from pathlib import Path
from threading import Lock

_PREFIX = "artifact:"


class ArtifactStore:
    """Keeps texts under the names ``artifact:1``, ``artifact:2`` and so on.

    Without a folder of the host's it makes a private one for the first text, and removes it when
    it is closed, or at exit. Where the quota is used up, the oldest texts go.

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
        self._folder = None if folder is None else Path(folder)
        self._quota_bytes = quota_bytes
        self._sizes: OrderedDict[str, int] = OrderedDict()
        self._lock = Lock()
        self._number = 0
        self._removal: weakref.finalize[..., ArtifactStore] | None = None

    def save(self, text: str) -> str | None:
        """Keep a text; its name, or ``None`` if it is larger than all that may be kept.

        Raises:
            OSError: it cannot be written.
        """
        data = text.encode()
        if len(data) > self._quota_bytes:
            return None
        with self._lock:
            while self._sizes and sum(self._sizes.values()) + len(data) > self._quota_bytes:
                oldest, _ = self._sizes.popitem(last=False)
                self._file(oldest).unlink(missing_ok=True)
            self._number += 1
            name = f"{_PREFIX}{self._number}"
            file = self._file(name)
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.write_bytes(data)
            self._sizes[name] = len(data)
        return name

    def path(self, name: str) -> Path:
        """The file that holds a text, as UTF-8.

        Raises:
            KeyError: there is no such text, or not any more; the message says which there are.
        """
        with self._lock:
            if name not in self._sizes:
                kept = ", ".join(self._sizes) or "none"
                message = f"there is no {name!r} (any more); kept: {kept}"
                raise KeyError(message)
            return self._file(name)

    def close(self) -> None:
        """Remove the folder that was made here; a host's folder stays as it is."""
        with self._lock:
            if self._removal is not None:
                self._removal()
                self._removal = self._folder = None
            self._sizes.clear()

    def _file(self, name: str) -> Path:
        """Where a text is kept; the folder is made when first needed."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="qitos-like-"))
            self._removal = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        return self._folder / f"{name.removeprefix(_PREFIX)}.txt"
