"""The whole texts of results that were cut, as files that can be viewed."""

import io

from kits.errors import WorkspaceError, invalid
from qitos_like import ArtifactStore
from qitos_like.core.context import ToolContext
from qitos_like.core.results import ErrorCode

PREFIX = "artifact:"


def open_read(name: str, context: ToolContext | None) -> io.FileIO:
    """An artifact, open for reading.

    Raises:
        WorkspaceError: there is no such artifact, or nothing keeps any.
    """
    if context is None or ArtifactStore not in context.services:
        message = f"there is no {name!r}: no artifacts are kept here"
        raise WorkspaceError(message, code=ErrorCode.NOT_AVAILABLE)
    try:
        return io.FileIO(context.services[ArtifactStore].path(name))
    except KeyError as error:
        raise invalid(str(error.args[0])) from None
