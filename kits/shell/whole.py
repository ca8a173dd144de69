"""The whole of a long output, on its way into the artifact store while it comes."""

from qitos_like import ArtifactDraft, ArtifactStore

from .capture import TAIL_BYTES, Capture
from .flow import Flow

#: Room for the end of an output that is larger than all that may be kept.
_END_BYTES = 2 * TAIL_BYTES


class Whole:
    r"""Takes what a capture drops, so that with its tail all is there, as readable text.

    Args:
        store: keeps it.
        flow: makes it readable.

    Attributes:
        missed: how many bytes there was no room for.

    >>> store = ArtifactStore()
    >>> whole = Whole(store, Flow())
    >>> capture = Capture(head_bytes=2, tail_bytes=2, spill=whole)
    >>> for piece in (b"ab", b"cd", b"ef\n"):
    ...     capture.feed(piece)
    >>> store.path(whole.keep(capture)).read_text()
    'abcdef\n'
    >>> store.close()
    """

    def __init__(self, store: ArtifactStore, flow: Flow) -> None:
        self._store = store
        self._flow = flow
        self._draft: ArtifactDraft | None = None
        self._spare = 0
        self._has_begun = False
        self.missed = 0

    def feed(self, data: bytes) -> None:
        """Take the next bytes; a disk that is full costs the artifact, and not the command."""
        try:
            if not self._has_begun:
                self._begin()
            self._write(self._flow.feed(data))
        except OSError:
            self.close()

    def keep(self, capture: Capture) -> str | None:
        """The artifact that has all there is; ``None`` if it cannot be written.

        Args:
            capture: the rest, or all of it if nothing was dropped.
        """
        if not self._has_begun:
            self.feed(capture.head())
        try:
            self._write(self._flow.feed(capture.tail()) + self._flow.rest(), is_end=True)
            return self._draft.keep() if self._draft else None
        except OSError:
            return None
        finally:
            self.close()

    def close(self) -> None:
        """Let go of it, unless it is kept."""
        if self._draft:
            self._draft.discard()
        self._draft = None

    def _begin(self) -> None:
        self._has_begun = True
        self._draft = self._store.draft()
        self._spare = min(_END_BYTES, self._draft.room // 2)

    def _write(self, text: bytes, *, is_end: bool = False) -> None:
        """Write it if there is room; the end as far as there is, with a word about the gap."""
        draft = self._draft
        if draft is None:
            return
        room = draft.room - (0 if is_end else self._spare)
        if not self.missed and len(text) <= room:
            self._put(draft, text)
        elif is_end:
            self._write_end(draft, text)
        elif self.missed:
            self.missed += len(text)
        else:
            fits = text.rfind(b"\n", 0, max(room, 0)) + 1
            self.missed = len(text) - fits
            self._put(draft, text[:fits])

    def _put(self, draft: ArtifactDraft, text: bytes) -> None:
        """Write it, unless other drafts have taken the room meanwhile."""
        if not draft.write(text):
            self.missed += len(text)

    def _write_end(self, draft: ArtifactDraft, text: bytes) -> None:
        room = max(draft.room - len(_gap(self.missed + len(text))), 0)
        begin = max(len(text) - room, 0)
        if begin:
            begin = text.find(b"\n", begin) + 1 or len(text)
        self.missed += begin
        self._put(draft, _gap(self.missed) + text[begin:])


def _gap(missed: int) -> bytes:
    return f"\n[... {missed:,} bytes were not kept ...]\n".encode()
