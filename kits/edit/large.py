"""Replacing a text in a very large file: searched by pieces, copied by the kernel.

Only the plain case is taken: UTF-8, no doubt about line ends or about the place, and not many
places where all are meant. For everything else the answer is ``None``, and the file is edited in
memory, where a refusal can be explained.
"""

import os
from threading import Thread

from kits.files.changes import Loaded, check_unchanged
from kits.files.history import MAX_BYTES, History
from kits.files.store import Edited, FileStore
from kits.text.content import Content, Part, Splice
from kits.text.encoding import UTF_8
from kits.text.spans import together
from qitos_like.core.context import ToolContext

from .replacing import Replacement
from .scanning import NotPlainError, Place, Scan

#: A file that undo could not keep anyway.
LARGE_BYTES = MAX_BYTES

_MAX_TEXT_BYTES = 1 << 16
_MAX_PLACES = 100
_WINDOW_BYTES = 1 << 17
_MIN_LINES = 4  # around the place: as many as an answer shows, and the line itself


def replace(
    store: FileStore,
    path: str,
    context: ToolContext | None,
    *,
    wanted: Replacement,
    above: int = LARGE_BYTES,
) -> Edited | None:
    """Make the replacement, if the file has more bytes than ``above`` and the case is plain.

    Raises:
        WorkspaceError: the file cannot be read or written, or changed meanwhile.
    """
    old = wanted.old.encode("utf-8", "surrogatepass")
    if store.workspace.stat(path).st_size <= above or len(old) > _MAX_TEXT_BYTES:
        return None
    new = UTF_8.encode(wanted.new)
    with store.workspace.locked(path), store.workspace.open_read(path) as file:
        facts = os.fstat(file.fileno())
        shown = store.workspace.relative(path)
        loaded = Loaded(path, store.name(path), shown, facts, b"")
        note = store.check_read(loaded, context, needs_same=False)
        scan = Scan(file.fileno(), old, new, most=_MAX_PLACES if wanted.everywhere else 1)
        try:
            content = store.workspace.stage(path, scan.pieces())
        except NotPlainError:
            return None
        with content:
            groups = list(together(scan.places, _WINDOW_BYTES))
            parts = [_part(file.fileno(), facts.st_size, each, new=wanted.new) for each in groups]
            known = tuple(part for part in parts if part is not None)
            if len(known) < len(parts):
                return None
            check_unchanged(store.workspace, path, facts)
            now = content.commit()
        _let_go(file.fileno())
        store.remember(path, context, facts=now, data=None)
        store.kept(context, History).forget(loaded.name)
    return Edited(shown, known, note)


def _part(fd: int, size: int, places: list[Place], *, new: str) -> Part | None:
    """Whole lines around the places; ``None`` where they are too long for that."""
    first, stop = places[0].start, places[-1].stop
    start = max(first - _WINDOW_BYTES, 0)
    data = os.pread(fd, stop + _WINDOW_BYTES - start, start)
    at_end = start + len(data) >= size
    head = data.find(b"\n", 0, first - start) + 1 if start else 0
    tail = len(data) if at_end else data.rfind(b"\n", stop - start) + 1
    above = data.count(b"\n", head, first - start)
    below = data.count(b"\n", stop - start, tail)
    if (start and (not head or above < _MIN_LINES)) or (not at_end and below < _MIN_LINES):
        return None
    data = data[head:tail]
    offset = start + head
    splices = tuple(Splice(each.start - offset, each.stop - offset, new) for each in places)
    return Part(Content(data, UTF_8, data, 0), splices, places[0].lines_before - above)


def _let_go(fd: int) -> None:
    """Close the file that was replaced in a thread: giving back its memory takes a while."""
    last = os.dup(fd)
    try:
        Thread(target=os.close, args=(last,), daemon=True).start()
    except RuntimeError:  # no threads can be had
        os.close(last)
