"""``FileToolSet``: view, create and write files."""

import os
from io import FileIO
from stat import S_ISDIR
from typing import Annotated

from kits.caps import Caps, checked
from kits.errors import invalid
from kits.text import diff, lines
from kits.text.content import Content
from kits.text.encoding import BinaryFileError, encoding_for
from qitos_like.core.context import ToolContext
from qitos_like.core.function_tool import FunctionTool
from qitos_like.core.marks import PathArg
from qitos_like.core.permission import ToolPermission
from qitos_like.core.results import Ok, Part
from qitos_like.core.spec import ToolMeta
from qitos_like.core.tool import ToolSet, tool

from . import aliases, artifacts, folders, viewing
from .ledger import LedgerMode
from .media import SIGNATURE_BYTES, Media
from .paging import Pager
from .store import Home, store_of

Path = Annotated[str, PathArg]

_MAX_DIFFED_BYTES = 1 << 20


class FileToolSet(ToolSet):
    """View, create and write the files of a workspace.

    Attributes:
        store: the files.
        read_only, caps: as given.

    Args:
        workspace_root: a folder, a ``Workspace``, or a ``FileStore`` shared with other toolsets.
        ledger: whether overwriting a file needs that it was read.
        read_only: leave out what writes.
        caps: how much is shown at once.

    Raises:
        NotADirectoryError: the folder does not exist.

    >>> FileToolSet(".").view("README.md", [1, 1]).structured["range"]
    [1, 1]
    """

    name = "files"

    def __init__(
        self,
        workspace_root: Home = ".",
        *,
        ledger: LedgerMode = "auto",
        read_only: bool = False,
        caps: Caps = Caps(),  # noqa: B008 - frozen
    ) -> None:
        self.store = store_of(workspace_root, ledger)
        self.read_only = read_only
        self.caps = checked(caps)

    def tools(self) -> list[FunctionTool]:
        """The tools, with this toolset's limits in their texts."""
        caps = self.caps
        shown = (
            "numbered lines of a file, or a folder two levels deep. Without view_range: the first "
            f"{caps.view_lines:,} lines or {caps.view_chars:,} characters."
        )
        view = FunctionTool(self.view, ToolMeta(description=shown, reads=self.store.resources))
        if self.read_only:
            return [view]
        changes = ToolMeta(writes=self.store.resources)
        return [view, FunctionTool(self.create, changes), FunctionTool(self.write_file, changes)]

    @tool(
        aliases=[aliases.MIXED_VIEW, aliases.READ, aliases.LS],
        tags=["artifacts", "readonly"],
        permissions=ToolPermission(filesystem_read=True),
    )
    def view(
        self,
        path: Path,
        view_range: Annotated[tuple[int, int] | None, "1-based, inclusive; -1 = end"] = None,
        *,
        context: ToolContext | None = None,
    ) -> Ok:
        """View a file, or a folder.

        Raises:
            WorkspaceError: there is no such file, or its kind or the range is wrong.
        """
        wanted = viewing.span(view_range, self.caps)
        if path.startswith(artifacts.PREFIX):
            with artifacts.open_read(path, context) as file:
                return self._page(path, file, wanted)[0]
        workspace = self.store.workspace
        if S_ISDIR(workspace.stat(path).st_mode):
            listing = folders.listing(workspace, path, self.caps)
            return Ok(str(listing), structured=listing.structured())
        with workspace.open_read(path) as file:
            facts = os.fstat(file.fileno())
            result, data = self._page(workspace.relative(path), file, wanted)
        self.store.remember(path, context, facts=facts, data=data)
        return result

    @tool(
        description="write file_text as a new file, and its parent folders; refuses one that exists.",
        aliases=[aliases.MIXED_CREATE],
        permissions=ToolPermission(filesystem_write=True),
    )
    def create(self, path: Path, file_text: str, *, context: ToolContext | None = None) -> Ok:
        """Write a new file, with its parent folders; a file that exists is refused.

        Raises:
            WorkspaceError: it exists, is outside or protected, or cannot be written.
        """
        data = encoding_for(file_text).encode(file_text)
        self.store.create(path, context, data)
        return _written("Created", self.store.workspace.relative(path), data=data, old=None)

    @tool(
        description="make content the whole file; one that exists must have been viewed, and not changed.",
        aliases=[aliases.MIXED_WRITE_FILE, aliases.WRITE],
        permissions=ToolPermission(filesystem_read=True, filesystem_write=True),
    )
    def write_file(self, path: Path, content: str, *, context: ToolContext | None = None) -> Ok:
        """Write a whole file; one that exists must have been viewed, and not changed since.

        Raises:
            WorkspaceError: it has not been read or has changed, or cannot be written.
        """
        written = b""

        def encode(old: bytes | None) -> bytes:
            nonlocal written
            encoding = encoding_for(content, old)
            written = encoding.bom + encoding.encode(content)
            return written

        old = self.store.overwrite(path, context, encode)
        verb = "Created" if old is None else "Overwrote"
        return _written(verb, self.store.workspace.relative(path), data=written, old=old)

    def _page(self, shown: str, file: FileIO, wanted: viewing.Span) -> tuple[Ok, bytes | None]:
        """What is shown of a file, and all its bytes if they were read."""
        size = os.fstat(file.fileno()).st_size
        media = Media.of(shown, file.read(SIGNATURE_BYTES))
        file.seek(0)
        described = f"{shown!r} is {media.media_type}, {size:,} bytes"
        if media.is_image:
            return self._image(described, media, file)
        try:
            pager = self._pager(file, media)
        except BinaryFileError as error:
            message = f"{described}: no text to view"
            raise invalid(message, hint=error.hint) from None
        page = viewing.page(shown, pager, wanted=wanted, caps=self.caps)
        return Ok(str(page), structured=page.structured()), pager.data

    def _pager(self, file: FileIO, media: Media) -> Pager:
        pager = Pager(file, line_chars=self.caps.line_chars)
        # A PDF, say, may have no NUL, or ASCII alone.
        if media.is_agreed or (media.is_certain and pager.encoding.codec is None):
            raise BinaryFileError
        return pager

    def _image(self, described: str, media: Media, file: FileIO) -> tuple[Ok, bytes]:
        data = file.read(self.caps.image_bytes + 1)
        if len(data) > self.caps.image_bytes:
            message = f"{described}: too large to show, at most {self.caps.image_bytes:,} bytes"
            raise invalid(message)
        structured = {"media_type": media.media_type, "size": len(data)}
        shown = Ok(described, structured=structured, parts=[Part(media.media_type, data)])
        return shown, data


def _written(verb: str, shown: str, *, data: bytes, old: bytes | None) -> Ok:
    body = _text_of(data)
    count = lines.count_lines(body)
    text = f"{verb} {shown} ({lines.counted(count)}, {len(data):,} bytes)"
    if body and body[-1:] not in {b"\n", b"\r"}:
        text += "; no newline at the end"
    is_small = len(data) + len(old or b"") <= _MAX_DIFFED_BYTES
    structured = {
        "path": shown,
        "created": old is None,
        "lines": count,
        "bytes": len(data),
        "diff": diff.of_files(shown, old or b"", data) if is_small else None,
    }
    return Ok(text, structured=structured)


def _text_of(data: bytes) -> bytes:
    """The text of a file in UTF-8, to count its lines; one that is no text as it is."""
    try:
        content = Content.of(data)
    except BinaryFileError:
        return data
    return content.utf8[content.start :]
